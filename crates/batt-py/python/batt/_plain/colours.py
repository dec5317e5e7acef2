"""Colours and their counts."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken


def mostcolor(element):
    if type(element) is not tuple and type(element) not in PLAIN:
        element = taken("mostcolor", 0, element)
    values = [value for row in element for value in row] if isinstance(element, tuple) else [value for value, _ in element]
    return max(set(values), key=values.count)


def leastcolor(element):
    if type(element) is not tuple and type(element) not in PLAIN:
        element = taken("leastcolor", 0, element)
    values = [value for row in element for value in row] if isinstance(element, tuple) else [value for value, _ in element]
    return min(set(values), key=values.count)


def colorcount(element, value):
    if type(element) is not tuple and type(element) not in PLAIN:
        element = taken("colorcount", 0, element)
    if type(value) is not int and type(value) not in PLAIN:
        value = taken("colorcount", 1, value)
    if isinstance(element, tuple):
        return sum([row.count(value) for row in element])
    return sum([found == value for found, _ in element])


def colorfilter(objs, value):
    if type(objs) is not tuple and type(objs) not in PLAIN:
        objs = taken("colorfilter", 0, objs)
    if type(value) is not int and type(value) not in PLAIN:
        value = taken("colorfilter", 1, value)
    return frozenset([obj for obj in objs if next(iter(obj))[0] == value])


def sizefilter(container, n):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("sizefilter", 0, container)
    if type(n) is not int and type(n) not in PLAIN:
        n = taken("sizefilter", 1, n)
    return frozenset([item for item in container if len(item) == n])


def palette(element):
    if type(element) is not tuple and type(element) not in PLAIN:
        element = taken("palette", 0, element)
    if isinstance(element, tuple):
        return frozenset({value for row in element for value in row})
    return frozenset({value for value, _ in element})


def numcolors(element):
    if type(element) is not tuple and type(element) not in PLAIN:
        element = taken("numcolors", 0, element)
    return len(palette(element))


def color(obj):
    if type(obj) is not frozenset and type(obj) not in PLAIN:
        obj = taken("color", 0, obj)
    return next(iter(obj))[0]
