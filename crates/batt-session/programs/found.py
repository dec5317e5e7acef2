# Programs that `batt search --columns 60000` found for ARC-AGI-1 training tasks, each with the way it was found.
# Made by bench/library.py.


# search-column
def solve_007bbfb7(I):
    O = self_product(I, 0)
    return O


# rule-periods
def solve_017c7c7b(I):
    x1 = periodrule(I, 10, (9, 3), (0, 0, 0, 0))
    O = cellrule(x1, 0, ((((0, 0, 0, 0, 1),), 2), ((), (0, 0, 0))))
    return O


# search-cover
def solve_0520fde7(I):
    x1 = astuple(3, 3)
    x2 = canvas(0, x1)
    x3 = embed(I, x2)
    x4 = in_colour(x3, 2)
    x5 = half(I, 1)
    x6 = to_origin(x5)
    O = masked(x4, x6, 0)
    return O


# rule-periods
def solve_05269061(I):
    O = periodrule(I, 0, (0, 0), (0, 0, 0, 0))
    return O


# search-column
def solve_05f2a901(I):
    O = attracted(I, 8)
    return O


# rule-lines
def solve_06df4c85(I):
    O = linerule(I, 0, ((10, 1, 15, 3, 4, 0, 10),))
    return O


# search-column
def solve_08ed6ac7(I):
    O = ranked(I, 0)
    return O


# rule-cells
def solve_09629e4f(I):
    O = cellrule(I, 0, (((), (23, 10, 0)), ((), (0, 0, 0))))
    return O


# rule-views
def solve_0962bcdd(I):
    x1 = renamed(I, 1, (0, 0))
    x2 = cellrule(x1, 0, ((((0, 11, 1, 0, -1), (3, 12, 0, 0, 3)), 2), (((0, 6, 0, 0, 1),), 1), ((), (0, 0, 0))))
    O = restored(x2, I, 1, (0, 0))
    return O


# rule-pick
def solve_0b148d64(I):
    O = pickrule(I, 0, 16, ((((0, 4, 0, 0, 1),), 1), ((), 0)))
    return O


# search-table
def solve_0d3d703e(I):
    O = recoloured(I, (0, 5, 6, 4, 3, 1, 2, 7, 9, 8))
    return O


# search-column
def solve_0dfd9992(I):
    x1 = to_origin(I)
    x2 = hull(x1, 0)
    O = extended(I, x2, 0)
    return O


# rule-stamps
def solve_0e206a2e(I):
    O = templaterule(I, 0, 10)
    return O


# search-column
def solve_1190e5a7(I):
    x1 = grounded(I)
    x2 = renamed(x1, 1, (0,))
    x3 = squeezed(x2, 1)
    x4 = pair_of(x3, 5)
    x5 = add(x4, (1, 1))
    x6 = canvas(0, x5)
    x7 = hull(x6, 0)
    x8 = restored(x7, x1, 1, (0,))
    O = grounded_as(x8, I)
    return O


# search-column
def solve_137eaa0f(I):
    O = aligned(I, 5)
    return O


# rule-lines
def solve_1a07d186(I):
    O = moverule(I, 0, 1, ((((1, 4, 0, 0, 0),), (3, 11, 2)),))
    return O


# search-table
def solve_1b2d62fb(I):
    x1 = astuple(5, 3)
    x2 = canvas(0, x1)
    x3 = extended(I, x2, 1)
    O = recoloured(x3, (8, 1, 2, 3, 4, 5, 6, 7, 8, 0))
    return O


# search-cover
def solve_1b60fb0c(I):
    x1 = sorted_lines(I, 3)
    x2 = half(x1, 1)
    x3 = to_origin(I)
    x4 = hull(x3, 0)
    x5 = embed(x2, x4)
    x6 = flipped(I, 1)
    x7 = turned(x6, 5)
    x8 = in_colour(x7, 2)
    x9 = over(x8, x5, 0)
    x10 = smear(I, 0)
    x11 = turned(x10, 5)
    x12 = masked(x9, x11, 0)
    O = over(I, x12, 0)
    return O


# search-cover
def solve_1bfc4729(I):
    x1 = line_colours(I, 0)
    x2 = grown(x1, 0)
    x3 = hull(I, 1)
    x4 = places(x3, 9)
    x5 = masked(x2, x4, 0)
    O = over(x1, x5, 0)
    return O


# rule-pick
def solve_1c786137(I):
    O = pickrule(I, 0, 20, ((((0, 4, 0, 0, 0),), 1), ((), 0)))
    return O


# rule-lines
def solve_1caeab9d(I):
    O = moverule(I, 0, 1, ((((1, 0, 0, 0, 1),), (6, 1, 0)),))
    return O


# search-column
def solve_1e0a9b12(I):
    O = dropped(I, 2)
    return O


# rule-cells
def solve_1e32b0e9(I):
    O = cellrule(I, 0, ((((1, 21, 0, 0, 0),), (19, 4, 73)), ((), (0, 0, 0))))
    return O


# rule-cells
def solve_1f0c79e5(I):
    O = cellrule(I, 0, ((((0, 10, 0, 0, 2), (0, 11, 0, 0, 2), (0, 16, 1, 0, 1)), (10, 3, 0)), (((0, 11, 0, 0, 2), (0, 16, 1, 0, 1)), (10, 0, 0)), ((), (0, 0, 0))))
    return O


# rule-lines
def solve_1f642eb9(I):
    O = linerule(I, 0, ((10, 2, 15, 0, 7, 2, 10),))
    return O


# rule-pick
def solve_1f85a75f(I):
    O = pickrule(I, 0, 0, ((((0, 4, 0, 0, 0),), 1), ((), 0)))
    return O


# rule-layouts
def solve_1fad071e(I):
    O = drawrule(I, 0, (0, 1, 1, 0, 0), (0, 0, 0, 5, 10))
    return O


# search-column
def solve_2013d3e2(I):
    x1 = squeezed(I, 0)
    x2 = astuple(3, 3)
    x3 = canvas(0, x2)
    O = embed(x1, x3)
    return O


# search-cover
def solve_22168020(I):
    x1 = links(I, 0)
    x2 = over(x1, I, 0)
    x3 = smear(I, 3)
    O = masked(x2, x3, 0)
    return O


# search-cover
def solve_22eb0ac0(I):
    x1 = links(I, 0)
    x2 = over(I, x1, 0)
    x3 = line_colours(I, 0)
    O = masked(x2, x3, 0)
    return O


# search-table
def solve_23581191(I):
    x1 = line_colours(I, 0)
    x2 = smear(I, 6)
    x3 = astuple(x1, x2)
    O = tabled(x3, ((0, 0, 0), (0, 7, 7), (0, 8, 8), (7, 7, 7), (7, 8, 2), (8, 7, 2), (8, 8, 8)))
    return O


