#!/usr/bin/env python3
"""Random calls of arc-dsl's 160 primitives: CPython with arc-dsl under batt's order of sets, against batt.

    python3 bench/differences.py PATH-TO-ARC-DSL [--calls N] [--seed S] [--answers PROGRAM] [--examples N] [--out FILE]

Arguments are drawn by the types that arc-dsl declares, and some of another kind: empty and ragged grids, tuples of one item, tuples of cells,
sets of sets, numbers beyond a byte, truth values, functions. A call is compared by its value, or by having none. Functions that a primitive
makes are called on a random value. Differences are counted by class. Each class has a cause; the status is 1 if a difference has none.

Needs `cargo build --release -p batt-dsl --example answers`. Uses the standard library only, and changes nothing in the checkout.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import typing
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parent / "target") / "release" / "examples" / "answers"
# Calls are sent in batches.
BATCH = 2000
SECONDS = 10
# Values of longer lines are not drawn from.
LONGEST = 600
MAKERS = ("compose", "chain", "matcher", "rbind", "lbind", "power", "fork")


def rank(value):
    """A key that puts values in batt's order."""
    if value is None:
        return (0,)
    if isinstance(value, int):
        return (1, int(value))
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], int) and is_pair(value[1]):
            return (2, int(value[1][0]), int(value[1][1]), int(value[0]))
        return (3, len(value), [rank(item) for item in value])
    if isinstance(value, (Frozen, frozenset)):
        return (4, sorted(rank(item) for item in frozenset.__iter__(value)))
    return (5, getattr(value, "__name__", ""), id(value))


def is_pair(value):
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, int) for part in value)


class Frozen(frozenset):
    """A frozen set that is iterated in batt's order."""

    __slots__ = ()

    def __iter__(self):
        return iter(sorted(frozenset.__iter__(self), key=rank))

    def __and__(self, other):
        return Frozen(frozenset.__and__(self, other))

    def __or__(self, other):
        return Frozen(frozenset.__or__(self, other))

    def __sub__(self, other):
        return Frozen(frozenset.__sub__(self, other))

    def union(self, *others):
        return Frozen(frozenset.union(self, *others))


class Mutable(set):
    """A set that is iterated in batt's order."""

    def __iter__(self):
        return iter(sorted(set.__iter__(self), key=rank))


def load(checkout: Path):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(checkout))
    dsl = importlib.import_module("dsl")
    dsl.frozenset, dsl.set = Frozen, Mutable
    own = {name: value for name, value in vars(dsl).items() if getattr(value, "__module__", None) == "dsl" and hasattr(value, "__code__")}
    for name, function in own.items():
        function.spec = {"fn": name}
    return own


