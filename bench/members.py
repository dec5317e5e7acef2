"""Counts what search loses and gains when a kind of fitted rules is left out.

    cargo build --release -p batt-session --example candidates
    target/release/examples/candidates TASKS 15000 1 all.jsonl
    python3 bench/members.py target/release/examples/candidates TASKS all.jsonl [FAMILY...]

Each kind is left out only for the tasks that it has one of the two submitted answers of: elsewhere, it says at most how likely others are.
*Counted* are tasks whose SHA-256 of the id ends in 0 to 3: nobody looks at them, and their ids are not printed.
"""

import json
import subprocess
import sys
import tempfile

from search import chosen, is_counted


def load(path):
    with open(path) as lines:
        return {task["id"]: chosen(task) for task in map(json.loads, lines)}


def is_right(answers, most=2):
    return any(answer["right"] for answer in answers[:most])


def main():
    program, tasks, path, *families = sys.argv[1:]
    with_all = load(path)
    found = {answer["family"] for answers in with_all.values() for answer in answers}
    print("| left out | tasks with such an answer | lost | counted | gained | counted |\n|---|--:|--:|--:|--:|--:|")
    for family in families or sorted(name for name in found if name.startswith("rule-") and name != "rule-after"):
        asked = [name for name, answers in with_all.items() if any(answer["family"] == family for answer in answers)]
        if not asked:
            print(f"| {family} | 0 | 0 | 0 | 0 | 0 |")
            continue
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as out:
            subprocess.run([program, tasks, "15000", "1", out.name, family, *asked], check=True)
            without = load(out.name)
        lost = [name for name in asked if is_right(with_all[name]) and not is_right(without[name])]
        gained = [name for name in asked if is_right(without[name]) and not is_right(with_all[name])]
        counts = [len(lost), sum(map(is_counted, lost)), len(gained), sum(map(is_counted, gained))]
        print(f"| {family} | {len(asked)} | {' | '.join(map(str, counts))} |", flush=True)


if __name__ == "__main__":
    main()
