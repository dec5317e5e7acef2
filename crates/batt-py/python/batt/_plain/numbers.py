"""Integers, pairs of integers, truth values."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations


def identity(x):
    return x


def add(a, b):
    if isinstance(a, int):
        if isinstance(b, int):
            return a + b
        if isinstance(b, tuple):
            return (a + b[0], a + b[1])
    elif isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] + b[0], a[1] + b[1])
    return (a[0] + b, a[1] + b)


def subtract(a, b):
    if isinstance(a, int):
        if isinstance(b, int):
            return a - b
        if isinstance(b, tuple):
            return (a - b[0], a - b[1])
    elif isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] - b[0], a[1] - b[1])
    return (a[0] - b, a[1] - b)


def multiply(a, b):
    if isinstance(a, int):
        if isinstance(b, int):
            return a * b
        if isinstance(b, tuple):
            return (a * b[0], a * b[1])
    elif isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] * b[0], a[1] * b[1])
    return (a[0] * b, a[1] * b)


def divide(a, b):
    if isinstance(a, int):
        if isinstance(b, int):
            return a // b
        if isinstance(b, tuple):
            return (a // b[0], a // b[1])
    elif isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] // b[0], a[1] // b[1])
    return (a[0] // b, a[1] // b)


def invert(n):
    return -n if isinstance(n, int) else (-n[0], -n[1])


def even(n):
    return n % 2 == 0


def double(n):
    return n * 2 if isinstance(n, int) else (n[0] * 2, n[1] * 2)


def halve(n):
    return n // 2 if isinstance(n, int) else (n[0] // 2, n[1] // 2)


def flip(b):
    return not b


def equality(a, b):
    return a == b


def greater(a, b):
    return a > b


def both(a, b):
    return a and b


def either(a, b):
    return a or b


def increment(x):
    return x + 1 if isinstance(x, int) else (x[0] + 1, x[1] + 1)


def decrement(x):
    return x - 1 if isinstance(x, int) else (x[0] - 1, x[1] - 1)


def crement(x):
    if isinstance(x, int):
        return x + (x > 0) - (x < 0)
    return (x[0] + (x[0] > 0) - (x[0] < 0), x[1] + (x[1] > 0) - (x[1] < 0))


def sign(x):
    if isinstance(x, int):
        return (x > 0) - (x < 0)
    return ((x[0] > 0) - (x[0] < 0), (x[1] > 0) - (x[1] < 0))


def positive(x):
    return x > 0


def toivec(i):
    return (i, 0)


def tojvec(j):
    return (0, j)


def interval(start, stop, step):
    return tuple(range(start, stop, step))


def branch(condition, a, b):
    return a if condition else b
