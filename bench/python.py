#!/usr/bin/env python3
"""The Python package against arc-dsl in the same interpreter, in the same run.

    python bench/python.py PATH-TO-ARC-DSL --tasks DIR [--re-arc PATH] [--samples N] [--rounds N] [--wheel FILE] [--out DIR]

Needs an installed `batt` (a release wheel) and a folder of the 400 training tasks, as files. Times are processor times of this process, the
shortest of all rounds for each program. a64e4611 takes CPython seconds and stands apart.

  programs     each program of arc-dsl's solvers.py on every sample of its task: CPython with arc-dsl, CPython with batt.dsl in its place,
               @batt.program in single calls with plain grids in and out, and run_many
  primitives   the calls of these programs again, one primitive at a time, with arc-dsl and with batt.dsl
  tests        arc-dsl's tests.py with batt.dsl in place of dsl.py
  re-arc       samples of re-arc's generators, verified with its own dsl.py and with batt.dsl
"""

from __future__ import annotations

import argparse
import csv
import gc
import importlib
import json
import platform
import random
import subprocess
import sys
import time
import types
from pathlib import Path

APART = "a64e4611"
# The most calls of a primitive that are timed, and the most that are kept of one program.
MOST_CALLS = 400
MOST_OF_ONE = 20
# How often a compiled program runs in a round.
REPEATS = 10


def main() -> None:
    arguments = parse_arguments()
    import batt
    from batt import dsl

    lines: list[str] = [f"{platform.python_implementation()} {platform.python_version()}, batt {batt.__version__}, {cpu()}"]
    tasks = load_tasks(arguments.tasks)
    reference = import_arc_dsl(arguments.checkout)
    ours = import_arc_dsl(arguments.checkout, dsl)
    compiled = {one.name.removeprefix("solve_"): one for one in batt.load_programs(arguments.checkout / "solvers.py")}
    names = sorted(name for name in compiled if name in tasks)
    rows = time_programs(names, tasks, reference["solvers"], ours["solvers"], compiled, arguments.rounds)
    lines += summarise(rows)
    primitives = time_primitives(names, tasks, reference, dsl, arguments.rounds)
    lines += summarise_primitives(primitives)
    lines.append(f"arc-dsl's tests.py: with its own dsl.py {run_tests(reference['tests'])}; with batt.dsl {run_tests(ours['tests'])}")
    lines.append(import_time())
    if arguments.wheel:
        lines.append(f"wheel: {arguments.wheel.stat().st_size / 1e6:.1f} MB")
    verified = []
    if arguments.re_arc:
        verified = compare_re_arc(arguments.re_arc, arguments.samples)
        lines += summarise_re_arc(verified, arguments.samples)
    print("\n".join(lines))
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "summary.txt").write_text("\n".join(lines) + "\n")
        write_csv(arguments.out / "programs.csv", rows)
        write_csv(arguments.out / "primitives.csv", primitives)
        if verified:
            write_csv(arguments.out / "re-arc.csv", verified)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, metavar="PATH-TO-ARC-DSL")
    parser.add_argument("--tasks", type=Path, required=True, metavar="DIR", help="the training tasks, a file each")
    parser.add_argument("--re-arc", type=Path, metavar="PATH", help="a checkout of re-arc")
    parser.add_argument("--samples", type=int, default=100, metavar="N", help="samples of each generator of re-arc [default: 100]")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="[default: 3]")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="the wheel, to tell its size")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the figures to this folder")
    return parser.parse_args()


def load_tasks(folder: Path) -> dict[str, list[tuple]]:
    """The inputs of all samples by task."""
    rows = lambda grid: tuple(map(tuple, grid))  # noqa: E731
    tasks = {}
    for file in sorted(folder.glob("*.json")):
        task = json.loads(file.read_text())
        tasks[file.stem] = [rows(sample["input"]) for sample in task["train"] + task["test"]]
    return tasks


def import_arc_dsl(checkout: Path, dsl: types.ModuleType | None = None) -> dict[str, types.ModuleType]:
    """The modules of a checkout; with another `dsl` in the place of its own."""
    names = ("arc_types", "constants", "dsl", "solvers", "tests")
    for name in names:
        sys.modules.pop(name, None)
    if dsl is not None:
        sys.modules["dsl"] = dsl
    sys.path.insert(0, str(checkout))
    try:
        return {name: importlib.import_module(name) for name in names}
    finally:
        sys.path.remove(str(checkout))
        for name in names:
            sys.modules.pop(name, None)


def processor_time(call):
    gc.collect()
    gc.disable()
    started = time.process_time()
    made = call()
    took = time.process_time() - started
    gc.enable()
    return took, made


