#!/usr/bin/env python3
"""batt against CPython running arc-dsl itself: same machine, same run, one thread.

    python3 bench/against-arc-dsl.py PATH-TO-ARC-DSL-CHECKOUT [--batt PATH] [--repeats N] [--save | --out DIR]

Each program of the checkout's solvers.py runs on its own task of arc1:training, on every demo and every test input. In each
round CPython runs all of them, then batt does; what counts is the fastest time of either over all rounds. CPython's
garbage collector is off while it is timed, and neither side pays for reading its programs. a64e4611 takes CPython seconds, so it
runs there once and stands apart.

Needs the cached data sets (batt data get arc1 arc2). Uses the standard library only, and changes nothing in the checkout.
"""

import argparse
import csv
import datetime
import gc
import importlib
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
APART = "a64e4611"
# How often batt runs everything in a round, and how often whole processes are started.
BATT_REPEATS = 30
PROCESS_REPEATS = 10
# In a round, CPython runs a program until it has taken this long or has run so often.
CPYTHON_SECONDS = 0.02
CPYTHON_RUNS = 10


def main():
    arguments = parse_arguments()
    solvers = arguments.checkout / "solvers.py"
    if not solvers.is_file():
        sys.exit(f"error: there is no solvers.py in {arguments.checkout}")
    batt = find_batt(arguments.batt)
    out = arguments.out or (HERE / "runs" / run_name() if arguments.save else None)
    if out and out.exists() and any(out.iterdir()):
        sys.exit(f"error: {out} is there already, and not empty")
    # Whole processes come first, while this one is small: the peak memory of a child is never told as less than its parent has.
    say("starting batt a few times")
    processes = measure_processes(batt, solvers)
    tasks = load_tasks()
    programs = import_programs(arguments.checkout, tasks)
    rounds = []
    for number in range(arguments.repeats):
        say(f"round {number + 1} of {arguments.repeats}: CPython")
        cpython, right = time_cpython(programs, tasks, with_apart=number == 0)
        say(f"round {number + 1} of {arguments.repeats}: batt")
        rounds.append((cpython, run_batt(batt, solvers, BATT_REPEATS)))
        if number == 0:
            cpython_right = right
    rows = join(rounds, cpython_right, tasks)
    summary = summarise(rows, rounds, processes)
    print(summary)
    if out:
        write_run(out, summary, rows, rounds, processes, batt)
        say(f"wrote {out}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, metavar="PATH-TO-CHECKOUT", help="a checkout of arc-dsl")
    parser.add_argument("--batt", metavar="PATH", help="the program [default: target/release/batt, else batt]")
    parser.add_argument("--repeats", type=positive, default=3, metavar="N", help="rounds [default: 3]")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--save", action="store_true", help="write the run to bench/runs/DATE-MACHINE/")
    place.add_argument("--out", type=Path, metavar="DIR", help="write the run to this folder")
    return parser.parse_args()


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def say(text):
    print(text, file=sys.stderr, flush=True)


def find_batt(given):
    target = Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parent / "target")
    built = target / "release" / ("batt.exe" if os.name == "nt" else "batt")
    batt = given or (str(built) if built.is_file() else "batt")
    try:
        subprocess.run([batt, "--version"], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: cannot run {batt} ({error}); build it with `cargo build --release`, or pass --batt PATH")
    return batt


# What is measured.


def run_json(command):
    """Runs batt and reads the JSON that it prints; status 1 (some input was skipped) is a result too."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def own_command(batt, solvers, threads):
    return [batt, "run", "--tasks", "arc1:training", "--programs", str(solvers), "--pairing", "own", "--threads", str(threads)]


def run_batt(batt, solvers, repeats):
    return run_json(own_command(batt, solvers, 1) + ["--repeat", str(repeats), "--json", "-"])


def measure_processes(batt, solvers):
    """Start to finish on two threads, loading ARC-AGI-2, and parsing and typing: each in processes of its own."""
    whole = [run_process(own_command(batt, solvers, 2)) for _ in range(PROCESS_REPEATS)]
    loads = [run_json([batt, "data", "stats", "arc2", "--json"]) for _ in range(PROCESS_REPEATS)]
    checks = [run_json([batt, "lib", "check", str(solvers), "--json"]) for _ in range(PROCESS_REPEATS)]
    return {
        "whole_s": [seconds for seconds, _ in whole],
        "peak_mb": [peak for _, peak in whole],
        "load_s": [load["load_s"] for load in loads],
        "load_tasks": loads[0]["tasks"],
        "parse_s": [check["parse_s"] for check in checks],
        "check_s": [check["check_s"] for check in checks],
        "functions": checks[0]["functions"],
    }


def run_process(command):
    """The wall time of a process in seconds and its peak memory in MB; NaN where the system does not tell."""
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if hasattr(os, "wait4"):
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        # In kilobytes, but on macOS in bytes.
        peak = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    else:
        child.wait()
        peak = float("nan")
    seconds = time.perf_counter() - started
    if child.returncode not in (0, 1):
        sys.exit(f"error: {' '.join(command)} ended with status {child.returncode}")
    return seconds, peak


def load_tasks():
    """The training tasks from batt's cache, as arc-dsl wants them: grids are tuples of tuples."""
    path = data_folder() / "arc1.json"
    try:
        tasks = json.loads(path.read_text())["train"]
    except OSError as error:
        sys.exit(f"error: cannot read {path} ({error}); run `batt data get arc1 arc2`")

    def grid(rows):
        return tuple(tuple(row) for row in rows)

    def pairs(task):
        return [(grid(pair["input"]), grid(pair["output"])) for pair in task["train"] + task["test"]]

    return {name: pairs(task) for name, task in tasks.items()}


def data_folder():
    """As batt finds it."""
    if os.environ.get("BATT_DATA"):
        return Path(os.environ["BATT_DATA"])
    if os.path.isabs(os.environ.get("XDG_DATA_HOME", "")):
        return Path(os.environ["XDG_DATA_HOME"]) / "batt"
    return Path.home() / ".local" / "share" / "batt"


def import_programs(checkout, tasks):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(checkout))
    module = importlib.import_module("solvers")
    programs = {name[len("solve_") :]: value for name, value in vars(module).items() if name.startswith("solve_")}
    return {name: program for name, program in sorted(programs.items()) if name in tasks}


