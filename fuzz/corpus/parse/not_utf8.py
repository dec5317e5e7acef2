def f(I):
    return ÿ(I)

def g(I):
    return frozenset({1_000, -9223372036854775808, True, (frozenset(),)})
