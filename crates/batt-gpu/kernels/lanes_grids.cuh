// Whole grids by single lanes: drawing on them, changing their colours, making and joining them. Each lane has a grid of its own, so
// what counts is how often memory is asked: cells are read and written 16 at a time where a grid's place allows it.
#pragma once
#include "lanes.cuh"
#include "lanes_build.cuh"
#include "ops_cutting.cuh"
#include "ops_drawing.cuh"

struct alignas(16) Block {
    u32 x, y, z, w;
};

// Memory for so many cells, in whole blocks.
DEVICE u32 room_of_cells(u32 n) { return (n + 15u) & ~15u; }
DEVICE u32 room_of_grid(Value v) { return tag(v) == GRID ? room_of_cells(area_of(v)) : 0; }

// Up to four cells from anywhere, of which `n` are there. No word is read that has none of them.
DEVICE u32 lane_four(const i8* from, u32 n) {
    u32 before = (u32)((u64)from & 3);
    const u32* words = (const u32*)(from - before);
    u32 four = words[0] >> 8 * before;
    if (before && before + n > 4) four |= words[1] << (32 - 8 * before);
    return four;
}

DEVICE_CALL Block lane_pieced_block(const i8* from, u32 n) {
    Block block = {lane_four(from, n), 0, 0, 0};
    if (n > 4) block.y = lane_four(from + 4, n - 4);
    if (n > 8) block.z = lane_four(from + 8, n - 8);
    if (n > 12) block.w = lane_four(from + 12, n - 12);
    return block;
}

// Up to 16 cells from number `at` on, of `n`; what there is behind the last is not looked at by anyone.
DEVICE Block lane_block(const i8* cells, u32 at, u32 n) {
    if (((u64)(cells + at) & 15) == 0 && at + 16 <= n) return *(const Block*)(cells + at);
    return lane_pieced_block(cells + at, n - at);
}

DEVICE_CALL void lane_copy(u8* place, const i8* from, u32 n) {
    for (u32 at = 0; at < n; at += 16) *(Block*)(place + at) = lane_block(from, at, n);
}

// Some rows one behind the other, each of a piece of one list of cells and then a piece of another; the pieces for the next row begin
// so many steps further.
DEVICE_CALL void lane_lay_rows(u8* place, u32 rows, const i8* left, u32 left_width, u32 left_step, const i8* right, u32 right_width) {
    Pen pen = pen_at(place);
    for (u32 i = 0; i < rows; i++, left += left_step, right += right_width) {
        for (u32 k = 0; k < left_width; k += 4) lay_cells(pen, lane_four(left + k, left_width - k), min_of(left_width - k, 4u));
        for (u32 k = 0; k < right_width; k += 4) lay_cells(pen, lane_four(right + k, right_width - k), min_of(right_width - k, 4u));
    }
    finish_cells(pen);
}

// So many rows of no cells, 16 bytes each.
DEVICE_CALL Value lane_empty_rows(u8* place, u32 height) {
    if (height == 0) return empty_tuple();
    for (u32 i = 0; i < height; i++) ((Value*)place)[i] = empty_tuple();
    return value_of(TUPLE, height, 2u << 24 | height, (u64)place);
}

// How many of `n` cells have a colour.
DEVICE_CALL u32 lane_cells_of(const i8* cells, u32 n, i32 colour) {
    u32 wanted = four_times(colour), bits = 0, at = 0;
    for (; at + 16 <= n; at += 16) {
        Block block = lane_block(cells, at, n);
        bits += bits_set(equal_bytes(block.x, wanted)) + bits_set(equal_bytes(block.y, wanted));
        bits += bits_set(equal_bytes(block.z, wanted)) + bits_set(equal_bytes(block.w, wanted));
    }
    for (; at < n; at += 4) {
        u32 same = equal_bytes(lane_four(cells + at, n - at), wanted);
        if (n - at < 4) same &= (1u << 8 * (n - at)) - 1;
        bits += bits_set(same);
    }
    return bits / 8;
}

