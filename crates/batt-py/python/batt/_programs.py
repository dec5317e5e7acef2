"""Programs: compiled from the source of Python functions."""

from __future__ import annotations

import os
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any, overload

from batt import _native
from batt._errors import BattWarning, CompileError, Error
from batt._native import Grid
from batt._tasks import Task, as_task

__all__ = ["Program", "Trace", "Verdict", "load_programs", "program"]


class Program(_native.Program):
    """A function of arc-dsl calls, compiled. Call it with a grid.

    Rows of integers give a tuple of tuples, a `Grid` gives a `Grid`, and an array gives an array. Where a call has no answer, `Undefined`
    names it.
    """

    python: Callable[..., Any] | None = None
    """The Python function that it was compiled from."""

    @property
    def __name__(self) -> str:
        return self.name

    @classmethod
    def from_text(cls, text: str, file: str = "<text>", *, fuel: int | None = None) -> Program:
        """Compiles the text of one function."""
        parsed = _parse(text, file)
        if len(parsed) != 1:
            raise CompileError(f"{file}: one function is needed, and there are {len(parsed)}", file=file, reason="one function is needed")
        return cls(parsed[0], fuel)

    def trace(self, grid: Any, demos: Any = None) -> Trace:
        """Runs the program, and shows the value of each of its lines."""
        return Trace(self, grid, demos)

    def check(self, task: Any) -> Verdict:
        """Runs the program on the samples of a task, and compares the outputs. Test outputs are used for `solved` only."""
        return Verdict(self, as_task(task))

    def __repr__(self) -> str:
        return f"<Program {self.name}: {self.size} call{'' if self.size == 1 else 's'}>"

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{_escape(str(self))}</pre>"

    def __reduce__(self) -> Any:
        return (_from_text, (type(self), self.text, self.file))


def _from_text(cls: type[Program], text: str, file: str) -> Program:
    return cls.from_text(text, file)


@overload
def program(function: Callable[..., Any]) -> Program: ...
@overload
def program(*, fuel: int | None = None) -> Callable[[Callable[..., Any]], Program]: ...
def program(function: Callable[..., Any] | None = None, *, fuel: int | None = None) -> Any:
    """Compiles a Python function of arc-dsl calls by its source, to be run by batt's engine.

    What cannot be compiled raises `CompileError` at once, with the file, the line and the reason that `batt lib check` gives. `fuel` is the
    work that the program may spend on one grid.
    """
    if function is None:
        return lambda function: program_of(function, fuel)
    return program_of(function, fuel)


def program_of(function: Callable[..., Any], fuel: int | None = None) -> Program:
    """The program that a Python function is."""
    import inspect
    import textwrap

    if not isinstance(function, types.FunctionType):
        raise TypeError(f"@batt.program takes a function, not {type(function).__name__}")
    name = function.__name__
    if name == "<lambda>":
        raise CompileError("@batt.program takes a function with a name, not a lambda", reason="a lambda is no program")
    file = function.__code__.co_filename
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise _without_source(name, file) from None
    # Empty lines before it, so that the lines have their numbers in the file.
    text = "\n" * (first - 1) + _without_decorators(textwrap.dedent("".join(lines)))
    parsed = _parse(text, file)
    if len(parsed) != 1 or parsed[0].name != name:
        # What `exec` runs has the name of another text.
        raise _without_source(name, file)
    made = Program(parsed[0], fuel)
    made.python = function
    made.__doc__ = function.__doc__
    made.__wrapped__ = function  # type: ignore[attr-defined]
    made.__module__ = function.__module__
    return made


def _without_source(name: str, file: str) -> CompileError:
    reason = "its source cannot be read, as in some interactive sessions; batt.Program.from_text(text) compiles text"
    return CompileError(f"{file}: {name}: {reason}", file=file, reason=reason)


def _without_decorators(text: str) -> str:
    """The same lines, those of decorators empty."""
    import ast

    try:
        node = ast.parse(text).body[0]
    except (SyntaxError, IndexError):
        return text
    if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
        return text
    lines = text.split("\n")
    return "\n".join([""] * (node.lineno - 1) + lines[node.lineno - 1 :])


def _parse(text: str, file: str) -> list[_native.Parsed]:
    parsed, errors, _ = _native.parse(text, file)
    for line, column, reason, help, message in errors:
        raise CompileError(message, file=file, line=line, column=column, reason=reason, help=help)
    return parsed


BUILT_IN = ("starter", "found")
"""The libraries that the package comes with."""


