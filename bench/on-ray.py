#!/usr/bin/env python3
"""Search with Ray against plain batt, on the cores of this machine.

    python bench/on-ray.py TASKS [--number N] [--columns N] [--rounds N] [--cores N] [--out DIR]

Needs `batt[ray]` with a release wheel. `batt.search` on N threads and `batt.ray.search` on N CPUs search the same tasks with the same
number of columns, in turns, so that other work on the machine is spread over both. Ray is started before and is not timed;
its workers have the priority of this process. Figures are columns a second of wall time, and columns for a second of processor time, where
that of Ray is of the driver, its servers and its workers.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ["RAY_worker_niceness"] = "0"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks")
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--columns", type=int, default=15000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    import ray

    import batt
    import batt.ray

    began = time.perf_counter()
    ray.init(num_cpus=asked.cores, include_dashboard=False, log_to_driver=False, logging_level="warning")
    # Workers that have imported batt.
    batt.ray.search(tasks=asked.tasks, number=2 * asked.cores, columns=100, progress=False)
    start_s = time.perf_counter() - began
    options = {"tasks": asked.tasks, "number": asked.number, "columns": asked.columns, "progress": False}
    ways = {
        "batt": lambda store: batt.search(threads=asked.cores, store=store, **options),
        "ray": lambda store: batt.ray.search(store=store, **options),
    }
    rows = []
    for number in range(asked.rounds):
        # Each is first in every other round.
        for name in sorted(ways, reverse=bool(number % 2)):
            with tempfile.TemporaryDirectory() as folder:
                cpu, wall = processor_seconds(), time.perf_counter()
                result = ways[name](os.path.join(folder, "my.store"))
                wall, cpu = time.perf_counter() - wall, processor_seconds() - cpu
            rows.append(
                {
                    "round": number,
                    "way": name,
                    "wall_s": wall,
                    "cpu_s": cpu,
                    "columns": result.columns,
                    "fits": len(result.fits),
                    "load": os.getloadavg()[0],
                }
            )
            print(json.dumps(rows[-1]), flush=True)
    ray.shutdown()
    text = summary(asked, rows, start_s, batt.__version__, ray.__version__)
    print(text)
    if asked.out is not None:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / "rounds.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (asked.out / "summary.md").write_text(text)


def processor_seconds() -> float:
    """Of this process and all processes below it, with those that have ended and were waited for."""
    times, parents = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(folder.name)] = int(fields[1])
            times[int(folder.name)] = sum(map(int, fields[11:15]))

    def is_ours(pid: int) -> bool:
        while pid > 1 and pid in parents:
            if pid == os.getpid():
                return True
            pid = parents[pid]
        return False

    return sum(ticks for pid, ticks in times.items() if is_ours(pid)) / os.sysconf("SC_CLK_TCK")


def summary(asked: argparse.Namespace, rows: list[dict], start_s: float, batt_version: str, ray_version: str) -> str:
    if len({(row["columns"], row["fits"]) for row in rows}) != 1:
        sys.exit(f"error: not all rounds did the same: {rows}")
    rounds = range(asked.rounds)
    of = {(row["round"], row["way"]): row for row in rows}
    ratio = {key: [of[k, "batt"][key] / of[k, "ray"][key] for k in rounds] for key in ("wall_s", "cpu_s")}
    total = {(way, key): sum(of[k, way][key] for k in rounds) for way in ("batt", "ray") for key in ("wall_s", "cpu_s")}
    columns = rows[0]["columns"] * asked.rounds
    lines = [
        "# Search with Ray against plain batt",
        "",
        f"`python bench/on-ray.py TASKS --number {asked.number} --columns {asked.columns} --rounds {asked.rounds} --cores {asked.cores}`: "
        f"{rows[0]['columns']:,} columns a round,",
        f"batt {batt_version}, Ray {ray_version}, Python {platform.python_version()}, {cpu_name()}, {os.cpu_count()} cores. Load average of the machine,",
        f"other work included: {min(row['load'] for row in rows):.1f} to {max(row['load'] for row in rows):.1f}. Rounds of both in turns.",
        "",
        "| | wall, s | columns a second | processor, s | columns for a processor second |",
        "|---|--:|--:|--:|--:|",
    ]
    for way, label in (("batt", "`batt.search`"), ("ray", "`batt.ray.search`")):
        wall, cpu = total[way, "wall_s"], total[way, "cpu_s"]
        lines.append(f"| {label} | {wall:.1f} | {columns / wall:,.0f} | {cpu:.1f} | {columns / cpu:,.0f} |")
    lines += [
        f"| Ray, of plain batt | | {total['batt', 'wall_s'] / total['ray', 'wall_s']:.1%} | | {total['batt', 'cpu_s'] / total['ray', 'cpu_s']:.1%} |",
        "",
        f"By rounds, wall time: {', '.join(f'{one:.1%}' for one in ratio['wall_s'])} (median {statistics.median(ratio['wall_s']):.1%}); "
        f"processor time: {', '.join(f'{one:.1%}' for one in ratio['cpu_s'])}",
        f"(median {statistics.median(ratio['cpu_s']):.1%}). Starting Ray and its workers took {start_s:.1f} s and is not counted. All rounds found the same.",
    ]
    return "\n".join(lines) + "\n"


def cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


if __name__ == "__main__":
    main()
