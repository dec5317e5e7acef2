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


def last(container):
    return tuple(container)[-1]


def size(container):
    return len(container)


def shape(grid):
    return (height(grid), width(grid))


def _parts(function, *numbers):
    if all(isinstance(number, int) for number in numbers):
        return function(*numbers)
    pairs = [(number, number) if isinstance(number, int) else number for number in numbers]
    return tuple(function(*part) for part in zip(*pairs))


def add(a, b):
    return _parts(lambda x, y: x + y, a, b)


def subtract(a, b):
    return _parts(lambda x, y: x - y, a, b)


def multiply(a, b):
    return _parts(lambda x, y: x * y, a, b)


def divide(a, b):
    return _parts(lambda x, y: x // y, a, b)


def increment(x):
    return add(x, 1)


def sign(x):
    return _parts(lambda n: (n > 0) - (n < 0), x)


def maximum(container):
    return max(container, default=0)


def intersection(a, b):
    return a & b


def remove(value, container):
    return type(container)(item for item in container if item != value)


def sfilter(container, condition):
    return type(container)(item for item in container if condition(item))


def sizefilter(container, n):
    return frozenset(item for item in container if len(item) == n)


def merge(containers):
    return type(containers)(item for container in containers for item in container)


def matcher(function, target):
    return lambda x: function(x) == target


def asobject(grid):
    return frozenset((cell, (i, j)) for i, row in enumerate(grid) for j, cell in enumerate(row))


def _background(grid):
    cells = [cell for row in grid for cell in row]
    return max(sorted(set(cells)), key=cells.count)


def fgpartition(grid):
    others = palette(grid) - {_background(grid)}
    return frozenset(frozenset(cell for cell in asobject(grid) if cell[0] == colour) for colour in others)


def objects(grid, univalued, diagonal, without_bg):
    if not univalued or diagonal:
        raise NotImplementedError
    left = {place: cell for cell, place in asobject(grid) if not without_bg or cell != _background(grid)}
    found = set()
    while left:
        place, colour = left.popitem()
        found.add(frozenset((colour, place) for place in _reached(place, colour, left)))
    return frozenset(found)


def _reached(place, colour, left):
    reached, open_places = {place}, [place]
    while open_places:
        i, j = open_places.pop()
        for beside in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if left.get(beside) == colour:
                del left[beside]
                reached.add(beside)
                open_places.append(beside)
    return reached


def toindices(patch):
    return frozenset(item[1] if isinstance(item[1], tuple) else item for item in patch)


def normalize(patch):
    places = toindices(patch)
    top, left = min((i for i, _ in places), default=0), min((j for _, j in places), default=0)
    return frozenset((cell, (i - top, j - left)) for cell, (i, j) in patch)


def fill(grid, value, patch):
    places = toindices(patch)
    return tuple(tuple(value if (i, j) in places else cell for j, cell in enumerate(row)) for i, row in enumerate(grid))


def paint(grid, obj):
    cells = {place: cell for cell, place in obj}
    return tuple(tuple(cells.get((i, j), cell) for j, cell in enumerate(row)) for i, row in enumerate(grid))
