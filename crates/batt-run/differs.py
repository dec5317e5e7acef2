from dsl import *
from constants import *

# Differs in arc-dsl's own primitives: how far a candidate (I) is from the expected output (C), 0 to 1000, and what is missing.


def differ_colours_extra(S, I, C):
    """Colours that the candidate has and the output has not."""
    x1 = palette(I)
    x2 = palette(C)
    x3 = difference(x1, x2)
    x4 = size(x3)
    x5 = multiply(x4, HUNDRED)
    x6 = subtract(THOUSAND, x5)
    x7 = astuple(x6, x3)
    return x7


def differ_colours_missing(S, I, C):
    """Colours that the output has and the candidate has not."""
    x1 = palette(I)
    x2 = palette(C)
    x3 = difference(x2, x1)
    x4 = size(x3)
    x5 = multiply(x4, HUNDRED)
    x6 = subtract(THOUSAND, x5)
    x7 = astuple(x6, x3)
    return x7


def differ_dots_extra(S, I, C):
    """One-cell objects that the candidate has and the output has not."""
    x1 = objects(I, T, F, T)
    x2 = sizefilter(x1, ONE)
    x3 = objects(C, T, F, T)
    x4 = sizefilter(x3, ONE)
    x5 = difference(x2, x4)
    x6 = size(x5)
    x7 = multiply(x6, HUNDRED)
    x8 = subtract(THOUSAND, x7)
    x9 = astuple(ZERO, x8)
    x10 = maximum(x9)
    x11 = astuple(x10, x5)
    return x11


def differ_dots_missing(S, I, C):
    """One-cell objects that the output has and the candidate has not."""
    x1 = objects(I, T, F, T)
    x2 = sizefilter(x1, ONE)
    x3 = objects(C, T, F, T)
    x4 = sizefilter(x3, ONE)
    x5 = difference(x4, x2)
    x6 = size(x5)
    x7 = multiply(x6, HUNDRED)
    x8 = subtract(THOUSAND, x7)
    x9 = astuple(ZERO, x8)
    x10 = maximum(x9)
    x11 = astuple(x10, x5)
    return x11


def differ_cells(S, I, C):
    """Cells that match, as a share of the larger grid."""
    x1 = asobject(I)
    x2 = asobject(C)
    x3 = intersection(x1, x2)
    x4 = size(x3)
    x5 = size(x1)
    x6 = size(x2)
    x7 = astuple(x5, x6)
    x8 = maximum(x7)
    x9 = multiply(x4, THOUSAND)
    x10 = divide(x9, x8)
    x11 = difference(x2, x1)
    x12 = astuple(x10, x11)
    return x12


def differ_shape(S, I, C):
    """Height and width, 50 off for each row or column too many or too few."""
    x1 = shape(C)
    x2 = shape(I)
    x3 = subtract(x1, x2)
    x4 = sign(x3)
    x5 = multiply(x3, x4)
    x6 = first(x5)
    x7 = last(x5)
    x8 = add(x6, x7)
    x9 = multiply(x8, FIVE)
    x10 = multiply(x9, TEN)
    x11 = subtract(THOUSAND, x10)
    x12 = astuple(ZERO, x11)
    x13 = maximum(x12)
    x14 = astuple(x13, x3)
    return x14


def differ_object_count(S, I, C):
    """The number of objects, 100 off for each too many or too few."""
    x1 = objects(I, T, F, T)
    x2 = size(x1)
    x3 = objects(C, T, F, T)
    x4 = size(x3)
    x5 = subtract(x4, x2)
    x6 = sign(x5)
    x7 = multiply(x5, x6)
    x8 = multiply(x7, HUNDRED)
    x9 = subtract(THOUSAND, x8)
    x10 = astuple(ZERO, x9)
    x11 = maximum(x10)
    x12 = astuple(x11, x5)
    return x12


def differ_aligned(S, I, C):
    """Foreground cells that match when both foregrounds are moved to the origin."""
    x1 = fgpartition(I)
    x2 = merge(x1)
    x3 = normalize(x2)
    x4 = fgpartition(C)
    x5 = merge(x4)
    x6 = normalize(x5)
    x7 = intersection(x3, x6)
    x8 = size(x7)
    x9 = increment(x8)
    x10 = size(x3)
    x11 = size(x6)
    x12 = astuple(x10, x11)
    x13 = maximum(x12)
    x14 = increment(x13)
    x15 = multiply(x9, THOUSAND)
    x16 = divide(x15, x14)
    x17 = difference(x6, x3)
    x18 = astuple(x16, x17)
    return x18
