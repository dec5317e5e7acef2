"""`batt.dsl` on plain values: the reference calls, the table, callables of Python, exceptions."""

from __future__ import annotations

import json
import pickle
from collections import Counter

import pytest

import batt
from batt import _native, dsl

TABLE = {row["name"]: row for row in _native.table()}
ARC_DSL = [name for name, row in TABLE.items() if row["is_arc_dsl"]]


def value(entry):
    """A value of the files of reference calls."""
    if isinstance(entry, list):
        return tuple(map(value, entry))
    if isinstance(entry, dict):
        if "set" in entry:
            return frozenset(map(value, entry["set"]))
        function = getattr(dsl, entry["fn"])
        return function(*map(value, entry["args"])) if "args" in entry else function
    return entry


def has_function(made) -> bool:
    if isinstance(made, (tuple, frozenset)):
        return any(map(has_function, made))
    return callable(made)


def test_every_primitive_and_constant_is_there():
    assert len(ARC_DSL) == 160
    for name in [*TABLE, *_native.constants()]:
        assert name in dsl.__all__
        assert hasattr(dsl, name), name
    assert dsl.T is True and dsl.UNITY == (1, 1)


def test_docstrings_come_from_the_table():
    for name, row in TABLE.items():
        assert getattr(dsl, name).__doc__ == row["doc"], name
        assert getattr(dsl, name).__name__ == name


def test_reference_calls(repository):
    """Values are equal; calls that depend on the order of a set may differ, because the reference calls have batt's order."""
    calls = (repository / "crates/batt-dsl/tests/data/arc-dsl.jsonl").read_text().splitlines()
    counts: Counter[str] = Counter()
    for line in calls:
        call = json.loads(line)
        if call["from"] == "wild":
            continue
        args = [value(arg) for arg in call["args"]]
        try:
            made, raised = getattr(dsl, call["op"])(*args), None
        except Exception as error:  # noqa: BLE001
            made, raised = None, type(error).__name__
        if "err" in call:
            assert raised == call["err"], line
            counts["raised"] += 1
            continue
        assert raised is None, (line, raised)
        expected = value(call["out"])
        if has_function(expected):
            counts["functions"] += 1
        elif made == expected:
            counts["equal"] += 1
        else:
            assert TABLE[call["op"]]["depends_on_order"], line
            counts["another order"] += 1
    assert counts["equal"] > 7800, counts
    assert counts["another order"] < 150, counts


def as_python(made):
    """The same value, with functions that the engine does not know."""
    if isinstance(made, (tuple, frozenset)):
        return type(made)(map(as_python, made))
    return (lambda *args: made(*args)) if callable(made) else made


def test_primitives_of_the_dialect(repository):
    """In the engine, and in Python where an argument is a function that the engine does not know."""
    calls = (repository / "crates/batt-dsl/tests/data/dialect.jsonl").read_text().splitlines()
    counts: Counter[str] = Counter()
    for line in calls:
        call = json.loads(line)
        if call["from"] == "wild" or "out" not in call:
            continue
        args = [value(arg) for arg in call["args"]]
        expected = value(call["out"])
        if has_function(expected):
            continue
        primitive = getattr(dsl, call["op"])
        assert primitive(*args) == expected, line
        counts["equal"] += 1
        if any(map(has_function, args)):
            assert primitive(*map(as_python, args)) == expected, line
            counts[TABLE[call["op"]]["alias"] or call["op"]] += 1
    assert counts["equal"] > 200, counts
    for name, row in TABLE.items():
        if row["origin"] == "dialect" and row["alias"] is None and any(kind == "Function" for _, kind in row["params"]):
            assert counts[name] or name.startswith("c_"), f"{name} was called with no function of Python"


def test_suffixed_primitives_take_their_containers_only():
    with pytest.raises(TypeError, match="a tuple is needed, not frozenset"):
        dsl.first_t(frozenset({1}))
    assert dsl.sfilter_t(frozenset({1, 2}), lambda x: x > 1) == (2,)
    assert dsl.sfilter_f((1, 2), lambda x: x > 1) == frozenset({2})


def test_primitives_of_the_dialect_on_demos_take_callables():
    demos = ((((1, 2),), ((1, 3),)),)
    palette = lambda grid: [cell for row in grid for cell in row]  # noqa: E731
    assert dsl.c_iz(demos, palette) == dsl.c_iz(demos, dsl.p_g) == (2,)
    assert dsl.c_zo(demos, palette) == dsl.c_zo(demos, dsl.p_g) == (3,)
    assert dsl.c_iz_n(demos, palette, dsl.first) == dsl.c_iz_n(demos, dsl.p_g, max) == 2
    assert dsl.c_zo_n(demos, palette, sum) == dsl.c_zo_n(demos, dsl.p_g, dsl.first) == 3