class Draw:
    """Random arguments."""

    def __init__(self, seed, functions):
        self.random = random.Random(seed)
        self.functions = functions
        self.by_arity = collections.defaultdict(list)
        for name, function in functions.items():
            if name not in MAKERS:
                self.by_arity[function.__code__.co_argcount].append(function)
        self.recent = collections.deque(maxlen=400)
        self.kinds = {
            "Integer": self.integer, "Boolean": self.boolean, "IntegerTuple": self.pair, "Numerical": self.numerical, "Grid": self.grid,
            "Patch": self.patch, "Object": self.object, "Indices": self.indices, "Objects": self.objects, "Element": self.element,
            "Piece": self.piece, "IntegerSet": self.integers, "Tuple": self.tuple, "TupleTuple": self.tuples, "FrozenSet": self.set,
            "Container": self.container, "ContainerContainer": self.containers, "Callable": self.function, "Any": self.any,
        }  # fmt: skip

    def integer(self):
        draw = self.random.random()
        if draw < 0.94:
            return self.random.randint(-3, 9)
        return self.random.choice((True, False, 30, 127, 128, -129) if draw < 0.995 else (300, 5000))

    def boolean(self):
        return self.random.random() < 0.5 if self.random.random() < 0.9 else self.any()

    def pair(self):
        draw = self.random.random()
        if draw < 0.8:
            return (self.random.randint(0, 5), self.random.randint(0, 5))
        return (self.integer(), self.integer())

    def numerical(self):
        return self.integer() if self.random.random() < 0.5 else self.pair()

    def grid(self):
        draw = self.random.random()
        height, width = self.random.randint(1, 5), self.random.randint(1, 5)
        colours = self.random.choice(((0, 1), (0, 1, 2), tuple(range(10)), (3,), (0, 0, 0, 5)))
        rows = tuple(tuple(self.random.choice(colours) for _ in range(width)) for _ in range(height))
        if draw < 0.75:
            return rows
        return self.random.choice((
            lambda: (), lambda: ((),), lambda: ((),) * height, lambda: rows[:1], lambda: tuple(row[:1] for row in rows),
            lambda: tuple(row[: self.random.randint(0, width)] for row in rows), lambda: (*rows, (1,)), lambda: ((), *rows),
            lambda: tuple(tuple(cell * 100 for cell in row) for row in rows), lambda: tuple(tuple(cell > 0 for cell in row) for row in rows),
            lambda: tuple(self.pair() for _ in range(height)), lambda: tuple(Frozen(row) for row in rows),
            lambda: tuple((row, row) for row in rows), lambda: tuple(tuple((cell, cell) for cell in row) for row in rows),
        ))()  # fmt: skip

    def indices(self):
        draw = self.random.random()
        if draw < 0.07:
            return Frozen()
        reach = self.random.choice((2, 4, 4, 7))
        low = self.random.choice((0, 0, 0, -2))
        places = [(self.random.randint(low, reach), self.random.randint(low, reach)) for _ in range(self.random.choice((1, 2, 3, 5, 9)))]
        if draw < 0.12:
            return tuple(places)
        if draw < 0.14:
            places.append((self.integer(), self.integer()))
        if draw < 0.15:
            places.append((1, (1, 1)))
        return Frozen(places)

    def object(self):
        draw = self.random.random()
        colour = self.random.randint(0, 9)
        many = self.random.random() < 0.3
        cells = [(self.random.randint(0, 9) if many else colour, place) for place in self.indices() if is_pair(place)]
        if draw < 0.06:
            return tuple(cells)
        if draw < 0.08:
            cells.append((self.integer(), (self.integer(), self.integer())))
        return Frozen(cells)

    def patch(self):
        return self.random.choice((self.indices, self.object))()

    def objects(self):
        items = [self.object() for _ in range(self.random.randint(0, 4))]
        return Frozen(items) if self.random.random() < 0.8 else tuple(items)

    def element(self):
        return self.random.choice((self.grid, self.object))()

    def piece(self):
        return self.random.choice((self.grid, self.patch))()

    def integers(self):
        items = [self.integer() for _ in range(self.random.randint(0, 5))]
        return Frozen(items) if self.random.random() < 0.7 else tuple(items)

    def tuple(self):
        item = self.random.choice((self.integer, self.integer, self.pair, self.grid, self.patch, self.any))
        return tuple(item() for _ in range(self.random.randint(0, 4)))

    def tuples(self):
        return tuple(self.tuple() for _ in range(self.random.randint(0, 4)))

    def set(self):
        item = self.random.choice((self.integer, self.pair, self.patch, self.any_plain))
        return Frozen(item() for _ in range(self.random.randint(0, 4)))

    def container(self):
        return self.random.choice((self.tuple, self.set, self.grid, self.patch, self.objects, self.integers))()

    def containers(self):
        items = [self.random.choice((self.tuple, self.set, self.patch))() for _ in range(self.random.randint(0, 4))]
        return Frozen(items) if self.random.random() < 0.4 else tuple(items)

    def any_plain(self):
        kinds = (self.integer, self.pair, self.grid, self.patch, self.tuple, self.integers, self.boolean)
        return self.random.choice(kinds)()

    def any(self):
        draw = self.random.random()
        if draw < 0.1:
            return self.function()
        if draw < 0.4 and self.recent:
            return self.random.choice(self.recent)
        return self.any_plain() if draw < 0.9 else self.container()

    def function(self, arity=1):
        """A primitive, or a function that one makes."""
        draw = self.random.random()
        if draw < 0.6:
            return self.random.choice(self.by_arity[arity])
        if draw < 0.65:
            return self.random.choice(list(self.functions.values()))
        if arity == 2:
            made = ("rbind" if draw < 0.8 else "lbind", self.random.choice(self.by_arity[3]), self.any())
        elif draw < 0.75:
            made = (self.random.choice(("rbind", "lbind")), self.random.choice(self.by_arity[2]), self.any())
        elif draw < 0.85:
            made = ("compose", self.function(), self.random.choice(self.by_arity[1]))
        elif draw < 0.92:
            made = ("matcher", self.random.choice(self.by_arity[1]), self.any_plain())
        elif draw < 0.96:
            made = ("power", self.random.choice(self.by_arity[1]), self.random.randint(1, 3))
        else:
            made = ("fork", self.random.choice(self.by_arity[2]), self.random.choice(self.by_arity[1]), self.random.choice(self.by_arity[1]))
        return self.made(*made)

    def made(self, name, *args):
        function = self.functions[name](*args)
        if name != "power" or args[1] != 1:
            function.spec = {"fn": name, "args": [written(arg) for arg in args]}
        return function

    def argument(self, name, place, annotation):
        kind = getattr(annotation, "__name__", None) or KIND_NAMES.get(annotation) or "Callable"
        if name in ("papply", "mpapply", "prapply") and place == 0:
            return self.function(2)
        if name == "rapply" and place == 0:
            functions = [self.function() for _ in range(self.random.randint(0, 3))]
            return tuple(functions) if self.random.random() < 0.7 else Frozen(functions)
        return self.kinds[kind]()

    def call(self, name):
        """The primitive's name and its arguments."""
        function = self.functions[name]
        odd = self.random.random()
        hints = KINDS[name]
        odd_place = self.random.randrange(len(hints)) if odd < 0.3 else None
        args = [self.any() if k == odd_place or odd > 0.95 else self.argument(name, k, hint) for k, hint in enumerate(hints)]
        if name in MAKERS:
            # A function that cannot be made is not made in batt either, but its text has no value to be an argument.
            if not all(map(callable, args[: {"matcher": 1, "rbind": 1, "lbind": 1, "power": 1}.get(name, 3)])):
                return None
            if name == "power" and not (type(args[1]) is int and 0 < args[1] < 9):
                return None
            if name in ("rbind", "lbind") and function_arity(args[0]) not in (2, 3, 4):
                return None
            made = self.made(name, *args)
            return "rapply", [(made,), self.any()]
        return name, args


