"""Counts what search solves, and compares two runs task by task.

    cargo run --release -p batt-session --example candidates -- TASKS 15000 1 new.jsonl
    python3 bench/search.py new.jsonl [old.jsonl] [--looked FOLDER] [--json FILE]

The example writes every answer of a task with what it is ranked by and whether it is right. *Counted* are tasks whose SHA-256 of the id ends in
0 to 3: nobody looks at them, and their ids are not printed. `--looked` names the folder of the tasks that may be looked at; ids of these are
printed where two runs differ.
"""

import argparse
import hashlib
import json
import os


def is_counted(task):
    return hashlib.sha256(task.encode()).hexdigest()[-1] in "0123"


def chosen(task):
    """The two answers that are submitted, as `batt search` chooses them."""
    answers = task["answers"]
    if not answers:
        return []
    first = answers[0]
    others = [answer for answer in answers[1:] if answer["family"] != first["family"]]
    equal = [answer for answer in others if answer["demos"] == first["demos"]]
    likely = lambda answer: answer["probability"] or 0
    if not equal and others and likely(others[0]) > likely(answers[1]):
        return [first, others[0]]
    return [first] + (equal or answers[1:])[:1]


def load(path):
    tasks = {}
    with open(path) as lines:
        for line in lines:
            task = json.loads(line)
            two = chosen(task)
            tasks[task["id"]] = {
                "top1": bool(two) and two[0]["right"],
                "top2": any(answer["right"] for answer in two),
                "any": any(answer["right"] for answer in task["answers"]),
                "fits": bool(two) and two[0]["demos"] == task["demos"],
                "family": next((answer["family"] for answer in two if answer["right"]), None),
                **{key: task[key] for key in ("columns", "calls", "seconds", "memory", "end", "refuted")},
            }
    return tasks


def summary(tasks):
    counted = [task for name, task in tasks.items() if is_counted(name)]
    others = [task for name, task in tasks.items() if not is_counted(name)]
    total = lambda part, key: sum(task[key] for task in part)
    everything = list(tasks.values())
    families = {}
    for task in everything:
        if task["top2"]:
            families[task["family"]] = families.get(task["family"], 0) + 1
    return {
        "tasks": len(tasks),
        **{key: total(everything, key) for key in ("top1", "top2", "any", "fits", "columns", "calls", "refuted")},
        "counted": [total(counted, "top2"), len(counted)],
        "others": [total(others, "top2"), len(others)],
        "families": families,
        "most_memory": max((task["memory"] for task in everything), default=0),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new")
    parser.add_argument("old", nargs="?")
    parser.add_argument("--looked")
    parser.add_argument("--json")
    args = parser.parse_args()
    looked = {name[:-5] for name in os.listdir(args.looked)} if args.looked else set()
    new = load(args.new)
    print(json.dumps(summary(new)))
    if args.json:
        rows = [{"id": name, **task} for name, task in sorted(new.items())]
        with open(args.json, "w") as out:
            json.dump({"summary": summary(new), "by_task": rows}, out, indent=1)
    if args.old:
        old = load(args.old)
        print(json.dumps(summary(old)))
        both = new.keys() & old.keys()
        for word, a, b in (("gained", new, old), ("lost", old, new)):
            names = sorted(name for name in both if a[name]["top2"] and not b[name]["top2"])
            shown = [name for name in names if name in looked]
            print(f"{word} {len(names)}, counted {sum(map(is_counted, names))}: {' '.join(shown)}")


if __name__ == "__main__":
    main()
