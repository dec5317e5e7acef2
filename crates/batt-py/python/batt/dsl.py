"""The primitives and constants of arc-dsl on plain Python values: `from batt.dsl import *` in place of `from dsl import *`.

Grids are tuples of tuples, patches frozen sets, functions any callables. Heavy primitives run in batt's engine. The others, and calls on
values that the engine does not have, run in Python and raise what Python raises. The primitives of the typed dialect and of batt are here
too.
"""

from __future__ import annotations

from typing import Any, Callable, Container, FrozenSet, Iterable, List, Tuple, Union

from batt import _native
from batt._plain import colours, containers, dialect, drawing, functions, grids, lines, numbers, objects as _objects, patches

# The names of arc-dsl's types, for annotations.
Boolean = bool
Integer = int
IntegerTuple = Tuple[Integer, Integer]
Numerical = Union[Integer, IntegerTuple]
IntegerSet = FrozenSet[Integer]
Grid = Tuple[Tuple[Integer, ...], ...]
Cell = Tuple[Integer, IntegerTuple]
Object = FrozenSet[Cell]
Objects = FrozenSet[Object]
Indices = FrozenSet[IntegerTuple]
IndicesSet = FrozenSet[Indices]
Patch = Union[Object, Indices]
Element = Union[Object, Grid]
Piece = Union[Grid, Patch]
TupleTuple = Tuple[Tuple[Any, ...], ...]
ContainerContainer = Container[Container[Any]]

__all__ = [
    "Any", "Boolean", "Callable", "Cell", "Container", "ContainerContainer", "Element", "FrozenSet", "Grid", "Indices", "IndicesSet", "Integer",
    "IntegerSet", "IntegerTuple", "Iterable", "List", "Numerical", "Object", "Objects", "Patch", "Piece", "Tuple", "TupleTuple", "Union",
]  # fmt: skip


class _Primitive(_native.Primitive):
    __slots__ = ()
    # The documentation of a primitive is its own, not that of the class.
    __doc__ = property(lambda self: self.sentence)  # type: ignore[assignment]


def _named(name: str) -> Any:
    """The primitive of a name: what pickles of primitives call."""
    return globals()[name]


def _guarded(function: Any, guards: list[str | None]) -> Any:
    """The function of an alias: it takes its containers for tuples or sets."""
    if function is None or not any(guards):
        return function
    return lambda *args: function(*map(_view, guards, args))


def _view(guard: str | None, value: Any) -> Any:
    if guard in (None, "None"):
        return value
    if guard == "AsTuple":
        return tuple(value)
    if guard in ("Tuple", "Set") and not isinstance(value, tuple if guard == "Tuple" else frozenset):
        raise TypeError(f"a {guard.lower()} is needed, not {type(value).__name__}")
    return value if guard == "Tuple" else frozenset(value)


def _fill_module() -> None:
    """Puts the primitives of the table and the constants here."""
    here = globals()
    modules = (numbers, containers, functions, colours, patches, lines, grids, drawing, _objects, dialect)
    plain = {name: value for module in modules for name, value in vars(module).items() if value.__class__ is _FUNCTION}
    rows = _native.table()
    for row in rows:
        name = row["name"]
        function: Any = plain.get(name if row["alias"] is None else row["alias"])
        # Sets that the engine gives are filled in arc-dsl's order where that is the order of rows and columns.
        if row["is_arc_dsl"] and not row["in_engine"]:
            function.__doc__ = row["doc"]
            function.__module__ = __name__
            function.__batt_primitive__ = row["id"]
        else:
            if row["is_arc_dsl"]:
                function.__batt_primitive__ = row["id"]
            function = _Primitive(row["id"], _guarded(function, row["guards"]), row["from_sets"])
        here[name] = function
        __all__.append(name)
    for name, value in _native.constants().items():
        here[name] = value
        __all__.append(name)


_FUNCTION = type(_fill_module)
_fill_module()