def load_programs(source: Any = "starter", *, fuel: int | None = None) -> list[Program]:
    """Loads the programs of a file, of a folder with all below it, of a store, of a built-in library (`starter`, `found`), or of a module.

    Functions that are no programs are warned of with their place and the reason, and the others are loaded.
    """
    if isinstance(source, types.ModuleType):
        import inspect

        file = inspect.getsourcefile(source)
        if file is None:
            raise Error(f"the module {source.__name__} has no source")
        source = file
    sources = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    for one in sources:
        if os.fspath(one) not in BUILT_IN and not os.path.exists(one):
            raise Error(f"{os.fspath(one)}: no such file or folder")
    parsed, skipped = _native.read_programs([os.fspath(one) for one in sources])
    for what, why in skipped:
        warnings.warn(f"skipped {what}: {why}", BattWarning, stacklevel=2)
    return [Program(one, fuel) for one in parsed]


def _escape(text: str) -> str:
    from html import escape

    return escape(text)


class Step:
    """A line of a program and what it gave."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.line: int = fields["line"]
        self.text: str = fields["text"]
        self.value: Any = fields["value"]
        self.shown: str = fields["shown"]
        self.failed: bool = fields["failed"]
        self.svg: str | None = fields.get("svg")

    def __repr__(self) -> str:
        return f"<Step {self.text}: {'undefined' if self.failed else self.shown.splitlines()[0] if self.shown else ''}>"


class Trace:
    """The value of each line of a program on a grid, drawn."""

    def __init__(self, program: Program, grid: Any, demos: Any = None) -> None:
        self.program = program
        self.steps = [Step(fields) for fields in program.steps(grid, demos, sys.stdout.isatty() and not os.environ.get("NO_COLOR"))]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __getitem__(self, place: int) -> Step:
        return self.steps[place]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        def step(one: Step) -> str:
            shown = "\n".join(f"    {line}" for line in one.shown.splitlines())
            return f"{one.text}\n{shown}"

        return "\n".join([f"trace of {self.program.name}", *map(step, self.steps)])

    def _repr_html_(self) -> str:
        def step(one: Step) -> str:
            value = one.svg or f"<pre>{_escape(one.shown)}</pre>"
            text = f"<td style='text-align:left;vertical-align:top'><code>{_escape(one.text)}</code></td>"
            return f"<tr>{text}<td style='text-align:left'>{value}</td></tr>"

        return f"<table><caption>{_escape(self.program.name)}</caption>{''.join(map(step, self.steps))}</table>"


class Verdict:
    """What a program gives on the samples of a task.

    `demos` and `tests` say for each sample whether the output is right; None for a test whose output is unknown. `fits` is whether all demos
    are right, `solved` whether the tests are too, or None if that is unknown.
    """

    def __init__(self, program: Program, task: Task) -> None:
        self.program = program
        self.task = task
        needs_demos = program.parameters != ["I"]
        demos = task if needs_demos else None
        samples = [*task.train, *task.test]
        self.outputs: list[Grid | None] = [
            output if isinstance(output, Grid) else None for output in program.run_many([input for input, _ in samples], demos)
        ]
        right = [None if expected is None else made == expected for made, (_, expected) in zip(self.outputs, samples)]
        self.demos: list[bool] = [bool(one) for one in right[: len(task.train)]]
        self.tests: list[bool | None] = right[len(task.train) :]
        self.fits = all(self.demos)
        self.solved: bool | None = self.fits and all(self.tests) if self.tests and None not in self.tests else None

    def __bool__(self) -> bool:
        return self.fits

    def __repr__(self) -> str:
        solved = "unknown" if self.solved is None else "yes" if self.solved else "no"
        right = sum(self.demos)
        return (
            f"<{self.program.name} on {self.task.id}: {'fits' if self.fits else f'{right} of {len(self.demos)} demos'}, solved: {solved}>"
        )

    def _repr_html_(self) -> str:
        def sample(label: str, input: Grid, expected: Grid | None, made: Grid | None) -> str:
            panels: list[tuple[str, Any]] = [(label, input)]
            if expected is not None:
                panels.append(("expected", expected))
            if made is not None:
                panels.append(("output", made))
            return _native.svg(panels)

        count = len(self.task.train)
        drawn = [sample(f"demo {k + 1}", i, o, made) for k, ((i, o), made) in enumerate(zip(self.task.train, self.outputs))]
        drawn += [sample(f"test {k + 1}", i, None, made) for k, ((i, _), made) in enumerate(zip(self.task.test, self.outputs[count:]))]
        return f"<p>{_escape(repr(self))}</p>{''.join(drawn)}"
