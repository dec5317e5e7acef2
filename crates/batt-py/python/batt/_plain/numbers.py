"""Integers, pairs of integers, truth values."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken


def identity(x):
    if type(x) is not tuple and type(x) not in PLAIN:
        x = taken("identity", 0, x)
    return x


def add(a, b):
    if isinstance(a, int):
        if isinstance(b, int):
            return a + b
        if isinstance(b, tuple):
            return (a + b[0], a + b[1])
    elif isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] + b[0], a[1] + b[1])
    if type(a) not in PLAIN or type(b) not in PLAIN:
        left, right = taken("add", 0, a), taken("add", 1, b)
        if left is not a or right is not b:
            return add(left, right)
    return (a[0] + b, a[1] + b)


def subtract(a, b):
    if isinstance(a, int):
        if isinstance(b, int):
            return a - b
        if isinstance(b, tuple):
            return (a - b[0], a - b[1])
    elif isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] - b[0], a[1] - b[1])
    if type(a) not in PLAIN or type(b) not in PLAIN:
        left, right = taken("subtract", 0, a), taken("subtract", 1, b)
        if left is not a or right is not b:
            return subtract(left, right)
    return (a[0] - b, a[1] - b)


def multiply(a, b):
    if isinstance(a, int):
        if isinstance(b, int):
            return a * b
        if isinstance(b, tuple):
            return (a * b[0], a * b[1])
    elif isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] * b[0], a[1] * b[1])
    if type(a) not in PLAIN or type(b) not in PLAIN:
        left, right = taken("multiply", 0, a), taken("multiply", 1, b)
        if left is not a or right is not b:
            return multiply(left, right)
    return (a[0] * b, a[1] * b)


def divide(a, b):
    if isinstance(a, int):
        if isinstance(b, int):
            return a // b
        if isinstance(b, tuple):
            return (a // b[0], a // b[1])
    elif isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] // b[0], a[1] // b[1])
    if type(a) not in PLAIN or type(b) not in PLAIN:
        left, right = taken("divide", 0, a), taken("divide", 1, b)
        if left is not a or right is not b:
            return divide(left, right)
    return (a[0] // b, a[1] // b)


def invert(n):
    if type(n) is not int and type(n) not in PLAIN:
        n = taken("invert", 0, n)
    return -n if isinstance(n, int) else (-n[0], -n[1])


def even(n):
    if type(n) is not int and type(n) not in PLAIN:
        n = taken("even", 0, n)
    return n % 2 == 0


def double(n):
    if type(n) is not int and type(n) not in PLAIN:
        n = taken("double", 0, n)
    return n * 2 if isinstance(n, int) else (n[0] * 2, n[1] * 2)


def halve(n):
    if type(n) is not int and type(n) not in PLAIN:
        n = taken("halve", 0, n)
    return n // 2 if isinstance(n, int) else (n[0] // 2, n[1] // 2)


def flip(b):
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("flip", 0, b)
    return not b


def equality(a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("equality", 0, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("equality", 1, b)
    return a == b


def greater(a, b):
    if type(a) is not int and type(a) not in PLAIN:
        a = taken("greater", 0, a)
    if type(b) is not int and type(b) not in PLAIN:
        b = taken("greater", 1, b)
    return a > b


def both(a, b):
    if type(a) is not bool and type(a) not in PLAIN:
        a = taken("both", 0, a)
    if type(b) is not bool and type(b) not in PLAIN:
        b = taken("both", 1, b)
    return a and b


def either(a, b):
    if type(a) is not bool and type(a) not in PLAIN:
        a = taken("either", 0, a)
    if type(b) is not bool and type(b) not in PLAIN:
        b = taken("either", 1, b)
    return a or b


def increment(x):
    if type(x) is not int and type(x) not in PLAIN:
        x = taken("increment", 0, x)
    return x + 1 if isinstance(x, int) else (x[0] + 1, x[1] + 1)


def decrement(x):
    if type(x) is not int and type(x) not in PLAIN:
        x = taken("decrement", 0, x)
    return x - 1 if isinstance(x, int) else (x[0] - 1, x[1] - 1)


def crement(x):
    if type(x) is not int and type(x) not in PLAIN:
        x = taken("crement", 0, x)
    if isinstance(x, int):
        return x + (x > 0) - (x < 0)
    return (x[0] + (x[0] > 0) - (x[0] < 0), x[1] + (x[1] > 0) - (x[1] < 0))


def sign(x):
    if type(x) is not int and type(x) not in PLAIN:
        x = taken("sign", 0, x)
    if isinstance(x, int):
        return (x > 0) - (x < 0)
    return ((x[0] > 0) - (x[0] < 0), (x[1] > 0) - (x[1] < 0))


def positive(x):
    if type(x) is not int and type(x) not in PLAIN:
        x = taken("positive", 0, x)
    return x > 0


def toivec(i):
    if type(i) is not int and type(i) not in PLAIN:
        i = taken("toivec", 0, i)
    return (i, 0)


def tojvec(j):
    if type(j) is not int and type(j) not in PLAIN:
        j = taken("tojvec", 0, j)
    return (0, j)


def interval(start, stop, step):
    if type(start) is not int and type(start) not in PLAIN:
        start = taken("interval", 0, start)
    if type(stop) is not int and type(stop) not in PLAIN:
        stop = taken("interval", 1, stop)
    if type(step) is not int and type(step) not in PLAIN:
        step = taken("interval", 2, step)
    return tuple(range(start, stop, step))


def branch(condition, a, b):
    if type(condition) is not bool and type(condition) not in PLAIN:
        condition = taken("branch", 0, condition)
    if condition:
        return a if type(a) is tuple or type(a) in PLAIN else taken("branch", 1, a)
    return b if type(b) is tuple or type(b) in PLAIN else taken("branch", 2, b)