// A bit for each colour of `n` cells; 0 if one is not among the first 32.
DEVICE_CALL u32 lane_colours_of(const i8* cells, u32 n) {
    u32 present = 0, high = 0;
    for (u32 at = 0; at < n; at += 4) {
        u32 four = lane_four(cells + at, n - at);
        if (n - at < 4) {
            // The first of them stands for those that are not there.
            u32 there = (1u << 8 * (n - at)) - 1;
            four = (four & there) | (four_times((i32)(four & 0xFFu)) & ~there);
        }
        high |= four & 0xE0E0E0E0u;
        present |= 1u << (four & 31u) | 1u << (four >> 8 & 31u) | 1u << (four >> 16 & 31u) | 1u << (four >> 24 & 31u);
    }
    return high ? 0 : present;
}

// The most or least frequent colour of `n` cells, at least one, and of several the lowest; ANY_COLOUR if lanes do not care for the colours.
DEVICE_CALL i32 lane_frequent(const i8* cells, u32 n, bool most) {
    u32 zeros = lane_cells_of(cells, n, 0);
    // More than half of the cells: that is how pictures are as a rule.
    if (most && 2 * zeros > n) return 0;
    u32 present = lane_colours_of(cells, n), best = 0, left = n;
    if (!present) return ANY_COLOUR;
    i32 found = 0;
    for (; present; present &= present - 1) {
        i32 colour = (i32)lowest_bit(present);
        u32 times = colour ? lane_cells_of(cells, n, colour) : zeros;
        if (best == 0 || (most ? times > best : times < best)) {
            best = times;
            found = colour;
        }
        left -= times;
        // None of those that are left can be more frequent.
        if (most && best >= left) break;
    }
    return found;
}

DEVICE i32 lane_background(Value grid) { return lane_frequent(bytes_of(grid), area_of(grid), true); }

// Whether a patch can be drawn in one colour: NOTHING if so.
DEVICE_CALL Value lane_drawable(Value patch) {
    if (is_packed(patch)) return nothing();
    if (tag(patch) == GRID) return width_of(patch) == 2 ? nothing() : undefined();
    if (tag(patch) != TUPLE && tag(patch) != SET) return undefined();
    bool cells = tag(patch) == TUPLE || count(patch) == 0;
    for (u32 k = 0; k < count(patch) && cells; k++) cells = tag(items_of(patch)[k]) == CELL;
    return cells ? nothing() : without_patch(patch);
}

// Whether a patch can be drawn in its own colours: NOTHING if so.
DEVICE_CALL Value lane_paintable(Value patch) {
    if (tag(patch) == OBJECT) return nothing();
    if (tag(patch) != TUPLE && tag(patch) != SET) return undefined();
    Value fine = lane_drawable(patch);
    if (is_value(fine)) return fine;
    // Two of anything may stand for a colour and its location, but not two numbers or two cells.
    Value first = items_of(patch)[0];
    return is_container(first) && count(first) == 2 && tag(first) != PAIR && tag(first) != OBJECT ? refused() : undefined();
}

// Draws a moved patch on a copy of a grid, cell after cell, in a colour or, for ANY_COLOUR, in its own; only on cells of colour `only`
// unless that is ANY_COLOUR.
DEVICE_CALL void lane_draw(i8* made, Value grid, Value patch, i32 colour, i32 only, i32 di, i32 dj) {
    u32 area = area_of(grid);
    for (u32 k = 0; k < count(patch); k++) {
        u32 cell = cell_to_draw(patch, k), at = place_on(grid, cell, di, dj);
        if (at >= area || (only != ANY_COLOUR && made[at] != only)) continue;
        made[at] = (i8)(colour == ANY_COLOUR ? colour_of(cell) : colour);
    }
}

DEVICE_CALL Value lane_drawn(u8* place, Value grid, Value patch, i32 colour, i32 only) {
    lane_copy(place, bytes_of(grid), area_of(grid));
    lane_draw((i8*)place, grid, patch, colour, only, 0, 0);
    return grid_at((i8*)place, height_of(grid), width_of(grid));
}

// What drawing a patch on a grid gives without drawing anything: NOTHING if it is to be drawn.
DEVICE Value lane_undrawn(Value grid, Value patch, Value fine) {
    if (!is_value(fine)) return fine;
    if (tag(grid) != GRID) return without_grid(grid, undefined());
    return count(patch) ? nothing() : grid;
}

