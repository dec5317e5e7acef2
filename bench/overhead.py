#!/usr/bin/env python3
"""What `--profile` costs, and what it says that it costs: runs `batt run` with and without it, in turn.

    python3 bench/overhead.py target/release/batt 41 --threads 1 --tasks arc1:training --programs solvers.py --pairing own

The first argument is the program, the second how often each is run, and the others go to `batt run`. The time is that of all tasks
together, as `--json` has it. Uses the standard library only.
"""

import json
import os
import subprocess
import sys
import tempfile


def once(batt, args, folder, profiled):
    """Seconds on tasks, and what watching is said to have cost."""
    results, profile = os.path.join(folder, "results.json"), os.path.join(folder, "profile.json")
    more = ["--profile", profile] if profiled else []
    subprocess.run([batt, "run", *args, "--json", results, *more], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(results, encoding="utf-8") as file:
        time = sum(task["time_s"] for task in json.load(file)["by_task"])
    if not profiled:
        return time, 0.0
    with open(profile, encoding="utf-8") as file:
        return time, json.load(file)["overhead_s"]


def part(values, place):
    values = sorted(values)
    return values[int(place * (len(values) - 1))]


def main():
    batt, times, args = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    plain, watched, stated = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(times):
            # Each goes first as often as the other.
            for profiled in [False, True] if k % 2 == 0 else [True, False]:
                time, said = once(batt, args, folder, profiled)
                (watched if profiled else plain).append(time)
                if profiled:
                    stated.append(said)
    print(f"batt run {' '.join(args)}: {times} runs each")
    print(f"{'':16}  {'without':>10}  {'with':>10}  {'more':>10}  {'':6}")
    for name, place in [("fastest", 0.0), ("lower quartile", 0.25), ("median", 0.5)]:
        before, after = part(plain, place), part(watched, place)
        print(f"{name:16}  {before * 1e3:7.2f} ms  {after * 1e3:7.2f} ms  {(after - before) * 1e3:7.2f} ms  {after / before - 1:6.1%}")
    middle = part(stated, 0.5)
    print(f"{'stated, median':16}  {'':10}  {'':10}  {middle * 1e3:7.2f} ms  {middle / part(plain, 0.5):6.1%}")


if __name__ == "__main__":
    main()
