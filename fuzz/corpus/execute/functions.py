def solve(I):
    x1 = fork(rapply, initset, identity)
    x2 = rbind(power, 3)
    x3 = x2(rot90)
    x4 = apply(x3, (I, I))
    x5 = papply(lbind(hconcat, I), x4, x4)
    O = x1(x1)
    return O

def other(I):
    x1 = asindices(I)
    x2 = mapply(neighbors, x1)
    x3 = prapply(connect, difference(x2, x1), initset((0, 0)))
    x4 = order(x3, size)
    O = underpaint(I, recolor(3, merge(x4)))
    return O

def third(S, I, C):
    x1 = mapply(lbind(apply, palette), S)
    x2 = merge(x1)
    x3 = sfilter(objects(I, F, T, F), compose(flip, matcher(numcolors, 1)))
    O = paint(C, upscale(normalize(merge(x3)), size(x2)))
    return O