ROOM(fill) { return count(c) ? room_of_grid(a) : 0; }

LANE(fill) {
    Value instead = lane_undrawn(a, c, lane_drawable(c));
    if (tag(instead) != NOTHING) return instead;
    return is_cell_colour(b) ? lane_drawn(place, a, c, (i32)number(b), ANY_COLOUR) : refused();
}

ROOM(paint) { return count(b) ? room_of_grid(a) : 0; }

LANE(paint) {
    Value instead = lane_undrawn(a, b, lane_paintable(b));
    return tag(instead) == NOTHING ? lane_drawn(place, a, b, ANY_COLOUR, ANY_COLOUR) : instead;
}

ROOM(underfill) { return count(c) ? room_of_grid(a) : 0; }

LANE(underfill) {
    Value instead = lane_undrawn(a, c, lane_drawable(c));
    if (tag(instead) != NOTHING) return instead;
    if (!is_cell_colour(b)) return refused();
    i32 background = lane_background(a);
    return background == ANY_COLOUR ? refused() : lane_drawn(place, a, c, (i32)number(b), background);
}

ROOM(underpaint) { return count(b) ? room_of_grid(a) : 0; }

LANE(underpaint) {
    Value instead = lane_undrawn(a, b, lane_paintable(b));
    if (tag(instead) != NOTHING) return instead;
    i32 background = lane_background(a);
    return background == ANY_COLOUR ? refused() : lane_drawn(place, a, b, ANY_COLOUR, background);
}

ROOM(cover) { return count(b) ? room_of_grid(a) : 0; }

LANE(cover) {
    Value instead = lane_undrawn(a, b, lane_drawable(b));
    if (tag(instead) != NOTHING) return instead;
    i32 background = lane_background(a);
    return background == ANY_COLOUR ? refused() : lane_drawn(place, a, b, background, ANY_COLOUR);
}

ROOM(move) { return count(b) ? room_of_grid(a) : 0; }

LANE(move) {
    Value instead = lane_undrawn(a, b, lane_drawable(b));
    if (tag(instead) != NOTHING) return instead;
    // Moved locations have no colours to paint with.
    if (tag(b) == INDICES || tag(b) == GRID) return undefined();
    if (tag(b) != OBJECT) return refused();
    if (tag(c) != PAIR) return (tag(c) == TUPLE || tag(c) == SET) && count(c) == 2 ? refused() : undefined();
    i32 background = lane_background(a);
    if (background == ANY_COLOUR) return refused();
    Value covered = lane_drawn(place, a, b, background, ANY_COLOUR);
    lane_draw((i8*)place, a, b, ANY_COLOUR, ANY_COLOUR, first_of(c), second_of(c));
    return covered;
}

// A word with one colour, or two, exchanged for others.
DEVICE u32 exchanged(u32 four, u32 one, u32 for_one, u32 other, u32 for_other) {
    u32 first = equal_bytes(four, one), second = equal_bytes(four, other) & ~first;
    return (four & ~(first | second)) | (for_one & first) | (for_other & second);
}

DEVICE_CALL Value lane_exchanged(u8* place, Value grid, i32 one, i32 for_one, i32 other, i32 for_other) {
    u32 n = area_of(grid), a = four_times(one), b = four_times(for_one), c = four_times(other), d = four_times(for_other);
    for (u32 at = 0; at < n; at += 16) {
        Block from = lane_block(bytes_of(grid), at, n);
        Block to;
        to.x = exchanged(from.x, a, b, c, d);
        to.y = exchanged(from.y, a, b, c, d);
        to.z = exchanged(from.z, a, b, c, d);
        to.w = exchanged(from.w, a, b, c, d);
        *(Block*)(place + at) = to;
    }
    return grid_at((i8*)place, height_of(grid), width_of(grid));
}

ROOM(replace) { return is_cell_colour(b) ? room_of_grid(a) : 0; }

LANE(replace) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    // No cell has another value than a colour.
    if (!is_cell_colour(b)) return a;
    if (!is_cell_colour(c)) return refused();
    i32 gone = (i32)number(b), colour = (i32)number(c);
    return lane_exchanged(place, a, gone, colour, gone, colour);
}

ROOM(switch) { return is_cell_colour(b) ? room_of_grid(a) : 0; }