def test_examples_of_the_table_hold():
    names = {name: getattr(dsl, name) for name in dsl.__all__}
    for name in ARC_DSL:
        call, gives = TABLE[name]["example"]
        assert eval(call, {**names, "frozenset": frozenset}) == eval(gives, {**names, "frozenset": frozenset}), call


def test_values_are_plain():
    grid = ((0, 1, 1), (0, 0, 0), (2, 0, 0))
    found = dsl.objects(grid, True, False, True)
    assert type(found) is frozenset
    assert {type(one) for one in found} == {frozenset}
    assert found == frozenset({frozenset({(1, (0, 1)), (1, (0, 2))}), frozenset({(2, (2, 0))})})
    assert dsl.fill([[0, 0]], 3, [(0, 1)]) == ((0, 3),)


def test_lists_are_taken_as_the_reference_takes_them():
    assert dsl.objects([[0, 1]], True, False, True) == dsl.objects(((0, 1),), True, False, True)
    assert dsl.fill(((0, 0), (0, 0)), 1, [(0, 0), (1, 1)]) == ((1, 0), (0, 1))


def test_callables_of_python_are_arguments():
    assert dsl.apply(lambda x: x * 10, (1, 2)) == (10, 20)
    assert dsl.compose(str, dsl.increment)(1) == "2"
    assert dsl.rbind(lambda a, b: a - b, 1)(3) == 2
    assert dsl.lbind(dsl.objects, ((0, 1),))(True, False, True) == dsl.objects(((0, 1),), True, False, True)
    assert dsl.argmax((1, -5, 3), abs) == -5


def test_exceptions_of_callables_come_through():
    def broken(_):
        raise LookupError("broken")

    with pytest.raises(LookupError, match="broken"):
        dsl.apply(broken, (1, 2))
    with pytest.raises(LookupError, match="broken"):
        dsl.argmax((1, 2), broken)
    # And nothing is left behind.
    assert dsl.apply(dsl.double, (1, 2)) == (2, 4)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: dsl.first(()), StopIteration),
        (lambda: dsl.argmax((), dsl.size), ValueError),
        (lambda: dsl.divide(1, 0), ZeroDivisionError),
        (lambda: dsl.objects((), True, True, True), ValueError),
        (lambda: dsl.add(None, 1), TypeError),
        (lambda: dsl.objects(((0.5, 1),), True), TypeError),
        (lambda: dsl.manhattan(frozenset(), frozenset()), ValueError),
        (lambda: dsl.apply(dsl.first, ((),)), RuntimeError),
        (lambda: dsl.o_g(((1, 2),), 99), Exception),
    ],
)
def test_exceptions_are_those_of_python(call, kind):
    with pytest.raises(kind):
        call()


def test_keywords_and_wrong_arguments():
    grid = ((0, 1),)
    assert dsl.objects(grid, univalued=True, diagonal=False, without_bg=True) == dsl.objects(grid, True, False, True)
    with pytest.raises(TypeError, match="unexpected keyword"):
        dsl.objects(grid, True, False, nonsense=True)
    with pytest.raises(TypeError, match="missing"):
        dsl.objects(grid)
    with pytest.raises(TypeError, match="multiple values"):
        dsl.objects(grid, True, False, True, grid=grid)


def test_primitives_are_pickled_by_name():
    for function in (dsl.objects, dsl.first, dsl.o_g):
        assert pickle.loads(pickle.dumps(function)) is function


def test_numbers_beyond_the_engine_are_those_of_python():
    assert dsl.multiply(10**30, 2) == 2 * 10**30
    big = 10**30
    assert dsl.manhattan(frozenset({(0, 0)}), frozenset({(big, 0)})) == big


def test_the_engine_and_python_agree(repository):
    """Primitives that run in the engine give what their Python functions give, on the tasks of the starter pack."""
    from batt._plain import lines, objects, patches

    assert lines is not None
    for task in batt.load_tasks()[:20]:
        for grid, _ in task.train[:2]:
            grid = grid.totuple()
            for flags in ((True, False, True), (False, True, True), (True, True, False)):
                found = dsl.objects(grid, *flags)
                assert found == objects.objects(grid, *flags)
                for one in found:
                    assert dsl.hperiod(one) == patches.hperiod(one)
                    assert dsl.vperiod(one) == patches.vperiod(one)
                    assert dsl.occurrences(grid, one) == objects.occurrences(grid, one)
            assert dsl.partition(grid) == objects.partition(grid)
            assert dsl.fgpartition(grid) == objects.fgpartition(grid)
