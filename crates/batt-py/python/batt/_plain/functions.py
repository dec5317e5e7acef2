"""Functions that make functions, and functions that call functions on items."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations


def compose(outer, inner):
    return lambda x: outer(inner(x))


def chain(h, g, f):
    return lambda x: h(g(f(x)))


def matcher(function, target):
    return lambda x: function(x) == target


def rbind(function, fixed):
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
    if n == 1:
        return function
    return compose(function, power(function, n - 1))


def fork(outer, a, b):
    return lambda x: outer(a(x), b(x))


def _no_end(error):
    # As if a generator had gone through the items: the end of another iteration is not its end.
    return RuntimeError(f"generator raised StopIteration: {error}")


def apply(function, container):
    try:
        return type(container)([function(item) for item in container])
    except StopIteration as error:
        raise _no_end(error) from error


def rapply(functions, value):
    try:
        return type(functions)([function(value) for function in functions])
    except StopIteration as error:
        raise _no_end(error) from error


def mapply(function, container):
    try:
        kind = type(container)
        # The containers are a container of their own first: equal ones count once in a set.
        return kind([item for inner in kind([function(outer) for outer in container]) for item in inner])
    except StopIteration as error:
        raise _no_end(error) from error


def papply(function, a, b):
    try:
        return tuple([function(i, j) for i, j in zip(a, b)])
    except StopIteration as error:
        raise _no_end(error) from error


def mpapply(function, a, b):
    try:
        return tuple([item for i, j in zip(a, b) for item in function(i, j)])
    except StopIteration as error:
        raise _no_end(error) from error


def prapply(function, a, b):
    try:
        return frozenset([function(i, j) for j in b for i in a])
    except StopIteration as error:
        raise _no_end(error) from error


def sfilter(container, condition):
    try:
        return type(container)([item for item in container if condition(item)])
    except StopIteration as error:
        raise _no_end(error) from error


def mfilter(container, function):
    try:
        kind = type(container)
        return kind([item for inner in kind([outer for outer in container if function(outer)]) for item in inner])
    except StopIteration as error:
        raise _no_end(error) from error


def extract(container, condition):
    return next(item for item in container if condition(item))


def order(container, compfunc):
    return tuple(sorted(container, key=compfunc))


def valmax(container, compfunc):
    return compfunc(max(container, key=compfunc, default=0))


def valmin(container, compfunc):
    return compfunc(min(container, key=compfunc, default=0))


def argmax(container, compfunc):
    return max(container, key=compfunc)


def argmin(container, compfunc):
    return min(container, key=compfunc)
