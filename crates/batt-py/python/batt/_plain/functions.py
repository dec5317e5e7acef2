"""Functions that make functions, and functions that call functions on items."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken


def compose(outer, inner):
    return lambda x: outer(inner(x))


def chain(h, g, f):
    return lambda x: h(g(f(x)))


def matcher(function, target):
    if type(target) is not tuple and type(target) not in PLAIN:
        target = taken("matcher", 1, target)
    return lambda x: function(x) == target


def rbind(function, fixed):
    if type(fixed) is not tuple and type(fixed) not in PLAIN:
        fixed = taken("rbind", 1, fixed)
    try:
        count = function.__code__.co_argcount
    except AttributeError:
        count = function.arity
    if count == 2:
        return lambda x: function(x, fixed)
    if count == 3:
        return lambda x, y: function(x, y, fixed)
    return lambda x, y, z: function(x, y, z, fixed)


def lbind(function, fixed):
    if type(fixed) is not tuple and type(fixed) not in PLAIN:
        fixed = taken("lbind", 1, fixed)
    try:
        count = function.__code__.co_argcount
    except AttributeError:
        count = function.arity
    if count == 2:
        return lambda y: function(fixed, y)
    if count == 3:
        return lambda y, z: function(fixed, y, z)
    return lambda y, z, a: function(fixed, y, z, a)


def power(function, n):
    if type(n) is not int and type(n) not in PLAIN:
        n = taken("power", 1, n)
    if n == 1:
        return function
    return compose(function, power(function, n - 1))


def fork(outer, a, b):
    return lambda x: outer(a(x), b(x))


def _no_end(error):
    # As if a generator had gone through the items: the end of another iteration is not its end.
    return RuntimeError(f"generator raised StopIteration: {error}")


def apply(function, container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("apply", 1, container)
    try:
        return type(container)([function(item) for item in container])
    except StopIteration as error:
        raise _no_end(error) from error


def rapply(functions, value):
    if type(functions) is not tuple and type(functions) not in PLAIN:
        functions = taken("rapply", 0, functions)
    if type(value) is not tuple and type(value) not in PLAIN:
        value = taken("rapply", 1, value)
    try:
        return type(functions)([function(value) for function in functions])
    except StopIteration as error:
        raise _no_end(error) from error


def mapply(function, container):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("mapply", 1, container)
    try:
        kind = type(container)
        # The containers are a container of their own first: equal ones count once in a set.
        return kind([item for inner in kind([function(outer) for outer in container]) for item in inner])
    except StopIteration as error:
        raise _no_end(error) from error


def papply(function, a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("papply", 1, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("papply", 2, b)
    try:
        return tuple([function(i, j) for i, j in zip(a, b)])
    except StopIteration as error:
        raise _no_end(error) from error


def mpapply(function, a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("mpapply", 1, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("mpapply", 2, b)
    try:
        return tuple([item for i, j in zip(a, b) for item in function(i, j)])
    except StopIteration as error:
        raise _no_end(error) from error


def prapply(function, a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("prapply", 1, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("prapply", 2, b)
    try:
        return frozenset([function(i, j) for j in b for i in a])
    except StopIteration as error:
        raise _no_end(error) from error


def sfilter(container, condition):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("sfilter", 0, container)
    try:
        return type(container)([item for item in container if condition(item)])
    except StopIteration as error:
        raise _no_end(error) from error


def mfilter(container, function):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("mfilter", 0, container)
    try:
        kind = type(container)
        return kind([item for inner in kind([outer for outer in container if function(outer)]) for item in inner])
    except StopIteration as error:
        raise _no_end(error) from error


def extract(container, condition):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("extract", 0, container)
    return next(item for item in container if condition(item))


def order(container, compfunc):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("order", 0, container)
    return tuple(sorted(container, key=compfunc))


def valmax(container, compfunc):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("valmax", 0, container)
    return compfunc(max(container, key=compfunc, default=0))


def valmin(container, compfunc):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("valmin", 0, container)
    return compfunc(min(container, key=compfunc, default=0))


def argmax(container, compfunc):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("argmax", 0, container)
    return max(container, key=compfunc)


def argmin(container, compfunc):
    if type(container) is not tuple and type(container) not in PLAIN:
        container = taken("argmin", 0, container)
    return min(container, key=compfunc)
