"""Putting patches onto grids."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken
from batt._plain.colours import mostcolor
from batt._plain.patches import _locations, shift


def fill(grid, value, patch):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("fill", 0, grid)
    if type(value) is not int and type(value) not in PLAIN:
        value = taken("fill", 1, value)
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("fill", 2, patch)
    rows, columns = len(grid), len(grid[0])
    filled = [list(row) for row in grid]
    for i, j in _locations(patch):
        if 0 <= i < rows and 0 <= j < columns:
            filled[i][j] = value
    return tuple([tuple(row) for row in filled])


def paint(grid, obj):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("paint", 0, grid)
    if type(obj) is not frozenset and type(obj) not in PLAIN:
        obj = taken("paint", 1, obj)
    rows, columns = len(grid), len(grid[0])
    painted = [list(row) for row in grid]
    for value, (i, j) in obj:
        if 0 <= i < rows and 0 <= j < columns:
            painted[i][j] = value
    return tuple([tuple(row) for row in painted])


def underfill(grid, value, patch):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("underfill", 0, grid)
    if type(value) is not int and type(value) not in PLAIN:
        value = taken("underfill", 1, value)
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("underfill", 2, patch)
    rows, columns = len(grid), len(grid[0])
    background = mostcolor(grid)
    filled = [list(row) for row in grid]
    for i, j in _locations(patch):
        if 0 <= i < rows and 0 <= j < columns and filled[i][j] == background:
            filled[i][j] = value
    return tuple([tuple(row) for row in filled])


def underpaint(grid, obj):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("underpaint", 0, grid)
    if type(obj) is not frozenset and type(obj) not in PLAIN:
        obj = taken("underpaint", 1, obj)
    rows, columns = len(grid), len(grid[0])
    background = mostcolor(grid)
    painted = [list(row) for row in grid]
    for value, (i, j) in obj:
        if 0 <= i < rows and 0 <= j < columns and painted[i][j] == background:
            painted[i][j] = value
    return tuple([tuple(row) for row in painted])


def cover(grid, patch):
    return fill(grid, mostcolor(grid), patch)


def move(grid, obj, offset):
    return paint(cover(grid, obj), shift(obj, offset))
