"""A few functions of the grid DSL in plain words, to run emitted cards with."""


def identity(x):
    return x


def hmirror(piece):
    return tuple(reversed(piece))


def vmirror(piece):
    return tuple(tuple(reversed(row)) for row in piece)


def rot90(grid):
    return tuple(tuple(column) for column in zip(*reversed(grid)))


def rot180(grid):
    return hmirror(vmirror(grid))


def height(piece):
    return len(piece)


def width(piece):
    return len(piece[0])


def astuple(a, b):
    return (a, b)


def equality(a, b):
    return a == b


def branch(condition, a, b):
    return a if condition else b


def palette(element):
    return frozenset(cell for row in element for cell in row)


def difference(a, b):
    return type(a)(item for item in a if item not in b)


def first(container):
    return next(iter(container))


def canvas(value, dimensions):
    return ((value,) * dimensions[1],) * dimensions[0]


def hconcat(a, b):
    return tuple(left + right for left, right in zip(a, b))


def vconcat(a, b):
    return a + b


def upscale(element, factor):
    wide = tuple(tuple(cell for cell in row for _ in range(factor)) for row in element)
    return tuple(row for row in wide for _ in range(factor))


def replace(grid, replacee, replacer):
    return tuple(tuple(replacer if cell == replacee else cell for cell in row) for row in grid)


def compose(outer, inner):
    return lambda x: outer(inner(x))


def fork(outer, a, b):
    return lambda x: outer(a(x), b(x))


def lbind(function, fixed):
    return lambda *rest: function(fixed, *rest)


def rbind(function, fixed):
    return lambda *rest: function(*rest, fixed)


def apply(function, container):
    return type(container)(function(item) for item in container)
