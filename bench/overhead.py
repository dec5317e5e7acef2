#!/usr/bin/env python3
"""What `--profile` costs, and what it says that it costs: runs `batt run` with and without it, in turn.

    python3 bench/overhead.py target/release/batt 41 --threads 1 --tasks arc1:training --programs solvers.py --pairing own

The first argument is the program, the second how often each is run, and the others go to `batt run`. The first table is of the time of
all tasks together, as `--json` has it; the second of the command from start to finish, where finding out what watching costs, putting the
profile together and writing it come on top. *In pairs* is the median of how much longer a run took than the one beside it. Uses the
standard library only.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


def once(batt, args, folder, profiled):
    """Seconds on tasks and from start to finish, and what is said of both: what watching cost, and what the profile took besides."""
    results, profile = os.path.join(folder, "results.json"), os.path.join(folder, "profile.json")
    more = ["--profile", profile] if profiled else []
    started = time.perf_counter()
    ran = subprocess.run([batt, "run", *args, "--json", results, *more], check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - started
    with open(results, encoding="utf-8") as file:
        tasks = sum(task["time_s"] for task in json.load(file)["by_task"])
    if not profiled:
        return tasks, wall, 0.0, 0.0
    with open(profile, encoding="utf-8") as file:
        watching = json.load(file)["overhead_s"]
    besides = re.search(r"the profile itself took (\d+(?:\.\d+)?) (\S+) more", ran.stdout.decode("utf-8"))
    return tasks, wall, watching, float(besides[1]) * UNITS[besides[2]] if besides else 0.0


def part(values, place):
    values = sorted(values)
    return values[int(place * (len(values) - 1))]


def table(title, plain, watched, stated):
    print(f"{title:16}  {'without':>10}  {'with':>10}  {'more':>10}  {'':6}")
    for name, place in [("fastest", 0.0), ("lower quartile", 0.25), ("median", 0.5)]:
        before, after = part(plain, place), part(watched, place)
        print(f"{name:16}  {before * 1e3:7.2f} ms  {after * 1e3:7.2f} ms  {(after - before) * 1e3:7.2f} ms  {after / before - 1:6.1%}")
    for name, values in [("in pairs, median", [b - a for a, b in zip(plain, watched)]), ("stated, median", stated)]:
        print(f"{name:16}  {'':10}  {'':10}  {part(values, 0.5) * 1e3:7.2f} ms  {part(values, 0.5) / part(plain, 0.5):6.1%}")


def main():
    batt, times, args = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    plain, watched = [], []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(times):
            # Each goes first as often as the other.
            for profiled in [False, True] if k % 2 == 0 else [True, False]:
                (watched if profiled else plain).append(once(batt, args, folder, profiled))
    print(f"batt run {' '.join(args)}: {times} runs each")
    table("time of tasks", [run[0] for run in plain], [run[0] for run in watched], [run[2] for run in watched])
    table("start to finish", [run[1] for run in plain], [run[1] for run in watched], [run[2] + run[3] for run in watched])


if __name__ == "__main__":
    main()
