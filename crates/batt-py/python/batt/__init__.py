"""batt: a fast, exact engine for ARC-AGI programs.

`batt.dsl` has the primitives of arc-dsl on plain Python values. `@batt.program` compiles a function of their calls. `batt.load_tasks` and
`batt.load_programs` read tasks and programs. `batt.run`, `batt.search`, `batt.evolve`, `batt.submit`, `batt.grade`, `batt.profile` and
`batt.report` are the commands of the command line, with its options; `batt.options` lists them. `batt.ray` has them on a cluster.
"""

from __future__ import annotations

from batt._commands import evolve, grade, profile, report, run, search, submit
from batt._errors import BattWarning, CompileError, Error, Undefined, UsageError
from batt._native import Grid, __version__
from batt._programs import Program, Trace, Verdict, load_programs, program
from batt._results import Result
from batt._tasks import Task, TaskSet, load_tasks

__all__ = [
    "BattWarning",
    "CompileError",
    "Error",
    "Grid",
    "Program",
    "Result",
    "Task",
    "TaskSet",
    "Trace",
    "Undefined",
    "UsageError",
    "Verdict",
    "__version__",
    "evolve",
    "grade",
    "load_programs",
    "load_tasks",
    "profile",
    "program",
    "report",
    "run",
    "search",
    "submit",
]


def __getattr__(name: str) -> object:
    # Ray takes a second to import.
    if name == "ray":
        import importlib

        return importlib.import_module("batt.ray")
    raise AttributeError(f"module 'batt' has no attribute {name!r}")
