"""A command in parts: what a part is, how it is done anywhere, and how the results are joined. Nothing here knows of Ray.

A part is a command on some of the tasks, with files of its own: it gets tasks, programs and perhaps a store as data, and gives its result,
its store and its submission as data. The same part gives the same store wherever it is done.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from batt import _commands, _native
from batt._call import Option, _programs, call
from batt._errors import BattWarning, Error, UsageError
from batt._programs import BUILT_IN
from batt._tasks import TaskSet, as_tasks, load_tasks

TASKS = "tasks.json"
STORE = "part.store"
SUBMISSION = "submission.json"
ANSWERS = "answers.json"
# Files of programs, as batt looks for them in a folder.
PROGRAM_FILES = (".py", ".md", ".markdown")

OPTIONS: dict[str, dict[str, Option]] = {name: _commands.OPTIONS[name,] for name in ("run", "search", "evolve")}
FINDING = ("search", "evolve")
# Options that say which tasks there are, or what only makes sense where all of them are.
OF_THE_WHOLE = {
    "tasks",
    "task",
    "number",
    "start",
    "shard",
    "store",
    "out",
    "submission",
    "programs",
    "resume",
    "profile",
    "report",
    "plots",
}
UNKNOWN = {"shard", "profile", "report", "plots", "show", "full", "repeat"}


class Library(NamedTuple):
    """Programs as data: what to write where, and what to tell the command."""

    files: tuple[tuple[str, bytes], ...]
    names: tuple[str, ...]
    differs: tuple[str, ...] = ()


class Part(NamedTuple):
    """A command on some tasks."""

    command: str
    place: int
    ids: tuple[str, ...]
    options: Mapping[str, Any]
    has_store: bool = False
    has_submission: bool = False
    version: str = ""
    deadline: float | None = None
    """When all parts are to be over, in seconds since 1970."""
    is_new: bool = False
    """Whether the store that it gets has no run to go on with: an evolution starts from what the store holds."""
    answers: str | None = None
    """Answers of earlier searches in the folder of the results, as its `answers.json` has them."""


class Done(NamedTuple):
    """What a part gave."""

    place: int
    data: Any
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    status: int
    store: bytes | None
    submission: Mapping[str, Any] | None
    files: tuple[tuple[str, bytes], ...]
    found: tuple[tuple[str, str], ...]


def do_part(part: Part, tasks: Mapping[str, str], library: Library | None, before: bytes | None = None) -> Done:
    """Does a part in its own folder. `tasks` has the JSON of each task, `before` the store that an evolution goes on with or starts from."""
    from batt import __version__

    if part.version and part.version != __version__:
        raise Error(f"this worker has batt {__version__}, and the driver has {part.version}: install the same wheel on all nodes")
    given: dict[str, Any] = dict(part.options)
    if part.deadline is not None:
        # It may have waited for its turn.
        given["time"] = f"{max(1, int(min(seconds(given['time']) or 1.0, part.deadline - time.time())))}s"
    found: list[tuple[str, str]] = []
    start = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="batt-part-") as folder:
        # Names of files are kept in stores, so they are the same wherever a part is done.
        os.chdir(folder)
        try:
            with open(TASKS, "w", encoding="utf-8") as file:
                file.write("{" + ",".join(f"{json.dumps(id)}:{tasks[id]}" for id in part.ids) + "}")
            given["tasks"] = TASKS
            if library is not None and (before is None or part.is_new):
                for name, content in library.files:
                    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
                    write(name, content)
                given["programs"] = list(library.names)
                if library.differs:
                    given["differs"] = list(library.differs)
            if part.has_store:
                given["store"] = STORE
                if before is not None:
                    write(STORE, before)
                    given["resume"] = not part.is_new
            if part.has_submission:
                given.update({"submission": SUBMISSION} if part.command == "evolve" else {"out": "out"})
                if part.answers is not None:
                    os.mkdir("out")
                    write(os.path.join("out", ANSWERS), part.answers.encode())
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                result = call(
                    (part.command,),
                    OPTIONS[part.command],
                    given,
                    "json",
                    False,
                    (lambda task, program: found.append((task, program.text))) if part.command in FINDING else None,
                )
            out = {name: read(name) for name in files_below("out")}
            submission = out.pop(os.path.join("out", SUBMISSION), None) or (read(SUBMISSION) if os.path.exists(SUBMISSION) else None)
            return Done(
                part.place,
                result.data,
                tuple(result.errors),
                tuple(str(one.message) for one in warned),
                result.status,
                read(STORE) if part.has_store else None,
                json.loads(submission) if submission is not None else None,
                tuple((os.path.relpath(name, "out"), content) for name, content in out.items()),
                tuple(found),
            )
        finally:
            os.chdir(start)


def _source(options: Mapping[str, Any]) -> tuple[Any, Any]:
    """The source of the tasks, and how many of them."""
    tasks: Any = options.get("tasks")
    number = options.get("number")
    if isinstance(tasks, (list, tuple)) and len(tasks) == 1 and isinstance(tasks[0], (str, int)):
        tasks = tasks[0]
    if isinstance(tasks, int) or isinstance(tasks, str) and tasks.isdigit():
        tasks, number = None, tasks
    return "starter" if tasks is None else tasks, number


def default_programs(command: str, options: Mapping[str, Any]) -> str:
    """The library of a command that is told no programs, as on the command line."""
    tasks, _ = _source(options)
    is_starter = isinstance(tasks, str) and tasks == "starter"
    return "found" if command == "evolve" and not is_starter else "starter"


def chosen_tasks(options: Mapping[str, Any]) -> TaskSet:
    """The tasks that the options of a command name."""
    tasks, number = _source(options)
    given = as_tasks(tasks)
    chosen = load_tasks(tasks) if given is None else given
    ids = options.get("task")
    if ids is not None:
        ids = [ids] if isinstance(ids, str) else list(ids)
        for id in ids:
            if id not in chosen:
                raise UsageError(f"there is no task {id!r} among {len(chosen)} of {chosen.source or 'the given tasks'}")
        chosen = TaskSet([task for task in chosen if task.id in ids], chosen.source)
    first = int(options.get("start") or 0)
    chosen = chosen[first : None if number is None else first + int(number)]
    if len(chosen) == 0:
        raise UsageError("there is no task")
    return chosen


def library_of(programs: Any, differs: Any = None) -> Library:
    """Programs as data, from whatever the commands take."""
    files, names = _shipped(programs, "programs")
    if differs is None or differs is True or differs is False:
        return Library(tuple(files.items()), names)
    more, differ_names = _shipped(differs, "differs")
    return Library(tuple({**files, **more}.items()), names, differ_names)


def _shipped(value: Any, place: str) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The content of files of programs, and the names that they have wherever they are written."""
    files: dict[str, bytes] = {}
    names: list[str] = []
    with tempfile.TemporaryDirectory(prefix="batt-") as folder:
        for k, path in enumerate(_programs(value, folder)):
            if path is None or path in BUILT_IN:
                names.append(path or "starter")
                continue
            if not os.path.exists(path):
                raise UsageError(f"there is no file or folder of programs {path}")
            # The name of a file is kept in stores. It stays as it was given where that can be.
            is_plain = not os.path.isabs(path) and ".." not in path.split(os.sep)
            name = os.path.normpath(path) if is_plain else os.path.join(place, str(k), os.path.basename(os.path.abspath(path)))
            names.append(name)
            if os.path.isdir(path):
                for one in files_below(path):
                    if one.lower().endswith(PROGRAM_FILES):
                        files[os.path.join(name, os.path.relpath(one, path))] = read(one)
            else:
                files[name] = read(path)
    return files, tuple(names)


