"""`@batt.program`: compiled by source, run on grids of any kind, traced, checked."""

from __future__ import annotations

import pickle
import subprocess
import sys
import textwrap
import threading

import pytest

import batt
from batt.dsl import *  # noqa: F403

GRID = ((0, 1, 1), (0, 0, 0), (2, 0, 0))


@batt.program
def solve_largest(I):
    """The largest object."""
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    O = subgrid(x2, I)
    return O


@batt.program(fuel=1000)
def solve_undefined(I):
    x1 = ofcolor(I, NINE)
    x2 = first(x1)
    x3 = increment(x2)
    O = canvas(ONE, x3)
    return O


def test_a_program_is_run():
    assert solve_largest(GRID) == ((1, 1),)
    assert solve_largest([list(row) for row in GRID]) == ((1, 1),)
    assert solve_largest(batt.Grid(GRID)) == batt.Grid(((1, 1),))
    assert solve_largest.python is not None and solve_largest.__wrapped__ is solve_largest.python
    assert solve_largest.__doc__ == "The largest object." and solve_largest.name == "solve_largest"
    assert solve_largest.size == 3 and solve_largest.parameters == ["I"]


def test_arrays_go_in_and_out():
    import numpy

    made = solve_largest(numpy.array(GRID, dtype=numpy.uint8))
    assert isinstance(made, numpy.ndarray) and made.dtype == numpy.uint8 and made.tolist() == [[1, 1]]
    turned = numpy.array(GRID).T
    assert solve_largest(turned).tolist() == [[1], [1]]
    assert numpy.asarray(batt.Grid(GRID)).tolist() == [list(row) for row in GRID]


def test_many_grids():
    grids = [GRID] * 10 + [batt.Grid(GRID)]
    for threads in (1, 3):
        assert solve_largest.run_many(grids, threads=threads) == [((1, 1),)] * 10 + [batt.Grid(((1, 1),))]
    assert solve_undefined.run_many([GRID, ((9,),)]) == [None, ((1,),)]
    with pytest.raises(ValueError, match="grid 1: the grid is ragged"):
        solve_largest.run_many([GRID, ((1, 2), (3,))])


def test_undefined_names_the_call():
    with pytest.raises(batt.Undefined, match=r"solve_undefined, line \d+: first\(x1\) is undefined: empty container") as caught:
        solve_undefined(GRID)
    assert isinstance(caught.value, ValueError) and caught.value.line is not None


def test_a_trace_has_each_line():
    trace = solve_largest.trace(GRID)
    assert [step.text for step in trace] == ["x1 = objects(I, T, F, T)", "x2 = argmax(x1, size)", "O = subgrid(x2, I)"]
    assert trace[2].value == ((1, 1),)
    assert "object 1x2 at (0, 1)" in str(trace) or "1x2 at (0, 1)" in str(trace)
    assert "<svg" in trace._repr_html_()
    failed = solve_undefined.trace(GRID)
    assert failed[1].failed and "empty container" in failed[1].shown


def test_check_says_what_fits():
    task = batt.load_tasks()["ba770101"]
    program = next(one for one in batt.load_programs() if one.name == "solve_ba770101")
    verdict = program.check(task)
    assert verdict.fits and verdict.solved and all(verdict.demos)
    assert "<svg" in verdict._repr_html_()
    wrong = solve_largest.check(task)
    assert not wrong.fits and not wrong
    unknown = batt.Task("x", task.train, [(input, None) for input, _ in task.test])
    assert program.check(unknown).solved is None


def test_what_is_no_program_raises_at_definition():
    with pytest.raises(batt.CompileError) as caught:

        @batt.program
        def solve_wrong(I):
            x1 = objekts(I, T, F, T)  # noqa: F405
            return x1

    error = caught.value
    assert error.file == __file__
    assert "objekts" in error.reason and "objects" in str(error)
    lines = open(__file__, encoding="utf-8").read().splitlines()
    assert "objekts(I, T, F, T)" in lines[error.line - 1]
    assert str(error).startswith(f"{__file__}:{error.line}:{error.column}: ")


def test_the_reason_is_that_of_the_command_line(tmp_path):
    text = "def solve(I):\n    for x in I:\n        pass\n    return I\n"
    (tmp_path / "wrong.py").write_text(text)
    told = subprocess.run([sys.executable, "-m", "batt", "lib", "check", "wrong.py"], cwd=tmp_path, capture_output=True, text=True)
    with pytest.raises(batt.CompileError) as caught:
        batt.Program.from_text(text, "wrong.py")
    assert told.stdout.startswith(str(caught.value).splitlines()[0])


def test_what_cannot_be_compiled_at_all():
    with pytest.raises(batt.CompileError, match="lambda"):
        batt.program(lambda I: I)
    with pytest.raises(TypeError, match="function"):
        batt.program(3)


def test_without_source_the_error_says_so():
    code = textwrap.dedent("""
        import batt
        exec("def solve(I):\\n    return I")
        try:
            batt.program(solve)
        except batt.CompileError as error:
            print(error)
    """)
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "source cannot be read" in told.stdout and "from_text" in told.stdout


def test_methods_and_nested_functions_are_compiled_by_their_own_lines():
    def make():
        @batt.program
        def solve_turned(I):
            O = rot90(I)
            return O

        return solve_turned

    assert make()(GRID) == rot90(GRID)


def test_programs_are_loaded_from_files_and_modules(tmp_path):
    starter = batt.load_programs()
    assert len(starter) == 48
    file = tmp_path / "mine.py"
    file.write_text("def solve_a(I):\n    O = rot90(I)\n    return O\n\ndef solve_b(I):\n    return nonsense(I)\n")
    with pytest.warns(batt.BattWarning, match=r"mine.py:6:\d+"):
        programs = batt.load_programs(file)
    assert [one.name for one in programs] == ["solve_a"]
    sys.path.insert(0, str(tmp_path))
    try:
        (tmp_path / "of_batt_tests.py").write_text("def solve_c(I):\n    O = hmirror(I)\n    return O\n")
        import of_batt_tests

        assert [one.name for one in batt.load_programs(of_batt_tests)] == ["solve_c"]
    finally:
        sys.path.remove(str(tmp_path))
    with pytest.raises(batt.Error, match="no-such-file.py: no such file"):
        batt.load_programs("no-such-file.py")


def test_programs_are_pickled_and_printed():
    again = pickle.loads(pickle.dumps(solve_largest))
    assert again(GRID) == ((1, 1),)
    assert repr(solve_largest) == "<Program solve_largest: 3 calls>"
    assert str(solve_largest).startswith("def solve_largest(I):")
    assert solve_largest._repr_html_().startswith("<pre>def solve_largest(I):")


def test_programs_see_the_demos():
    program = batt.Program.from_text("def solve(S, I, C):\n    x1 = first(S)\n    O = last(x1)\n    return O\n")
    pairs = [(GRID, ((5,),))]
    assert program(GRID, demos=pairs) == ((5,),)
    assert program(GRID, demos=batt.Task("t", pairs, [(GRID, None)])) == ((5,),)


def test_threads_run_the_same_program():
    made = []
    threads = [threading.Thread(target=lambda: made.extend(solve_largest(GRID) for _ in range(200))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [((1, 1),)] * 800