def function_arity(function):
    code = getattr(function, "__code__", None)
    return code.co_argcount if code else None


KINDS: dict[str, list] = {}
KIND_NAMES: dict = {}


def learn_kinds(functions):
    """Names of the types that arc-dsl declares for parameters."""
    types = importlib.import_module("arc_types")
    for name in ("Numerical", "IntegerTuple", "IntegerSet", "Grid", "Cell", "Object", "Objects", "Indices", "IndicesSet", "Patch", "Element",
                 "Piece", "TupleTuple", "ContainerContainer", "Any", "Container", "FrozenSet", "Tuple", "Callable"):  # fmt: skip
        value = getattr(types, name, None) or getattr(typing, name)
        KIND_NAMES.setdefault(value, name)
    KIND_NAMES[bool], KIND_NAMES[int] = "Boolean", "Integer"
    for name, function in functions.items():
        params = function.__code__.co_varnames[: function.__code__.co_argcount]
        KINDS[name] = [Named(KIND_NAMES.get(function.__annotations__.get(param), "Callable")) for param in params]


class Named:
    def __init__(self, name):
        self.__name__ = name


def written(value):
    """A value in the notation of reference calls."""
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, tuple):
        return [written(item) for item in value]
    if isinstance(value, frozenset):
        return {"set": [written(item) for item in frozenset.__iter__(value)]}
    if hasattr(value, "spec"):
        return value.spec
    raise Unwritten