def part_options(command: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that each part is told, checked for their names."""
    for name, value in options.items():
        if name not in OPTIONS[command]:
            raise TypeError(f"{command}() got an unexpected keyword argument {name!r}")
        if name in UNKNOWN and value not in (None, False):
            raise UsageError(f"{name} has no meaning where {command} runs in parts")
    return {name: value for name, value in options.items() if name not in OF_THE_WHOLE and value is not None and value is not False}


def merge_stores(into: str, others: Sequence[str]) -> None:
    """`batt lib merge`: what both have is kept once."""
    table = {"into": Option("", "store"), "others": Option("", "store", True)}
    call(("lib", "merge"), table, {"into": into, "others": list(others)}, "", False)


def merge_data(into: str, store: bytes) -> None:
    """The same with a store as data."""
    with tempfile.TemporaryDirectory(prefix="batt-") as folder:
        path = os.path.join(folder, STORE)
        write(path, store)
        merge_stores(into, [path])


def submission_of(store: str, tasks: TaskSet) -> dict[str, Any]:
    """`batt submit`: the answers of a store."""
    with warnings.catch_warnings():
        # A store that knows none of the tasks gives their inputs.
        warnings.simplefilter("ignore", BattWarning)
        given = {"store": store, "tasks": tasks}
        submission: dict[str, Any] = call(("submit",), _commands.OPTIONS["submit",], given, "out", False).data
    return submission


def read_answers(folder: str) -> dict[str, Any]:
    """`answers.json` of a folder of results; empty where there is none."""
    path = os.path.join(folder, ANSWERS)
    try:
        found = json.loads(read(path)) if os.path.exists(path) else {"tasks": {}}
        if isinstance(found["tasks"], dict):
            return dict(found)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Error(f"cannot read {path}: {error}") from None
    raise Error(f"cannot read {path}: it is not a file of answers")


def generation_of(store: bytes) -> int:
    """How far the last run of a store is."""
    with tempfile.TemporaryDirectory(prefix="batt-") as folder:
        path = os.path.join(folder, STORE)
        write(path, store)
        runs = runs_of(path)
    return int(runs[-1]["generation"] or 0) if runs else 0


def runs_of(store: str) -> list[dict[str, Any]]:
    """`batt lib list --runs`."""
    table = {"store": Option("", "store"), "runs": Option("--runs", "flag")}
    runs: list[dict[str, Any]] = call(("lib", "list"), table, {"store": store, "runs": True}, "json", False).data["runs"]
    return runs


def searched_tasks(store: str) -> set[str]:
    """The ids of the tasks of a store whose search came to an end."""
    if not os.path.exists(store):
        return set()
    whole = [
        run for run in runs_of(store) if run["configuration"].get("command") == "search" and (run["generation"] or 0) >= len(run["tasks"])
    ]
    return {id for run in whole for id in run["tasks"]}


def joined(command: str, parts: Iterable[Done], wall_s: float) -> dict[str, Any]:
    """The results of parts as one: numbers are added, lists are joined in the order of the parts."""
    data: dict[str, Any] = {}
    ordered = sorted(parts, key=lambda part: part.place)
    for part in ordered:
        data = added(data, part.data)
    if ordered:
        for name in ("programs", "generations"):
            if name in data:
                data[name] = max(part.data[name] for part in ordered)
        for name in ("card", "skipped"):
            if name in data:
                data[name] = ordered[0].data[name]
    # What cannot be known from the parts, and numbers of runs in other stores.
    for name in ("heaviest", "run"):
        data.pop(name, None)
    data["wall_s"] = wall_s
    return data


def added(one: Any, other: Any) -> Any:
    """Numbers added, lists joined, and what two objects have by name."""
    if isinstance(one, dict) and isinstance(other, dict):
        rates = [name for name in (*one, *other) if name.endswith("_a_second")]
        return {name: added(one.get(name), other.get(name)) for name in {**one, **other} if name not in rates}
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, list) and isinstance(other, list):
        return one + other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        return one + other
    return one


def no_answers(tasks: TaskSet) -> dict[str, Any]:
    """A submission that is valid and has nothing: the test inputs."""
    return {task.id: [{"attempt_1": grid.tolist(), "attempt_2": grid.tolist()} for grid, _ in task.test] for task in tasks}


def seconds(value: Any) -> float | None:
    """A time in seconds, from what options take."""
    if value is None:
        return None
    if hasattr(value, "total_seconds"):
        return float(value.total_seconds())
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, str):
        raise UsageError(f"{value!r} is no time: use text such as '90s', a number of seconds or a timedelta")
    try:
        return _native.seconds(value)
    except ValueError as error:
        raise UsageError(str(error)) from None


def write_whole(path: str, content: bytes) -> None:
    """Writes a file whole or not at all."""
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix=".batt-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def files_below(folder: str) -> list[str]:
    return sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