def time_programs(names, tasks, reference, ours, compiled, rounds):
    rows = []
    for name in names:
        grids = tasks[name]
        kinds = {
            "arc_dsl": lambda grids, solve=getattr(reference, f"solve_{name}"): [safely(solve, grid) for grid in grids],
            "batt_dsl": lambda grids, solve=getattr(ours, f"solve_{name}"): [safely(solve, grid) for grid in grids],
            "single": lambda grids, solve=compiled[name]: [safely(solve, grid) for grid in grids],
            # One call on the samples ten times over, of which a tenth counts.
            "many": lambda grids, solve=compiled[name]: solve.run_many(grids * REPEATS)[: len(grids)],
        }
        row = {"program": name, "samples": len(grids)}
        made = {}
        times = {kind: [] for kind in kinds}
        # In turns, so that other work on the machine is spread over all.
        for number in range(rounds):
            for kind, call in kinds.items():
                is_python = kind in ("arc_dsl", "batt_dsl")
                if number and is_python and name == APART:
                    continue
                repeats = 1 if is_python else REPEATS
                calls = 1 if kind == "many" else repeats
                took, made[kind] = processor_time(lambda call=call, calls=calls: [call(grids) for _ in range(calls)][0])
                times[kind].append(took / repeats)
        for kind in kinds:
            row[f"{kind}_us"] = round(min(times[kind]) * 1e6, 2)
        row["batt_dsl_differs"] = sum(a != b for a, b in zip(made["arc_dsl"], made["batt_dsl"]))
        row["program_differs"] = sum(a != b for a, b in zip(made["arc_dsl"], made["single"]))
        rows.append(row)
        if sys.stderr.isatty():
            print(f"\r{len(rows)} of {len(names)} programs", end="", file=sys.stderr)

    return rows


def safely(solve, grid):
    try:
        return solve(grid)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__


def summarise(rows):
    rest = [row for row in rows if row["program"] != APART]
    total = {kind: sum(row[f"{kind}_us"] for row in rest) / 1e6 for kind in ("arc_dsl", "batt_dsl", "single", "many")}
    samples = sum(row["samples"] for row in rest)
    lines = [f"{len(rest)} programs of arc-dsl on {samples} samples, {APART} apart; seconds of processor time:"]
    for kind, words in (
        ("arc_dsl", "CPython with arc-dsl"),
        ("batt_dsl", "CPython with batt.dsl"),
        ("single", "@batt.program, single calls"),
        ("many", "@batt.program, run_many"),
    ):
        lines.append(f"  {words:<28} {total[kind]:8.4f} s  {total['arc_dsl'] / total[kind]:6.1f} times arc-dsl")
    for kind in ("batt_dsl", "single", "many"):
        ratios = sorted(row["arc_dsl_us"] / row[f"{kind}_us"] for row in rest)
        lines.append(
            f"  {kind}: median {ratios[len(ratios) // 2]:.1f} times, from {ratios[0]:.2f} to {ratios[-1]:.0f}; slower in {sum(r < 1 for r in ratios)}"
        )
    differs = lambda kind: [row["program"] for row in rows if row[kind]]  # noqa: E731
    lines.append(f"  other outputs with batt.dsl: {' '.join(differs('batt_dsl_differs')) or 'none'}")
    lines.append(f"  other outputs with @batt.program: {' '.join(differs('program_differs')) or 'none'}")
    return lines


def time_primitives(names, tasks, reference, dsl, rounds):
    """The calls that arc-dsl's programs make, by primitive."""
    table = [row["name"] for row in importlib.import_module("batt._native").table() if row["is_arc_dsl"]]
    calls: dict[str, list[tuple]] = {name: [] for name in table}
    kept: dict[str, int] = {}
    solvers, module = reference["solvers"], reference["dsl"]
    # Functions as arguments are arc-dsl's in both.
    originals = {name: getattr(module, name) for name in table}

    def recording(name):
        def record(*args):
            if kept.get(name, 0) < MOST_OF_ONE and len(calls[name]) < MOST_CALLS:
                kept[name] = kept.get(name, 0) + 1
                calls[name].append(args)
            return originals[name](*args)

        return record

    for name in table:
        setattr(solvers, name, counted(recording(name), originals[name]))
    random.seed(1)
    for name in random.sample(names, len(names)):
        if name == APART:
            continue
        kept.clear()
        safely(getattr(solvers, f"solve_{name}"), tasks[name][0])
    for name in table:
        setattr(solvers, name, originals[name])
    rows = []
    for name in table:
        made = calls[name]
        if not made:
            continue
        best = {"arc_dsl": float("inf"), "batt_dsl": float("inf")}
        repeats = 5
        for _ in range(rounds):
            for kind, function in (("arc_dsl", originals[name]), ("batt_dsl", getattr(dsl, name))):
                took, _ = processor_time(lambda function=function: [safely2(function, args) for _ in range(repeats) for args in made])
                best[kind] = min(best[kind], took / repeats / len(made))
        rows.append(
            {
                "primitive": name,
                "calls": len(made),
                "arc_dsl_us": round(best["arc_dsl"] * 1e6, 3),
                "batt_dsl_us": round(best["batt_dsl"] * 1e6, 3),
                "times": round(best["arc_dsl"] / best["batt_dsl"], 2),
            }
        )
    return rows


