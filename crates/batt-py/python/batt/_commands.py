"""The commands of the command line as functions, made from its table of options when the package is imported.

`_commands.pyi` has their types. `generate.py` writes it from the same table, by `parameters`.
"""

from __future__ import annotations

import __future__
import json
from typing import Any

from batt import _native
from batt._call import Option, call

# Commands that are functions of the package.
OFFERED = ("evolve", "grade", "profile", "report", "run", "search", "submit")
# Of several commands below one name, the one that the name itself is.
CALLED = {"profile": "batch"}
# Commands that write their result to a file, and the option that names it. Others have --json.
FILES = {("submit",): "out", ("report",): "out"}
# Commands with callbacks for programs that fit.
FINDING = (("search",), ("evolve",))

# The types of options by kind, as `_commands.pyi` names them.
TYPES = {
    "flag": "bool",
    "tasks": "Tasks",
    "programs": "Programs",
    "read": "Path | Mapping[str, Any] | Result",
    "store": "Path",
    "write": "Path",
    "folder": "Path",
    "time": "Time",
    "integer": "int",
    "real": "float",
    "text": "str",
}
PROGRESS = (
    "- `progress`: False for no progress bar, True for one by tqdm, or a function that is called with what is counted, the number done and "
    "the number of all. By default, notebooks and terminals show a bar if tqdm is installed."
)
FOUND = "- `on_found`: A function that is called with the id of a task and the first program that fits it."
RESULT = "- Without `out`, no file is written; the result has its content."


def rows() -> list[dict[str, Any]]:
    """The commands that are functions, with their options."""
    every = [row for row in json.loads(_native.options()) if row["path"][0] in OFFERED]
    for row in every:
        row["path"] = tuple(row["path"])
        row["output"] = FILES.get(row["path"], "json")
        for option in row["options"]:
            option["name"] = (option["long"] or option["name"]).replace("-", "_")
        # The package sets --json itself.
        row["options"] = [option for option in row["options"] if option["name"] != "json"]
    return every


def parameters(row: dict[str, Any]) -> list[str]:
    """The parameters of a function: what has no name on the command line first, then keywords, those without a default first."""
    positional = [f"{option['name']}: {_type(option)}{_default(option)}" for option in row["options"] if not option["long"]]
    keywords = [option for option in row["options"] if option["long"]]
    for option in keywords:
        option["required"] = option["required"] and option["name"] != row["output"]
    keywords.sort(key=lambda option: not option["required"])
    every = [
        *positional,
        "*",
        *(f"{option['name']}: {_type(option)}{_default(option)}" for option in keywords),
        "progress: Progress = None",
    ]
    return [*every, "on_found: Found = None"] if row["path"] in FINDING else every


def _default(option: dict[str, Any]) -> str:
    return "" if option["required"] else " = False" if option["kind"] == "flag" else " = None"


def _type(option: dict[str, Any]) -> str:
    kind = f"Literal[{', '.join(map(json.dumps, option['choices']))}]" if option["choices"] else TYPES[option["kind"]]
    if option["kind"] not in ("tasks", "programs", "flag") and option["many"]:
        kind = f"{kind} | Iterable[{kind}] | Mapping[str, Any]"
    if option["name"] == "shard":
        kind += " | tuple[int, int]"
    if option["may_be_empty"]:
        kind += " | bool"
    return kind if option["kind"] == "flag" or option["required"] else f"{kind} | None"


def about(row: dict[str, Any]) -> str:
    """The first line of the documentation."""
    text = (row["long_about"] or row["about"] or "").strip().split("\n\n")[0]
    return " ".join(text.split()).rstrip(".") + "."


def _documentation(row: dict[str, Any]) -> str:
    more = [" ".join(part.split()) for part in (row["long_about"] or "").strip().split("\n\n")[1:]]
    lines = [about(row), *(line for part in more for line in ("", part)), "", "Options, as those of the command line:", ""]
    for option in row["options"]:
        help = " ".join((option["help"] or "").split())
        default = f" [default: {option['default']}]" if option["default"] is not None and "[default" not in help else ""
        lines.append(f"- `{option['name']}`: {help}{default}")
    lines.append(PROGRESS)
    if row["path"] in FINDING:
        lines.append(FOUND)
    if row["output"] == "out":
        lines.append(RESULT)
    return "\n".join(lines)


def _function(row: dict[str, Any], first: str = "") -> Any:
    """A function with the parameters of a command, as `collections.namedtuple` makes its methods."""
    path = row["path"]
    found = "on_found" if path in FINDING else "None"
    text = f"def {path[-1]}({first}{', '.join(parameters(row))}) -> Result: return call(path, options, locals(), output, progress, {found})"
    known = {"call": call, "path": path, "options": OPTIONS[path], "output": row["output"], "__name__": "batt"}
    made: dict[str, Any] = {}
    exec(compile(text, f"<batt.{'.'.join(path)}>", "exec", __future__.annotations.compiler_flag), known, made)
    function = made[path[-1]]
    function.__doc__ = _documentation(row)
    return function


def _group(name: str, members: list[dict[str, Any]]) -> Any:
    """Several commands below one name. The name can be called too."""
    functions = {row["path"][-1]: _function(row, "self, ") for row in members}
    functions["__call__"] = functions[CALLED[name]]
    text = f"{functions['__call__'].__doc__.split(chr(10))[0]} Called, it is `{CALLED[name]}`."
    return type(name.title(), (), {**functions, "__doc__": text, "__module__": "batt"})()


_ROWS = rows()
OPTIONS = {
    row["path"]: {
        option["name"]: Option(f"--{option['long']}" if option["long"] else "", option["kind"], option["many"], option["may_be_empty"])
        for option in row["options"]
    }
    for row in _ROWS
}
for _name in OFFERED:
    _members = [row for row in _ROWS if row["path"][0] == _name]
    globals()[_name] = _function(_members[0]) if _members[0]["path"] == (_name,) else _group(_name, _members)
