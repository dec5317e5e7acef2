"""Kills a timed search at random moments, resumes it with the rest of its time, and looks for what was lost.

    python3 bench/kills.py BATT TASKS [--time 12] [--trials 50] [--shards 1] [--threads 2] [--seed 0] [--json FILE]

Every second trial is a Ctrl-C, the others are SIGKILL. With --shards N, N searches of every N-th task are killed and resumed, and their stores
merged. Fits are read from the store right after the kill. A trial loses a task if it fits there and not in the report at the end; the columns are
those of both sessions, beside those of an undisturbed run. The submission that `batt submit` makes of the store must be that of the search.
"""

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time

FITS = "SELECT DISTINCT t.name FROM score s JOIN task t ON t.id = s.task WHERE s.demos_right = s.demos"


def stored_fits(store):
    if not os.path.exists(store):
        return set()
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        try:
            return {name for (name,) in connection.execute(FITS)}
        except sqlite3.OperationalError:
            return set()


class Trial:
    def __init__(self, args, folder, random):
        self.args, self.folder, self.random = args, folder, random

    def command(self, shard, seconds, resume):
        at = lambda name: os.path.join(self.folder, f"{name}{shard or ''}")
        command = [self.args.batt, "search", "--tasks", self.args.tasks, "--time", f"{seconds:.3f}s", "--threads", str(self.args.threads)]
        command += ["--store", at("store"), "--json", at("json"), "--out", at("out")]
        if shard:
            command += ["--shard", f"{shard}/{self.args.shards}"]
        return command + (["--resume"] if resume else [])

    def run(self, shard, signal_number):
        """Searches, is killed once unless `signal_number` is None, and goes on. Gives the report and what was lost."""
        limit, at = self.args.time, self.random.uniform(0.05, 0.95) * self.args.time
        started = time.monotonic()
        process = subprocess.Popen(self.command(shard, limit, False), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if signal_number is not None:
            try:
                process.wait(timeout=at)
            except subprocess.TimeoutExpired:
                process.send_signal(signal_number)
        process.wait()
        spent = time.monotonic() - started
        store = os.path.join(self.folder, f"store{shard or ''}")
        before = stored_fits(store)
        if signal_number is not None and spent < limit - 0.2:
            subprocess.run(self.command(shard, limit - spent, True), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
        with open(os.path.join(self.folder, f"json{shard or ''}")) as file:
            report = json.load(file)
        fits, after = set(report["fits"]), stored_fits(store)
        submitted = os.path.join(self.folder, "submitted.json")
        subprocess.run([self.args.batt, "submit", "--store", store, "--out", submitted], stdout=subprocess.DEVNULL, check=True)
        same = load(submitted) == load(os.path.join(self.folder, f"out{shard or ''}", "submission.json"))
        return {
            "at": None if signal_number is None else round(spent, 2),
            "stored": len(before),
            "lost": sorted(before - fits),
            "fits": len(fits),
            "store_differs": sorted(fits ^ after),
            "submission_differs": not same,
            "right": len(report["right_top2"]),
            "columns": report["columns"],
            "ends": sorted({task["end"] for task in report["by_task"]}),
        }


def load(path):
    with open(path) as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("batt")
    parser.add_argument("tasks")
    parser.add_argument("--time", type=float, default=12)
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json")
    args = parser.parse_args()
    draws, results = random.Random(args.seed), []
    shards = range(1, args.shards + 1) if args.shards > 1 else [0]
    for number in range(args.trials + 1):
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(args, folder, draws)
            # The first is not disturbed.
            kill = None if number == 0 else (signal.SIGINT if number % 2 else signal.SIGKILL)
            parts = [trial.run(shard, kill) for shard in shards]
            result = {key: sum((part[key] for part in parts), start=type(parts[0][key])()) for key in parts[0] if key != "at"}
            result["at"] = [part["at"] for part in parts]
            if args.shards > 1:
                merged, submitted = os.path.join(folder, "merged"), os.path.join(folder, "merged.json")
                stores = [os.path.join(folder, f"store{shard}") for shard in shards]
                subprocess.run([args.batt, "lib", "merge", merged, *stores], stdout=subprocess.DEVNULL, check=True)
                result["merged_fits"] = len(stored_fits(merged))
                subprocess.run([args.batt, "submit", "--store", merged, "--out", submitted], stdout=subprocess.DEVNULL, check=True)
                one = {}
                for shard in shards:
                    one.update(load(os.path.join(folder, f"out{shard}", "submission.json")))
                result["merged_differs"] = load(submitted) != one
            results.append({"signal": kill.name if kill else None, **result})
        whole = results[0]["columns"]
        print(json.dumps({**results[-1], "of_undisturbed": round(results[-1]["columns"] / whole, 3)}), flush=True)
    killed = results[1:]
    shares = sorted(result["columns"] / results[0]["columns"] for result in killed) or [1.0]
    summary = {
        "trials": len(killed),
        "lost": sum(len(result["lost"]) for result in killed),
        "store_differs": sum(bool(result["store_differs"]) for result in results),
        "submission_differs": sum(bool(result["submission_differs"]) for result in results),
        "merged_differs": sum(bool(result.get("merged_differs")) for result in results),
        "columns_of_undisturbed": [round(shares[0], 3), round(shares[len(shares) // 2], 3), round(shares[-1], 3)],
        "fits": [min(result["fits"] for result in results), max(result["fits"] for result in results)],
    }
    print(json.dumps(summary))
    if args.json:
        with open(args.json, "w") as file:
            json.dump({"summary": summary, "runs": results}, file, indent=1)


if __name__ == "__main__":
    main()
