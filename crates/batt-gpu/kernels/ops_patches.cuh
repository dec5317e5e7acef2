// Patches: their forms, moving and recolouring them, their extent, and what they have in common with grids.
#pragma once
#include "ops.cuh"

// What an operation on the cells of a patch gives where the patch is not packed: `if_empty` for nothing in it; undefined for what is no
// patch on the host either; other tuples and sets of locations or cells are left to the host.
DEVICE Value unless_packed(Value patch, Value if_empty) {
    if (!is_container(patch)) return undefined();
    if (count(patch) == 0) return if_empty;
    switch (tag(patch)) {
    // A table of two columns is a tuple of locations; other rows are none.
    case GRID: return width_of(patch) == 2 ? refused() : undefined();
    case TUPLE:
    case SET: {
        // The second item of the first tells cells from locations; so there must be one.
        Value first = items_of(patch)[0];
        return is_tuple(first) && count(first) >= 2 ? refused() : undefined();
    }
    default: return undefined();
    }
}

// The same for two patches of which at least one is not packed. An error in either is an error, so it goes before leaving it to the host.
DEVICE Value unless_both_packed(Value a, Value b, Value if_empty) {
    Value of_a = is_packed(a) ? nothing() : unless_packed(a, if_empty);
    Value of_b = is_packed(b) ? nothing() : unless_packed(b, if_empty);
    if (tag(of_a) == UNDEFINED || tag(of_b) == UNDEFINED) return undefined();
    if (tag(of_a) == REFUSED || tag(of_b) == REFUSED) return refused();
    return if_empty;
}

// The set of the cells or locations that a tuple holds; anything else as it is, also what would not be packed.
DEVICE_CALL Value set_of_tuple(Run& run, Value v) {
    u32 n = count(v), kind = tag(item_of(v, 0)), before = run.top;
    u32* cells = kind == CELL || kind == PAIR ? (u32*)allocate(run, 4 * n) : nullptr;
    if (!cells) return v;
    bool fits = true;
    for (u32 k = lane(); k < n; k += 32) {
        Value item = item_of(v, k);
        i32 i = first_of(item), j = second_of(item);
        fits = fits && tag(item) == kind && (kind == CELL || (fits_coordinate(i) && fits_coordinate(j)));
        cells[k] = kind == CELL ? (u32)item.bits : pack(i, j);
    }
    Value made = all(fits) ? packed_set(run, kind == CELL ? OBJECT : INDICES, cells, n) : v;
    if (is_packed(made)) return made;
    run.top = before;
    return v;
}

// A patch for operations to which a tuple of cells or locations is as good as the set of them: they ask neither how many there are
// nor, as of a grid, for the number of rows.
DEVICE Value as_patch(Run& run, Value v) { return (tag(v) == GRID || tag(v) == TUPLE) && count(v) ? set_of_tuple(run, v) : v; }

// What came of taking two numbers out of a value.
enum TakeResult : u32 { TAKEN, NOT_THERE, FOR_THE_HOST };

DEVICE u32 take_numbers(Value first, Value second, i32& i, i32& j) {
    if (!is_number(first) || !is_number(second)) return NOT_THERE;
    if (!fits_32_bits(number(first)) || !fits_32_bits(number(second))) return FOR_THE_HOST;
    i = (i32)number(first);
    j = (i32)number(second);
    return TAKEN;
}

// Exactly two integers, as in `i, j = value`: a set of two will do.
DEVICE u32 take_location(Value v, i32& i, i32& j) {
    if (tag(v) == PAIR) {
        i = first_of(v);
        j = second_of(v);
        return TAKEN;
    }
    if ((tag(v) == TUPLE || tag(v) == SET) && count(v) == 2) return take_numbers(items_of(v)[0], items_of(v)[1], i, j);
    return NOT_THERE;
}

// `value[0], value[1]` as integers: a longer tuple will do.
DEVICE u32 take_two_ints(Value v, i32& i, i32& j) {
    if (tag(v) == PAIR) return take_location(v, i, j);
    if ((tag(v) == ROW || tag(v) == TUPLE) && count(v) >= 2) return take_numbers(item_of(v, 0), item_of(v, 1), i, j);
    return NOT_THERE;
}

DEVICE Value not_taken(u32 taken) { return taken == NOT_THERE ? undefined() : refused(); }

DEVICE i32 top_of(Value patch) { return row_of(cells_of(patch)[0]); }
DEVICE i32 bottom_of(Value patch) { return row_of(cells_of(patch)[count(patch) - 1]); }

DEVICE i32 left_of(Value patch) {
    const u32* cells = cells_of(patch);
    i32 left = 4096;
    for (u32 k = lane(); k < count(patch); k += 32) left = min_of(left, column_of(cells[k]));
    return smallest(left);
}

DEVICE i32 right_of(Value patch) {
    const u32* cells = cells_of(patch);
    i32 right = -4096;
    for (u32 k = lane(); k < count(patch); k += 32) right = max_of(right, column_of(cells[k]));
    return largest(right);
}

