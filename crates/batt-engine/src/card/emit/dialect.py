# What the typed dialect adds to arc-dsl, in arc-dsl's own words. A call without an answer raises an error.
# Functions stand in the order in which they need each other, with two blank lines between them.


def _as_tuple(container):
    return container if isinstance(container, tuple) else tuple(container)


def _as_set(container):
    return container if isinstance(container, frozenset) else frozenset(container)


def _tuple_only(container):
    if not isinstance(container, tuple):
        raise TypeError(container)
    return container


def _set_only(container):
    if not isinstance(container, frozenset):
        raise TypeError(container)
    return container


def _locations(patch):
    if any(isinstance(j, tuple) for _, j in patch):
        raise TypeError(patch)
    return _as_set(patch)


def _coloured(patch):
    if not all(isinstance(ij, tuple) for _, ij in patch):
        raise TypeError(patch)
    return _as_set(patch)


def _cells(patch):
    first = next(iter(patch), None)
    if not isinstance(first, tuple) or len(first) != 3:
        return patch
    return type(patch)((c, (i, j)) for i, j, c in patch)


def _cells_in_set(piece):
    return _cells(piece) if isinstance(piece, frozenset) else piece


def _set_of_cells(patch):
    return _as_set(_cells(patch))


def _cells_in_each(patches):
    return type(patches)(_cells(patch) for patch in patches)


def _location_of(triple):
    return (0, (triple[0], triple[1]))


def _triples(value):
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], tuple) and not isinstance(value[0], (tuple, frozenset)):
        return (value[1][0], value[1][1], value[0])
    if isinstance(value, (tuple, frozenset)):
        return type(value)(_triples(item) for item in value)
    return value


def mir_rot_t(grid, angle):
    turns = {0: hmirror, 1: dmirror, 2: vmirror, 3: cmirror, 4: rot90, 5: rot180, 6: rot270}
    return turns.get(angle, identity)(_tuple_only(grid))


def mir_rot_f(patch, angle):
    mirror = {0: hmirror, 1: dmirror, 2: vmirror, 3: cmirror}.get(angle)
    return patch if mirror is None else mirror(_as_set(patch))


def a_mr(S):
    return next(a for a in range(8) if all(mir_rot_t(i, a) == o for i, o in S))


def ascell(ij, c):
    return (c, ij)


def astriple(i, j, c):
    return (c, (i, j))


def toij(cell):
    return cell[1]


def celltuple(a, b):
    return tuple((c, ij) for ij, c in zip(a, b))


def c_branch(condition, a, b):
    return a if condition else b


def _gathered(S, function, side):
    return dedupe(tuple(value for pair in S for value in function(pair[side])))


def c_iz(S, function):
    there = _gathered(S, function, 1)
    return tuple(value for value in _gathered(S, function, 0) if value not in there)


def c_zo(S, function):
    there = _gathered(S, function, 0)
    return tuple(value for value in _gathered(S, function, 1) if value not in there)


def c_iz_n(S, function, pick):
    return pick(c_iz(S, function))


def c_zo_n(S, function, pick):
    return pick(c_zo(S, function))


def col_row(patch, kind):
    return {0: lowermost, 1: uppermost, 2: leftmost, 3: rightmost}[kind](patch)


def corner(patch, kind):
    return {0: ulcorner, 1: urcorner, 2: llcorner, 3: lrcorner}[kind](patch)


def colorfilter_t(objs, value):
    return tuple(obj for obj in objs if next(iter(obj))[0] == value)


def sizefilter_t(container, n):
    return tuple(item for item in container if len(item) == n)


def dedupe_pair_tuple(S):
    return tuple((a, b) for a, b in S if a != b)


def difference_tuple(a, b):
    return difference(a, b)


def second(container):
    return tuple(container)[1]


def get_nth(container, n):
    return tuple(container)[n]


def get_nth_by_key(container, n, function):
    return sorted(container, key=function)[n]


def get_arg_rank(container, function, n):
    return sorted(container, key=function, reverse=True)[n]


def get_val_rank(container, function, n):
    return sorted(map(function, container))[n]


def get_rank(ints, n):
    return sorted(ints, reverse=True)[n]


def get_common_rank(container, n):
    items = list(container)
    return sorted(set(items), key=items.count)[n]


def get_color_rank(element, n):
    colours = [c for row in element for c in row] if isinstance(element, tuple) else [c for c, _ in element]
    ranked = sorted(dict.fromkeys(colours), key=colours.count, reverse=True)
    return ranked[n]


def mostcommon_f(container):
    items = list(container)
    return max(set(items), key=items.count)


def leastcommon_f(container):
    items = list(container)
    return min(set(items), key=items.count)


def o_g(grid, r):
    if r not in range(8):
        raise ValueError(r)
    return objects(grid, r // 4 == 1, r // 2 % 2 == 1, r % 2 == 1)


def _tuples(objs):
    in_order = [sorted(obj, key=lambda cell: (cell[1], cell[0])) for obj in objs]
    return tuple(map(tuple, sorted(in_order, key=lambda obj: [(ij, c) for c, ij in obj])))


def o_g_t(grid, r):
    return _tuples(o_g(grid, r))


def objects_t(grid, univalued, diagonal, without_bg):
    return _tuples(objects(grid, univalued, diagonal, without_bg))


def p_f(element):
    return palette(element)


def p_g(grid):
    return tuple(sorted(palette(_tuple_only(grid))))


def p_o(obj):
    return tuple(sorted({c for c, _ in obj}))