class Unwritten(Exception):
    """A function that has no text."""


class TooLong(Exception):
    pass


def on_alarm(*_):
    raise TooLong


def frozen(value):
    """A value with sets that are iterated in batt's order."""
    if isinstance(value, tuple):
        return tuple(map(frozen, value))
    if isinstance(value, frozenset):
        return Frozen(map(frozen, frozenset.__iter__(value)))
    return value


def is_large(value):
    """Whether an integer in a value is beyond 64 bits."""
    if isinstance(value, (tuple, frozenset)):
        return any(map(is_large, value))
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def run(function, args):
    """What CPython gives: a value, or the name of an exception."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return frozen(function(*args)), None
    except Exception as error:  # noqa: BLE001
        return None, type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def calls(draw, functions, count):
    """Random calls and what CPython gives."""
    names = sorted(functions)
    made = 0
    while made < count:
        drawn = draw.call(names[made % len(names)])
        if drawn is None:
            continue
        name, args = drawn
        try:
            line = {"op": name, "from": "mixed", "args": [written(arg) for arg in args]}
            value, error = run(functions[name], args)
            if error == TooLong.__name__:
                continue
            if error is None and not is_large(value):
                line["out"] = written(value)
            else:
                line["err"] = error or "beyond 64 bits"
            text = json.dumps(line)
        except (Unwritten, RecursionError):
            continue
        made += 1
        if error is None and len(text) < LONGEST and not callable(value):
            draw.recent.append(value)
        yield text, name, args, value, line.get("err")


COMPARING = {"argmax", "argmin", "valmax", "valmin", "order", "maximum", "minimum", "greater"}
CALLING = {"apply", "rapply", "mapply", "papply", "mpapply", "prapply", "sfilter", "mfilter", "extract"}
CAUSES = {
    "limit": "a value beyond batt's limits",
    "sets compared": "sets are compared: CPython asks which is a subset",
    "None as key": "`None` as the key of a comparison: CPython compares the items",
    "in a function": "in a function that is called on items: one of the other classes",
    "set as grid": "a set where a grid is taken: CPython takes its items for rows",
    "odd rows": "a grid whose rows are sets or numbers",
    "odd patch": "a patch whose items are no locations and no cells, such as a grid",
    "operator": "an operator of CPython on other types: numbers where containers are taken, sets where numbers are",
    "not looked at": "an argument that CPython does not look at, since a container is empty or another argument is enough",
}


def has_set(value):
    return isinstance(value, frozenset) or (isinstance(value, tuple) and any(map(has_set, value)))


def is_odd_patch(value):
    """Whether an item of a patch is neither a location nor a cell."""

    def is_plain(item):
        return is_pair(item) or (isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], int) and is_pair(item[1]))

    return isinstance(value, (tuple, frozenset)) and (not all(map(is_plain, value)) or len(set(map(is_pair, value))) > 1)


def cause(name, args, answer):
    """Why a call differs; None if that is not known."""
    kinds = [kind.__name__ for kind in KINDS[name]]
    of_kind = lambda *wanted: [arg for arg, kind in zip(args, kinds) if kind in wanted]  # noqa: E731
    grids, patches = of_kind("Grid", "Element", "Piece"), of_kind("Patch", "Object", "Piece", "Element")
    if answer in ("undefined: value too large", "undefined: out of fuel", "undefined: nested too deep", "undefined: overflow"):
        return "limit"
    if name in COMPARING and any(arg is None for arg in args):
        return "None as key"
    if name in COMPARING:
        try:
            keys = [args[1](item) for item in args[0]] if callable(args[-1]) else list(args)
        except Exception:  # noqa: BLE001
            keys = []
        return "sets compared" if has_set(tuple(keys)) else "in a function"
    if name == "prapply" and any(isinstance(arg, (tuple, frozenset)) and not arg for arg in args[1:]) and answer == "undefined: wrong type":
        return "not looked at"
    if name in CALLING:
        return "in a function"
    if name == "subtract" and has_set(tuple(args)):
        return "operator"
    if name in ("intersection", "hconcat", "vconcat") and any(isinstance(arg, int) for arg in args):
        return "operator"
    if any(isinstance(arg, frozenset) for arg in of_kind("Grid")):
        return "set as grid"
    if any(isinstance(grid, tuple) and any(not isinstance(row, tuple) for row in grid) for grid in grids):
        return "odd rows"
    if any(map(is_odd_patch, patches)):
        return "odd patch"
    if name in LOOKING and answer.startswith("undefined"):
        return "not looked at"
    return None


# Primitives that do not look at an argument if a container is empty, or if another one is enough.
LOOKING = {"difference", "product", "upscale", "hupscale", "vupscale", "cellwise", "bordering", "crop", "canvas", "contained"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, metavar="PATH-TO-ARC-DSL")
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answers", type=Path, default=BUILT, metavar="PROGRAM")
    parser.add_argument("--examples", type=int, default=2, help="calls shown of each class")
    parser.add_argument("--out", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    signal.signal(signal.SIGALRM, on_alarm)
    functions = load(arguments.checkout)
    learn_kinds(functions)
    draw = Draw(arguments.seed, functions)
    answers = subprocess.Popen([arguments.answers], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    counts, shown, outcomes = collections.Counter(), collections.defaultdict(list), collections.Counter()
    batch = []

    def compare():
        sent = threading.Thread(target=send, args=("".join(text + "\n" for text, *_ in batch),))
        sent.start()
        for (text, name, args, value, error), answer in zip(batch, answers.stdout):
            outcomes["value" if error is None else "no value"] += 1
            answer = answer.rstrip("\n")
            if answer != "=":
                why = cause(name, args, answer) if error is None else None
                kind = (why, name, "a value" if error is None else error, answer if answer.startswith("un") else "another value")
                counts[kind] += 1
                shown[kind].append((text, answer))
                # The shortest calls say most.
                shown[kind] = sorted(shown[kind], key=lambda call: len(call[0]))[: arguments.examples]
        sent.join()
        batch.clear()

    def send(text):
        answers.stdin.write(text)
        answers.stdin.flush()

    for call in calls(draw, functions, arguments.calls):
        batch.append(call)
        if len(batch) == BATCH:
            compare()
    compare()
    answers.stdin.close()
    text = report(outcomes, counts, shown)
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text)
    return int(any(why is None for why, *_ in counts))


def report(outcomes, counts, shown):
    lines = [f"{sum(outcomes.values())} calls, {outcomes['value']} with a value in CPython; {sum(counts.values())} differ", ""]
    lines += ["| class | calls | primitives |", "|---|---:|---|"]
    by_cause = collections.defaultdict(collections.Counter)
    for (why, name, *_), count in counts.items():
        by_cause[why][name] += count
    for why, names in sorted(by_cause.items(), key=lambda item: -item[1].total()):
        listed = ", ".join(f"`{name}` {count}" for name, count in names.most_common())
        lines.append(f"| {CAUSES.get(why, '**no known cause**')} | {names.total()} | {listed} |")
    lines.append("")
    for (why, name, cpython, batt), count in sorted(counts.items(), key=lambda item: (str(item[0][0]), item[0][1], -item[1])):
        lines.append(f"{count:7} {why}: {name}: CPython {cpython}; batt {batt}")
        for text, answer in shown[why, name, cpython, batt]:
            lines += [f"        {text[:400]}", f"          batt: {answer[:200]}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
