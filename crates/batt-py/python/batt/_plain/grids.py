"""Whole grids, and the same turns of patches."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.patches import height, lrcorner, shift, ulcorner, width


def crop(grid, start, dims):
    rows = slice(start[0], start[0] + dims[0])
    columns = slice(start[1], start[1] + dims[1])
    return tuple([row[columns] for row in grid[rows]])


def subgrid(patch, grid):
    return crop(grid, ulcorner(patch), (height(patch), width(patch)))


def rot90(grid):
    return tuple(zip(*grid[::-1]))


def rot180(grid):
    return tuple([tuple(row[::-1]) for row in grid[::-1]])


def rot270(grid):
    return tuple([tuple(row[::-1]) for row in zip(*grid[::-1])])[::-1]


def _is_object(patch):
    return isinstance(next(iter(patch))[1], tuple)


def hmirror(piece):
    if isinstance(piece, tuple):
        return piece[::-1]
    total = ulcorner(piece)[0] + lrcorner(piece)[0]
    if _is_object(piece):
        return frozenset([(value, (total - i, j)) for value, (i, j) in piece])
    return frozenset([(total - i, j) for i, j in piece])


def vmirror(piece):
    if isinstance(piece, tuple):
        return tuple([row[::-1] for row in piece])
    total = ulcorner(piece)[1] + lrcorner(piece)[1]
    if _is_object(piece):
        return frozenset([(value, (i, total - j)) for value, (i, j) in piece])
    return frozenset([(i, total - j) for i, j in piece])


def dmirror(piece):
    if isinstance(piece, tuple):
        return tuple(zip(*piece))
    top, left = ulcorner(piece)
    if _is_object(piece):
        return frozenset([(value, (j - left + top, i - top + left)) for value, (i, j) in piece])
    return frozenset([(j - left + top, i - top + left) for i, j in piece])


def cmirror(piece):
    if isinstance(piece, tuple):
        return tuple(zip(*[row[::-1] for row in piece[::-1]]))
    return vmirror(dmirror(vmirror(piece)))


def hconcat(a, b):
    return tuple([left + right for left, right in zip(a, b)])


def vconcat(a, b):
    return a + b


def _wide(row, factor):
    return tuple([value for value in row for _ in range(factor)])


def hupscale(grid, factor):
    return tuple([_wide(row, factor) for row in grid])


def vupscale(grid, factor):
    return tuple([row for row in grid for _ in range(factor)])


def upscale(element, factor):
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
    rows, columns = len(grid), len(grid[0]) // n
    gap = len(grid[0]) % n != 0
    return tuple([crop(grid, (0, columns * k + k * gap), (rows, columns)) for k in range(n)])


def vsplit(grid, n):
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
    i, j = loc
    rows, columns = len(grid), len(grid[0])
    if not (0 <= i < rows and 0 <= j < columns):
        return None
    return grid[i][j]


def canvas(value, dimensions):
    columns = range(dimensions[1])
    return tuple([tuple([value for _ in columns]) for _ in range(dimensions[0])])


def trim(grid):
    return tuple([row[1:-1] for row in grid[1:-1]])


def tophalf(grid):
    return grid[: len(grid) // 2]


def bottomhalf(grid):
    return grid[len(grid) // 2 + len(grid) % 2 :]


def lefthalf(grid):
    return rot270(tophalf(rot90(grid)))


def righthalf(grid):
    return rot270(bottomhalf(rot90(grid)))


def compress(grid):
    rows = [i for i, row in enumerate(grid) if len(set(row)) == 1]
    columns = [j for j, column in enumerate(zip(*grid)) if len(set(column)) == 1]
    return tuple([tuple([value for j, value in enumerate(row) if j not in columns]) for i, row in enumerate(grid) if i not in rows])
