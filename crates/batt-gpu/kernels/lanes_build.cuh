// Making tuples and the cells of grids by single lanes.
#pragma once
#include "build.cuh"

// Cells that are laid one behind the other from a place on that is aligned, a word at a time. Memory there has room for whole words.
struct Pen {
    u32* next;
    u64 bits;    // Cells that do not fill a word yet.
    u32 filled;  // So many bits of them.
};

DEVICE Pen pen_at(u8* place) {
    Pen pen;
    pen.next = (u32*)place;
    pen.bits = 0;
    pen.filled = 0;
    return pen;
}

// Lays up to four cells: the lowest `n` bytes of a word.
DEVICE void lay_cells(Pen& pen, u32 four, u32 n) {
    if (n < 4) four &= (1u << 8 * n) - 1;
    pen.bits |= (u64)four << pen.filled;
    pen.filled += 8 * n;
    if (pen.filled >= 32) {
        *pen.next++ = (u32)pen.bits;
        pen.bits >>= 32;
        pen.filled -= 32;
    }
}

DEVICE void finish_cells(Pen& pen) {
    if (pen.filled) *pen.next = (u32)pen.bits;
}

// Item `k` of a container, by call: many ask for one.
DEVICE_CALL Value lane_item(Value v, u32 k) { return item_of(v, k); }

// What a container of these items is, depth and weight counted one after the other; refused if it is more than the device takes.
DEVICE_CALL Value lane_general(u32 tag, const Value* items, u32 n) {
    u32 deepest = 0;
    u64 weight = 0;
    for (u32 k = 0; k < n; k++) {
        deepest = max_of(deepest, depth_of(items[k]));
        weight += weight_of(items[k]);
    }
    if (weight < n) weight = n;
    if (deepest >= MAX_DEPTH || weight > (1u << 22)) return refused();
    return value_of(tag, n, (deepest + 1) << 24 | (u32)weight, (u64)items);
}

// Lays a row of a grid at `cells`.
DEVICE_CALL void lane_lay_row(Value row, u8* cells) {
    for (u32 k = 0; k < count(row); k++) cells[k] = tag(row) == ROW ? (u8)bytes_of(row)[k] : (u8)(k ? second_of(row) : first_of(row));
}

// Whether a value can be a row of a grid.
DEVICE bool is_grid_row(Value v) { return tag(v) == ROW || (tag(v) == PAIR && fits_8_bits(first_of(v)) && fits_8_bits(second_of(v))); }

// The tuple of these items in its one form, which takes their place where it is a row or a grid. A wide grid would not fit there and is
// refused.
DEVICE_CALL Value lane_tuple_of(Value* items, u32 n) {
    if (n == 0) return empty_tuple();
    Value first = items[0];
    if (is_number(first)) {
        if (n == 2 && is_number(items[1])) return pair_of_numbers(number(first), number(items[1]));
        if (n == 2 && tag(items[1]) == PAIR) {
            i32 i = first_of(items[1]), j = second_of(items[1]);
            // A cell that does not fit is a general tuple that sorts among the cells: left to the host.
            if (!fits_8_bits(number(first)) || !fits_coordinate(i) || !fits_coordinate(j)) return refused();
            return cell_of(pack_cell((i32)number(first), i, j));
        }
        bool fits = true;
        for (u32 k = 0; k < n && fits; k++) fits = is_number(items[k]) && fits_8_bits(number(items[k]));
        if (!fits) return lane_general(TUPLE, items, n);
        u8* row = (u8*)items;
        // A byte never lies behind the item that it comes from.
        for (u32 k = 0; k < n; k++) row[k] = (u8)number(items[k]);
        return row_at((i8*)row, n);
    }
    u32 width = count(first);
    bool rows = true;
    for (u32 k = 0; k < n && rows; k++) rows = is_grid_row(items[k]) && count(items[k]) == width;
    if (!rows) return lane_general(TUPLE, items, n);
    if (width > sizeof(Value)) return refused();
    u8* cells = (u8*)items;
    for (u32 k = 0; k < n; k++) {
        Value row = items[k];
        lane_lay_row(row, cells + k * width);
    }
    return grid_at((i8*)cells, n, width);
}

// The tuple of items that may be rows: the host does not make what begins like too large a grid.
DEVICE_CALL Value lane_tuple_of_rows(Value* items, u32 n) {
    bool row = n && (tag(items[0]) == ROW || tag(items[0]) == PAIR);
    return row && (u64)n * count(items[0]) > MAX_AREA ? refused() : lane_tuple_of(items, n);
}

// The tuple of two values; that of two numbers needs no memory.
DEVICE_CALL Value lane_two_of(u8* place, Value a, Value b) {
    if (is_number(a) && is_number(b)) return pair_of_numbers(number(a), number(b));
    Value* items = (Value*)place;
    items[0] = a;
    items[1] = b;
    return lane_tuple_of(items, 2);
}
