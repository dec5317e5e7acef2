"""Finding things on grids."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken
from batt._plain.colours import mostcolor, palette
from batt._plain.lines import dneighbors, neighbors
from batt._plain.patches import normalize, shape, shift, toindices


def asindices(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("asindices", 0, grid)
    columns = range(len(grid[0]))
    return frozenset([(i, j) for i in range(len(grid)) for j in columns])


def ofcolor(grid, value):
    return frozenset([(i, j) for i, row in enumerate(grid) for j, found in enumerate(row) if found == value])


def asobject(grid):
    return frozenset([(value, (i, j)) for i, row in enumerate(grid) for j, value in enumerate(row)])


def toobject(patch, grid):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("toobject", 0, patch)
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("toobject", 1, grid)
    rows, columns = len(grid), len(grid[0])
    return frozenset([(grid[i][j], (i, j)) for i, j in toindices(patch) if 0 <= i < rows and 0 <= j < columns])


def objects(grid, univalued, diagonal, without_bg):
    background = mostcolor(grid) if without_bg else None
    rows, columns = len(grid), len(grid[0])
    around = neighbors if diagonal else dneighbors
    found = set()
    taken = set()
    for start in asindices(grid):
        colour = grid[start[0]][start[1]]
        if start in taken or colour == background:
            continue
        cells = {(colour, start)}
        border = {start}
        while border:
            beyond = set()
            for location in border:
                value = grid[location[0]][location[1]]
                if value == colour if univalued else value != background:
                    cells.add((value, location))
                    taken.add(location)
                    beyond |= {(i, j) for i, j in around(location) if 0 <= i < rows and 0 <= j < columns}
            border = beyond - taken
        found.add(frozenset(cells))
    return frozenset(found)


def _of_colours(grid, colours):
    cells = [(value, (i, j)) for i, row in enumerate(grid) for j, value in enumerate(row)]
    return frozenset([frozenset([cell for cell in cells if cell[0] == colour]) for colour in colours])


def partition(grid):
    return _of_colours(grid, palette(grid))


def fgpartition(grid):
    return _of_colours(grid, palette(grid) - {mostcolor(grid)})


def occurrences(grid, obj):
    found = set()
    normed = normalize(obj)
    rows, columns = len(grid), len(grid[0])
    height, width = shape(obj)
    for i in range(rows - height + 1):
        for j in range(columns - width + 1):
            moved = shift(normed, (i, j))
            if all(0 <= a < rows and 0 <= b < columns and grid[a][b] == value for value, (a, b) in moved):
                found.add((i, j))
    return frozenset(found)


def frontiers(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("frontiers", 0, grid)
    rows, columns = range(len(grid)), range(len(grid[0]))
    across = [i for i in rows if len(set(grid[i])) == 1]
    down = [j for j, column in enumerate(zip(*grid)) if len(set(column)) == 1]
    horizontal = frozenset({frozenset({(grid[i][j], (i, j)) for j in columns}) for i in across})
    vertical = frozenset({frozenset({(grid[i][j], (i, j)) for i in rows}) for j in down})
    return horizontal | vertical
