from dsl import *
from constants import *


def solve_ba770101(I):
    x1 = mostcolor(I)
    x2 = leastcolor(I)
    O = switch(I, x1, x2)
    return O


def solve_ba770102(I):
    x1 = index(I, ORIGIN)
    x2 = shape(I)
    x3 = decrement(x2)
    x4 = index(I, x3)
    O = replace(I, x1, x4)
    return O


def solve_ba770103(I):
    x1 = asindices(I)
    x2 = ofcolor(I, ZERO)
    x3 = difference(x1, x2)
    x4 = toobject(x3, I)
    x5 = mostcolor(x4)
    O = fill(I, x5, x3)
    return O


def solve_ba770104(I):
    x1 = width(I)
    x2 = rbind(repeat, x1)
    x3 = compose(x2, leastcommon)
    O = apply(x3, I)
    return O


def solve_ba770105(I):
    x1 = lbind(subtract, NINE)
    x2 = lbind(apply, x1)
    O = apply(x2, I)
    return O


def solve_ba770201(I):
    O = cmirror(I)
    return O


def solve_ba770202(I):
    O = hupscale(I, THREE)
    return O


def solve_ba770203(I):
    x1 = trim(I)
    x2 = rot180(x1)
    x3 = asobject(x2)
    x4 = shift(x3, UNITY)
    O = paint(I, x4)
    return O


def solve_ba770204(I):
    x1 = height(I)
    x2 = width(I)
    x3 = decrement(x2)
    x4 = tojvec(x3)
    x5 = astuple(x1, ONE)
    x6 = crop(I, x4, x5)
    x7 = astuple(x1, x3)
    x8 = crop(I, ORIGIN, x7)
    O = hconcat(x6, x8)
    return O


