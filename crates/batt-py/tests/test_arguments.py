"""Grids, lists of lists and arrays as arguments of primitives: each is the grid that it is, or an error says what the primitive takes."""

from __future__ import annotations

import ast

import pytest

import batt
from batt import _native, dsl

numpy = pytest.importorskip("numpy")

TABLE = {row["name"]: row for row in _native.table()}
GRIDS = (((0, 1), (2, 3)), ((0, 1, 1), (0, 0, 2)), ((5,), (0,), (0,)))
KINDS = {
    "grid": batt.Grid,
    "lists": lambda rows: [list(row) for row in rows],
    "array": numpy.array,
    "array of bytes": lambda rows: numpy.array(rows, dtype="int8"),
}
# Types of parameters that are for grids, among others.
FOR_GRIDS = {"Grid", "Piece", "Element", "Container", "Container of containers", "Tuple", "Any"}


def outcome(function, args):
    try:
        return function(*args), None
    except Exception as error:  # noqa: BLE001
        return None, error


def example(name):
    """The arguments of a primitive's example."""
    text = TABLE[name]["example"][0]
    names = {name: getattr(dsl, name) for name in dsl.__all__} | {"frozenset": frozenset}
    call = next(
        node for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name
    )
    return [eval(compile(ast.Expression(arg), text, "eval"), names) for arg in call.args]


def cases():
    """Each primitive with a grid in place of each argument of its example."""
    for name in TABLE:
        given = example(name)
        for place in range(len(given)):
            for rows in GRIDS:
                yield name, place, given, rows


def test_every_primitive_takes_each_kind_for_the_grid_that_it_is():
    counts = dict.fromkeys(("equal", "both raise", "says what it takes"), 0)
    called = set()
    for name, place, given, rows in cases():
        function = getattr(dsl, name)
        expected, raised = outcome(function, [*given[:place], rows, *given[place + 1 :]])
        parameter, takes = TABLE[name]["params"][place]
        for kind, make in KINDS.items():
            made, error = outcome(function, [*given[:place], make(rows), *given[place + 1 :]])
            where = f"{name}({parameter}) of {kind} {rows}: {made!r} {error!r}, of the tuple {expected!r} {raised!r}"
            if error is None:
                assert raised is None, where
                assert type(made) is type(expected), where
                assert callable(made) or made == expected, where
                counts["equal"] += 1
            elif raised is None:
                assert type(error) is TypeError, where
                assert f"{name}() takes a" in str(error) and f"as `{parameter}`, not a" in str(error), where
                assert takes not in FOR_GRIDS or TABLE[name]["alias"], where
                counts["says what it takes"] += 1
            else:
                counts["both raise"] += 1
        called.add(name)
    assert called == set(TABLE)
    assert counts["equal"] > 2000 and counts["says what it takes"] > 500, counts


def test_functions_that_are_made_have_grids_fixed():
    rows = ((0, 1), (2, 3))
    for make in KINDS.values():
        assert dsl.matcher(dsl.identity, make(rows))(rows) is True
        assert dsl.lbind(dsl.vconcat, make(rows))(rows) == rows + rows
        assert dsl.rbind(dsl.hconcat, make(rows))(make(rows)) == ((0, 1, 0, 1), (2, 3, 2, 3))
        assert dsl.compose(dsl.hmirror, dsl.vmirror)(make(rows)) == ((3, 2), (1, 0))


def test_mirrors_of_two_by_two_grids():
    rows = ((0, 1), (2, 3))
    for make in KINDS.values():
        assert dsl.vmirror(make(rows)) == ((1, 0), (3, 2))
        assert dsl.hmirror(make(rows)) == ((2, 3), (0, 1))


def test_what_is_no_grid_is_named():
    grid = ((0, 1), (2, 3))
    with pytest.raises(TypeError, match=r"fill\(\) takes a Patch as `patch`, not a batt.Grid"):
        dsl.fill(grid, 5, batt.Grid(grid))
    with pytest.raises(TypeError, match=r"fill\(\) takes an Integer as `value`, not an array of two dimensions"):
        dsl.fill(grid, numpy.array(grid), frozenset({(0, 0)}))
    with pytest.raises(TypeError, match=r"add\(\) takes a Numerical as `b`, not a list of lists"):
        dsl.add(1, [[0, 1], [2, 3]])
    with pytest.raises(TypeError, match=r"vmirror\(\) takes a Container as `piece`, not an array of 3 dimensions"):
        dsl.vmirror(numpy.zeros((2, 2, 2), dtype=int))
    with pytest.raises(TypeError, match=r"objects\(\) takes a Grid as `grid`, not an array of anything but integers"):
        dsl.objects(numpy.zeros((2, 2)), True, True, True)
    with pytest.raises(TypeError, match=r"insert\(\) takes a Set as `container`, not a batt.Grid"):
        dsl.insert(1, batt.Grid(grid))


def test_lists_are_tuples():
    grid = ((0, 0), (0, 0))
    assert dsl.fill([[0, 0], [0, 0]], 1, [(0, 0), (1, 1)]) == ((1, 0), (0, 1))
    assert dsl.crop([[1, 2], [3, 4]], [0, 1], [2, 1]) == ((2,), (4,))
    assert dsl.add([1, 2], 3) == (4, 5) and dsl.astuple([1], 2) == ((1,), 2)
    assert dsl.shift(frozenset({(0, 0)}), [1, 2]) == frozenset({(1, 2)})
    assert dsl.merge([grid, [[1]]]) == ((0, 0), (0, 0), (1,))
    assert dsl.argmax([batt.Grid([[1, 1]]), batt.Grid([[1, 2]])], dsl.numcolors) == ((1, 2),)
    assert dsl.size([]) == 0 and dsl.totuple([1, 2]) == (1, 2)


def test_numbers_of_arrays_are_numbers():
    assert dsl.add(numpy.int64(2), 3) == 5 and type(dsl.add(numpy.int64(2), 3)) is int
    assert dsl.fill(((0, 0),), numpy.uint8(3), frozenset({(0, 1)})) == ((0, 3),)
    assert dsl.canvas(numpy.int8(1), (1, 2)) == ((1, 1),)
