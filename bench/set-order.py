#!/usr/bin/env python3
"""Evolved programs that fit, run with CPython and arc-dsl: does it agree, and were those marked on which it does not?

    bench/set-order.py STORE PATH-TO-ARC-DSL-CHECKOUT ARC1.json [--each N] [--seed S]

STORE is what `batt evolve --tasks arc1:training` made, ARC1.json the cached data set. For each task up to N programs that evolution made and that
fit are run on the demos. What Python gives depends on the order in which it goes through sets, so a program that disagrees should be one that batt
marks as order-dependent. Uses the standard library only.
"""

import argparse
import collections
import json
import random
import signal
import sqlite3
import sys

SECONDS = 5


class TooLong(Exception):
    pass


def on_alarm(*_):
    raise TooLong


def verdict(function, demos):
    for demo in demos:
        given, expected = (tuple(map(tuple, demo[side])) for side in ("input", "output"))
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            same = function(given) == expected
        except TooLong:
            return "too long"
        except NameError:
            return "not in arc-dsl"
        except Exception:
            return "raises"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if not same:
            return "differs"
    return "agrees"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    parser.add_argument("checkout")
    parser.add_argument("data")
    parser.add_argument("--each", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sys.path.insert(0, args.checkout)
    import constants
    import dsl

    names = {name: value for module in (dsl, constants) for name, value in vars(module).items() if not name.startswith("_")}
    store = sqlite3.connect(args.store)
    fits = store.execute(
        "SELECT t.name, s.program, s.order_dependent FROM score s JOIN task t ON t.id = s.task JOIN program p ON p.id = s.program "
        "JOIN origin o ON o.id = p.origin WHERE s.demos_right = s.demos AND o.run IS NOT NULL ORDER BY t.name, s.program").fetchall()
    by_task = collections.defaultdict(list)
    for task, program, marked in fits:
        by_task[task].append((program, marked))
    tasks = json.load(open(args.data))["train"]
    draw = random.Random(args.seed)
    signal.signal(signal.SIGALRM, on_alarm)
    counts = collections.Counter()
    for task, programs in by_task.items():
        for program, marked in draw.sample(programs, min(args.each, len(programs))):
            (text,) = store.execute("SELECT text FROM program_text WHERE id = ?", (program,)).fetchone()
            space = dict(names)
            exec(text, space)
            counts[verdict(space["program"], tasks[task]["train"]), marked] += 1
    print(f"{len(fits)} fits of {len(by_task)} tasks, {counts.total()} run")
    print("| CPython | not marked | order-dependent |\n|---|---:|---:|")
    for word in ("agrees", "differs", "raises", "too long", "not in arc-dsl"):
        print(f"| {word} | {counts[word, 0]} | {counts[word, 1]} |")


if __name__ == "__main__":
    main()
