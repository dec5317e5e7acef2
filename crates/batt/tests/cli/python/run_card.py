"""Runs an emitted card on a grid and prints what it gives as JSON."""

import json
import sys

sys.path.insert(0, sys.argv[1])

from emitted import UNDEFINED, batt


def grid(rows):
    return tuple(tuple(row) for row in rows)


def plain(value):
    if value is UNDEFINED:
        return None
    if isinstance(value, (tuple, frozenset)):
        items = list(map(plain, value))
        return sorted(items) if isinstance(value, frozenset) else items
    return value


with open(sys.argv[2]) as file:
    task = json.load(file)
demos = tuple((grid(pair['input']), grid(pair['output'])) for pair in task['train'])
candidates, scores = batt(demos, grid(task['test'][0]['input']), demos[0][1])
print(json.dumps([[(name, plain(value)) for _, name, value in found] for found in (candidates, scores)]))