OP1(uppermost) {
    a = as_patch(run, a);
    return is_packed(a) ? integer(top_of(a)) : unless_packed(a, undefined());
}

OP1(lowermost) {
    a = as_patch(run, a);
    return is_packed(a) ? integer(bottom_of(a)) : unless_packed(a, undefined());
}

OP1(leftmost) {
    a = as_patch(run, a);
    return is_packed(a) ? integer(left_of(a)) : unless_packed(a, undefined());
}

OP1(rightmost) {
    a = as_patch(run, a);
    return is_packed(a) ? integer(right_of(a)) : unless_packed(a, undefined());
}

OP1(ulcorner) {
    a = as_patch(run, a);
    return is_packed(a) ? pair_of(top_of(a), left_of(a)) : unless_packed(a, empty_tuple());
}

OP1(urcorner) {
    a = as_patch(run, a);
    return is_packed(a) ? pair_of(top_of(a), right_of(a)) : unless_packed(a, empty_tuple());
}

OP1(llcorner) {
    a = as_patch(run, a);
    return is_packed(a) ? pair_of(bottom_of(a), left_of(a)) : unless_packed(a, empty_tuple());
}

OP1(lrcorner) {
    a = as_patch(run, a);
    return is_packed(a) ? pair_of(bottom_of(a), right_of(a)) : unless_packed(a, empty_tuple());
}

OP1(corners) {
    a = as_patch(run, a);
    if (!is_packed(a)) {
        Value failure = unless_packed(a, nothing());
        if (!is_value(failure)) return failure;
        // Each corner of an empty patch is the empty tuple.
        ALLOCATE(Value, items, 1);
        if (lane() == 0) items[0] = empty_tuple();
        return set_of(run, items, 1);
    }
    Bounds box = bounds_of(a);
    ALLOCATE(u32, cells, 4);
    // In reading order; lanes 1 and 3 have the right side, lanes 2 and 3 the bottom, where these are lines of their own.
    bool low = lane() & 2, far = lane() & 1;
    u32 mask = ballot(lane() < 4 && (!low || box.bottom != box.top) && (!far || box.right != box.left));
    if (mask >> lane() & 1) cells[rank_in(mask)] = pack(low ? box.bottom : box.top, far ? box.right : box.left);
    return sorted_set(INDICES, cells, bits_set(mask));
}

OP2(corner) {
    if (!is_number(b)) return undefined();
    switch (number(b)) {
    case 0: return op_ulcorner(run, a);
    case 1: return op_urcorner(run, a);
    case 2: return op_llcorner(run, a);
    case 3: return op_lrcorner(run, a);
    default: return undefined();
    }
}

OP2(col_row) {
    if (!is_number(b)) return undefined();
    switch (number(b)) {
    case 0: return op_lowermost(run, a);
    case 1: return op_uppermost(run, a);
    case 2: return op_leftmost(run, a);
    case 3: return op_rightmost(run, a);
    default: return undefined();
    }
}

OP1(height) {
    if (is_packed(a)) return integer(bottom_of(a) - top_of(a) + 1);
    return is_tuple(a) ? integer(count(a)) : unless_packed(a, integer(0));
}

OP1(width) {
    if (is_packed(a)) {
        Bounds box = bounds_of(a);
        return integer(box.right - box.left + 1);
    }
    if (tag(a) == GRID) return integer(width_of(a));
    if (tag(a) == TUPLE && count(a)) {
        Value first = items_of(a)[0];
        return is_container(first) ? integer(count(first)) : undefined();
    }
    // Of other tuples the first item is a number.
    return unless_packed(a, integer(0));
}

OP1(shape) {
    Value height = op_height(run, a), width = op_width(run, a);
    if (!is_value(height)) return height;
    return is_value(width) ? pair_of((i32)number(height), (i32)number(width)) : width;
}

OP1(portrait) {
    Value height = op_height(run, a), width = op_width(run, a);
    if (!is_value(height)) return height;
    return is_value(width) ? boolean(number(height) > number(width)) : width;
}

OP1(square) {
    // The first row is looked at, so a grid must have one.
    if (tag(a) == TUPLE && count(a) == 0) return undefined();
    Value height = op_height(run, a), width = op_width(run, a);
    if (!is_value(height)) return height;
    if (!is_value(width)) return width;
    bool full = is_tuple(a) || number(height) * number(width) == count(a);
    return boolean(full && number(height) == number(width));
}

OP1(vline) {
    if (!is_packed(a)) {
        Value width = op_width(run, a);
        return is_value(width) ? boolean(number(width) == 1) : width;
    }
    u32 n = count(a);
    const u32* cells = cells_of(a);
    if ((u32)(bottom_of(a) - top_of(a) + 1) != n) return boolean(false);
    i32 column = column_of(cells[0]);
    bool straight = true;
    for (u32 k = lane(); k < n; k += 32) straight = straight && column_of(cells[k]) == column;
    return boolean(all(straight));
}

