"""Locations made from locations."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken
from batt._plain.patches import lowermost, lrcorner, leftmost, rightmost, toindices, ulcorner, uppermost


def dneighbors(loc):
    if type(loc) is not tuple and type(loc) not in PLAIN:
        loc = taken("dneighbors", 0, loc)
    i, j = loc[0], loc[1]
    return frozenset({(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)})


def ineighbors(loc):
    if type(loc) is not tuple and type(loc) not in PLAIN:
        loc = taken("ineighbors", 0, loc)
    i, j = loc[0], loc[1]
    return frozenset({(i - 1, j - 1), (i - 1, j + 1), (i + 1, j - 1), (i + 1, j + 1)})


def neighbors(loc):
    if type(loc) is not tuple and type(loc) not in PLAIN:
        loc = taken("neighbors", 0, loc)
    return dneighbors(loc) | ineighbors(loc)


def connect(a, b):
    ai, aj = a
    bi, bj = b
    rows = range(min(ai, bi), max(ai, bi) + 1)
    columns = range(min(aj, bj), max(aj, bj) + 1)
    if ai == bi:
        return frozenset([(ai, j) for j in columns])
    if aj == bj:
        return frozenset([(i, aj) for i in rows])
    if bi - ai == bj - aj:
        return frozenset(zip(rows, columns))
    if bi - ai == aj - bj:
        return frozenset(zip(rows, reversed(columns)))
    return frozenset()


def shoot(start, direction):
    if type(start) is not tuple and type(start) not in PLAIN:
        start = taken("shoot", 0, start)
    if type(direction) is not tuple and type(direction) not in PLAIN:
        direction = taken("shoot", 1, direction)
    return connect(start, (start[0] + 42 * direction[0], start[1] + 42 * direction[1]))


def vfrontier(location):
    return frozenset([(i, location[1]) for i in range(30)])


def hfrontier(location):
    return frozenset([(location[0], j) for j in range(30)])


def backdrop(patch):
    if len(patch) == 0:
        return frozenset()
    top, left = ulcorner(patch)
    bottom, right = lrcorner(patch)
    return frozenset([(i, j) for i in range(top, bottom + 1) for j in range(left, right + 1)])


def delta(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("delta", 0, patch)
    if len(patch) == 0:
        return frozenset()
    return backdrop(patch) - toindices(patch)


def _outline(top, left, bottom, right):
    top, bottom = min(top, bottom), max(top, bottom)
    left, right = min(left, right), max(left, right)
    rows, columns = range(top, bottom + 1), range(left, right + 1)
    sides = {(i, left) for i in rows} | {(i, right) for i in rows}
    return frozenset(sides | ({(top, j) for j in columns} | {(bottom, j) for j in columns}))


def inbox(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("inbox", 0, patch)
    return _outline(uppermost(patch) + 1, leftmost(patch) + 1, lowermost(patch) - 1, rightmost(patch) - 1)


def outbox(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("outbox", 0, patch)
    return _outline(uppermost(patch) - 1, leftmost(patch) - 1, lowermost(patch) + 1, rightmost(patch) + 1)


def box(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("box", 0, patch)
    if len(patch) == 0:
        return patch
    top, left = ulcorner(patch)
    bottom, right = lrcorner(patch)
    return _outline(top, left, bottom, right)
