"""Writes the programs that search found, as the library that batt comes with.

    batt search --tasks TRAINING --columns 60000 --no-library --json found.json
    python3 bench/library.py found.json > crates/batt-session/programs/found.py

A program is kept if it is the first answer to its task and right. Tasks whose SHA-256 of the id ends in 0 to 3 are left out: they are counted,
and nothing may be known about them.
"""

import hashlib
import json
import sys


def main():
    with open(sys.argv[1]) as file:
        found = json.load(file)
    solved = set(found["right_top1"])
    print("# Programs that `batt search --columns 60000` found for ARC-AGI-1 training tasks, each with the way it was found.")
    print("# Made by bench/library.py.")
    for task in sorted(found["by_task"], key=lambda task: task["id"]):
        is_counted = hashlib.sha256(task["id"].encode()).hexdigest()[-1] in "0123"
        if task["id"] in solved and task["fits"] and not is_counted:
            print(f"\n\n# {task['found_by']}")
            print(task["programs"][0].rstrip())


if __name__ == "__main__":
    main()