def counted(record, original):
    """A function with the parameters of another, because `rbind` and `lbind` count them."""
    count = original.__code__.co_argcount
    names = ", ".join(f"a{k}" for k in range(count))
    made: dict = {}
    exec(f"def function({names}): return record({names})", {"record": record}, made)
    return made["function"]


def safely2(function, args):
    try:
        function(*args)
    except Exception:  # noqa: BLE001, S110
        pass


def summarise_primitives(rows):
    slower = sorted((row for row in rows if row["times"] < 1), key=lambda row: row["times"])
    lines = [f"primitives: {len(rows)} timed on the calls of these programs; slower than arc-dsl's: {len(slower)}"]
    for row in slower:
        lines.append(
            f"  {row['primitive']:<14} {row['arc_dsl_us']:9.3f} us in arc-dsl, {row['batt_dsl_us']:9.3f} us here ({row['times']:.2f})"
        )
    return lines


def run_tests(tests):
    failed = []
    names = [name for name in vars(tests) if name.startswith("test_")]
    for name in names:
        try:
            getattr(tests, name)()
        except Exception as error:  # noqa: BLE001
            failed.append(f"{name} ({type(error).__name__})")
    return f"{len(names) - len(failed)} of {len(names)} pass{', not ' + ', '.join(failed) if failed else ''}"


def import_time():
    code = "import time; a = time.process_time(); import batt; print(time.process_time() - a)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(15)]
    return f"import batt: {min(times) * 1e3:.1f} ms of processor time, median {sorted(times)[7] * 1e3:.1f} ms"


def compare_re_arc(checkout: Path, samples: int):
    """The same seeds with both modules, in a process each."""
    made = {}
    for kind in ("own", "batt", "all"):
        told = subprocess.run(
            [sys.executable, __file__, "--verify-re-arc", str(checkout), str(samples), kind], capture_output=True, text=True, check=True
        )
        made[kind] = json.loads(told.stdout)
    return [
        {
            "task": task,
            **{kind: made[kind]["held"][task] for kind in made},
            **{f"{kind}_s": made[kind]["seconds"][task] for kind in made},
            "same_samples": made["own"]["samples"][task] == made["all"]["samples"][task],
        }
        for task in made["own"]["held"]
    ]


def verify_re_arc(checkout: Path, samples: int, kind: str) -> None:
    """Generates samples and verifies them, and prints how many held by task: with re-arc's own module, with batt.dsl for the verifiers, or with
    it for the generators too."""
    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.colors"):
        try:
            importlib.import_module(name)
        except ImportError:
            sys.modules[name] = module = types.ModuleType(name)
            module.ListedColormap = module.Normalize = None
    sys.path.insert(0, str(checkout))
    if kind == "all":
        sys.modules["dsl"] = importlib.import_module("batt.dsl")
    generators = importlib.import_module("generators")
    if kind == "batt":
        sys.modules["dsl"] = importlib.import_module("batt.dsl")
    verifiers = importlib.import_module("verifiers")
    held, seconds, made = {}, {}, {}
    for name in sorted(vars(generators)):
        if not name.startswith("generate_"):
            continue
        task = name.removeprefix("generate_")
        generate, verify = getattr(generators, name), getattr(verifiers, f"verify_{task}")
        held[task], seconds[task], made[task] = 0, 0.0, 0
        for seed in range(samples):
            random.seed(f"{task} {seed}")
            try:
                example = generate(0, 1)
            except Exception:  # noqa: BLE001
                continue
            # Hashes of tuples of integers are the same in every process.
            made[task] = hash((made[task], example["input"], example["output"]))
            started = time.process_time()
            held[task] += safely(verify, example["input"]) == example["output"]
            seconds[task] += time.process_time() - started
    print(json.dumps({"held": held, "samples": made, "seconds": {task: round(one, 4) for task, one in seconds.items()}}))


def summarise_re_arc(rows, samples):
    total = {kind: sum(row[kind] for row in rows) for kind in ("own", "batt", "all", "own_s", "batt_s")}
    lines = [f"re-arc: {samples} samples of each of {len(rows)} tasks, made and verified with its own dsl.py: {total['own']} hold"]
    lines.append(
        f"  the same samples, verified with batt.dsl: {total['batt']} hold; {total['own_s']:.1f} s with its own dsl.py, {total['batt_s']:.1f} s with batt.dsl"
    )
    same = sum(row["same_samples"] for row in rows)
    lines.append(f"  made and verified with batt.dsl: {total['all']} hold; the samples of {same} tasks are the same")
    for row in rows:
        if row["own"] != row["batt"] or row["own"] != row["all"]:
            lines.append(f"  {row['task']}: {row['own']}, {row['batt']} and {row['all']}")
    return lines


def write_csv(path: Path, rows: list[dict]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def cpu() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
        return next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--verify-re-arc":
        verify_re_arc(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        main()
