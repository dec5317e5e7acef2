"""The primitives of arc-dsl on plain Python values, in Python.

A grid is a tuple of tuples of integers, a location a tuple of two integers, a cell `(colour, location)`, a patch a frozen set of locations or of
cells. Sets are gone through in the order that Python gives, and items are added in the order that arc-dsl adds them, so that what depends on
the order of a set is what arc-dsl gives. What a function does not take raises what Python raises. Docstrings come from the table.
"""
