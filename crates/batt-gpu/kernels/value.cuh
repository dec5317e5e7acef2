// Values on the device: the same forms as on the host, each abstract value in exactly one of them.
//
// A value is 16 bytes, the same in all lanes; what does not fit lies in memory that the value points to. That memory is a run's own
// arena, or the literals and inputs that all runs share; it is written once and never changed after the call that made it.
#pragma once
#include "structures.h"

enum Tag : u32 {
    NOTHING,
    INT,
    BOOL,
    PAIR,
    CELL,
    ROW,
    GRID,
    INDICES,
    OBJECT,
    TUPLE,
    SET,
    // Not values: what a call gives that has no answer, and a call that the device leaves to the host.
    UNDEFINED = 14,
    REFUSED = 15,
};

DEVICE u32 tag(Value v) { return v.head & 0xFFu; }
DEVICE u32 count(Value v) { return v.head >> 8; }
DEVICE Value value_of(u32 tag, u32 count, u32 aux, u64 bits) {
    Value v;
    v.head = tag | count << 8;
    v.aux = aux;
    v.bits = bits;
    return v;
}

DEVICE Value undefined() { return value_of(UNDEFINED, 0, 0, 0); }
DEVICE Value refused() { return value_of(REFUSED, 0, 0, 0); }
DEVICE Value nothing() { return value_of(NOTHING, 0, 0, 0); }
DEVICE Value integer(i64 n) { return value_of(INT, 0, 0, (u64)n); }
DEVICE Value boolean(bool b) { return value_of(BOOL, 0, 0, b ? 1 : 0); }
DEVICE Value pair_of(i32 a, i32 b) { return value_of(PAIR, 2, 0, (u64)(u32)b << 32 | (u32)a); }
DEVICE Value cell_of(u32 packed) { return value_of(CELL, 2, 0, packed); }
DEVICE Value empty_tuple() { return value_of(TUPLE, 0, 1u << 24, 0); }
DEVICE Value empty_set() { return value_of(SET, 0, 1u << 24, 0); }
DEVICE Value grid_at(i8* cells, u32 height, u32 width) { return value_of(GRID, height, height << 16 | width, (u64)cells); }
DEVICE Value row_at(i8* cells, u32 length) { return value_of(ROW, length, 0, (u64)cells); }

DEVICE bool is_value(Value v) { return tag(v) <= SET; }
DEVICE bool is_number(Value v) { return tag(v) == INT || tag(v) == BOOL; }
DEVICE i64 number(Value v) { return (i64)v.bits; }
DEVICE i32 first_of(Value v) { return (i32)(u32)v.bits; }
DEVICE i32 second_of(Value v) { return (i32)(u32)(v.bits >> 32); }
DEVICE i8* bytes_of(Value v) { return (i8*)v.bits; }
DEVICE u32* cells_of(Value v) { return (u32*)v.bits; }
DEVICE Value* items_of(Value v) { return (Value*)v.bits; }
DEVICE u32 height_of(Value v) { return v.aux >> 16; }
DEVICE u32 width_of(Value v) { return v.aux & 0xFFFFu; }
DEVICE u32 area_of(Value v) { return height_of(v) * width_of(v); }
DEVICE bool is_tuple(Value v) { return (tag(v) >= PAIR && tag(v) <= GRID) || tag(v) == TUPLE; }
DEVICE bool is_set(Value v) { return tag(v) == INDICES || tag(v) == OBJECT || tag(v) == SET; }
DEVICE bool is_container(Value v) { return tag(v) >= PAIR && tag(v) <= SET; }
DEVICE bool is_empty_set(Value v) { return tag(v) == SET && count(v) == 0; }
// A set of locations or cells that is packed: not the empty set.
DEVICE bool is_packed(Value v) { return tag(v) == INDICES || tag(v) == OBJECT; }
// A patch as the device takes it: packed or empty. A set of other things may be one too; that is left to the host.
DEVICE bool is_patch(Value v) { return is_packed(v) || is_empty_set(v); }
DEVICE bool fits_8_bits(i64 n) { return n >= -128 && n <= 127; }
DEVICE bool fits_32_bits(i64 n) { return n >= -2147483648ll && n <= 2147483647ll; }

// Python's truth.
DEVICE bool truth(Value v) {
    switch (tag(v)) {
    case NOTHING: return false;
    case INT:
    case BOOL: return v.bits != 0;
    case TUPLE:
    case SET: return count(v) != 0;
    default: return true;
    }
}

DEVICE u32 weight_of(Value v) {
    u32 form = tag(v), weight = 1;
    // Without jumps: it is asked for every argument of every call.
    if (form >= ROW) weight = count(v);
    if (form == GRID) weight = area_of(v);
    if (form >= TUPLE) weight = v.aux & 0xFFFFFFu;
    return weight;
}

DEVICE u32 depth_of(Value v) {
    switch (tag(v)) {
    case PAIR:
    case ROW: return 1;
    case CELL:
    case GRID:
    case INDICES: return 2;
    case OBJECT: return 3;
    case TUPLE:
    case SET: return v.aux >> 24;
    default: return 0;
    }
}

// A cell `(colour, (i, j))` in 32 bits: 12 bits row, 12 bits column, 8 bits colour, each offset to be non-negative, so that comparing
// the integers compares in reading order. The colour bits of a location are zero.
const i32 LOWEST_COORDINATE = -2048, HIGHEST_COORDINATE = 2047;
DEVICE bool fits_coordinate(i64 n) { return n >= LOWEST_COORDINATE && n <= HIGHEST_COORDINATE; }
DEVICE u32 pack(i32 i, i32 j) { return (u32)(i + 2048) << 20 | (u32)(j + 2048) << 8; }
DEVICE u32 pack_cell(i32 colour, i32 i, i32 j) { return pack(i, j) | (u32)(colour + 128); }
DEVICE i32 row_of(u32 packed) { return (i32)(packed >> 20) - 2048; }
DEVICE i32 column_of(u32 packed) { return (i32)(packed >> 8 & 0xFFFu) - 2048; }
DEVICE i32 colour_of(u32 packed) { return (i32)(packed & 0xFFu) - 128; }
DEVICE u32 without_colour(u32 packed) { return packed & 0xFFFFFF00u; }
DEVICE u32 with_colour(u32 packed, i32 colour) { return without_colour(packed) | (u32)(colour + 128); }
// What to add to every packed cell to move it, if the moved cells stay in range.
DEVICE u32 displacement(i32 di, i32 dj) { return ((u32)di << 20) + ((u32)dj << 8); }

// A run: its arena and its fuel. The same in all lanes.
struct Run {
    u8* arena;
    u32 top;
    u32 size;
    u32 fuel;
    u32 steps;  // Instructions that it may still do.
};

// Counts something as so many instructions; false when there were not so many left.
DEVICE bool take_steps(Run& run, u32 number) {
    bool enough = number <= run.steps;
    run.steps = enough ? run.steps - number : 0;
    return enough;
}

// So many bytes of the run's arena, aligned to 16; null when it is full.
DEVICE u8* allocate(Run& run, u32 bytes) {
    u32 rounded = (bytes + 15u) & ~15u;
    if (rounded < bytes || rounded > run.size - run.top) return nullptr;
    u8* place = run.arena + run.top;
    run.top += rounded;
    return place;
}

// Declares `name`, room for `number` items, or leaves the run to the host.
#define ALLOCATE(type, name, number)                                                              \
    type* name = (type*)allocate(run, (u32)(number) * (u32)sizeof(type));                         \
    if (!name) return refused();
