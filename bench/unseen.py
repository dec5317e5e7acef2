#!/usr/bin/env python3
"""Evolution on training tasks that it has no program for: how many it solves, with which limits of fuel.

Half of arc-dsl's programs are given, chosen by the hashes of their tasks' ids; the tasks are those of the other half. Each setting runs for the
same time on one thread, and what it solves is counted by `batt evolve` itself, after all is done.

    bench/unseen.py --batt target/release/batt --solvers arc-dsl/solvers.py --time 180s --fuel 500000/100000 50000/20000
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import tempfile


def half(task):
    return hashlib.sha256(("half" + task).encode()).digest()[-1] % 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batt", required=True)
    parser.add_argument("--solvers", required=True, type=pathlib.Path)
    parser.add_argument("--tasks", default="arc1:training")
    parser.add_argument("--time", default="180s")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--fuel", nargs="+", required=True, metavar="FUEL/FLOOR")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()

    programs, tasks = [], []
    for text in re.split(r"(?=^def solve_)", args.solvers.read_text(), flags=re.M):
        if named := re.match(r"def solve_(\w{8})", text):
            programs.append(text) if half(named[1]) == 0 else tasks.append(named[1])
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "half.py"
        library.write_text("".join(programs))
        for seed in args.seeds:
            for fuel in args.fuel:
                most, floor = fuel.split("/")
                store = pathlib.Path(folder) / f"{seed}-{most}-{floor}.store"
                command = [args.batt, "evolve", "--tasks", args.tasks, "--task", *tasks, "--programs", library, "--store", store, "--threads", "1",
                           "--device", "cpu", "--time", args.time, "--seed", str(seed), "--fuel", most, "--fuel-floor", floor, "--json", "-"]
                told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                row = {"seed": seed, "fuel": int(most), "floor": int(floor), "time": args.time, "tasks": told["tasks"], "programs": len(programs)}
                row |= {key: told[key] for key in ("fits", "fits_at_start", "solved", "generations", "evaluations", "wall_s")}
                rows.append(row)
                print(f"seed {seed}, fuel {most}, floor {floor}: solved {row['solved']}, fits {row['fits']} of {row['tasks']} "
                      f"({row['fits_at_start']} at the start), {row['evaluations']:,} evaluations", flush=True)
    if args.out:
        args.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
