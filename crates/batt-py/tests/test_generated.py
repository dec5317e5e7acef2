"""Generated files are fresh, and the types hold for programs of users."""

from __future__ import annotations

import subprocess
import sys

import pytest

USER_PROGRAM = '''
from batt.dsl import *
import batt


def solve_plain(I: Grid) -> Grid:
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = colorfilter(x1, TWO)
    x4 = mapply(compose(backdrop, toindices), x3)
    x5 = fill(I, add(ONE, TWO), x4)
    x6 = lbind(shift, x2)
    x7 = apply(x6, frozenset({UNITY, ORIGIN}))
    x8 = paint(x5, merge(x7))
    x9 = vconcat(x8, hmirror(x8))
    return subgrid(x2, x9)


@batt.program
def solve(I: Grid) -> Grid:
    O = rot90(I)
    return O


tasks = batt.load_tasks("starter")
verdict = solve.check(tasks[0])
if verdict.fits:
    print(verdict.solved)
result = batt.run(tasks=tasks, programs=[solve], time_per_task=None) if False else batt.run(tasks=tasks, programs=[solve], top=2)
made = solve(((1, 2), (3, 4)))
'''.replace("batt.run(tasks=tasks, programs=[solve], time_per_task=None) if False else ", "")


def test_generated_files_are_fresh(repository):
    told = subprocess.run([sys.executable, repository / "crates/batt-py/generate.py", "--check"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("checker", [["mypy", "--strict", "--no-incremental"], ["pyright", "--pythonpath", sys.executable]])
def test_a_program_of_a_user_passes_the_type_checkers(tmp_path, checker):
    pytest.importorskip(checker[0])
    (tmp_path / "mine.py").write_text(USER_PROGRAM)
    told = subprocess.run([sys.executable, "-m", *checker, "mine.py"], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_package_passes_mypy():
    pytest.importorskip("mypy")
    told = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-incremental", "-p", "batt"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr
