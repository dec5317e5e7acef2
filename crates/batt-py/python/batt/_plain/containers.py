"""Tuples and sets of anything."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations


def contained(value, container):
    return value in container


def combine(a, b):
    return type(a)((*a, *b))


def intersection(a, b):
    return a & b


def difference(a, b):
    return type(a)([item for item in a if item not in b])


def dedupe(tup):
    return tuple([item for place, item in enumerate(tup) if tup.index(item) == place])


def repeat(item, num):
    return tuple([item for _ in range(num)])


def size(container):
    return len(container)


def merge(containers):
    return type(containers)([item for container in containers for item in container])


def maximum(container):
    return max(container, default=0)


def minimum(container):
    return min(container, default=0)


def mostcommon(container):
    return max(set(container), key=container.count)


def leastcommon(container):
    return min(set(container), key=container.count)


def initset(value):
    return frozenset({value})


def totuple(container):
    return tuple(container)


def first(container):
    return next(iter(container))


def last(container):
    if isinstance(container, tuple) and container:
        return container[-1]
    return max(enumerate(container))[1]


def insert(value, container):
    return container.union({value})


def remove(value, container):
    return type(container)([item for item in container if item != value])


def other(container, value):
    return next(iter(type(container)([item for item in container if item != value])))


def astuple(a, b):
    return (a, b)


def product(a, b):
    return frozenset([(i, j) for j in b for i in a])


def pair(a, b):
    return tuple(zip(a, b))
