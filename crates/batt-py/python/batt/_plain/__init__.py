"""The primitives of arc-dsl on plain Python values, in Python.

A grid is a tuple of tuples of integers, a location a tuple of two integers, a cell `(colour, location)`. A patch is a frozen set of
locations or of cells. Sets are iterated in Python's order, and items are added in arc-dsl's order, so that results that depend on the
order of a set equal arc-dsl's. Arguments that a function does not take raise what Python raises. Docstrings come from the table.
"""
