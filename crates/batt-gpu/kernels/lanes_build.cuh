// Making tuples by single lanes.
#pragma once
#include "build.cuh"

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

// The tuple of two values; that of two numbers needs no memory.
DEVICE_CALL Value lane_two_of(u8* place, Value a, Value b) {
    if (is_number(a) && is_number(b)) return pair_of_numbers(number(a), number(b));
    Value* items = (Value*)place;
    items[0] = a;
    items[1] = b;
    return lane_tuple_of(items, 2);
}
