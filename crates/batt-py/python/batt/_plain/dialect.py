"""The primitives of the typed dialect that call functions."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations


def get_nth_by_key(container, n, function):
    return sorted(container, key=function)[n]


def get_arg_rank(container, function, n):
    return sorted(container, key=function, reverse=True)[n]


def get_val_rank(container, function, n):
    return sorted([function(item) for item in container])[n]


def c_iz(S, function):
    return _only_in(S, function, 0)


def c_zo(S, function):
    return _only_in(S, function, 1)


def c_iz_n(S, function, pick):
    return pick(c_iz(S, function))


def c_zo_n(S, function, pick):
    return pick(c_zo(S, function))


def _only_in(demos, function, side):
    """What the function finds on one side of the demos and not on the other."""
    here, there = ([value for demo in demos for value in function(demo[k])] for k in (side, 1 - side))
    return tuple([value for value in dict.fromkeys(here) if value not in there])
