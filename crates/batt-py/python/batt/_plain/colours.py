"""Colours and their counts."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations


def mostcolor(element):
    values = [value for row in element for value in row] if isinstance(element, tuple) else [value for value, _ in element]
    return max(set(values), key=values.count)


def leastcolor(element):
    values = [value for row in element for value in row] if isinstance(element, tuple) else [value for value, _ in element]
    return min(set(values), key=values.count)


def colorcount(element, value):
    if isinstance(element, tuple):
        return sum([row.count(value) for row in element])
    return sum([found == value for found, _ in element])


def colorfilter(objs, value):
    return frozenset([obj for obj in objs if next(iter(obj))[0] == value])


def sizefilter(container, n):
    return frozenset([item for item in container if len(item) == n])


def palette(element):
    if isinstance(element, tuple):
        return frozenset({value for row in element for value in row})
    return frozenset({value for value, _ in element})


def numcolors(element):
    return len(palette(element))


def color(obj):
    return next(iter(obj))[0]
