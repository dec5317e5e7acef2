"""Arguments that are neither plain values nor functions: grids, lists and arrays.

A function looks at the class of an argument first, so that a plain value costs one comparison.
"""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType

from batt._native import taken

__all__ = ["PLAIN", "taken"]

# Classes of values that stay as they are.
PLAIN = frozenset({tuple, frozenset, int, bool, type(None), FunctionType, BuiltinFunctionType})
