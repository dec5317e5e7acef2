"""The exceptions of batt."""

from __future__ import annotations

from typing import Any

__all__ = ["BattWarning", "CompileError", "Error", "Undefined", "UsageError"]


class Error(Exception):
    """Something that batt cannot do, and why."""


class UsageError(Error, ValueError):
    """Arguments that make no sense."""


class CompileError(Error, ValueError):
    """A function that is no program of the DSL.

    `file`, `line` and `column` say where, `reason` what is wrong, and `help` what might help.
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0, reason: str = "", help: str | None = None) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason
        self.help = help

    def __reduce__(self) -> Any:
        return (_compile_error, (str(self), self.__dict__))


def _compile_error(message: str, fields: dict[str, Any]) -> CompileError:
    return CompileError(message, **fields)


class Undefined(Error, ValueError):
    """A program that has no output on a grid. `line` is the line of the call that has no answer, or None."""

    line: int | None = None


class BattWarning(UserWarning):
    """Something that was skipped or is odd; the rest was done."""
