"""Calls of commands: Python values become arguments, and what a command gives becomes a `Result`."""

from __future__ import annotations

import json
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from batt import _native
from batt._errors import BattWarning, Error, UsageError
from batt._results import Result
from batt._tasks import as_tasks, tasks_as_json


class Option(NamedTuple):
    """An option of a command."""

    argument: str
    """What the command line calls it; empty for what has no name there."""
    kind: str
    many: bool = False
    may_be_empty: bool = False


class Turn:
    """Lets one command run at a time: they share what they read and write."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.owner: int | None = None

    def __enter__(self) -> None:
        if self.owner == threading.get_ident():
            raise Error("a command cannot be called while another one runs in the same thread")
        self.lock.acquire()
        self.owner = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self.owner = None
        self.lock.release()


_turn = Turn()


def _after_fork() -> None:
    # Whoever had its turn is not there any more.
    global _turn
    _turn = Turn()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def call(
    path: tuple[str, ...],
    options: Mapping[str, Option],
    given: Mapping[str, Any],
    output: str,
    progress: bool | Callable[[str, int, int | None], Any] | None = None,
    on_found: Callable[[str, Any], Any] | None = None,
) -> Result:
    """Runs a command. `output` says how it gives its result: `json` on stdout, or in a file that an option names."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="batt-") as folder:
        arguments = ["batt", *path]
        positional: list[str] = []
        for name, option in options.items():
            value = given.get(name)
            if value is None or value is False:
                continue
            for text in _texts(name, option, value, folder):
                if not option.argument:
                    positional.append(text or "")
                elif text is None:
                    arguments.append(option.argument)
                else:
                    arguments.append(f"{option.argument}={text}")
        result_file = None
        if output == "json":
            arguments.append("--json=-")
        elif output and given.get(output) is None:
            result_file = os.path.join(folder, "result")
            arguments.append(f"{options[output].argument}={result_file}")
        elif output:
            result_file = os.fspath(given[output])
        if positional:
            arguments += ["--", *positional]
        listener = Listener(progress, on_found)
        with _turn, listener:
            status, stdout, error = _native.Command().run(arguments, listener.event, listener.tick)
        for text in listener.warnings:
            warnings.warn(text, BattWarning, stacklevel=3)
        if status == 130:
            raise KeyboardInterrupt
        if error is not None:
            raise (UsageError if status == 2 else Error)(error.strip())
        data: Any = None
        text = stdout
        if output.startswith("json"):
            data, text = json.loads(stdout), ""
        elif result_file is not None:
            with open(result_file, encoding="utf-8") as file:
                text = file.read()
            if not text.lstrip().startswith("<"):
                data = json.loads(text)
        return Result(" ".join(path), data, text, listener.notes, listener.errors, status)


class Listener:
    """Is told what a command does, and shows it."""

    def __init__(self, progress: Any, on_found: Any) -> None:
        self.notes: list[str] = []
        self.warnings: list[str] = []
        self.errors: list[str] = []
        self.on_found = on_found
        self.on_progress = progress if callable(progress) else None
        self.bar: Any = None
        self.last: tuple[str, int, int | None] | None = None
        self.tqdm = None if self.on_progress or progress is False else _tqdm(progress is True)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def event(self, kind: str, text: str, more: dict[str, Any]) -> None:
        if kind == "found":
            if self.on_found is not None:
                from batt._programs import Program

                self.on_found(more["task"], Program.from_text(text, f"<found for {more['task']}>"))
        else:
            {"note": self.notes, "warning": self.warnings, "error": self.errors}[kind].append(text)

    def tick(self, what: str, done: int, all: int | None) -> None:
        now = (what, done, all)
        if now == self.last:
            return
        is_other = self.last is None or self.last[0] != what or self.last[2] != all
        self.last = now
        if self.on_progress is not None:
            self.on_progress(what, done, all)
        elif self.tqdm is not None:
            if is_other or self.bar is None:
                if self.bar is not None:
                    self.bar.close()
                self.bar = self.tqdm(total=all, desc=what, leave=False)
            self.bar.update(done - self.bar.n)


def _tqdm(wanted: bool) -> Any:
    """A progress bar, where tqdm is installed and somebody sees it."""
    if not wanted and not sys.stderr.isatty() and "ipykernel" not in sys.modules:
        return None
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return None
    return tqdm


def _texts(name: str, option: Option, value: Any, folder: str) -> Iterable[str | None]:
    """A value as arguments; None is the option alone."""
    kind = option.kind
    if kind == "flag":
        if value is not True:
            raise UsageError(f"{name} is True or False, not {value!r}")
        return [None]
    if option.may_be_empty and (value is True or value in ([], ())):
        return [None]
    if kind == "tasks":
        return [_tasks(value, folder)]
    if kind == "programs":
        return _programs(value, folder)
    if kind == "read" and not isinstance(value, (str, bytes, os.PathLike)):
        return [_json_file(name, value, folder)]
    if isinstance(value, Mapping):
        return [f"{key}={one}" for key, one in value.items()]
    if option.many and not isinstance(value, (str, bytes, os.PathLike)) and hasattr(value, "__iter__"):
        return [_text(name, kind, one) for one in value]
    return [_text(name, kind, value)]


def _text(name: str, kind: str, value: Any) -> str:
    if isinstance(value, bool):
        raise UsageError(f"{name} takes a value, not {value}")
    if hasattr(value, "total_seconds"):
        value = value.total_seconds()
    if kind == "time" and isinstance(value, (int, float)):
        # Digits alone: the command line knows no exponents.
        return f"{value:.9f}".rstrip("0").rstrip(".") + "s"
    if isinstance(value, tuple) and len(value) == 2:
        return f"{value[0]}/{value[1]}"
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    raise UsageError(f"{name} is {value!r}, which is no option of the command line")


def _tasks(value: Any, folder: str) -> str:
    tasks = as_tasks(value)
    if tasks is None:
        return str(value) if isinstance(value, int) else os.fspath(value)
    if len(tasks) == 0:
        raise UsageError("there is no task")
    path = os.path.join(folder, "tasks.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(tasks_as_json(tasks))
    return path


def _programs(value: Any, folder: str) -> list[str | None]:
    from types import FunctionType, ModuleType

    from batt._programs import Program, program_of

    values = [value] if isinstance(value, (str, os.PathLike, Program, FunctionType, ModuleType)) else list(value)
    paths: list[str | None] = []

    def write(text: str) -> None:
        # A file each: programs may have the same name.
        path = os.path.join(folder, f"program-{len(paths)}.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        paths.append(path)

    for one in values:
        if isinstance(one, FunctionType):
            one = program_of(one)
        if isinstance(one, Program):
            write(one.text)
        elif isinstance(one, ModuleType):
            if not one.__file__:
                raise UsageError(f"the module {one.__name__} has no file")
            paths.append(one.__file__)
        elif isinstance(one, str) and "\n" in one:
            write(one)
        else:
            paths.append(os.fspath(one))
    return paths


def _json_file(name: str, value: Any, folder: str) -> str:
    """A file of what is JSON: a submission, a profile."""
    if isinstance(value, Result):
        value = value.data
    path = os.path.join(folder, f"{name}.json")
    try:
        text = json.dumps(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}") from None
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