OP1(hline) {
    if (!is_packed(a)) {
        Value width = op_width(run, a);
        return is_value(width) ? boolean(count(a) == 1 && number(width) == 1) : width;
    }
    // In one row the cells ascend by column.
    u32 n = count(a);
    const u32* cells = cells_of(a);
    return boolean(top_of(a) == bottom_of(a) && (u32)(column_of(cells[n - 1]) - column_of(cells[0]) + 1) == n);
}

OP1(center) {
    if (!is_packed(a)) return unless_packed(a, undefined());
    Bounds box = bounds_of(a);
    return pair_of(box.top + (box.bottom - box.top + 1) / 2, box.left + (box.right - box.left + 1) / 2);
}

DEVICE i64 floor_quotient(i64 a, i64 b) {
    i64 quotient = a / b;
    return a - quotient * b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

OP1(centerofmass) {
    if (!is_packed(a)) return unless_packed(a, empty_tuple());
    u32 n = count(a);
    const u32* cells = cells_of(a);
    i32 rows = 0, columns = 0;
    for (u32 k = lane(); k < n; k += 32) {
        u32 mine = without_colour(cells[k]);
        // The sums are over distinct locations, the divisor counts cells.
        if (k && without_colour(cells[k - 1]) == mine) continue;
        rows += row_of(mine);
        columns += column_of(mine);
    }
    rows = (i32)sum((u32)rows);
    columns = (i32)sum((u32)columns);
    return pair_of((i32)floor_quotient(rows, n), (i32)floor_quotient(columns, n));
}

// The locations of a packed patch with these colour bits instead of its own.
DEVICE_CALL Value with_colour_bits(Run& run, Value patch, u32 tag_made, u32 colour_bits) {
    u32 n = count(patch);
    const u32* from = cells_of(patch);
    ALLOCATE(u32, cells, n);
    bool repeated = false;
    for (u32 k = lane(); k < n; k += 32) {
        u32 mine = without_colour(from[k]);
        repeated = repeated || (k && without_colour(from[k - 1]) == mine);
        cells[k] = mine | colour_bits;
    }
    // Cells of several colours at one location become one.
    sync();
    if (any(repeated)) n = unique_cells(cells, n);
    return sorted_set(tag_made, cells, n);
}

OP1(toindices) {
    if (tag(a) == INDICES) return a;
    if (is_container(a) && count(a) && tag(a) != OBJECT) {
        // What has no colours stays as it is, be it a patch or not; the first item tells.
        Value first = item_of(a, 0);
        if (is_tuple(first) && count(first) >= 2 && !is_tuple(item_of(first, 1))) return a;
        a = as_patch(run, a);
    }
    return tag(a) == OBJECT ? with_colour_bits(run, a, INDICES, 0) : unless_packed(a, empty_set());
}

OP2(recolor) {
    b = as_patch(run, b);
    if (is_packed(b)) {
        // Other colours make tuples that are no cells, and no error.
        if (!is_number(a) || !fits_8_bits(number(a))) return refused();
        return with_colour_bits(run, b, OBJECT, (u32)(number(a) + 128));
    }
    // A row takes a colour too: that is no cell, and no error either.
    if (tag(b) == GRID && width_of(b) > 1) return refused();
    return unless_packed(b, empty_set());
}

// Packed cells moved by a vector.
DEVICE_CALL Value moved_by(Run& run, Value patch, i32 di, i32 dj) {
    if (di == 0 && dj == 0) return patch;
    if (!fits_coordinate((i64)top_of(patch) + di) || !fits_coordinate((i64)bottom_of(patch) + di)) return refused();
    if (dj < -4096 || dj > 4096) return refused();
    u32 n = count(patch), before = run.top, offset = displacement(di, dj);
    const u32* from = cells_of(patch);
    ALLOCATE(u32, cells, n);
    bool fits = true;
    for (u32 k = lane(); k < n; k += 32) {
        u32 cell = from[k];
        fits = fits && fits_coordinate(column_of(cell) + dj);
        cells[k] = cell + offset;
    }
    if (!all(fits)) {
        run.top = before;
        return refused();
    }
    return sorted_set(tag(patch), cells, n);
}

OP2(shift) {
    a = as_patch(run, a);
    if (is_container(a) && count(a) == 0) return a;
    i32 di, dj;
    u32 taken = take_location(b, di, dj);
    if (taken == NOT_THERE) return undefined();
    if (!is_packed(a)) return unless_packed(a, undefined());
    return taken == TAKEN ? moved_by(run, a, di, dj) : refused();
}

OP1(normalize) {
    a = as_patch(run, a);
    if (!is_packed(a)) return unless_packed(a, a);
    return moved_by(run, a, -top_of(a), -left_of(a));
}