def time_cpython(programs, tasks, with_apart):
    """For each program the fastest time on all samples of its task, and on how many samples it is right."""
    times, right = {}, {}
    gc.collect()
    gc.disable()
    for name, program in programs.items():
        if name == APART and not with_apart:
            continue
        inputs = [given for given, _ in tasks[name]]
        best, spent, runs = float("inf"), 0.0, 0
        while runs == 0 or (spent < CPYTHON_SECONDS and runs < CPYTHON_RUNS):
            started = time.perf_counter()
            try:
                outputs = [program(given) for given in inputs]
            except Exception:  # A program that fails is wrong, and is left out of the comparison.
                outputs = []
            taken = time.perf_counter() - started
            best, spent, runs = min(best, taken), spent + taken, runs + 1
        times[name] = best
        right[name] = sum(found == wanted for found, (_, wanted) in zip(outputs, tasks[name]))
    gc.enable()
    return times, right


# What it comes to.


def join(rounds, cpython_right, tasks):
    """One row a program: the fastest times of both, and whether both are right on all samples."""
    batt_rounds = [{task["id"]: task for task in found["by_task"]} for _, found in rounds]
    rows = []
    for name, right in sorted(cpython_right.items()):
        samples = len(tasks[name])
        cpython = min(times[name] for times, _ in rounds if name in times)
        first = batt_rounds[0][name]
        batt = min(found[name]["time_s"] for found in batt_rounds)
        rows.append(
            {
                "task": name,
                "samples": samples,
                "cpython_s": cpython,
                "batt_s": batt,
                "ratio": cpython / batt,
                "cpython_solved": right == samples,
                "batt_solved": first["solved"],
                # batt runs a program on the tests only if it is right on the demos: then there is nothing to compare.
                "all_samples": first["evaluations"] == samples,
            }
        )
    return rows


