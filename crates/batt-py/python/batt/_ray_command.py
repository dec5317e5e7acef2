"""`python -m batt ray search --address auto ...`: the options of a command, from its table, and those of the cluster."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from typing import Any

from batt import _native
from batt._errors import BattWarning, Error, UsageError

CLUSTER = (
    ("--address", str, "ADDRESS", "the cluster: auto, HOST:PORT or ray://HOST:PORT; without it, Ray starts on this machine"),
    ("--num-cpus", float, "N", "CPUs of a Ray task [default: 1]"),
    ("--num-gpus", float, "N", "GPUs of a Ray task, also a fraction [default: 0]"),
    ("--in-flight", int, "N", "Ray tasks submitted at a time [default: twice as many as can run]"),
    ("--retries", int, "N", "how often a Ray task is repeated whose worker or node died [default: 3]"),
)
SIZES = {"evolve": ("--parts", "shards [default: as many as can run]"), None: ("--tasks-per-part", "ARC tasks of a Ray task")}


def main(arguments: list[str]) -> int:
    """Runs a command on a cluster and returns its exit status."""
    given = vars(_parser().parse_args(arguments))
    name = given.pop("command")
    json_file = given.pop("json", None)
    try:
        import batt.ray

        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", BattWarning)
            result = getattr(batt.ray, name)(progress=None, **{key: value for key, value in given.items() if value is not None})
    except (Error, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        print("stopped; what was found is saved", file=sys.stderr)
        return 130
    for one in warned:
        print(f"warning: {one.message}", file=sys.stderr)
    text = json.dumps(result.data, indent=2)
    # The option without a file is True.
    if json_file in ("-", True):
        print(text)
    else:
        if json_file:
            result.save(json_file)
        print(result)
    return int(result.status)


def _parser() -> argparse.ArgumentParser:
    from batt._parts import OPTIONS, UNKNOWN

    parser = argparse.ArgumentParser(prog="batt ray", description="Commands on a Ray cluster. Each takes the options of its command.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for row in json.loads(_native.options()):
        name = row["path"][0]
        if len(row["path"]) != 1 or name not in OPTIONS:
            continue
        one = commands.add_parser(name, help=row["about"], description=row["about"] + ", on a Ray cluster.")
        cluster = one.add_argument_group("Cluster")
        for flag, kind, value, about in CLUSTER:
            cluster.add_argument(flag, type=kind, metavar=value, help=about)
        flag, about = SIZES.get(name) or SIZES[None]
        cluster.add_argument(flag, type=int, metavar="N", help=about)
        groups: dict[str, Any] = {}
        for option in row["options"]:
            if option["name"] in UNKNOWN:
                continue
            heading = option["heading"] or "Options"
            if heading not in groups:
                groups[heading] = one.add_argument_group(heading)
            groups[heading].add_argument(*_flags(option), **_shape(option))
    return parser


def _flags(option: dict[str, Any]) -> list[str]:
    return [f"-{option['short']}"] * bool(option["short"]) + [f"--{option['long']}"]


def _shape(option: dict[str, Any]) -> dict[str, Any]:
    shape: dict[str, Any] = {"dest": option["name"], "help": (option["help"] or "").replace("%", "%%")}
    if option["kind"] == "flag":
        return {**shape, "action": "store_true", "default": None}
    shape["metavar"] = option["value"]
    if option["may_be_empty"]:
        return {**shape, "nargs": "?", "const": True}
    if option["many"]:
        return {**shape, "nargs": "+", "action": "extend"}
    return {**shape, "required": option["required"]}
