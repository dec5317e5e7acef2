"""What commands give."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

__all__ = ["Result"]


class Result:
    """What a command gave: the fields of its JSON are attributes and items.

    `data` is the JSON as Python values, `text` a result that is no JSON, such as the page of a report. `notes` has the lines of the summary,
    and `status` is the exit status: 1 if some input was bad.
    """

    def __init__(self, command: str, data: Any, text: str, notes: list[str], errors: list[str], status: int) -> None:
        self.command = command
        self.data = data
        self.text = text
        self.notes = notes
        self.errors = errors
        self.status = status

    def __getattr__(self, name: str) -> Any:
        data = self.__dict__.get("data")
        if isinstance(data, dict) and name in data:
            return data[name]
        raise AttributeError(f"the result of `{self.__dict__.get('command')}` has no {name!r}")

    def __getitem__(self, name: Any) -> Any:
        return self.data[name]

    def __contains__(self, name: object) -> bool:
        return self.data is not None and name in self.data

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __dir__(self) -> list[str]:
        names = list(self.data) if isinstance(self.data, dict) else []
        return [*super().__dir__(), *names]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON, or the page of a report, to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text if self.data is None else json.dumps(self.data))

    def rows(self) -> list[dict[str, Any]]:
        """The tasks of a result, or else its longest list of objects."""
        if isinstance(self.data, dict) and isinstance(self.data.get("by_task"), list):
            return list(self.data["by_task"])
        values = self.data.values() if isinstance(self.data, dict) else [self.data]
        lists = [value for value in values if isinstance(value, list) and value and all(isinstance(one, dict) for one in value)]
        if lists:
            return max(lists, key=len)
        return [self.data] if isinstance(self.data, dict) else []

    def to_pandas(self) -> Any:
        """The rows as a data frame."""
        import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return pandas.DataFrame(self.rows())

    def to_polars(self) -> Any:
        """The same for polars."""
        import polars  # type: ignore[import-not-found, unused-ignore]

        return polars.DataFrame([{key: _flat(value) for key, value in row.items()} for row in self.rows()])

    def _summary(self) -> list[str]:
        """The lines of the summary, or else what the fields say."""
        if self.notes or not isinstance(self.data, dict):
            return self.notes
        tasks, fits = self.data.get("tasks"), self.data.get("fits")
        lines = [f"fits {len(fits)} of {tasks} tasks"] if isinstance(tasks, int) and isinstance(fits, list) else []
        plain = {name: value for name, value in self.data.items() if isinstance(value, (int, float, str)) and name != "tasks"}
        return [*lines, *(f"{name}: {_short(value)}" for name, value in plain.items())]

    def __repr__(self) -> str:
        summary = "; ".join(self._summary())
        return f"<Result of {self.command}{': ' + summary if summary else ''}>"

    def __str__(self) -> str:
        return "\n".join(self._summary()) or repr(self)

    def _repr_html_(self) -> str:
        from html import escape

        if self.data is None and self.text.lstrip().startswith("<"):
            style = "width:100%;height:800px;border:1px solid #ccc"
            return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(self.text)}"></iframe>'
        head = "".join(f"<div>{escape(line)}</div>" for line in self._summary())
        rows = self.rows()
        names = [name for name, value in (rows[0] if rows else {}).items() if isinstance(value, (str, int, float, bool, type(None)))][:8]
        cells = "".join("<tr>" + "".join(f"<td>{escape(_short(row.get(name)))}</td>" for name in names) + "</tr>" for row in rows[:50])
        table = f"<table><tr>{''.join(f'<th>{escape(name)}</th>' for name in names)}</tr>{cells}</table>" if names else ""
        more = f"<div>and {len(rows) - 50} more rows</div>" if len(rows) > 50 else ""
        return f"<div>{head}{table}{more}</div>"


def _short(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)[:80]


def _flat(value: Any) -> Any:
    """What a column can hold."""
    return json.dumps(value) if isinstance(value, (dict, list)) else value