LANE(switch) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    if (!is_cell_colour(b) && !is_cell_colour(c)) return a;
    if (!is_cell_colour(b) || !is_cell_colour(c)) return refused();
    i32 one = (i32)number(b), other = (i32)number(c);
    return lane_exchanged(place, a, one, other, other, one);
}

// The extent of a canvas: NOTHING, or why there is none.
DEVICE_CALL Value lane_canvas_shape(Value colour, Value shape, u32& height, u32& width) {
    i64 tall = 0, wide = 0;
    Value failure = first_two_integers(shape, tall, wide);
    if (!is_value(failure)) return failure;
    tall = max_of(tall, (i64)0);
    wide = max_of(wide, (i64)0);
    if (tall > MAX_AREA || wide > MAX_AREA || tall * wide > MAX_AREA) return refused();
    height = (u32)tall;
    width = (u32)wide;
    // Rows of no cells have no colour.
    return height * width == 0 || is_cell_colour(colour) ? nothing() : refused();
}

ROOM(canvas) {
    u32 height = 0, width = 0;
    if (!is_value(lane_canvas_shape(a, b, height, width))) return 0;
    return width ? room_of_cells(height * width) : height * (u32)sizeof(Value);
}

LANE(canvas) {
    u32 height = 0, width = 0;
    Value failure = lane_canvas_shape(a, b, height, width);
    if (!is_value(failure)) return failure;
    if (height * width == 0) return lane_empty_rows(place, height);
    u32 four = four_times((i32)number(a));
    Block block = {four, four, four, four};
    for (u32 at = 0; at < height * width; at += 16) *(Block*)(place + at) = block;
    return grid_at((i8*)place, height, width);
}

// Whether two tuples are grids that become one grid above each other.
DEVICE bool are_stackable(Value a, Value b) { return tag(a) == GRID && tag(b) == GRID && width_of(a) == width_of(b); }

// Whether one of two tuples is a grid, and the other has nothing.
DEVICE bool is_grid_alone(Value a, Value b) { return (count(a) == 0 && tag(b) == GRID) || (count(b) == 0 && tag(a) == GRID); }

ROOM(vconcat) {
    if (!is_tuple(a) || !is_tuple(b) || is_grid_alone(a, b)) return 0;
    return are_stackable(a, b) ? room_of_cells(area_of(a) + area_of(b)) : (count(a) + count(b)) * (u32)sizeof(Value);
}

LANE(vconcat) {
    if (!is_tuple(a) || !is_tuple(b)) return undefined();
    if (is_grid_alone(a, b)) return count(a) ? a : b;
    u32 n = count(a), total = n + count(b);
    if (are_stackable(a, b)) {
        if (area_of(a) + area_of(b) > MAX_AREA) return refused();
        lane_lay_rows(place, 1, bytes_of(a), area_of(a), 0, bytes_of(b), area_of(b));
        return grid_at((i8*)place, total, width_of(a));
    }
    Value* items = (Value*)place;
    for (u32 k = 0; k < total; k++) items[k] = k < n ? lane_item(a, k) : lane_item(b, k - n);
    return lane_tuple_of_rows(items, total);
}

ROOM(hconcat) {
    if (tag(a) != GRID || tag(b) != GRID) return 0;
    u32 height = min_of(height_of(a), height_of(b)), width = width_of(a) + width_of(b);
    return width > MAX_AREA || height * width > MAX_AREA ? REFUSE : room_of_cells(height * width);
}

LANE(hconcat) {
    if (tag(a) != GRID || tag(b) != GRID) {
        Value first = tag(a) == GRID ? nothing() : without_grid(a, nothing());
        Value second = tag(b) == GRID ? nothing() : without_grid(b, nothing());
        if (tag(first) == UNDEFINED || tag(second) == UNDEFINED) return undefined();
        // Beside no rows there are none.
        return tag(first) == REFUSED || tag(second) == REFUSED ? refused() : empty_tuple();
    }
    u32 height = min_of(height_of(a), height_of(b));
    lane_lay_rows(place, height, bytes_of(a), width_of(a), width_of(a), bytes_of(b), width_of(b));
    return grid_at((i8*)place, height, width_of(a) + width_of(b));
}
