"""Writes fresh samples of ARC-AGI-1 training tasks, made by re-arc's generators, as tasks of their own.

    python3 bench/samples.py RE-ARC TRAINING OUT --each 3 --seed 1

RE-ARC is a checkout of michaelhodel/re-arc, TRAINING the folder of the original tasks. A new task has as many demos and tests as the original,
and is called after it: `00d62c1b-1`. Tasks whose SHA-256 of the id ends in 0 to 3 are left out: they are counted and never learnt from.
"""

import argparse
import hashlib
import json
import os
import random
import signal
import sys
from unittest import mock


class Slow(Exception):
    pass


def stop(*_):
    raise Slow


def sample(generator):
    """A sample with grids that the competition allows, or `None`."""
    for _ in range(5):
        signal.alarm(5)
        try:
            pair = generator(0, 1)
        except Exception:
            continue
        finally:
            signal.alarm(0)
        sizes = [len(side) for grid in pair.values() for side in (grid, grid[0] if grid else ())]
        if all(1 <= size <= 30 for size in sizes) and pair["input"] != pair["output"]:
            return {key: [list(row) for row in grid] for key, grid in pair.items()}
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("re_arc")
    parser.add_argument("training")
    parser.add_argument("out")
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sys.path.insert(0, args.re_arc)
    # re-arc draws pictures with it; samples need none.
    for missing in ("matplotlib", "matplotlib.pyplot", "matplotlib.colors"):
        sys.modules.setdefault(missing, mock.MagicMock())
    import generators

    signal.signal(signal.SIGALRM, stop)
    os.makedirs(args.out, exist_ok=True)
    made = 0
    for name in sorted(os.listdir(args.training)):
        task = name.removesuffix(".json")
        if hashlib.sha256(task.encode()).hexdigest()[-1] in "0123":
            continue
        with open(os.path.join(args.training, name)) as file:
            original = json.load(file)
        for number in range(1, args.each + 1):
            random.seed(f"{args.seed} {task} {number}")
            parts = {key: [sample(getattr(generators, f"generate_{task}")) for _ in original[key]] for key in ("train", "test")}
            if None in parts["train"] + parts["test"]:
                continue
            with open(os.path.join(args.out, f"{task}-{number}.json"), "w") as file:
                json.dump(parts, file)
            made += 1
    print(f"{made} tasks")


if __name__ == "__main__":
    main()
