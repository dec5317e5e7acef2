// Items of containers, equality, and Python's order. `sort.cuh` has the canonical order.
#pragma once
#include "value.cuh"

// Item `k` of a container, `k` less than its count.
DEVICE_CALL Value item_of(Value v, u32 k) {
    switch (tag(v)) {
    case PAIR: return integer(k ? second_of(v) : first_of(v));
    case CELL: return k ? pair_of(row_of((u32)v.bits), column_of((u32)v.bits)) : integer(colour_of((u32)v.bits));
    case ROW: return integer(bytes_of(v)[k]);
    case GRID: {
        u32 width = width_of(v);
        i8* cells = bytes_of(v) + k * width;
        return width == 2 ? pair_of(cells[0], cells[1]) : row_at(cells, width);
    }
    case INDICES: return pair_of(row_of(cells_of(v)[k]), column_of(cells_of(v)[k]));
    case OBJECT: return cell_of(cells_of(v)[k]);
    default: return items_of(v)[k];
    }
}

// The first position at which two lists of bytes differ, or `n`. A collective.
DEVICE u32 first_difference(const i8* a, const i8* b, u32 n) {
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        u32 unequal = ballot(k < n && a[k] != b[k]);
        if (unequal) return start + lowest_bit(unequal);
    }
    return n;
}

DEVICE u32 first_difference(const u32* a, const u32* b, u32 n) {
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        u32 unequal = ballot(k < n && a[k] != b[k]);
        if (unequal) return start + lowest_bit(unequal);
    }
    return n;
}

// Values whose items are numbers or cells in one piece of memory, or that have none.
DEVICE bool is_flat(Value v) { return tag(v) <= OBJECT; }

DEVICE_CALL bool equal_flat(Value a, Value b) {
    if (is_number(a) && is_number(b)) return a.bits == b.bits;
    if (a.head != b.head || a.aux != b.aux) return false;
    switch (tag(a)) {
    case NOTHING: return true;
    case PAIR:
    case CELL: return a.bits == b.bits;
    case ROW: return a.bits == b.bits || first_difference(bytes_of(a), bytes_of(b), count(a)) == count(a);
    case GRID: return a.bits == b.bits || first_difference(bytes_of(a), bytes_of(b), area_of(a)) == area_of(a);
    default: return a.bits == b.bits || first_difference(cells_of(a), cells_of(b), count(a)) == count(a);
    }
}

// Deeper values are left to the host when they would be made, see `nesting_of`; so equality and order need to look no deeper.
const u32 MAX_DEPTH = 6;

template <u32 LEVELS> DEVICE_CALL bool equal_at(Value a, Value b) {
    if (is_flat(a) || is_flat(b)) return is_flat(a) && is_flat(b) && equal_flat(a, b);
    if (a.head != b.head || a.aux != b.aux) return false;
    if (a.bits == b.bits) return true;
    for (u32 k = 0; k < count(a); k++) {
        if (!equal_at<LEVELS - 1>(items_of(a)[k], items_of(b)[k])) return false;
    }
    return true;
}
template <> DEVICE_CALL bool equal_at<0>(Value a, Value b) { return equal_flat(a, b); }

// Whether two values are equal. A collective.
DEVICE bool equal(Value a, Value b) { return equal_at<MAX_DEPTH>(a, b); }

DEVICE i32 sign(i64 a, i64 b) { return a < b ? -1 : a > b; }

// Nothing, numbers, cells, other tuples, sets. A general tuple that is a cell out of range is left to the host when it is made.
DEVICE u32 class_of(Value v) {
    switch (tag(v)) {
    case NOTHING: return 0;
    case INT:
    case BOOL: return 1;
    case CELL: return 2;
    case PAIR:
    case ROW:
    case GRID:
    case TUPLE: return 3;
    default: return 4;
    }
}

// Python's order: numbers by value, tuples item by item. Anything else has none: then `ordered` becomes false.
template <u32 LEVELS> DEVICE_CALL i32 python_compare_at(Value a, Value b, bool& ordered) {
    if (is_number(a) && is_number(b)) return sign(number(a), number(b));
    if (!is_tuple(a) || !is_tuple(b)) {
        ordered = false;
        return 0;
    }
    u32 shorter = min_of(count(a), count(b));
    for (u32 k = 0; k < shorter; k++) {
        Value x = item_of(a, k), y = item_of(b, k);
        if (!equal(x, y)) return python_compare_at<LEVELS - 1>(x, y, ordered);
    }
    return sign(count(a), count(b));
}
template <> DEVICE_CALL i32 python_compare_at<0>(Value a, Value b, bool& ordered) {
    ordered = false;
    return 0;
}
DEVICE i32 python_compare(Value a, Value b, bool& ordered) { return python_compare_at<MAX_DEPTH + 1>(a, b, ordered); }
