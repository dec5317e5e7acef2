from dsl import *
from constants import *


def solve_00000001(I):
    """A docstring."""
    x1 = objects(I, T, F, T)  # A comment.
    x2 = argmax(x1, size)
    O = fill(I, value=FIVE, patch=x2)
    return O


def verify_00000002(I: Grid) -> Grid:
    x0 = identity(I)
    x1 = lbind(matcher, size)
    x2 = x1(2)
    x3 = sfilter((I, (1, -2), frozenset({(3, (0, 1))}), ()), x2)
    x17 = branch(equality(x0, I), first(x3), canvas(ZERO, (3, 3)))
    return x17


def solve_00000003(S, I, C):
    return cellwise(I, C, c_zo_n(S, p_g, get_nth_t(S, F0)))
