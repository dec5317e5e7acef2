"""Tuples and sets of anything."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken


def contained(value, container):
    if type(value) is not tuple and type(value) not in PLAIN:
        value = taken("contained", 0, value)
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("contained", 1, container)
    return value in container


def combine(a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("combine", 0, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("combine", 1, b)
    return type(a)((*a, *b))


def intersection(a, b):
    if type(a) is not frozenset and type(a) not in PLAIN:
        a = taken("intersection", 0, a)
    if type(b) is not frozenset and type(b) not in PLAIN:
        b = taken("intersection", 1, b)
    return a & b


def difference(a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("difference", 0, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("difference", 1, b)
    return type(a)([item for item in a if item not in b])


def dedupe(tup):
    if type(tup) is not tuple and type(tup) not in PLAIN:
        tup = taken("dedupe", 0, tup)
    return tuple([item for place, item in enumerate(tup) if tup.index(item) == place])


def repeat(item, num):
    if type(item) is not tuple and type(item) not in PLAIN:
        item = taken("repeat", 0, item)
    if type(num) is not int and type(num) not in PLAIN:
        num = taken("repeat", 1, num)
    return tuple([item for _ in range(num)])


def size(container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("size", 0, container)
    return len(container)


def merge(containers):
    if type(containers) is not tuple and type(containers) not in PLAIN:
        containers = taken("merge", 0, containers)
    return type(containers)([item for container in containers for item in container])


def maximum(container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("maximum", 0, container)
    return max(container, default=0)


def minimum(container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("minimum", 0, container)
    return min(container, default=0)


def mostcommon(container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("mostcommon", 0, container)
    return max(set(container), key=container.count)


def leastcommon(container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("leastcommon", 0, container)
    return min(set(container), key=container.count)


def initset(value):
    if type(value) is not tuple and type(value) not in PLAIN:
        value = taken("initset", 0, value)
    return frozenset({value})


def totuple(container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("totuple", 0, container)
    return tuple(container)


def first(container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("first", 0, container)
    return next(iter(container))


def last(container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("last", 0, container)
    if isinstance(container, tuple) and container:
        return container[-1]
    return max(enumerate(container))[1]


def insert(value, container):
    if type(value) is not tuple and type(value) not in PLAIN:
        value = taken("insert", 0, value)
    if type(container) is not frozenset and type(container) not in PLAIN:
        container = taken("insert", 1, container)
    return container.union({value})


def remove(value, container):
    if type(value) is not tuple and type(value) not in PLAIN:
        value = taken("remove", 0, value)
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("remove", 1, container)
    return type(container)([item for item in container if item != value])


def other(container, value):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("other", 0, container)
    if type(value) is not tuple and type(value) not in PLAIN:
        value = taken("other", 1, value)
    return next(iter(type(container)([item for item in container if item != value])))


def astuple(a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("astuple", 0, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("astuple", 1, b)
    return (a, b)


def product(a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("product", 0, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("product", 1, b)
    return frozenset([(i, j) for j in b for i in a])


def pair(a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("pair", 0, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("pair", 1, b)
    return tuple(zip(a, b))
