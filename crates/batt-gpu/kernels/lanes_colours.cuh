// Colours of grids and objects by single lanes. Cells are counted one after the other; colours that no picture has are left to the host.
#pragma once
#include "lanes_values.cuh"
#include "ops_colours.cuh"
#include "ops_objects.cuh"

// A bit for each colour that a grid or object has; 0 if one is not among the first 64.
DEVICE_CALL u64 lane_colours(Value v) {
    u32 n = coloured_cells(v);
    u64 present = 0;
    for (u32 k = 0; k < n; k++) {
        i32 colour = colour_at(v, k);
        if (colour < 0 || colour > 63) return 0;
        present |= 1ull << colour;
    }
    return present;
}

DEVICE u32 bits_set_of_64(u64 bits) { return bits_set((u32)bits) + bits_set((u32)(bits >> 32)); }

// The lowest of the colours, of which there is at least one.
DEVICE i32 lowest_colour(u64 present) {
    return (u32)present ? (i32)lowest_bit((u32)present) : 32 + (i32)lowest_bit((u32)(present >> 32));
}

DEVICE_CALL u32 lane_count_colour(Value v, i32 wanted) {
    u32 n = coloured_cells(v), found = 0;
    for (u32 k = 0; k < n; k++) found += colour_at(v, k) == wanted;
    return found;
}

// The most or least frequent colour; of several the lowest.
DEVICE_CALL Value lane_frequent_colour(Value v, bool most) {
    if (is_empty_set(v)) return undefined();
    if (!is_coloured(v)) return without_colours(v);
    u64 present = lane_colours(v);
    if (!present) return refused();
    i32 best = lowest_colour(present);
    // Most things have one colour, or few.
    present &= present - 1;
    if (!present) return integer(best);
    u32 cells = lane_count_colour(v, best);
    for (; present; present &= present - 1) {
        i32 colour = lowest_colour(present);
        u32 others = lane_count_colour(v, colour);
        if (most ? others > cells : others < cells) {
            best = colour;
            cells = others;
        }
    }
    return integer(best);
}

LANE(mostcolor) { return lane_frequent_colour(a, true); }
LANE(leastcolor) { return lane_frequent_colour(a, false); }

LANE(color) {
    if (!is_container(a) || count(a) == 0) return undefined();
    Value first = lane_item(a, 0);
    return is_tuple(first) && count(first) ? lane_item(first, 0) : undefined();
}

LANE(numcolors) {
    if (is_empty_set(a)) return integer(0);
    if (!is_coloured(a)) return without_colours(a);
    u64 present = lane_colours(a);
    return present ? integer(bits_set_of_64(present)) : refused();
}

LANE(colorcount) {
    if (is_empty_set(a)) return integer(0);
    if (!is_coloured(a)) return without_colours(a);
    // What is no number is no colour.
    if (!is_number(b) || !fits_8_bits(number(b))) return integer(0);
    return integer(lane_count_colour(a, (i32)number(b)));
}

ROOM(palette) {
    if (!is_coloured(a)) return 0;
    u64 present = lane_colours(a);
    return present ? bits_set_of_64(present) * (u32)sizeof(Value) : REFUSE;
}

LANE(palette) {
    if (is_empty_set(a)) return a;
    if (!is_coloured(a)) return without_colours(a);
    Value* items = (Value*)place;
    u32 n = 0;
    for (u64 present = lane_colours(a); present; present &= present - 1) items[n++] = integer(lowest_colour(present));
    return lane_general(SET, items, n);
}

ROOM(ofcolor) {
    if (tag(a) != GRID || !is_number(b) || !fits_8_bits(number(b))) return 0;
    return is_packable(a) ? 4 * lane_count_colour(a, (i32)number(b)) : REFUSE;
}

LANE(ofcolor) {
    if (tag(a) != GRID) return without_rows(a);
    // What is no number is no colour.
    if (!is_number(b) || !fits_8_bits(number(b))) return empty_set();
    u32 *found = (u32*)place, n = 0, height = height_of(a), width = width_of(a);
    const i8* cell = bytes_of(a);
    for (u32 i = 0; i < height; i++) {
        for (u32 j = 0; j < width; j++) {
            if (*cell++ == (i8)number(b)) found[n++] = pack((i32)i, (i32)j);
        }
    }
    return n ? value_of(INDICES, n, 0, (u64)found) : empty_set();
}
