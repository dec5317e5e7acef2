"""How far the probabilities of `batt search` can be believed: said 80%, right x%.

    batt search --tasks TRAINING --columns 15000 --json found.json
    python3 bench/reliability.py found.json [--concepts]

*Counted* are tasks whose SHA-256 of the id ends in 0 to 3: nobody looks at them, and their ids are not printed. `--concepts` counts solved tasks
by the letters before the number in their ids, as ConceptARC names them.
"""

import argparse
import hashlib
import json
import re


def is_counted(task):
    return hashlib.sha256(task.encode()).hexdigest()[-1] in "0123"


def table(name, tasks, solved):
    print(f"\n{name}: {len(tasks)} tasks, {sum(task['id'] in solved for task in tasks)} first answers right\n")
    print("| said | answers | mean said | right |\n|---|--:|--:|--:|")
    for low in range(0, 100, 10):
        said = [(task["probabilities"][0], task["id"] in solved) for task in tasks if task["probabilities"]]
        inside = [(p, right) for p, right in said if p is not None and low <= min(p * 100, 99.99) < low + 10]
        if inside:
            mean, right = (sum(column) / len(inside) for column in zip(*inside))
            print(f"| {low}% to {low + 10}% | {len(inside)} | {mean:.0%} | {right:.0%} |")
    sure = [task["id"] in solved for task in tasks if task["probabilities"] and (task["probabilities"][0] or 0) > 0.8]
    if sure:
        print(f"\nMore than 80%: {sum(sure)} of {len(sure)} right ({sum(sure) / len(sure):.1%}).")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("found")
    parser.add_argument("--concepts", action="store_true")
    args = parser.parse_args()
    with open(args.found) as file:
        found = json.load(file)
    first, both, tasks = set(found["right_top1"]), set(found["right_top2"]), found["by_task"]
    if args.concepts:
        concepts = {}
        for task in tasks:
            concepts.setdefault(re.sub(r"\d+$", "", task["id"]), []).append(task["id"] in both)
        print("| concept | solved | of |\n|---|--:|--:|")
        for concept, solved in sorted(concepts.items()):
            print(f"| {concept} | {sum(solved)} | {len(solved)} |")
        print(f"| all | {len(both)} | {len(tasks)} |")
        return
    counted = [task for task in tasks if is_counted(task["id"])]
    others = [task for task in tasks if not is_counted(task["id"])]
    for name, part in (("counted", counted), ("others", others)):
        print(f"{name}: two answers {sum(task['id'] in both for task in part)}, one {sum(task['id'] in first for task in part)} of {len(part)}")
    table("Counted", counted, first)
    table("Others", others, first)


if __name__ == "__main__":
    main()
