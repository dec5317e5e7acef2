"""Generated files are fresh, and the types hold for programs of users."""

from __future__ import annotations

import subprocess
import sys

import pytest

USER_PROGRAM = """
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
result = batt.run(tasks=tasks, programs=[solve], top=2)
made = solve(((1, 2), (3, 4)))
"""

# Values of functions that a program makes, of choices between functions, and items of containers have types too.
ANNOTATED = """
from batt.dsl import *


def solve_chosen(I: Grid) -> Grid:
    x1 = portrait(I)
    x2 = branch(x1, dmirror, identity)
    x3 = x2(I)
    x4 = branch(x1, vupscale, hupscale)
    O = x4(x3, TWO)
    return O


def solve_first(I: Grid) -> Grid:
    x1 = hsplit(I, TWO)
    O = first(x1)
    return O


def solve_halves(I: Grid) -> Grid:
    x1 = rbind(hsplit, TWO)
    x2 = vsplit(I, TWO)
    x3 = mapply(x1, x2)
    O = argmax(x3, numcolors)
    return O


def solve_made(I: Grid) -> Grid:
    x1 = rbind(crop, UNITY)
    x2 = fork(vconcat, identity, hmirror)
    x3 = power(x2, TWO)
    x4 = compose(vmirror, x3)
    x5 = x4(I)
    x6 = apply(rot90, hsplit(x5, TWO))
    O = merge(x6)
    return O


def solve_ranked(I: Grid) -> Grid:
    x1 = objects(I, T, F, T)
    x2 = rbind(subgrid, I)
    x3 = apply(x2, x1)
    x4 = argmin(x3, compose(size, palette))
    x5 = lbind(apply, maximum)
    x6 = papply(add, (ONE, TWO), (TWO, THREE))
    x7 = apply(rbind(add, UNITY), ofcolor(x4, ONE))
    x8 = fill(x4, first(x6), x7)
    return x8
"""


def test_generated_files_are_fresh(repository):
    told = subprocess.run([sys.executable, repository / "crates/batt-py/generate.py", "--check"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("text", [USER_PROGRAM, ANNOTATED])
def test_mypy_accepts_programs_of_users(tmp_path, text):
    (tmp_path / "mine.py").write_text(text)
    told = subprocess.run([sys.executable, "-m", "mypy", "--strict", "mine.py"], cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_package_passes_mypy():
    told = subprocess.run([sys.executable, "-m", "mypy", "--strict", "-p", "batt"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr
