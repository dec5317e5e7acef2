// How patches lie to each other and repeat, and what the typed dialect has for cells and patches.
#pragma once
#include "ops_patches.cuh"

// The bits that any lane has.
DEVICE u32 bits_of_any(u32 mine) {
    for (u32 step = 16; step; step >>= 1) mine |= shuffle(mine, lane() ^ step);
    return mine;
}
DEVICE u64 bits_of_any64(u64 mine) { return (u64)bits_of_any((u32)(mine >> 32)) << 32 | bits_of_any((u32)mine); }
DEVICE u32 lowest_bit64(u64 word) { return (u32)word ? lowest_bit((u32)word) : 32 + lowest_bit((u32)(word >> 32)); }

// Which of the 32 rows or columns from `first` on have a cell.
DEVICE u32 lines_taken(Value patch, i32 first, bool rows) {
    const u32* cells = cells_of(patch);
    u32 mine = 0;
    for (u32 k = lane(); k < count(patch); k += 32) {
        u32 line = (u32)((rows ? row_of(cells[k]) : column_of(cells[k])) - first);
        if (line < 32) mine |= 1u << line;
    }
    return bits_of_any(mine);
}

// Whether two patches have a row or column in common, of those from `first` to `last`.
DEVICE_CALL bool share_line(Value a, Value b, i32 first, i32 last, bool rows) {
    for (; first <= last; first += 32) {
        if (lines_taken(a, first, rows) & lines_taken(b, first, rows)) return true;
    }
    return false;
}

OP2(hmatching) {
    a = as_patch(run, a);
    b = as_patch(run, b);
    if (!is_packed(a) || !is_packed(b)) return unless_both_packed(a, b, boolean(false));
    return boolean(share_line(a, b, max_of(top_of(a), top_of(b)), min_of(bottom_of(a), bottom_of(b)), true));
}

OP2(vmatching) {
    a = as_patch(run, a);
    b = as_patch(run, b);
    if (!is_packed(a) || !is_packed(b)) return unless_both_packed(a, b, boolean(false));
    Bounds of_a = bounds_of(a), of_b = bounds_of(b);
    return boolean(share_line(a, b, max_of(of_a.left, of_b.left), min_of(of_a.right, of_b.right), false));
}

// The smallest Manhattan distance between packed cells. Lanes take the cells of the larger patch, all go through the smaller.
DEVICE_CALL i32 distance_between(Value a, Value b) {
    Value many = count(a) >= count(b) ? a : b, few = count(a) >= count(b) ? b : a;
    u32 n = count(many), m = count(few);
    const u32 *outer = cells_of(many), *inner = cells_of(few);
    i32 best = 0x7FFFFFFF;
    for (u32 k = lane(); k < n; k += 32) {
        i32 i = row_of(outer[k]), j = column_of(outer[k]);
        for (u32 t = 0; t < m; t++) {
            i32 di = row_of(inner[t]) - i, dj = column_of(inner[t]) - j;
            best = min_of(best, (di < 0 ? -di : di) + (dj < 0 ? -dj : dj));
        }
    }
    return smallest(best);
}

OP2(manhattan) {
    a = as_patch(run, a);
    b = as_patch(run, b);
    if (!is_packed(a) || !is_packed(b)) return unless_both_packed(a, b, undefined());
    return integer(distance_between(a, b));
}

OP2(adjacent) {
    a = as_patch(run, a);
    b = as_patch(run, b);
    if (!is_packed(a) || !is_packed(b)) return unless_both_packed(a, b, undefined());
    return boolean(distance_between(a, b) == 1);
}

OP2(bordering) {
    if (!is_tuple(b)) return undefined();
    a = as_patch(run, a);
    if (!is_packed(a)) return unless_packed(a, undefined());
    Bounds box = bounds_of(a);
    // The width is looked at only if no side before it is enough.
    if (box.top == 0 || box.left == 0 || box.bottom == (i64)count(b) - 1) return boolean(true);
    if (count(b) == 0) return undefined();
    Value width = op_width(run, b);
    return is_value(width) ? boolean(box.right == number(width) - 1) : width;
}

DEVICE i32 towards(i32 from, i32 to) { return from < to ? 1 : -1; }
DEVICE i32 middle(i32 low, i32 high) { return low + (high - low + 1) / 2; }

OP2(position) {
    if (!is_packed(a) || !is_packed(b)) return unless_both_packed(a, b, undefined());
    Bounds of_a = bounds_of(a), of_b = bounds_of(b);
    i32 ia = middle(of_a.top, of_a.bottom), ja = middle(of_a.left, of_a.right);
    i32 ib = middle(of_b.top, of_b.bottom), jb = middle(of_b.left, of_b.right);
    if (ia == ib) return pair_of(0, towards(ja, jb));
    return pair_of(towards(ia, ib), ja == jb ? 0 : towards(ja, jb));
}

OP2(gravitate) {
    if (!is_packed(a) || !is_packed(b)) return unless_both_packed(a, b, undefined());
    Bounds of_a = bounds_of(a), of_b = bounds_of(b);
    bool upright = share_line(a, b, max_of(of_a.left, of_b.left), min_of(of_a.right, of_b.right), false);
    i32 heading = upright ? towards(middle(of_a.top, of_a.bottom), middle(of_b.top, of_b.bottom))
                          : towards(middle(of_a.left, of_a.right), middle(of_b.left, of_b.right));
    // Bit s: after s steps a cell of the one lies on a cell of the other, or beside one. All steps are seen in one pass over the pairs.
    u64 upon = 0, beside = 0;
    bool a_is_larger = count(a) >= count(b);
    Value many = a_is_larger ? a : b, few = a_is_larger ? b : a;
    u32 n = count(many), m = count(few);
    const u32 *outer = cells_of(many), *inner = cells_of(few);
    i32 sense = a_is_larger ? heading : -heading;
    for (u32 k = lane(); k < n; k += 32) {
        i32 i = row_of(outer[k]), j = column_of(outer[k]);
        for (u32 t = 0; t < m; t++) {
            i32 di = row_of(inner[t]) - i, dj = column_of(inner[t]) - j;
            i32 across = upright ? dj : di, steps = (upright ? di : dj) * sense;
            if (across < -1 || across > 1 || steps < -1 || steps > 42) continue;
            // Bits are one higher here, so that the step before the first needs no care.
            u64 here = 1ull << (steps + 1);
            if (across) {
                beside |= here;
            } else {
                upon |= here;
                beside |= here << 1 | here >> 1;
            }
        }
    }
    u64 touching = (bits_of_any64(beside) & ~bits_of_any64(upon)) >> 1 & ((1ull << 42) - 1);
    i32 steps = (touching ? (i32)lowest_bit64(touching) : 42) * heading;
    return upright ? pair_of(steps, 0) : pair_of(0, steps);
}

// Takes the fuel for trying so many periods; false if there is not so much: then the host finds out where it ends.
DEVICE bool spend_on_periods(Run& run, u32 cells, u32 periods) {
    u64 price = (u64)(1 + cells / 8) * periods;
    if (price > run.fuel) return false;
    run.fuel -= price;
    return true;
}

// The smallest shift back along one axis under which the cells that stay inside are cells of the object.
DEVICE_CALL Value period_of(Run& run, Value object, bool horizontal) {
    object = as_patch(run, object);
    if (!is_packed(object)) return unless_packed(object, integer(0));
    Bounds box = bounds_of(object);
    u32 n = count(object), height = (u32)(box.bottom - box.top + 1), width = (u32)(box.right - box.left + 1);
    u32 extent = horizontal ? width : height, stride = horizontal ? 1 : width;
    if (extent == 1) return integer(1);
    // The first location that is looked at has no colour.
    if (tag(object) == INDICES) return spend_on_periods(run, n, 1) ? undefined() : refused();
    if (extent > 64 || height * width > MAX_AREA) return refused();
    u32 before = run.top;
    ALLOCATE(u16, table, height * width);
    const u32* cells = cells_of(object);
    const u16 no_colour = 0xFFFF;
    for (u32 k = lane(); k < height * width; k += 32) table[k] = no_colour;
    sync();
    bool repeated = false;
    for (u32 k = lane(); k < n; k += 32) {
        u32 cell = cells[k];
        repeated = repeated || (k && without_colour(cells[k - 1]) == without_colour(cell));
        table[(u32)(row_of(cell) - box.top) * width + (u32)(column_of(cell) - box.left)] = (u16)(cell & 0xFFu);
    }
    run.top = before;
    // A table has one colour at a location.
    if (any(repeated)) return refused();
    sync();
    u64 broken = 0;
    for (u32 k = lane(); k < n; k += 32) {
        u32 cell = cells[k], row = (u32)(row_of(cell) - box.top), column = (u32)(column_of(cell) - box.left);
        u32 at = row * width + column, reach = horizontal ? column : row;
        for (u32 p = 1; p <= reach; p++) {
            at -= stride;
            if (table[at] != (cell & 0xFFu)) broken |= 1ull << p;
        }
    }
    // Periods from 1 to one less than the extent are tried; the extent itself leaves no cell inside and is never broken.
    u64 found = ~bits_of_any64(broken) & ~1ull;
    u32 period = found ? lowest_bit64(found) : extent;
    return spend_on_periods(run, n, min_of(period, extent - 1)) ? integer(period) : refused();
}

OP1(hperiod) { return period_of(run, a, true); }
OP1(vperiod) { return period_of(run, a, false); }

OP2(mir_rot_f) {
    if (!is_container(a) || !is_number(b)) return undefined();
    i64 way = number(b);
    if (way < 0 || way > 3) return a;
    if (is_tuple(a)) return refused();
    if (!is_packed(a)) return unless_packed(a, undefined());
    Bounds box = bounds_of(a);
    u32 n = count(a), before = run.top;
    const u32* from = cells_of(a);
    ALLOCATE(u32, cells, n);
    bool fits = true;
    for (u32 k = lane(); k < n; k += 32) {
        i32 i = row_of(from[k]), j = column_of(from[k]), to_i, to_j;
        switch (way) {
        case 0: to_i = box.top + box.bottom - i, to_j = j; break;
        case 1: to_i = j - box.left + box.top, to_j = i - box.top + box.left; break;
        case 2: to_i = i, to_j = box.left + box.right - j; break;
        default: to_i = box.top + box.right - j, to_j = box.left + box.bottom - i;
        }
        fits = fits && fits_coordinate(to_i) && fits_coordinate(to_j);
        cells[k] = pack(to_i, to_j) | (from[k] & 0xFFu);
    }
    if (!all(fits)) {
        run.top = before;
        return refused();
    }
    return packed_set(run, tag(a), cells, n);
}

// A tuple of a colour and a location; what would be a cell out of range is left to the host.
DEVICE Value colour_and_place(Run& run, Value colour, Value place) {
    bool too_large = tag(place) == TUPLE && count(place) == 2 && is_number(items_of(place)[0]) && is_number(items_of(place)[1]);
    return is_number(colour) && too_large ? refused() : two_of(run, colour, place);
}

OP2(ascell) { return colour_and_place(run, b, a); }

OP3(astriple) {
    if (!is_number(a) || !is_number(b) || !is_number(c)) return undefined();
    if (!fits_coordinate(number(a)) || !fits_coordinate(number(b)) || !fits_8_bits(number(c))) return refused();
    return cell_of(pack_cell((i32)number(c), (i32)number(a), (i32)number(b)));
}

OP1(toij) { return is_tuple(a) && count(a) >= 2 ? item_of(a, 1) : undefined(); }

OP2(celltuple) {
    if (!is_container(a) || !is_container(b)) return undefined();
    u32 n = min_of(count(a), count(b));
    ALLOCATE(Value, items, n);
    for (u32 k = 0; k < n; k++) {
        Value cell = colour_and_place(run, item_of(b, k), item_of(a, k));
        if (!is_value(cell)) return cell;
        if (lane() == 0) items[k] = cell;
    }
    sync();
    return tuple_of(run, items, n);
}