def solve_ba770301(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = argmin(x1, size)
    x4 = color(x2)
    x5 = color(x3)
    x6 = recolor(x5, x2)
    x7 = recolor(x4, x3)
    x8 = paint(I, x6)
    O = paint(x8, x7)
    return O


def solve_ba770302(I):
    x1 = objects(I, T, F, T)
    x2 = mapply(corners, x1)
    O = cover(I, x2)
    return O


def solve_ba770303(I):
    x1 = objects(I, F, T, T)
    x2 = merge(x1)
    x3 = cover(I, x2)
    x4 = mapply(vmirror, x1)
    O = paint(x3, x4)
    return O


def solve_ba770304(I):
    x1 = objects(I, T, F, T)
    x2 = sfilter(x1, portrait)
    x3 = difference(x1, x2)
    x4 = merge(x2)
    x5 = merge(x3)
    x6 = fill(I, ONE, x4)
    O = fill(x6, TWO, x5)
    return O


def solve_ba770305(I):
    x1 = objects(I, T, F, T)
    x2 = rbind(bordering, I)
    x3 = mfilter(x1, x2)
    O = cover(I, x3)
    return O


def solve_ba770401(I):
    x1 = objects(I, T, F, T)
    x2 = size(x1)
    x3 = astuple(ONE, x2)
    x4 = leastcolor(I)
    O = canvas(x4, x3)
    return O


def solve_ba770402(I):
    x1 = numcolors(I)
    x2 = astuple(x1, x1)
    x3 = mostcolor(I)
    O = canvas(x3, x2)
    return O


def solve_ba770403(I):
    x1 = colorcount(I, ONE)
    x2 = colorcount(I, TWO)
    x3 = greater(x1, x2)
    x4 = branch(x3, ONE, TWO)
    O = canvas(x4, THREE_BY_THREE)
    return O


def solve_ba770404(I):
    x1 = lbind(colorcount, I)
    x2 = fork(repeat, identity, x1)
    x3 = lbind(subtract, TEN)
    x4 = compose(x3, x1)
    x5 = lbind(repeat, ZERO)
    x6 = compose(x5, x4)
    x7 = fork(combine, x2, x6)
    x8 = interval(ONE, FOUR, ONE)
    O = apply(x7, x8)
    return O


def solve_ba770405(I):
    x1 = objects(I, T, F, T)
    x2 = compose(even, size)
    x3 = mfilter(x1, x2)
    O = fill(I, FOUR, x3)
    return O


def solve_ba770501(I):
    x1 = rot180(I)
    x2 = ofcolor(I, ZERO)
    x3 = toobject(x2, x1)
    O = paint(I, x3)
    return O


def solve_ba770502(I):
    x1 = vmirror(I)
    O = cellwise(I, x1, FIVE)
    return O


def solve_ba770503(I):
    x1 = width(I)
    x2 = astuple(ONE, x1)
    x3 = canvas(FIVE, x2)
    x4 = hmirror(I)
    x5 = vconcat(I, x3)
    O = vconcat(x5, x4)
    return O


def solve_ba770504(I):
    x1 = objects(I, T, T, T)
    x2 = fork(equality, identity, vmirror)
    x3 = mfilter(x1, x2)
    O = fill(I, EIGHT, x3)
    return O


def solve_ba770505(I):
    x1 = rot90(I)
    x2 = rot180(I)
    x3 = rot270(I)
    x4 = asobject(x1)
    x5 = asobject(x2)
    x6 = asobject(x3)
    x7 = underpaint(I, x4)
    x8 = underpaint(x7, x5)
    O = underpaint(x8, x6)
    return O


def solve_ba770601(I):
    x1 = objects(I, T, F, T)
    x2 = rbind(shoot, UNITY)
    x3 = compose(x2, center)
    x4 = fork(recolor, color, x3)
    x5 = mapply(x4, x1)
    O = paint(I, x5)
    return O


def solve_ba770602(I):
    x1 = fgpartition(I)
    x2 = fork(connect, ulcorner, lrcorner)
    x3 = mapply(x2, x1)
    O = underfill(I, FIVE, x3)
    return O


def solve_ba770603(I):
    x1 = objects(I, T, F, T)
    x2 = sfilter(x1, hline)
    x3 = compose(hfrontier, center)
    x4 = mapply(x3, x2)
    x5 = sfilter(x1, vline)
    x6 = compose(vfrontier, center)
    x7 = mapply(x6, x5)
    x8 = fill(I, TWO, x4)
    O = fill(x8, THREE, x7)
    return O


def solve_ba770604(I):
    x1 = asindices(I)
    x2 = box(x1)
    x3 = leastcolor(I)
    O = fill(I, x3, x2)
    return O


def solve_ba770605(I):
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    x3 = uppermost(x2)
    x4 = height(I)
    x5 = interval(x3, x4, TWO)
    x6 = width(I)
    x7 = interval(ZERO, x6, ONE)
    x8 = product(x5, x7)
    O = fill(I, x1, x8)
    return O


def solve_ba770701(I):
    x1 = rbind(sfilter, positive)
    x2 = compose(size, x1)
    O = order(I, x2)
    return O


def solve_ba770702(I):
    x1 = objects(I, T, F, T)
    x2 = width(I)
    x3 = decrement(x2)
    x4 = lbind(subtract, x3)
    x5 = chain(tojvec, x4, rightmost)
    x6 = fork(shift, identity, x5)
    x7 = mapply(x6, x1)
    x8 = merge(x1)
    x9 = cover(I, x8)
    O = paint(x9, x7)
    return O


def solve_ba770703(I):
    x1 = objects(I, T, F, T)
    x2 = compose(toivec, height)
    x3 = fork(shift, identity, x2)
    x4 = mapply(x3, x1)
    x5 = merge(x1)
    x6 = cover(I, x5)
    O = paint(x6, x4)
    return O


def solve_ba770704(I):
    x1 = objects(I, T, F, T)
    x2 = colorfilter(x1, ONE)
    x3 = colorfilter(x1, TWO)
    x4 = chain(toivec, invert, uppermost)
    x5 = fork(shift, identity, x4)
    x6 = mapply(x5, x2)
    x7 = height(I)
    x8 = decrement(x7)
    x9 = lbind(subtract, x8)
    x10 = chain(toivec, x9, lowermost)
    x11 = fork(shift, identity, x10)
    x12 = mapply(x11, x3)
    x13 = merge(x1)
    x14 = cover(I, x13)
    x15 = paint(x14, x6)
    O = paint(x15, x12)
    return O


def solve_ba770801(I):
    x1 = rot180(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x1, I)
    O = vconcat(x2, x3)
    return O


def solve_ba770802(I):
    x1 = crop(I, ORIGIN, THREE_BY_THREE)
    x2 = asobject(x1)
    x3 = height(I)
    x4 = interval(ZERO, x3, THREE)
    x5 = width(I)
    x6 = interval(ZERO, x5, THREE)
    x7 = product(x4, x6)
    x8 = lbind(shift, x2)
    x9 = mapply(x8, x7)
    O = paint(I, x9)
    return O


def solve_ba770803(I):
    x1 = numcolors(I)
    x2 = repeat(I, x1)
    O = merge(x2)
    return O


def solve_ba770804(I):
    x1 = lefthalf(I)
    x2 = righthalf(I)
    x3 = hconcat(x2, x1)
    x4 = hconcat(I, I)
    x5 = hconcat(x3, x3)
    O = vconcat(x4, x5)
    return O


def solve_ba770805(I):
    x1 = asobject(I)
    x2 = hperiod(x1)
    x3 = vperiod(x1)
    x4 = astuple(x3, x2)
    x5 = crop(I, ORIGIN, x4)
    O = rot180(x5)
    return O


def solve_ba770901(I):
    x1 = objects(I, T, F, T)
    x2 = argmin(x1, leftmost)
    O = subgrid(x2, I)
    return O


def solve_ba770902(I):
    x1 = lbind(contained, ZERO)
    x2 = compose(flip, x1)
    O = sfilter(I, x2)
    return O


def solve_ba770903(I):
    x1 = tophalf(I)
    x2 = bottomhalf(I)
    x3 = hsplit(x1, TWO)
    x4 = hsplit(x2, TWO)
    x5 = combine(x3, x4)
    x6 = rbind(colorcount, EIGHT)
    O = argmax(x5, x6)
    return O


def solve_ba770904(I):
    x1 = ofcolor(I, FIVE)
    x2 = leftmost(x1)
    x3 = astuple(ONE, x2)
    x4 = height(I)
    x5 = decrement(x4)
    x6 = astuple(x5, ONE)
    O = crop(I, x3, x6)
    return O


def solve_ba770905(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = remove(x2, x1)
    x4 = argmax(x3, size)
    O = subgrid(x4, I)
    return O


def solve_ba770a01(I):
    x1 = lefthalf(I)
    x2 = righthalf(I)
    x3 = ofcolor(x1, FIVE)
    x4 = toobject(x3, x2)
    x5 = shape(x2)
    x6 = canvas(ZERO, x5)
    O = paint(x6, x4)
    return O


def solve_ba770a02(I):
    x1 = objects(I, T, F, T)
    x2 = size(x1)
    x3 = argmin(x1, size)
    x4 = subgrid(x3, I)
    O = upscale(x4, x2)
    return O


def solve_ba770a03(I):
    x1 = index(I, ORIGIN)
    x2 = index(I, RIGHT)
    x3 = replace(I, x1, x2)
    x4 = connect(ORIGIN, RIGHT)
    O = cover(x3, x4)
    return O


def solve_ba770a04(I):
    x1 = objects(I, T, F, T)
    x2 = order(x1, size)
    x3 = valmax(x1, size)
    x4 = lbind(subtract, x3)
    x5 = compose(x4, size)
    x6 = lbind(repeat, ZERO)
    x7 = compose(x6, x5)
    x8 = fork(repeat, color, size)
    x9 = fork(combine, x8, x7)
    O = apply(x9, x2)
    return O


def solve_ba770a05(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = shape(I)
    x4 = mostcolor(I)
    x5 = canvas(x4, x3)
    x6 = asindices(I)
    x7 = center(x6)
    x8 = center(x2)
    x9 = subtract(x7, x8)
    x10 = shift(x2, x9)
    x11 = paint(x5, x10)
    x12 = color(x2)
    x13 = box(x6)
    O = fill(x11, x12, x13)
    return O
