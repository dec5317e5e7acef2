"""The content of a store, to be compared: all but what differs between equal runs, which are numbers, times and folders."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

QUERIES = {
    "programs": "SELECT hash, text, operator.name, generation, seed, parents FROM program_text JOIN operator ON operator.id = operator",
    "names": "SELECT name, hash FROM name JOIN program_text ON program_text.id = program",
    "scores": """SELECT hash, name, demos_right, demos, score, size, fuel, behaviour_low, behaviour_high, order_dependent
        FROM score JOIN task ON task.id = task JOIN program_text ON program_text.id = score.program""",
    "fits": "SELECT name, hash FROM fit JOIN task ON task.id = task JOIN program_text ON program_text.id = fit.program",
    "pools": "SELECT name, rank, hash FROM pool JOIN task ON task.id = task JOIN program_text ON program_text.id = pool.program",
    "tasks": "SELECT name FROM run_task JOIN task ON task.id = task",
}
# Of an evolution, also how it went. Searches of fewer tasks each count their tasks from the start.
HISTORY = {
    "history": "SELECT generation, evaluations, fits, total_score, mean_size_milli, distinct_behaviours FROM history",
    "fit generations": "SELECT name, hash, fit.generation FROM fit JOIN task ON task.id = task JOIN program_text ON program_text.id = fit.program",
    "operators": "SELECT name, generation, tried, duplicates, improved, fits FROM operator_use JOIN operator ON operator.id = operator",
    "checkpoints": "SELECT generation, text FROM checkpoint",
}


def content(path: Path | str, history: bool = False) -> dict[str, list[Any]]:
    # Reading makes no file.
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        queries = {**QUERIES, **HISTORY} if history else QUERIES
        found = {name: sorted(connection.execute(query).fetchall(), key=repr) for name, query in queries.items()}
    finally:
        connection.close()
    if not history:
        # A search numbers what it saves.
        found["programs"] = [(*row[:3], *row[4:]) for row in found["programs"]]
    return found
