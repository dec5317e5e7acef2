"""Whole grids, and the same turns of patches."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken
from batt._plain.patches import height, lrcorner, shift, ulcorner, width


def crop(grid, start, dims):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("crop", 0, grid)
    if type(start) is not tuple and type(start) not in PLAIN:
        start = taken("crop", 1, start)
    if type(dims) is not tuple and type(dims) not in PLAIN:
        dims = taken("crop", 2, dims)
    rows = slice(start[0], start[0] + dims[0])
    columns = slice(start[1], start[1] + dims[1])
    return tuple([row[columns] for row in grid[rows]])


def subgrid(patch, grid):
    return crop(grid, ulcorner(patch), (height(patch), width(patch)))


def rot90(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("rot90", 0, grid)
    return tuple(zip(*grid[::-1]))


def rot180(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("rot180", 0, grid)
    return tuple([tuple(row[::-1]) for row in grid[::-1]])


def rot270(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("rot270", 0, grid)
    return tuple([tuple(row[::-1]) for row in zip(*grid[::-1])])[::-1]


def _is_object(patch):
    return isinstance(next(iter(patch))[1], tuple)


def hmirror(piece):
    if type(piece) is not tuple and type(piece) not in PLAIN:
        piece = taken("hmirror", 0, piece)
    if isinstance(piece, tuple):
        return piece[::-1]
    total = ulcorner(piece)[0] + lrcorner(piece)[0]
    if _is_object(piece):
        return frozenset([(value, (total - i, j)) for value, (i, j) in piece])
    return frozenset([(total - i, j) for i, j in piece])


def vmirror(piece):
    if type(piece) is not tuple and type(piece) not in PLAIN:
        piece = taken("vmirror", 0, piece)
    if isinstance(piece, tuple):
        return tuple([row[::-1] for row in piece])
    total = ulcorner(piece)[1] + lrcorner(piece)[1]
    if _is_object(piece):
        return frozenset([(value, (i, total - j)) for value, (i, j) in piece])
    return frozenset([(i, total - j) for i, j in piece])


def dmirror(piece):
    if type(piece) is not tuple and type(piece) not in PLAIN:
        piece = taken("dmirror", 0, piece)
    if isinstance(piece, tuple):
        return tuple(zip(*piece))
    top, left = ulcorner(piece)
    if _is_object(piece):
        return frozenset([(value, (j - left + top, i - top + left)) for value, (i, j) in piece])
    return frozenset([(j - left + top, i - top + left) for i, j in piece])


def cmirror(piece):
    if type(piece) is not tuple and type(piece) not in PLAIN:
        piece = taken("cmirror", 0, piece)
    if isinstance(piece, tuple):
        return tuple(zip(*[row[::-1] for row in piece[::-1]]))
    return vmirror(dmirror(vmirror(piece)))


def hconcat(a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("hconcat", 0, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("hconcat", 1, b)
    return tuple([left + right for left, right in zip(a, b)])


def vconcat(a, b):
    if type(a) is not tuple and type(a) not in PLAIN:
        a = taken("vconcat", 0, a)
    if type(b) is not tuple and type(b) not in PLAIN:
        b = taken("vconcat", 1, b)
    return a + b


def _wide(row, factor):
    return tuple([value for value in row for _ in range(factor)])


def hupscale(grid, factor):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("hupscale", 0, grid)
    if type(factor) is not int and type(factor) not in PLAIN:
        factor = taken("hupscale", 1, factor)
    return tuple([_wide(row, factor) for row in grid])


def vupscale(grid, factor):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("vupscale", 0, grid)
    if type(factor) is not int and type(factor) not in PLAIN:
        factor = taken("vupscale", 1, factor)
    return tuple([row for row in grid for _ in range(factor)])


def upscale(element, factor):
    if type(element) is not tuple and type(element) not in PLAIN:
        element = taken("upscale", 0, element)
    if type(factor) is not int and type(factor) not in PLAIN:
        factor = taken("upscale", 1, factor)
    if isinstance(element, tuple):
        return vupscale(hupscale(element, factor), factor)
    if len(element) == 0:
        return frozenset()
    top, left = ulcorner(element)
    scaled = set()
    for value, (i, j) in shift(element, (-top, -left)):
        for di in range(factor):
            for dj in range(factor):
                scaled.add((value, (i * factor + di, j * factor + dj)))
    return shift(frozenset(scaled), (top, left))


def downscale(grid, factor):
    columns = [j for j in range(len(grid[0])) if j % factor == 0]
    reduced = [tuple([row[j] for j in columns]) for row in grid]
    return tuple([row for i, row in enumerate(reduced) if i % factor == 0])


def hsplit(grid, n):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("hsplit", 0, grid)
    if type(n) is not int and type(n) not in PLAIN:
        n = taken("hsplit", 1, n)
    rows, columns = len(grid), len(grid[0]) // n
    gap = len(grid[0]) % n != 0
    return tuple([crop(grid, (0, columns * k + k * gap), (rows, columns)) for k in range(n)])


def vsplit(grid, n):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("vsplit", 0, grid)
    if type(n) is not int and type(n) not in PLAIN:
        n = taken("vsplit", 1, n)
    rows, columns = len(grid) // n, len(grid[0])
    gap = len(grid) % n != 0
    return tuple([crop(grid, (rows * k + k * gap, 0), (rows, columns)) for k in range(n)])


def cellwise(a, b, fallback):
    columns = range(len(a[0]))
    return tuple([tuple([row[j] if row[j] == b[i][j] else fallback for j in columns]) for i, row in enumerate(a)])


def replace(grid, replacee, replacer):
    return tuple([tuple([replacer if value == replacee else value for value in row]) for row in grid])


def switch(grid, a, b):
    return tuple([tuple([b if value == a else a if value == b else value for value in row]) for row in grid])


def index(grid, loc):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("index", 0, grid)
    if type(loc) is not tuple and type(loc) not in PLAIN:
        loc = taken("index", 1, loc)
    i, j = loc
    rows, columns = len(grid), len(grid[0])
    if not (0 <= i < rows and 0 <= j < columns):
        return None
    return grid[i][j]


def canvas(value, dimensions):
    columns = range(dimensions[1])
    return tuple([tuple([value for _ in columns]) for _ in range(dimensions[0])])


def trim(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("trim", 0, grid)
    return tuple([row[1:-1] for row in grid[1:-1]])


def tophalf(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("tophalf", 0, grid)
    return grid[: len(grid) // 2]


def bottomhalf(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("bottomhalf", 0, grid)
    return grid[len(grid) // 2 + len(grid) % 2 :]


def lefthalf(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("lefthalf", 0, grid)
    return rot270(tophalf(rot90(grid)))


def righthalf(grid):
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("righthalf", 0, grid)
    return rot270(bottomhalf(rot90(grid)))


def compress(grid):
    rows = [i for i, row in enumerate(grid) if len(set(row)) == 1]
    columns = [j for j, column in enumerate(zip(*grid)) if len(set(column)) == 1]
    return tuple([tuple([value for j, value in enumerate(row) if j not in columns]) for i, row in enumerate(grid) if i not in rows])
