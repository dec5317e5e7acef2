#!/usr/bin/env python3
"""The typed dialect's own library: which tasks batt solves with it, and which its own Python does.

    python3 bench/typed-dialect.py PATH-TO-TOKPIDJIN-CHECKOUT [--batt PATH] [--out DIR]

Each program of the checkout's solvers_pre.py runs on its own task of arc1:training, on every demo and every test input: in CPython with
the checkout's dsl.py, and in batt with `--cells auto`, `cij` and `ijc`. A verdict is lost if CPython's program solves the task and batt's
does not. The status is 1 if one is lost with `--cells auto`.

Needs the cached data set (batt data get arc1). Uses the standard library only, and changes nothing in the checkout.
"""

import argparse
import csv
import importlib
import json
import os
import platform
import subprocess
import sys
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parent / "target") / "release" / "batt"
READINGS = ("auto", "cij", "ijc")
# What a program does that has one meaning in the ancestor and another, or none, in batt.
COLOUR_LAST = "takes the last item of a cell for its colour"
WHY = {
    "06df4c85": COLOUR_LAST,
    "137eaa0f": COLOUR_LAST,
    "49d1d64f": COLOUR_LAST,
    "82819916": COLOUR_LAST,
    "9aec4887": COLOUR_LAST,
    "88a10436": "`center` of an object that is a tuple of cells: a patch to the ancestor, rows of a grid to arc-dsl",
    "98cf29f8": "`ineighbors` of a cell: its first two items are the location of `(i, j, c)`, and colour and location of `(c, (i, j))`",
    "a64e4611": "out of the default fuel, since a triple weighs more than a cell; solved with `--fuel 500000000`",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, metavar="PATH-TO-CHECKOUT")
    parser.add_argument("--batt", default=str(BUILT))
    parser.add_argument("--out", type=Path, metavar="DIR", help="write summary.md and verdicts.csv to this folder")
    arguments = parser.parse_args()
    solvers = arguments.checkout / "solvers_pre.py"
    if not solvers.is_file():
        sys.exit(f"error: there is no solvers_pre.py in {arguments.checkout}")
    tasks = load_tasks()
    cpython = solved_by_cpython(arguments.checkout, tasks)
    batt = {cells: solved_by_batt(arguments.batt, solvers, cells) for cells in READINGS}
    triples = with_triples(arguments.batt, solvers)
    rows = [
        {"task": task, "cells": "ijc" if task in triples else "cij", "cpython": task in cpython}
        | {f"batt_{cells}": task in batt[cells] for cells in READINGS}
        for task in sorted(tasks)
    ]
    summary = summarise(cpython, batt, triples, set(tasks))
    print(summary)
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "summary.md").write_text(summary)
        with (arguments.out / "verdicts.csv").open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([rows[0], *([int(cell) if isinstance(cell, bool) else cell for cell in row.values()] for row in rows)])
    return int(bool(cpython - batt["auto"]))


def load_tasks():
    """The training tasks from batt's cache, by id."""
    if os.environ.get("BATT_DATA"):
        folder = Path(os.environ["BATT_DATA"])
    elif os.path.isabs(os.environ.get("XDG_DATA_HOME", "")):
        folder = Path(os.environ["XDG_DATA_HOME"]) / "batt"
    else:
        folder = Path.home() / ".local" / "share" / "batt"
    path = folder / "arc1.json"
    try:
        return json.loads(path.read_text())["train"]
    except OSError as error:
        sys.exit(f"error: cannot read {path} ({error}); run `batt data get arc1`")


def solved_by_cpython(checkout, tasks):
    """The tasks whose program is right on all samples. It is given the demos, the input and no candidate, as the ancestor does."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(checkout))
    os.environ["EXPECT_GPU"] = "0"
    try:
        import numpy  # noqa: F401
    except ImportError:
        # dsl.py imports it for its work on devices only.
        sys.modules["numpy"] = types.ModuleType("numpy")
    module = importlib.import_module("solvers_pre")
    solved = set()
    for name, task in tasks.items():
        program = getattr(module, f"solve_{name}", None)
        demos = tuple(map(pair, task["train"]))
        if program and all(is_right(program, demos, sample) for sample in (*demos, *map(pair, task["test"]))):
            solved.add(name)
    return solved


def pair(sample):
    return tuple(tuple(map(tuple, sample[side])) for side in ("input", "output"))


def is_right(program, demos, sample):
    try:
        return program(demos, sample[0], None) == sample[1]
    except Exception:  # A program that fails is wrong.
        return False


def solved_by_batt(batt, solvers, cells):
    run = [batt, "run", "--tasks", "arc1:training", "--programs", str(solvers), "--pairing", "own", "--cells", cells, "--json", "-"]
    return set(run_json(run)["solved"])


def with_triples(batt, solvers):
    """The tasks whose program has cells as `(i, j, c)`, by what it does."""
    return {name.removeprefix("solve_") for name in run_json([batt, "lib", "check", str(solvers), "--json"])["cells_ijc"]}


def run_json(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"error: {' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def summarise(cpython, batt, triples, tasks):
    def listed(some):
        return ", ".join(sorted(some)) or "none"

    lines = [
        "# The typed dialect's own library in batt",
        "",
        f"{len(tasks)} programs, each on its own task of ARC-AGI-1 training. Solved: right on every demo and test.",
        "",
        "| run by | solved | lost | won |",
        "|---|---:|---:|---:|",
        f"| {platform.python_implementation()} {'.'.join(platform.python_version_tuple()[:2])}, the ancestor's dsl.py | {len(cpython)} | | |",
    ]
    for cells, solved in batt.items():
        lines.append(f"| batt, `--cells {cells}` | {len(solved)} | {len(cpython - solved)} | {len(solved - cpython)} |")
    lines += [
        "",
        "Lost: the ancestor's Python solves the task, batt does not. Won: the other way round.",
        f"With `auto`, {len(triples)} programs have cells as (i, j, c): {listed(triples)}.",
    ]
    for cells, solved in batt.items():
        lines += ["", f"## Lost with `--cells {cells}`", ""]
        lost = sorted(cpython - solved)
        lines += ["| task | why |", "|---|---|"] if lost else ["None."]
        lines += [f"| {task} | {WHY.get(task, '**not explained**')} |" for task in lost]
    won = batt["auto"] - cpython
    arc_dsl = won & batt["cij"] - batt["ijc"]
    lines += [
        "",
        "## Won with `--cells auto`",
        "",
        f"{listed(won)}.",
        "",
        f"{len(arc_dsl)} of these {len(won)} need cells as (c, (i, j)), which the ancestor had before: `--cells cij` solves them, and `--cells ijc` "
        f"does not. Others: {listed(won - arc_dsl)}.",
        "",
        "## Solved by neither",
        "",
        f"{listed(tasks - cpython - batt['auto'])}.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
