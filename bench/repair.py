#!/usr/bin/env python3
"""How many broken programs evolution repairs, against random changes without selection.

    python3 bench/repair.py PATH-TO-ARC-DSL-CHECKOUT [--changes 1 2 3] [--time 60s] [--threads 2] [--seed 1] [--batt PATH]
        [--without-baseline] [--out DIR]

bench/scramble.py changes constants (colours, ranks, angles, kinds) in every program of the checkout's solvers.py. Each program starts on
its own task of arc1:training. A task is broken if no program is right on all its demos at the start, and repaired if one is at the end; a few
tasks have no program of their own, because there was nothing to scramble.
The submissions of both are graded by the test outputs, which nothing else sees. The baseline is `--no-selection`: only the scrambled
programs are changed, by operators that learn nothing.

Needs the cached data sets (batt data get arc1). Uses the standard library only.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parent / "target") / "release" / "batt"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, metavar="PATH-TO-CHECKOUT")
    parser.add_argument("--changes", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--time", default="60s")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--batt", default=str(BUILT))
    parser.add_argument("--without-baseline", action="store_true", help="leave out random changes without selection")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write repair.json and repair.md to this folder")
    arguments = parser.parse_args()
    rows = []
    for changes in arguments.changes:
        for selection in (True,) if arguments.without_baseline else (True, False):
            row = measure(arguments, changes, selection)
            rows.append(row)
            print(line(row), file=sys.stderr, flush=True)
    table = "\n".join([HEAD, RULE] + [line(row) for row in rows]) + "\n"
    print(table)
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        name = f"repair-{arguments.time}"
        machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
        (arguments.out / f"{name}.json").write_text(json.dumps({"machine": machine, "rows": rows}, indent=1) + "\n")
        (arguments.out / f"{name}.md").write_text(table)


HEAD = "| changes | parents | time | broken | repaired | share | right on tests | evaluations a second |"
RULE = "|---:|---|---:|---:|---:|---:|---:|---:|"


def line(row):
    cells = [
        row["changes"],
        "the best" if row["selection"] else "the scrambled ones",
        row["time"],
        row["broken"],
        row["repaired"],
        f"{100 * row['repaired'] / max(row['broken'], 1):.0f}%",
        f"{row['tests_right']} of {row['tasks']}",
        f"{row['rate']:,.0f}",
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def measure(arguments, changes, selection):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        scramble = [sys.executable, str(HERE / "scramble.py"), str(arguments.checkout / "solvers.py")]
        scramble += ["--changes", str(changes), "--seed", arguments.seed]
        text = subprocess.run(scramble, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        (folder / "scrambled.py").write_text(text)
        store, submission = str(folder / "repair.store"), str(folder / "submission.json")
        evolve = [arguments.batt, "evolve", "--tasks", "arc1:training", "--programs", str(folder / "scrambled.py"), "--pairing", "own"]
        evolve += ["--store", store, "--time", arguments.time, "--threads", arguments.threads, "--seed", arguments.seed, "--json", "-"]
        evolve += [] if selection else ["--no-selection"]
        ran = json.loads(run(evolve))
        run([arguments.batt, "submit", "--store", store, "--tasks", "arc1:training", "--out", submission])
        grade = json.loads(run([arguments.batt, "grade", submission, "--tasks", "arc1:training", "--json"]))
        programs = text.count("\ndef ") + text.startswith("def ")
        return {
            "changes": changes,
            "selection": selection,
            "time": arguments.time,
            "tasks": ran["tasks"],
            "programs": programs,
            "broken": ran["tasks"] - ran["fits_at_start"],
            "repaired": ran["fits"] - ran["fits_at_start"],
            "tests_right": grade["tasks_right"],
            "generations": ran["generations"],
            "rate": ran["made"]["evaluations_a_second"],
            "store_bytes": os.path.getsize(store),
        }


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"error: {' '.join(command)}\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