# search-table
def solve_23b5c85d(I):
    x1 = renamed(I, 1, (0, 1, 6, 13, 0))
    x2 = components_of(x1, 0)
    x3 = pick(x2, 1)
    x4 = to_origin(x3)
    x5 = hull(x4, 0)
    x6 = recoloured(x5, (2, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    O = restored(x6, I, 1, (0, 1, 6, 13, 0))
    return O


# search-table
def solve_253bf280(I):
    x1 = bridges(I, 2)
    x2 = astuple(I, x1)
    O = tabled(x2, ((0, 0, 0), (0, 8, 3), (8, 0, 8)))
    return O


# rule-cells
def solve_25d8a9c8(I):
    O = cellrule(I, 10, ((((0, 25, 0, 0, 0),), 0), ((), 5)))
    return O


# rule-cells
def solve_25ff71a9(I):
    O = cellrule(I, 0, (((), (0, -1, 0)), ((), 10)))
    return O


# search-table
def solve_27a28665(I):
    x1 = ranked(I, 3)
    x2 = astuple(1, 1)
    x3 = canvas(0, x2)
    x4 = embed(x1, x3)
    x5 = sorted_lines(I, 2)
    x6 = embed(x5, x3)
    x7 = astuple(x4, x6)
    O = tabled(x7, ((0, 0, 6), (0, 1, 3), (0, 8, 3), (1, 0, 2), (2, 0, 1)))
    return O


# rule-layouts
def solve_28bf18c6(I):
    x1 = squeezed(I, 0)
    x2 = to_origin(x1)
    O = layoutrule(x2, ((0, 0),), 0, (0, 0, 0, 0))
    return O


# rule-after
def solve_28e73c20(I):
    x1 = largest_rectangle(I, 0)
    x2 = places(x1, 10)
    x3 = in_colour(x2, 3)
    O = cellrule(x3, 0, ((((4, 0, -1, 1, 0), (4, 0, 1, 0, 0)), (0, 0, 1)), (((0, 0, -1, 1, 0), (0, 0, 0, 0, 0)), (0, 0, -1)), ((), (0, 0, 0))))
    return O


# rule-cells
def solve_29623171(I):
    O = cellrule(I, 0, ((((0, 19, 5, 38, 0),), (10, 1, 0)), (((1, 0, 0, 0, 5),), 10), ((), (0, 0, 0))))
    return O


# rule-lines
def solve_29c11459(I):
    O = linerule(I, 0, ((10, 0, 15, 0, 4, 3, 5), (5, 0, 15, 0, 7, 0, 11)))
    return O


# search-column
def solve_29ec7d0e(I):
    x1 = to_origin(I)
    x2 = hull(x1, 0)
    O = extended(I, x2, 0)
    return O


# rule-cells
def solve_2bee17df(I):
    O = cellrule(I, 0, ((((0, 0, 0, 0, 0), (0, 9, 1, 0, 2)), 3), (((0, 0, 0, 0, 0), (0, 9, 0, 0, 2)), 3), ((), (0, 0, 0))))
    return O


# rule-pick
def solve_2dc579da(I):
    O = pickrule(I, 10, 4, ((((0, 4, 0, 0, 3),), 1), ((), 0)))
    return O


# search-column
def solve_2dee498d(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = to_origin(I)
    x4 = height(x3)
    x5 = astuple(x2, x4)
    x6 = canvas(0, x5)
    O = embed(I, x6)
    return O


# rule-pieces
def solve_321b1fc6(I):
    O = copyrule(I, 0, 10, 5)
    return O


# search-table
def solve_32597951(I):
    x1 = boxed(I, 2)
    x2 = astuple(I, x1)
    O = tabled(x2, ((0, 0, 0), (0, 1, 0), (1, 1, 1), (1, 8, 3), (8, 8, 8)))
    return O


# rule-periods
def solve_3345333e(I):
    O = periodrule(I, 11, (0, 0), (4, 0, 0, 0))
    return O


# rule-views
def solve_3428a4f5(I):
    x1 = parts_of(I)
    x2 = compared(x1, 2)
    x3 = to_origin(x2)
    O = objectrule(x3, 0, 0, (((), 3),))
    return O


# search-cover
def solve_3618c87e(I):
    x1 = flipped(I, 1)
    x2 = over(x1, I, 0)
    x3 = half(I, 3)
    x4 = to_origin(I)
    x5 = hull(x4, 0)
    x6 = embed(x3, x5)
    O = masked(x2, x6, 0)
    return O


# search-cover
def solve_363442ee(I):
    x1 = only_common(I, 2)
    x2 = stamped(x1, 1)
    O = over(x2, I, 0)
    return O


# rule-stamps
def solve_36d67576(I):
    O = templaterule(I, 0, 8)
    return O


# rule-drawn
def solve_36fdfd69(I):
    O = cellrule(I, 10, ((((0, 26, 0, 2, 1), (2, 7, 1, 2, 2)), 4), (((0, 19, 0, 3, 6), (0, 26, 1, 2, 1), (1, 6, 2, 0, 5)), (29, 14, 1)), (((0, 29, 15, 4, 2), (0, 19, 4, 67, 0)), 4), (((0, 0, -1, 0, 2), (0, 24, 2, 0, 2)), 4), ((), (0, 0, 0))))
    return O


# rule-lines
def solve_3ac3eb23(I):
    O = linerule(I, 0, ((10, 0, 240, 0, 0, 4, 10), (10, 0, 2, 0, 0, 1, 10)))
    return O


# search-column
def solve_3af2c5a8(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = multiply(x2, 2)
    x4 = to_origin(I)
    x5 = width(x4)
    x6 = multiply(x5, 2)
    x7 = astuple(x3, x6)
    x8 = canvas(0, x7)
    O = reflected(I, x8, 0)
    return O


# rule-cells
def solve_3bdb4ada(I):
    O = cellrule(I, 0, ((((0, 6, 0, 0, 4), (0, 17, 0, 5, 0)), 10), ((), (0, 0, 0))))
    return O


# search-column
def solve_3c9b0459(I):
    O = flipped(I, 2)
    return O


# search-column
def solve_3de23699(I):
    x1 = exchanged(I, 0)
    x2 = pair_of(I, 3)
    x3 = subtract((-1, -1), x2)
    x4 = moved(x1, x3)
    x5 = pair_of(I, 6)
    x6 = add(x5, (-2, -2))
    x7 = canvas(0, x6)
    O = embed(x4, x7)
    return O


# search-cover
def solve_40853293(I):
    x1 = links(I, 2)
    x2 = over(x1, I, 0)
    x3 = boxed(I, 2)
    O = masked(x2, x3, 0)
    return O


# rule-lines
def solve_4093f84a(I):
    O = moverule(I, 0, 1, ((((1, 0, 0, 0, 5),), (3, 5, 3)),))
    return O


# search-cover
def solve_4258a5f9(I):
    x1 = outlined(I, 0)
    O = over(x1, I, 0)
    return O


# rule-objects
def solve_42a50994(I):
    O = objectrule(I, 0, 1, ((((1, 1, 0, 0, 1), (1, 24, 0, 0, 13)), (0, 0, 0)), ((), 10)))
    return O


# search-column
def solve_4347f46a(I):
    O = rim(I, 0)
    return O


# search-column
def solve_445eab21(I):
    O = count_bar(I, 3)
    return O


# rule-stamps
def solve_447fd412(I):
    O = templaterule(I, 0, 16)
    return O


# rule-objects
def solve_44d8ac46(I):
    O = objectrule(I, 0, 4, ((((0, 13, 0, 0, 1), (0, 18, 0, 0, 1)), 2),))
    return O


# rule-drawn
def solve_4612dd53(I):
    O = cellrule(I, 0, ((((0, 29, 0, 2, 1), (2, 9, 0, 0, 5)), 2), (((0, 0, 0, 0, 0), (1, 16, 0, 0, 1), (2, 9, 1, 0, 4)), 2), ((), (0, 0, 0))))
    return O


# search-column
def solve_46442a0e(I):
    O = pinwheel(I, 0)
    return O


# rule-views
def solve_46f33fce(I):
    x1 = enlarged(I, 2)
    x2 = to_origin(x1)
    O = cellrule(x2, 0, ((((1, 0, 2, 0, 0),), (1, 1, 0)), (((3, 2, 5, 0, 2),), (1, 5, 0)), (((0, 0, 0, 0, 0),), (0, 0, 2)), ((), (0, 0, 0))))
    return O


# rule-views
def solve_47c1f68c(I):
    x1 = renamed(I, 1, (6, 0))
    x2 = panels_of(x1)
    x3 = compared(x2, 2)
    x4 = to_origin(x3)
    x5 = layoutrule(x4, ((0, 1), (2, 3)), 0, (0, 0, 0, 0))
    O = restored(x5, I, 1, (6, 0))
    return O


# search-column
def solve_484b58aa(I):
    x1 = to_origin(I)
    x2 = hull(x1, 0)
    O = extended(I, x2, 2)
    return O


# rule-pick
def solve_48d8fb45(I):
    O = pickrule(I, 0, 1, ((((0, 60, 0, 0, 5),), 1), ((), 0)))
    return O


# search-column
def solve_496994bd(I):
    O = symmetrized(I, 1)
    return O


# search-column
def solve_4be741c5(I):
    x1 = boxed(I, 0)
    x2 = squeezed(x1, 1)
    x3 = to_origin(x2)
    x4 = hull(x3, 0)
    O = stretched(I, x4)
    return O


# rule-periods
def solve_4c5c2cf0(I):
    O = periodrule(I, 0, (0, 0), (4, 2, 2, 0))
    return O


# rule-lines
def solve_508bd3b6(I):
    O = linerule(I, 0, ((10, 0, 240, 0, 4, 0, 3), (10, 3, 240, 0, 0, 0, 10)))
    return O


# search-cover
def solve_50cb2852(I):
    x1 = in_colour(I, 8)
    x2 = rim(I, 0)
    x3 = over(x2, x1, 0)
    O = masked(x3, I, 0)
    return O


# rule-pick
def solve_5117e062(I):
    x1 = pickrule(I, 0, 12, ((((0, 20, 0, 0, 2),), 1), ((), 0)))
    O = holes_filled(x1)
    return O


# rule-lifts
def solve_5168d44c(I):
    x1 = oriented(I, 4)
    x2 = moverule(x1, 0, 1, ((((0, 0, 0, 0, 2),), (4, 2, 0)),))
    O = unoriented(x2, I, 4)
    return O


# rule-periods
def solve_539a4f51(I):
    O = periodrule(I, 10, (10, 10), (3, 0, 0, 0))
    return O


# rule-periods
def solve_53b68214(I):
    O = periodrule(I, 10, (10, 10), (1, 0, 0, 0))
    return O


# search-cover
def solve_543a7ed5(I):
    x1 = grounded(I)
    x2 = outlined(x1, 0)
    x3 = in_colour(x2, 3)
    x4 = boxed(x1, 0)
    x5 = in_colour(x4, 4)
    x6 = over(x5, x3, 0)
    x7 = over(x1, x6, 0)
    O = grounded_as(x7, I)
    return O


# rule-cells
def solve_54d82841(I):
    O = cellrule(I, 0, ((((0, 0, 1, 0, -1), (0, 9, 1, 0, 1)), 4), ((), (0, 0, 0))))
    return O


# rule-lines
def solve_5521c0d9(I):
    O = moverule(I, 0, 1, (((), (5, 0, 0)),))
    return O


# search-column
def solve_5582e5ca(I):
    x1 = grounded(I)
    x2 = renamed(x1, 273, (0, 0))
    x3 = to_origin(x2)
    x4 = hull(x3, 0)
    x5 = hull(x4, 0)
    x6 = restored(x5, x1, 273, (0, 0))
    O = grounded_as(x6, I)
    return O


# search-column
def solve_56ff96f3(I):
    O = boxed(I, 2)
    return O


# rule-stamps
def solve_57aa92db(I):
    O = templaterule(I, 0, 44)
    return O


# search-column
def solve_5bd6f4ac(I):
    x1 = moved(I, (0, -6))
    x2 = astuple(3, 3)
    x3 = canvas(0, x2)
    O = embed(x1, x3)
    return O


# rule-lines
def solve_5c0a986e(I):
    O = linerule(I, 0, ((1, 1, 16, 0, 0, 0, 10), (2, 1, 32, 0, 0, 0, 10)))
    return O


# search-cover
def solve_60b61512(I):
    x1 = boxed(I, 0)
    x2 = in_colour(x1, 7)
    x3 = over(I, x2, 0)
    O = masked(x3, x1, 0)
    return O


# search-column
def solve_6150a2bd(I):
    O = turned(I, 1)
    return O


# search-column
def solve_62c24649(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = multiply(x2, 2)
    x4 = to_origin(I)
    x5 = width(x4)
    x6 = multiply(x5, 2)
    x7 = astuple(x3, x6)
    x8 = canvas(0, x7)
    O = reflected(I, x8, 0)
    return O


# rule-objects
def solve_63613498(I):
    O = objectrule(I, 0, 0, ((((0, 8, 0, 0, 1), (0, 27, 0, 0, 0)), 5), ((), (0, 0, 0))))
    return O


# rule-objects
def solve_6455b5f5(I):
    O = objectrule(I, 0, 4, ((((0, 4, 0, 0, 0),), 1), (((0, 5, 0, 0, 0),), 8), ((), (0, 0, 0))))
    return O


# search-column
def solve_662c240a(I):
    x1 = blocks_of(I, 3)
    x2 = pick(x1, 15)
    O = to_origin(x2)
    return O


# rule-cells
def solve_67a423a3(I):
    O = cellrule(I, 0, ((((1, 6, 0, 0, 4), (1, 6, 3, 0, 3), (2, 6, 2, 0, 3)), 4), ((), (0, 0, 0))))
    return O


# search-column
def solve_67e8384a(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = multiply(x2, 2)
    x4 = to_origin(I)
    x5 = width(x4)
    x6 = multiply(x5, 2)
    x7 = astuple(x3, x6)
    x8 = canvas(0, x7)
    O = reflected(I, x8, 0)
    return O


# rule-pieces
def solve_681b3aeb(I):
    O = fitrule(I, 0, 5)
    return O


# search-cover
def solve_694f12f3(I):
    x1 = ranked(I, 1)
    x2 = rim(I, 0)
    x3 = over(x2, x1, 0)
    O = masked(x3, I, 0)
    return O


# rule-stamps
def solve_6aa20dc0(I):
    O = templaterule(I, 10, 24)
    return O


# rule-pieces
def solve_6b9890af(I):
    O = fitrule(I, 0, 11)
    return O


# rule-pieces
def solve_6c434453(I):
    O = replacerule(I, 0, ((((1, 1, 1), (1, 0, 1), (1, 1, 1)), ((0, 2, 0), (2, 2, 2), (0, 2, 0))),))
    return O


# rule-sweeps
def solve_6cdd2623(I):
    O = sweeprule(I, 0, 1, ((((6, 14, 0, 0, 1),), (14, 0, 0)), (((6, 14, 2, 0, 1),), (10, 1, 0)), ((), 10)))
    return O


# search-column
def solve_6d0aefbc(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = to_origin(I)
    x4 = width(x3)
    x5 = multiply(x4, 2)
    x6 = astuple(x2, x5)
    x7 = canvas(0, x6)
    O = reflected(I, x7, 0)
    return O


# search-cover
def solve_6d75e8bb(I):
    x1 = boxed(I, 0)
    x2 = in_colour(x1, 2)
    x3 = over(I, x2, 0)
    O = masked(x3, x1, 0)
    return O


# rule-lines
def solve_6e19193c(I):
    O = linerule(I, 0, ((10, 5, 240, 0, 0, 0, 10),))
    return O


# rule-stamps
def solve_72322fa7(I):
    O = templaterule(I, 0, 32)
    return O


# rule-pick
def solve_72ca375d(I):
    O = pickrule(I, 0, 1, ((((0, 13, 0, 0, 1),), 1), ((), 0)))
    return O


# search-cover
def solve_73251a56(I):
    x1 = smear(I, 7)
    x2 = mirror_repaired(I)
    O = over(x2, x1, 0)
    return O


# rule-objects
def solve_7447852a(I):
    O = objectrule(I, 0, 4, ((((1, 4, 0, 0, 9), (1, 56, 0, 0, 0)), (0, 0, 0)), ((), 4)))
    return O


# rule-pick
def solve_7468f01a(I):
    x1 = pickrule(I, 0, 12, (((), 1), ((), 0)))
    O = turned(x1, 3)
    return O


# search-column
def solve_746b3537(I):
    O = squeezed(I, 1)
    return O


# search-column
def solve_74dd1130(I):
    O = turned(I, 5)
    return O


# search-cover
def solve_75b8110e(I):
    x1 = blocks_of(I, 4)
    x2 = overlaid(x1, 3)
    x3 = pick(x1, 6)
    x4 = to_origin(x3)
    x5 = over(x4, x2, 0)
    x6 = only_colour(I, 5)
    x7 = moved(x6, (0, -4))
    x8 = astuple(4, 4)
    x9 = canvas(0, x8)
    x10 = embed(x7, x9)
    O = over(x10, x5, 0)
    return O


# search-cover
def solve_760b3cac(I):
    x1 = trimmed(I)
    x2 = reflected(x1, I, 0)
    x3 = line_colours(I, 1)
    x4 = grown(x3, 1)
    x5 = largest_rectangle(x4, 0)
    x6 = masked(x2, x5, 0)
    x7 = over(I, x6, 0)
    x8 = flooded(I, 8)
    x9 = largest_rectangle(x8, 1)
    x10 = over(x9, I, 0)
    O = masked(x7, x10, 0)
    return O


# rule-layouts
def solve_794b24be(I):
    O = chooserule(I, 0, ((((0, 1, 0, 0, 2),), 1), (((0, 1, 0, 0, 3),), 2), (((0, 13, 0, 0, 1),), 0), ((), 3)), (((2, 0, 0), (0, 0, 0), (0, 0, 0)), ((2, 2, 0), (0, 0, 0), (0, 0, 0)), ((2, 2, 2), (0, 0, 0), (0, 0, 0)), ((2, 2, 2), (0, 2, 0), (0, 0, 0))))
    return O


# rule-objects
def solve_7b6016b9(I):
    O = objectrule(I, 0, 4, ((((0, 19, 0, 0, 0),), 2), ((), 3)))
    return O


# rule-layouts
def solve_7c008303(I):
    x1 = panels_of(I)
    x2 = pick(x1, 0)
    x3 = to_origin(x2)
    x4 = panels_of(I)
    x5 = pick(x4, 3)
    x6 = to_origin(x5)
    O = layoutrule(x3, x6, 0, (2, 0, 0, 0))
    return O


# rule-lines
def solve_7ddcd7ec(I):
    O = linerule(I, 0, ((10, 4, 240, 0, 0, 0, 10),))
    return O


# search-column
def solve_7e0986d6(I):
    x1 = holes_filled(I)
    O = opened(x1, 0)
    return O


# search-column
def solve_7f4411dc(I):
    O = opened(I, 0)
    return O


# search-table
def solve_810b9b61(I):
    x1 = ranked(I, 3)
    O = recoloured(x1, (0, 1, 3, 3, 4, 5, 6, 7, 8, 9))
    return O


# rule-objects
def solve_83302e8f(I):
    O = objectrule(I, 0, 4, ((((0, 5, 0, 0, 0),), 3), ((), 4)))
    return O


# rule-pieces
def solve_846bdb03(I):
    O = fitrule(I, 0, 23)
    return O


# rule-lifts
def solve_855e0971(I):
    x1 = renamed(I, 1, (5, 6, 0))
    x2 = oriented(x1, 1)
    x3 = cellrule(x2, 0, ((((0, 24, 1, 0, 0),), 10), (((0, 24, 0, 0, 0),), 10), ((), (0, 0, 0))))
    x4 = unoriented(x3, x1, 1)
    O = restored(x4, I, 1, (5, 6, 0))
    return O


# rule-periods
def solve_85c4e7cd(I):
    O = periodrule(I, 10, (0, 0), (5, 0, 0, 0))
    return O


# rule-pick
def solve_88a62173(I):
    O = pickrule(I, 0, 1, ((((0, 8, 0, 0, 0),), 1), ((), 0)))
    return O


# rule-pieces
def solve_8a004b2b(I):
    O = fitrule(I, 0, 11)
    return O


# search-column
def solve_8be77c9e(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = multiply(x2, 2)
    x4 = to_origin(I)
    x5 = width(x4)
    x6 = astuple(x3, x5)
    x7 = canvas(0, x6)
    O = reflected(I, x7, 0)
    return O


# rule-layouts
def solve_8d5021e8(I):
    O = layoutrule(I, ((3, 2), (1, 0), (3, 2)), 0, (0, 0, 0, 0))
    return O


# search-table
def solve_8d510a79(I):
    x1 = smear(I, 2)
    x2 = smear(I, 3)
    x3 = astuple(x1, x2)
    O = tabled(x3, ((0, 1, 1), (0, 2, 0), (0, 5, 0), (1, 0, 1), (1, 1, 1), (1, 5, 0), (2, 0, 0), (2, 2, 2), (2, 5, 2), (5, 0, 0), (5, 1, 0), (5, 2, 2), (5, 5, 5)))
    return O


# search-cover
def solve_8e5a5113(I):
    x1 = turned(I, 5)
    x2 = reflected(x1, I, 1)
    x3 = cellrule(I, 0, ((((0, 1, 3, 0, -1),), (3, 3, 0)), ((), (0, 0, 0))))
    O = over(x3, x2, 0)
    return O


# search-column
def solve_8eb1be9a(I):
    x1 = trimmed(I)
    O = repeated(x1, I, 0)
    return O


# rule-pick
def solve_8efcae92(I):
    O = pickrule(I, 0, 12, ((((0, 21, 0, 0, 1),), 1), ((), 0)))
    return O


# search-column
def solve_8f2ea7aa(I):
    x1 = trimmed(I)
    O = self_product(x1, 0)
    return O


# rule-pick
def solve_90c28cc7(I):
    x1 = pickrule(I, 0, 12, (((), 1), ((), 0)))
    O = squeezed(x1, 1)
    return O


# search-table
def solve_913fb3ed(I):
    x1 = outlined(I, 2)
    x2 = astuple(I, x1)
    O = tabled(x2, ((0, 0, 0), (0, 2, 1), (0, 3, 6), (0, 8, 4), (2, 0, 2), (3, 0, 3), (8, 0, 8)))
    return O


# search-column
def solve_91714a58(I):
    O = opened(I, 0)
    return O


# rule-objects
def solve_941d9a10(I):
    O = objectrule(I, 0, 4, ((((0, 41, 0, 0, 0),), 1), (((0, 54, 0, 0, 0),), 3), (((0, 55, 0, 0, 1),), 2), ((), (0, 0, 0))))
    return O


# search-table
def solve_94f9d214(I):
    x1 = astuple(4, 4)
    x2 = canvas(0, x1)
    x3 = embed(I, x2)
    x4 = half(I, 3)
    x5 = to_origin(x4)
    x6 = astuple(x3, x5)
    O = tabled(x6, ((0, 0, 2), (0, 1, 0), (3, 0, 0), (3, 1, 0)))
    return O


# search-column
def solve_9565186b(I):
    x1 = grounded(I)
    x2 = renamed(x1, 289, (8, 0))
    x3 = in_colour(x2, 1)
    x4 = restored(x3, x1, 289, (8, 0))
    O = grounded_as(x4, I)
    return O


# search-column
def solve_963e52fc(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = to_origin(I)
    x4 = width(x3)
    x5 = multiply(x4, 2)
    x6 = astuple(x2, x5)
    x7 = canvas(0, x6)
    O = extended(I, x7, 1)
    return O


# search-cover
def solve_97999447(I):
    x1 = line_colours(I, 0)
    x2 = rings(I, 3)
    x3 = in_colour(x2, 5)
    x4 = over(x3, x1, 0)
    x5 = smear(I, 0)
    O = masked(x4, x5, 0)
    return O


# rule-pieces
def solve_97a05b5b(I):
    O = fitrule(I, 0, 19)
    return O


# search-column
def solve_98cf29f8(I):
    x1 = renamed(I, 1, (6, 0))
    x2 = opened(x1, 0)
    x3 = attracted(x2, 2)
    O = restored(x3, I, 1, (6, 0))
    return O


# rule-panels
def solve_995c5fa3(I):
    x1 = panelrule(I, 0, 0, ((((0, 11, 0, 0, 1),), 8), (((0, 14, 0, 0, 0),), 4), (((0, 1, 0, 0, 12),), 3), ((), 2)))
    O = hupscale(x1, 3)
    return O


# rule-sweeps
def solve_99fa7670(I):
    O = sweeprule(I, 0, 4, ((((1, 28, 0, -1, 0),), (28, 0, -1)), (((0, 0, 0, 1, -1),), (28, -1, 0)), ((), (0, 0, 0))))
    return O


# search-column
def solve_9dfd6313(I):
    O = turned(I, 5)
    return O


# rule-periods
def solve_9ecd008a(I):
    O = periodrule(I, 0, (0, 0), (4, 0, 0, 4))
    return O


# rule-sweeps
def solve_9edfc990(I):
    O = sweeprule(I, 0, 4, ((((0, 0, 0, 0, 0), (0, 28, 0, 1, 1)), 1), (((0, 0, 0, 0, 0), (0, 28, 0, -1, 1)), 1), (((0, 0, 0, 0, 0), (0, 28, 1, 0, 1), (1, 0, -1, 0, 7)), (28, 1, 0)), (((0, 0, 0, 0, 0), (0, 28, -1, 0, 1)), 1), ((), (0, 0, 0))))
    return O


# rule-panels
def solve_9f236235(I):
    x1 = panelrule(I, 0, 5, (((), (0, 0, 0)),))
    O = turned(x1, 3)
    return O


# rule-lines
def solve_a1570a43(I):
    O = moverule(I, 0, 6, ((((0, 0, 0, 0, 2),), (6, 3, 7)),))
    return O


# search-cover
def solve_a2fd1cf0(I):
    x1 = line_colours(I, 0)
    x2 = largest_rectangle(x1, 1)
    x3 = in_colour(x2, 8)
    x4 = stamprule(I, 0, 0, ((2, ((0, 3, 8), (0, 4, 8))), (3, ((-4, 0, 8), (-3, 0, 8), (-2, 0, 8), (2, 0, 8), (3, 0, 8), (4, 0, 8)))))
    x5 = attracted(x4, 3)
    x6 = over(x5, x3, 0)
    x7 = smear(I, 12)
    x8 = largest_rectangle(x7, 0)
    x9 = mirror_repaired(x8)
    x10 = in_colour(x9, 8)
    x11 = over(x10, x6, 0)
    x12 = colour_of(I, 8)
    x13 = flooded(x7, x12)
    x14 = masked(x11, x13, 0)
    x15 = trimmed(I)
    x16 = smear(x15, 6)
    x17 = to_origin(I)
    x18 = hull(x17, 0)
    x19 = embed(x16, x18)
    O = masked(x14, x19, 0)
    return O


# rule-layouts
def solve_a3325580(I):
    O = drawrule(I, 0, (0, 10, 1, 4, 0), (1, 8, 0, 0, 10))
    return O


# search-cover
def solve_a3df8b1e(I):
    x1 = bounced(I, 0)
    O = over(x1, I, 0)
    return O


# rule-layouts
def solve_a416b8f3(I):
    O = layoutrule(I, ((0, 0),), 0, (0, 0, 0, 0))
    return O


# rule-lines
def solve_a48eeaf7(I):
    O = moverule(I, 0, 1, ((((1, 0, 0, 0, 2),), (2, 9, 0)),))
    return O


# search-cover
def solve_a5f85a15(I):
    x1 = in_colour(I, 4)
    x2 = places(I, 5)
    x3 = over(x2, x1, 0)
    O = masked(x3, I, 0)
    return O


# rule-pieces
def solve_a61ba2ce(I):
    O = fitrule(I, 0, 0)
    return O


# search-cover
def solve_a61f2674(I):
    x1 = sized(I, 4)
    x2 = in_colour(x1, 2)
    x3 = largest_rectangle(I, 1)
    x4 = over(x3, x2, 0)
    O = masked(x4, I, 0)
    return O


# rule-lines
def solve_a65b410d(I):
    O = linerule(I, 0, ((10, 0, 1, 0, 0, 0, 3), (10, 0, 64, 1, 0, 0, 3), (10, 0, 128, 1, 0, 0, 1)))
    return O


# search-column
def solve_a68b268e(I):
    x1 = panels_of(I)
    O = overlaid(x1, 2)
    return O


# search-cover
def solve_a699fb00(I):
    x1 = bridges(I, 0)
    x2 = in_colour(x1, 2)
    x3 = over(I, x2, 0)
    x4 = smear(I, 1)
    O = masked(x3, x4, 0)
    return O


# search-cover
def solve_a78176bb(I):
    x1 = renamed(I, 33, (0,))
    x2 = flooded(x1, 1)
    x3 = in_colour(x2, 2)
    x4 = to_origin(x1)
    x5 = hull(x4, 0)
    x6 = extended(x1, x5, 3)
    x7 = rings(x6, 2)
    x8 = masked(x3, x7, 0)
    x9 = outlined(x6, 0)
    x10 = masked(x8, x9, 0)
    x11 = only_colour(x1, 2)
    x12 = over(x11, x10, 0)
    x13 = rings(x1, 2)
    x14 = flooded(x13, 2)
    x15 = masked(x12, x14, 0)
    x16 = outlined(x1, 1)
    x17 = exchanged(x16, 1)
    x18 = masked(x15, x17, 0)
    O = restored(x18, I, 33, (0,))
    return O


# rule-cells
def solve_a79310a0(I):
    O = cellrule(I, 0, ((((0, 0, -1, 0, 8),), 2), ((), 10)))
    return O


# rule-cells
def solve_a85d4709(I):
    O = cellrule(I, 0, ((((0, 14, 0, 0, 5),), 2), (((0, 14, 1, 0, 0),), 4), ((), 3)))
    return O


# rule-pieces
def solve_a8c38be5(I):
    O = fitrule(I, 0, 4)
    return O


# search-cover
def solve_a9f96cdd(I):
    x1 = stamprule(I, 0, 0, ((2, ((-1, -1, 3), (-1, 1, 6), (1, -1, 8), (1, 1, 7))),))
    x2 = outlined(I, 3)
    x3 = masked(x1, x2, 0)
    x4 = cellrule(I, 0, ((((0, 0, 0, 0, 2), (1, 5, 1, 3, 0)), 10), ((), (0, 0, 0))))
    O = over(x4, x3, 0)
    return O


# search-table
def solve_aabf363d(I):
    x1 = renamed(I, 1, (6, 0))
    x2 = recoloured(x1, (0, 2, 0, 3, 4, 5, 6, 7, 8, 9))
    O = restored(x2, I, 1, (6, 0))
    return O


# rule-layouts
def solve_ac0a08a4(I):
    x1 = count_bar(I, 0)
    x2 = to_origin(x1)
    O = layoutrule(x2, I, 0, (1, 0, 0, 0))
    return O


# rule-lines
def solve_ae3edfdc(I):
    O = moverule(I, 0, 1, ((((1, 7, 0, 0, 0),), (3, 10, 0)),))
    return O


# rule-pick
def solve_ae4f1146(I):
    O = pickrule(I, 0, 12, ((((0, 79, 1, 0, 0),), 1), ((), 0)))
    return O


# search-cover
def solve_aedd82e4(I):
    x1 = in_colour(I, 1)
    x2 = sized(I, 2)
    x3 = over(x2, x1, 0)
    O = masked(x3, I, 0)
    return O


# search-cover
def solve_af902bf9(I):
    x1 = rectangles(I, 0)
    x2 = in_colour(x1, 2)
    x3 = over(x2, I, 0)
    x4 = boxed(I, 2)
    O = masked(x3, x4, 0)
    return O


# rule-layouts
def solve_b0c4d837(I):
    O = drawrule(I, 0, (7, 5, 2, 0, 0), (0, 1, 3, 3, 8))
    return O


# rule-layouts
def solve_b190f7f5(I):
    x1 = blocks_of(I, 6)
    x2 = pick(x1, 16)
    x3 = to_origin(x2)
    x4 = blocks_of(I, 6)
    x5 = pick(x4, 4)
    x6 = to_origin(x5)
    O = layoutrule(x3, x6, 0, (1, 0, 0, 0))
    return O


# search-table
def solve_b1948b0a(I):
    O = recoloured(I, (0, 1, 2, 3, 4, 5, 2, 7, 8, 9))
    return O


# search-column
def solve_b230c067(I):
    O = ranked(I, 0)
    return O


# rule-objects
def solve_b2862040(I):
    O = objectrule(I, 9, 0, ((((0, 11, 0, 0, 1),), 8),))
    return O


# search-cover
def solve_b548a754(I):
    x1 = rim(I, 1)
    x2 = grown(x1, 0)
    x3 = holes_filled(I)
    x4 = boxed(x3, 2)
    x5 = rim(x4, 0)
    x6 = over(x5, x2, 0)
    O = masked(x6, x4, 0)
    return O


# search-cover
def solve_b782dc8a(I):
    x1 = grown(I, 1)
    x2 = only_common(I, 1)
    x3 = rings(x2, 2)
    x4 = over(x3, x1, 0)
    x5 = masked(x4, x1, 0)
    O = over(I, x5, 0)
    return O


# search-cover
def solve_b8cdaf2b(I):
    x1 = rays(I, 13)
    x2 = moved(x1, (-1, 0))
    x3 = to_origin(I)
    x4 = hull(x3, 0)
    x5 = embed(x2, x4)
    O = over(x5, I, 0)
    return O


# rule-layouts
def solve_b9b7f026(I):
    O = drawrule(I, 0, (0, 10, 5, 0, 0), (0, 0, 0, 0, 10))
    return O


# rule-cells
def solve_ba26e723(I):
    O = cellrule(I, 0, ((((0, 0, 0, 0, 4), (0, 5, 1, 3, 0)), 6), ((), (0, 0, 0))))
    return O


# rule-lines
def solve_ba97ae07(I):
    O = linerule(I, 0, ((10, 6, 15, 2, 0, 5, 10),))
    return O


# search-cover
def solve_bb43febb(I):
    x1 = in_colour(I, 2)
    x2 = rim(I, 0)
    x3 = over(x2, x1, 0)
    O = masked(x3, I, 0)
    return O


# search-column
def solve_bbc9ae5d(I):
    x1 = half(I, 0)
    x2 = blocks_of(x1, 6)
    x3 = size(x2)
    x4 = multiply(x3, 2)
    x5 = astuple(x3, x4)
    x6 = canvas(0, x5)
    x7 = reflected(I, x6, 0)
    O = smear(x7, 7)
    return O


# search-cover
def solve_bc1d5164(I):
    x1 = squeezed(I, 0)
    x2 = astuple(3, 3)
    x3 = canvas(0, x2)
    x4 = stretched(x1, x3)
    x5 = extended(I, x3, 0)
    x6 = symmetrized(x5, 1)
    x7 = masked(x4, x6, 0)
    x8 = framed(I, 2)
    x9 = stretched(x8, x3)
    O = over(x9, x7, 0)
    return O


# rule-periods
def solve_bda2d7a6(I):
    O = periodrule(I, 10, (0, 0), (5, 1, 0, 0))
    return O


# search-table
def solve_bdad9b1f(I):
    x1 = to_origin(I)
    x2 = hull(x1, 0)
    x3 = extended(I, x2, 1)
    x4 = rays(I, 6)
    x5 = astuple(x3, x4)
    O = tabled(x5, ((0, 0, 0), (0, 8, 8), (2, 0, 2), (2, 8, 4), (8, 0, 8), (8, 8, 0)))
    return O


# rule-pick
def solve_be94b721(I):
    O = pickrule(I, 0, 0, ((((0, 4, 0, 0, 0),), 1), ((), 0)))
    return O


# search-column
def solve_beb8660c(I):
    x1 = dropped(I, 0)
    O = sorted_lines(x1, 2)
    return O


# rule-objects
def solve_c0f76784(I):
    O = objectrule(I, 0, 4, ((((0, 1, 0, 0, 1),), 6), (((0, 1, 0, 0, 4),), 7), (((0, 1, 0, 0, 9),), 8), ((), (0, 0, 0))))
    return O


# search-column
def solve_c3e719e8(I):
    O = self_product(I, 2)
    return O


# search-column
def solve_c3f564a4(I):
    x1 = to_origin(I)
    x2 = hull(x1, 0)
    O = extended(I, x2, 0)
    return O


# search-column
def solve_c59eb873(I):
    O = enlarged(I, 2)
    return O


# rule-pieces
def solve_c8cbb738(I):
    O = fitrule(I, 10, 26)
    return O


# search-table
def solve_c8f0f002(I):
    O = recoloured(I, (0, 1, 2, 3, 4, 5, 6, 5, 8, 9))
    return O


# rule-pick
def solve_c909285e(I):
    O = pickrule(I, 0, 0, ((((0, 4, 0, 0, 1),), 1), ((), 0)))
    return O


# search-column
def solve_c9e6f938(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = to_origin(I)
    x4 = width(x3)
    x5 = multiply(x4, 2)
    x6 = astuple(x2, x5)
    x7 = canvas(0, x6)
    O = reflected(I, x7, 0)
    return O


# rule-cells
def solve_c9f8e694(I):
    O = cellrule(I, 0, ((((0, 0, 0, 0, 5),), (14, 0, 0)), ((), (0, 0, 0))))
    return O


# rule-layouts
def solve_cce03e0d(I):
    x1 = cellrule(I, 0, ((((0, 0, 0, 0, 2),), 10), ((), 8)))
    O = layoutrule(I, x1, 0, (0, 0, 0, 0))
    return O


# rule-layouts
def solve_cdecee7f(I):
    O = drawrule(I, 0, (8, 10, 0, 0, 0), (1, 1, 3, 3, 10))
    return O


# search-cover
def solve_ce4f8723(I):
    x1 = astuple(4, 4)
    x2 = canvas(0, x1)
    x3 = embed(I, x2)
    x4 = in_colour(x3, 3)
    x5 = half(I, 3)
    x6 = to_origin(x5)
    x7 = in_colour(x6, 3)
    O = over(x7, x4, 0)
    return O


# rule-lifts
def solve_ce602527(I):
    x1 = renamed(I, 1, (0, 4, 14, 0))
    x2 = oriented(x1, 0)
    x3 = pickrule(x2, 1, 16, ((((0, 24, 0, 0, 1),), 1), ((), 0)))
    x4 = unoriented(x3, x1, 0)
    O = restored(x4, I, 1, (0, 4, 14, 0))
    return O


# search-column
def solve_cf98881b(I):
    x1 = panels_of(I)
    O = overlaid(x1, 2)
    return O


# search-column
def solve_d037b0a7(I):
    O = smear(I, 2)
    return O


# rule-layouts
def solve_d0f5fe59(I):
    O = drawrule(I, 0, (0, 10, 0, 0, 0), (0, 4, 0, 0, 10))
    return O


# search-column
def solve_d10ecb37(I):
    x1 = astuple(2, 2)
    x2 = canvas(0, x1)
    O = embed(I, x2)
    return O


# rule-periods
def solve_d13f3404(I):
    O = periodrule(I, 0, (6, 6), (2, 1, 1, 0))
    return O


# rule-cells
def solve_d22278a0(I):
    O = cellrule(I, 0, ((((0, 13, 1, 2, 0),), (11, 0, 0)), ((), (0, 0, 0))))
    return O


# rule-objects
def solve_d23f8c26(I):
    O = objectrule(I, 0, 8, ((((0, 55, 0, 0, 0),), 10),))
    return O


# rule-objects
def solve_d2abd087(I):
    O = objectrule(I, 0, 0, ((((0, 1, 0, 0, 6),), 2), ((), 1)))
    return O


# rule-cells
def solve_d406998b(I):
    O = cellrule(I, 0, ((((0, 0, 0, 0, 5), (0, 5, 3, 2, 0)), 3), ((), (0, 0, 0))))
    return O


# rule-layouts
def solve_d4469b4b(I):
    O = chooserule(I, 0, ((((0, 0, 0, 0, 1),), 1), (((0, 0, 0, 0, 3),), 2), ((), 0)), (((5, 5, 5), (0, 5, 0), (0, 5, 0)), ((0, 5, 0), (5, 5, 5), (0, 5, 0)), ((0, 0, 5), (0, 0, 5), (5, 5, 5))))
    return O


# rule-lines
def solve_d4f3cd78(I):
    O = linerule(I, 0, ((10, 0, 255, 0, 4, 0, 8), (8, 0, 15, 0, 1, 0, 10)))
    return O


# rule-cells
def solve_d511f180(I):
    O = cellrule(I, 10, ((((0, 0, 0, 0, 5),), 8), (((0, 0, 0, 0, 8),), 5), (((0, 0, 0, -1, 4),), 3), (((0, 1, 3, 0, 1),), 7), ((), (0, 0, 0))))
    return O


# search-table
def solve_d631b094(I):
    x1 = renamed(I, 1, (0,))
    x2 = count_bar(x1, 1)
    x3 = to_origin(x2)
    x4 = hull(x3, 0)
    x5 = recoloured(x4, (1, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    O = restored(x5, I, 1, (0,))
    return O


# search-column
def solve_d8c310e9(I):
    x1 = to_origin(I)
    x2 = hull(x1, 0)
    O = extended(I, x2, 1)
    return O


# rule-pieces
def solve_d90796e8(I):
    O = replacerule(I, 1, ((((3, 2),), ((8, 0),)),))
    return O


# rule-sweeps
def solve_d9f24cd1(I):
    O = sweeprule(I, 0, 4, ((((0, 28, 1, 0, 2), (0, 0, 0, 0, 0)), 2), (((0, 28, -1, -1, 5),), (28, 0, -1)), ((), (0, 0, 0))))
    return O


# search-table
def solve_d9fac9be(I):
    x1 = renamed(I, 1, (4, 0))
    x2 = astuple(1, 1)
    x3 = canvas(0, x2)
    x4 = embed(x1, x3)
    x5 = recoloured(x4, (2, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    O = restored(x5, I, 1, (4, 0))
    return O


# search-cover
def solve_db3e9e38(I):
    x1 = flooded(I, 7)
    x2 = rings(I, 1)
    x3 = in_colour(x2, 8)
    x4 = over(x3, x1, 0)
    x5 = smear(I, 9)
    x6 = smear(x5, 8)
    O = masked(x4, x6, 0)
    return O


# search-cover
def solve_dbc1a6ce(I):
    x1 = bridges(I, 2)
    x2 = in_colour(x1, 8)
    O = over(x2, I, 0)
    return O


# rule-cells
def solve_dc1df850(I):
    O = cellrule(I, 0, ((((0, 7, 0, 2, 0),), (0, 0, 0)), ((), 1)))
    return O


# rule-lines
def solve_dc433765(I):
    O = moverule(I, 0, 1, ((((0, 0, 0, 0, 3),), (3, 4, 1)),))
    return O


# rule-views
def solve_ddf7fa4f(I):
    x1 = renamed(I, 1, (6, 10, 10, 0))
    x2 = objectrule(x1, 0, 0, ((((2, 21, 0, 0, 4),), 4), (((2, 21, 0, 0, 2),), 3), ((), 2)))
    O = restored(x2, I, 1, (6, 10, 10, 0))
    return O


# search-table
def solve_de1cd16c(I):
    x1 = grounded(I)
    x2 = renamed(x1, 1, (6, 6, 12, 0))
    x3 = astuple(1, 1)
    x4 = canvas(0, x3)
    x5 = embed(x2, x4)
    x6 = recoloured(x5, (2, 1, 0, 2, 4, 5, 6, 7, 8, 9))
    x7 = restored(x6, x1, 1, (6, 6, 12, 0))
    O = grounded_as(x7, I)
    return O


# search-cover
def solve_ded97339(I):
    x1 = bridges(I, 2)
    O = over(x1, I, 0)
    return O


# search-column
def solve_e3497940(I):
    x1 = symmetrized(I, 0)
    x2 = astuple(10, 4)
    x3 = canvas(0, x2)
    O = embed(x1, x3)
    return O


# rule-periods
def solve_e40b9e2f(I):
    O = periodrule(I, 0, (0, 0), (4, 3, 1, 0))
    return O


# rule-objects
def solve_e509e548(I):
    O = objectrule(I, 0, 0, ((((0, 57, 0, 0, 3),), 2), (((0, 58, 0, 0, 1),), 1), ((), 6)))
    return O


# rule-pick
def solve_e50d258f(I):
    O = pickrule(I, 0, 12, ((((0, 79, 2, 0, 0),), 1), ((), 0)))
    return O


# search-column
def solve_e76a88a6(I):
    O = stamped(I, 0)
    return O


# rule-lines
def solve_e9614598(I):
    O = linerule(I, 0, ((10, 0, 15, 0, 4, 3, 3), (3, 0, 15, 0, 0, 4, 10)))
    return O


# search-cover
def solve_e98196ab(I):
    x1 = astuple(5, 11)
    x2 = canvas(0, x1)
    x3 = embed(I, x2)
    x4 = half(I, 3)
    x5 = to_origin(x4)
    O = over(x5, x3, 0)
    return O


# search-cover
def solve_e9afcf9a(I):
    x1 = exchanged(I, 0)
    x2 = places(I, 5)
    O = over(x2, x1, 0)
    return O


# search-cover
def solve_ea32f347(I):
    x1 = in_colour(I, 2)
    x2 = sized(I, 2)
    x3 = in_colour(x2, 4)
    x4 = over(x3, x1, 0)
    x5 = largest_rectangle(I, 1)
    x6 = over(x5, x4, 0)
    O = masked(x6, I, 0)
    return O


# search-column
def solve_ea786f4a(I):
    x1 = grounded(I)
    x2 = smear(x1, 13)
    O = grounded_as(x2, I)
    return O


# search-column
def solve_ed36ccf7(I):
    O = turned(I, 2)
    return O


# search-cover
def solve_f1cefba8(I):
    x1 = renamed(I, 1, (6, 0))
    x2 = opened(x1, 2)
    x3 = smear(x2, 6)
    x4 = in_colour(x3, 2)
    x5 = only_colour(x1, 2)
    x6 = symmetrized(x5, 1)
    x7 = over(x6, x4, 0)
    x8 = opened(x1, 3)
    x9 = rays(x8, 6)
    x10 = in_colour(x9, 1)
    x11 = over(x10, x7, 0)
    x12 = largest_rectangle(x1, 1)
    x13 = smear(x12, 6)
    x14 = masked(x11, x13, 0)
    x15 = in_colour(x8, 1)
    x16 = over(x15, x14, 0)
    O = restored(x16, I, 1, (6, 0))
    return O


# rule-layouts
def solve_f25fbde4(I):
    x1 = canvas(1, (2, 2))
    x2 = squeezed(I, 0)
    x3 = to_origin(x2)
    O = layoutrule(x1, x3, 0, (1, 0, 0, 0))
    return O


# search-column
def solve_f25ffba3(I):
    O = symmetrized(I, 1)
    return O


# search-cover
def solve_f35d900a(I):
    x1 = rings(I, 0)
    x2 = in_colour(x1, 5)
    x3 = over(x2, I, 0)
    x4 = smear(I, 6)
    x5 = masked(x3, x4, 0)
    x6 = exchanged(I, 0)
    x7 = outlined(x6, 2)
    x8 = over(x7, x5, 0)
    x9 = outlined(I, 0)
    x10 = boxed(x9, 2)
    O = masked(x8, x10, 0)
    return O


# search-cover
def solve_f5b8619d(I):
    x1 = to_origin(I)
    x2 = height(x1)
    x3 = multiply(x2, 2)
    x4 = to_origin(I)
    x5 = width(x4)
    x6 = multiply(x5, 2)
    x7 = astuple(x3, x6)
    x8 = canvas(0, x7)
    x9 = repeated(I, x8, 0)
    x10 = exchanged(x9, 1)
    x11 = in_colour(x10, 8)
    x12 = over(x11, x9, 0)
    x13 = line_colours(x9, 1)
    O = masked(x12, x13, 0)
    return O


# search-table
def solve_f76d97a5(I):
    x1 = renamed(I, 33, (0,))
    x2 = recoloured(x1, (0, 2, 0, 3, 4, 5, 6, 7, 8, 9))
    O = restored(x2, I, 33, (0,))
    return O


# search-column
def solve_f8b3ba0a(I):
    x1 = only_common(I, 2)
    x2 = colour_bars(x1, 0)
    x3 = astuple(3, 1)
    x4 = canvas(0, x3)
    O = embed(x2, x4)
    return O


# rule-periods
def solve_f8c80d96(I):
    x1 = periodrule(I, 0, (0, 0), (3, 0, 0, 0))
    O = cellrule(x1, 0, ((((0, 0, 0, 0, 0),), 5), ((), (0, 0, 0))))
    return O


# rule-layouts
def solve_f8ff0b80(I):
    O = drawrule(I, 0, (1, 10, 0, 1, 1), (0, 6, 0, 0, 10))
    return O


# search-table
def solve_fafffa47(I):
    x1 = astuple(3, 3)
    x2 = canvas(0, x1)
    x3 = embed(I, x2)
    x4 = half(I, 3)
    x5 = to_origin(x4)
    x6 = astuple(x3, x5)
    O = tabled(x6, ((0, 0, 2), (0, 1, 0), (9, 0, 0), (9, 1, 0)))
    return O


# rule-views
def solve_fcb5c309(I):
    x1 = components_of(I, 4)
    x2 = pick(x1, 0)
    x3 = to_origin(x2)
    O = objectrule(x3, 0, 0, (((), (61, 0, 0)),))
    return O


# rule-periods
def solve_feca6190(I):
    x1 = count_of(I, 0)
    x2 = multiply(x1, 5)
    x3 = count_of(I, 0)
    x4 = multiply(x3, 5)
    x5 = astuple(x2, x4)
    O = periodrule(I, 0, x5, (2, -1, 1, 2))
    return O


# rule-periods
def solve_ff805c23(I):
    O = periodrule(I, 1, (0, 0), (4, 2, 0, 4))
    return O
