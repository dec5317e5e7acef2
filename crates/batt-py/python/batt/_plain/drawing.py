"""Putting patches onto grids."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.colours import mostcolor
from batt._plain.patches import _locations, shift


def fill(grid, value, patch):
    rows, columns = len(grid), len(grid[0])
    filled = [list(row) for row in grid]
    for i, j in _locations(patch):
        if 0 <= i < rows and 0 <= j < columns:
            filled[i][j] = value
    return tuple([tuple(row) for row in filled])


def paint(grid, obj):
    rows, columns = len(grid), len(grid[0])
    painted = [list(row) for row in grid]
    for value, (i, j) in obj:
        if 0 <= i < rows and 0 <= j < columns:
            painted[i][j] = value
    return tuple([tuple(row) for row in painted])


def underfill(grid, value, patch):
    rows, columns = len(grid), len(grid[0])
    background = mostcolor(grid)
    filled = [list(row) for row in grid]
    for i, j in _locations(patch):
        if 0 <= i < rows and 0 <= j < columns and filled[i][j] == background:
            filled[i][j] = value
    return tuple([tuple(row) for row in filled])


def underpaint(grid, obj):
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
