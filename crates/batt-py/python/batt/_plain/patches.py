"""Patches: sets of locations, with or without colours, and what is measured on them."""

# ruff: noqa: D103
# mypy: ignore-errors

from __future__ import annotations

from batt._plain.given import PLAIN, taken


def toindices(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("toindices", 0, patch)
    if len(patch) == 0:
        return frozenset()
    if isinstance(next(iter(patch))[1], tuple):
        return frozenset([location for _, location in patch])
    return patch


def _locations(patch):
    """The same without making a set; locations may come more than once."""
    if len(patch) == 0:
        return ()
    if isinstance(next(iter(patch))[1], tuple):
        return [location for _, location in patch]
    return patch


def uppermost(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("uppermost", 0, patch)
    return min([i for i, j in _locations(patch)])


def lowermost(patch):
    return max([i for i, j in _locations(patch)])


def leftmost(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("leftmost", 0, patch)
    return min([j for i, j in _locations(patch)])


def rightmost(patch):
    return max([j for i, j in _locations(patch)])


def ulcorner(patch):
    return tuple(map(min, zip(*_locations(patch))))


def lrcorner(patch):
    return tuple(map(max, zip(*_locations(patch))))


_URCORNER = {0: min, 1: max}
_LLCORNER = {0: max, 1: min}


def urcorner(patch):
    return tuple([_URCORNER[place](values) for place, values in enumerate(zip(*_locations(patch)))])


def llcorner(patch):
    return tuple([_LLCORNER[place](values) for place, values in enumerate(zip(*_locations(patch)))])


def corners(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("corners", 0, patch)
    return frozenset({ulcorner(patch), urcorner(patch), llcorner(patch), lrcorner(patch)})


def height(piece):
    if type(piece) is not tuple and type(piece) not in PLAIN:
        piece = taken("height", 0, piece)
    if len(piece) == 0:
        return 0
    if isinstance(piece, tuple):
        return len(piece)
    rows = [i for i, j in _locations(piece)]
    return max(rows) - min(rows) + 1


def width(piece):
    if type(piece) is not tuple and type(piece) not in PLAIN:
        piece = taken("width", 0, piece)
    if len(piece) == 0:
        return 0
    if isinstance(piece, tuple):
        return len(piece[0])
    columns = [j for i, j in _locations(piece)]
    return max(columns) - min(columns) + 1


def shape(piece):
    return (height(piece), width(piece))


def portrait(piece):
    if type(piece) is not tuple and type(piece) not in PLAIN:
        piece = taken("portrait", 0, piece)
    return height(piece) > width(piece)


def square(piece):
    if isinstance(piece, tuple):
        return len(piece) == len(piece[0])
    rows, columns = height(piece), width(piece)
    return rows * columns == len(piece) and rows == columns


def vline(patch):
    return height(patch) == len(patch) and width(patch) == 1


def hline(patch):
    return width(patch) == len(patch) and height(patch) == 1


def hmatching(a, b):
    if type(a) is not frozenset and type(a) not in PLAIN:
        a = taken("hmatching", 0, a)
    if type(b) is not frozenset and type(b) not in PLAIN:
        b = taken("hmatching", 1, b)
    return len({i for i, j in _locations(a)} & {i for i, j in _locations(b)}) > 0


def vmatching(a, b):
    if type(a) is not frozenset and type(a) not in PLAIN:
        a = taken("vmatching", 0, a)
    if type(b) is not frozenset and type(b) not in PLAIN:
        b = taken("vmatching", 1, b)
    return len({j for i, j in _locations(a)} & {j for i, j in _locations(b)}) > 0


def manhattan(a, b):
    second = _locations(b)
    return min([abs(ai - bi) + abs(aj - bj) for ai, aj in _locations(a) for bi, bj in second])


def adjacent(a, b):
    return manhattan(a, b) == 1


def bordering(patch, grid):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("bordering", 0, patch)
    if type(grid) is not tuple and type(grid) not in PLAIN:
        grid = taken("bordering", 1, grid)
    if uppermost(patch) == 0 or leftmost(patch) == 0:
        return True
    return lowermost(patch) == len(grid) - 1 or rightmost(patch) == len(grid[0]) - 1


def centerofmass(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("centerofmass", 0, patch)
    count = len(patch)
    return tuple([sum(values) // count for values in zip(*toindices(patch))])


def center(patch):
    return (uppermost(patch) + height(patch) // 2, leftmost(patch) + width(patch) // 2)


def position(a, b):
    ai, aj = center(toindices(a))
    bi, bj = center(toindices(b))
    if ai == bi:
        return (0, 1 if aj < bj else -1)
    if aj == bj:
        return (1 if ai < bi else -1, 0)
    return (1 if ai < bi else -1, 1 if aj < bj else -1)


def recolor(value, patch):
    if type(value) is not int and type(value) not in PLAIN:
        value = taken("recolor", 0, value)
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("recolor", 1, patch)
    if len(patch) and isinstance(next(iter(patch))[1], tuple):
        patch = frozenset([location for _, location in patch])
    return frozenset([(value, location) for location in patch])


def shift(patch, directions):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("shift", 0, patch)
    if type(directions) is not tuple and type(directions) not in PLAIN:
        directions = taken("shift", 1, directions)
    if len(patch) == 0:
        return patch
    di, dj = directions
    if isinstance(next(iter(patch))[1], tuple):
        return frozenset([(value, (i + di, j + dj)) for value, (i, j) in patch])
    return frozenset([(i + di, j + dj) for i, j in patch])


def normalize(patch):
    if type(patch) is not frozenset and type(patch) not in PLAIN:
        patch = taken("normalize", 0, patch)
    if len(patch) == 0:
        return patch
    return shift(patch, (-uppermost(patch), -leftmost(patch)))


def gravitate(source, destination):
    si, sj = center(source)
    di, dj = center(destination)
    i, j = 0, 0
    if vmatching(source, destination):
        i = 1 if si < di else -1
    else:
        j = 1 if sj < dj else -1
    moved = 0
    while moved < 42 and not adjacent(source, destination):
        moved += 1
        source = shift(source, (i, j))
    return (moved * i, moved * j)


def _period(obj, length, along):
    for period in range(1, length):
        offset = (0, -period) if along else (-period, 0)
        if frozenset([cell for cell in shift(obj, offset) if cell[1][along] >= 0]) <= obj:
            return period
    return length


def hperiod(obj):
    obj = normalize(obj)
    return _period(obj, width(obj), 1)


def vperiod(obj):
    obj = normalize(obj)
    return _period(obj, height(obj), 0)