def summarise(rows, rounds, processes):
    compared = [row for row in rows if row["all_samples"] and row["task"] != APART]
    left_out = [row["task"] for row in rows if not row["all_samples"]]
    apart = next((row for row in rows if row["task"] == APART), None)
    cpython, batt = (sum(row[key] for row in compared) for key in ("cpython_s", "batt_s"))
    card = min(found["phases"]["card_s"] for _, found in rounds)
    ranked = sorted(compared, key=lambda row: row["ratio"])
    low, median, high = statistics.quantiles([row["ratio"] for row in compared], n=4)
    solved = {who: {row["task"] for row in rows if row[f"{who}_solved"]} for who in ("cpython", "batt")}
    parse_and_check = min(map(sum, zip(processes["parse_s"], processes["check_s"])))
    figures = [
        ("CPython / batt, total", f"{cpython / batt:.0f} times", "at least 100", cpython / batt >= 100),
        ("CPython / batt, median program", f"{median:.0f} times", "at least 50", median >= 50),
        (f"{APART} in batt", milliseconds(apart["batt_s"]), "under 100 ms", apart["batt_s"] < 0.1) if apart else None,
        (f"load ARC-AGI-2, {processes['load_tasks']:,} tasks", milliseconds(min(processes["load_s"])), "under 50 ms", min(processes["load_s"]) < 0.05),
        (f"parse and type {processes['functions']} programs", milliseconds(parse_and_check), "under 10 ms", parse_and_check < 0.01),
        ("`batt run` start to finish, two threads", milliseconds(min(processes["whole_s"])), "under 200 ms", min(processes["whole_s"]) < 0.2),
        ("its peak memory", f"at most {max(processes['peak_mb']):.0f} MB", "under 200 MB", max(processes["peak_mb"]) < 200),
    ]
    lines = ["# batt against CPython running arc-dsl", "", "| figure | found | wanted | |", "|---|---:|---:|---|"]
    lines += [f"| {name} | {found} | {wanted} | {'yes' if good else '**no**'} |" for name, found, wanted, good in filter(None, figures)]
    lines += [
        "",
        f"{len(compared)} programs, each on all samples of its own task ({sum(row['samples'] for row in compared):,} in all), one thread: "
        f"CPython {cpython:.3f} s, batt {milliseconds(batt)}. "
        f"batt also makes all programs ready once, in {milliseconds(card)}; counted in, the total is {cpython / (batt + card):.0f} times.",
        "",
        f"Ratio by program: lowest {ranked[0]['ratio']:.0f}, lower quartile {low:.0f}, median {median:.0f}, upper quartile {high:.0f}, "
        f"highest {ranked[-1]['ratio']:.0f}; {sum(row['ratio'] < 50 for row in compared)} programs are below 50.",
        "",
        f"Left out, since the program is wrong on a demo: {', '.join(left_out) or 'none'}.",
    ]
    if apart:
        lines += ["", f"{APART}, apart: CPython {apart['cpython_s']:.2f} s (one run), batt {milliseconds(apart['batt_s'])}, {apart['ratio']:.0f} times."]
    lines += [
        "",
        f"Right on every sample: CPython {len(solved['cpython'])} programs, batt {len(solved['batt'])}, both {len(solved['cpython'] & solved['batt'])}. "
        f"Only CPython: {', '.join(sorted(solved['cpython'] - solved['batt'])) or 'none'}. "
        f"Only batt: {', '.join(sorted(solved['batt'] - solved['cpython'])) or 'none'}.",
    ]
    for title, part in (("The ten lowest ratios", ranked[:10]), ("The ten highest ratios", ranked[::-1][:10])):
        lines += ["", f"## {title}", "", "| program | CPython | batt | ratio |", "|---|---:|---:|---:|"]
        lines += [f"| {row['task']} | {milliseconds(row['cpython_s'])} | {milliseconds(row['batt_s'])} | {row['ratio']:.0f} |" for row in part]
    return "\n".join(lines) + "\n"


def milliseconds(seconds):
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"


# What is written.


def write_run(out, summary, rows, rounds, processes, batt):
    out.mkdir(parents=True, exist_ok=True)
    (out / "summary.md").write_text(summary)
    (out / "machine.txt").write_text(machine(batt))
    write_csv(out / "programs.csv", list(rows[0]), [[shown(value) for value in row.values()] for row in rows])
    raw = []
    for number, (times, found) in enumerate(rounds, 1):
        for task in found["by_task"]:
            raw.append([number, task["id"], shown(times.get(task["id"], "")), shown(task["time_s"]), task["fuel"]])
    write_csv(out / "rounds.csv", ["round", "task", "cpython_s", "batt_s", "batt_fuel"], raw)
    columns = [name for name, values in processes.items() if isinstance(values, list)]
    write_csv(out / "processes.csv", columns, [[shown(value) for value in values] for values in zip(*(processes[name] for name in columns))])


def write_csv(path, header, rows):
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def shown(value):
    return f"{value:.7g}" if isinstance(value, float) else value


def machine(batt):
    memory = re.search(r"MemTotal:\s+(\d+)", read("/proc/meminfo"))
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', read("/etc/os-release"), re.MULTILINE)
    facts = {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "memory": f"{int(memory[1]) / 2**20:.0f} GiB" if memory else "unknown",
        "os": f"{system[1] if system else platform.system()}, kernel {platform.release()}",
        "load average": ", ".join(f"{load:.2f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rustc": version(["rustc", "--version"]),
        "batt": version([batt, "--version"]),
    }
    return "".join(f"{name}: {fact}\n" for name, fact in facts.items())


def read(path):
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def cpu_model():
    model = re.search(r"^model name\s*:\s*(.*)$", read("/proc/cpuinfo"), re.MULTILINE)
    return model[1] if model else platform.processor() or platform.machine()


def version(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def run_name():
    model = re.sub(r"\(.*?\)|@.*|\b(cpu|processor)\b", " ", cpu_model(), flags=re.IGNORECASE)
    words = re.findall(r"[a-z0-9]+", model.lower())
    return "-".join([datetime.date.today().isoformat(), *words, f"{os.cpu_count()}-cores"])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
