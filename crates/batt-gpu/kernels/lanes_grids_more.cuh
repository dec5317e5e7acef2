// Grids by single lanes: scaled, cut, compared with each other, and the lines of one colour in them.
#pragma once
#include "lanes_colours.cuh"
#include "lanes_grids.cuh"
#include "lanes_pieces.cuh"

// Memory for a grid with each cell a block of cells; none for factors that are not positive.
DEVICE_CALL u32 room_of_scaled(Value grid, Value vertical, Value horizontal) {
    if (tag(grid) != GRID || !is_number(vertical) || !is_number(horizontal)) return 0;
    // Without columns there are still rows.
    if (number(horizontal) <= 0) return height_of(grid) * (u32)sizeof(Value);
    if (number(vertical) <= 0) return 0;
    if (number(vertical) > MAX_AREA || number(horizontal) > MAX_AREA) return REFUSE;
    u64 area = (u64)area_of(grid) * (u64)number(vertical) * (u64)number(horizontal);
    return area > MAX_AREA ? REFUSE : room_of_cells((u32)area);
}

// A grid with each cell a block of cells; the factors are positive.
DEVICE_CALL Value lane_scaled(u8* place, Value grid, i64 vertical, i64 horizontal) {
    if (vertical == 1 && horizontal == 1) return grid;
    u32 height = height_of(grid), width = width_of(grid), down = (u32)vertical, across = (u32)horizontal;
    Pen pen = pen_at(place);
    for (u32 i = 0; i < height; i++) {
        const i8* row = bytes_of(grid) + i * width;
        for (u32 again = 0; again < down; again++) {
            for (u32 j = 0; j < width; j++) {
                u32 four = four_times(row[j]);
                for (u32 k = 0; k < across; k += 4) lay_cells(pen, four, min_of(across - k, 4u));
            }
        }
    }
    finish_cells(pen);
    return grid_at((i8*)place, height * down, width * across);
}

ROOM(upscale) { return room_of_scaled(a, b, b); }

LANE(upscale) {
    if (is_empty_set(a)) return a;
    if (!is_number(b)) return undefined();
    if (tag(a) == GRID) return number(b) <= 0 ? empty_tuple() : lane_scaled(place, a, number(b), number(b));
    if (is_tuple(a)) return without_grid(a, empty_tuple());
    // Locations have no colours to make blocks of.
    return tag(a) == OBJECT ? refused() : tag(a) == INDICES ? undefined() : without_patch(a);
}

ROOM(hupscale) { return room_of_scaled(a, integer(1), b); }

LANE(hupscale) {
    if (!is_number(b)) return undefined();
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    return number(b) <= 0 ? lane_empty_rows(place, height_of(a)) : lane_scaled(place, a, 1, number(b));
}

ROOM(vupscale) { return room_of_scaled(a, b, integer(1)); }

LANE(vupscale) {
    if (!is_number(b)) return undefined();
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    return number(b) <= 0 ? empty_tuple() : lane_scaled(place, a, number(b), 1);
}

ROOM(downscale) { return room_of_grid(a); }

LANE(downscale) {
    if (!is_number(b)) return undefined();
    if (tag(a) != GRID) return without_grid(a, undefined());
    i64 factor = number(b);
    if (factor == 0) return undefined();
    // More than a side is as much as a side: only the first row or column is left.
    u32 step = factor > (i64)MAX_AREA || factor < -(i64)MAX_AREA ? MAX_AREA : (u32)(factor < 0 ? -factor : factor);
    if (step == 1) return a;
    u32 height = (height_of(a) + step - 1) / step, width = (width_of(a) + step - 1) / step;
    return lane_gathered(place, bytes_of(a), height, width, 0, (i32)(step * width_of(a)), (i32)step);
}

// Some rows of a grid. They lie one behind the other already, and are copied only where they do not begin with a word.
DEVICE_CALL Value lane_rows_of(u8* place, Value grid, u32 from, u32 to) {
    u32 width = width_of(grid), n = (to - from) * width;
    i8* cells = bytes_of(grid) + from * width;
    if ((u64)cells & 3) {
        lane_copy(place, cells, n);
        cells = (i8*)place;
    }
    return grid_at(cells, to - from, width);
}

// Some columns of some rows of a grid, at least one of each.
DEVICE_CALL Value lane_part_of(u8* place, Value grid, u32 top, u32 left, u32 height, u32 width) {
    u32 step = width_of(grid);
    lane_lay_rows(place, height, bytes_of(grid) + top * step + left, width, step, nullptr, 0);
    return grid_at((i8*)place, height, width);
}

DEVICE u32 room_of_slice(Value tuple, u32 from, u32 to) {
    if (tag(tuple) == GRID) return from ? room_of_cells((to - from) * width_of(tuple)) : 0;
    return (to - from) * (u32)sizeof(Value);
}

// Items `from` to `to` of any tuple.
DEVICE_CALL Value lane_slice(u8* place, Value tuple, u32 from, u32 to) {
    if (from >= to) return empty_tuple();
    if (tag(tuple) == GRID) return lane_rows_of(place, tuple, from, to);
    Value* items = (Value*)place;
    for (u32 k = from; k < to; k++) items[k - from] = lane_item(tuple, k);
    return lane_tuple_of_rows(items, to - from);
}

ROOM(tophalf) { return is_tuple(a) ? room_of_slice(a, 0, count(a) / 2) : 0; }
LANE(tophalf) { return is_tuple(a) ? lane_slice(place, a, 0, count(a) / 2) : undefined(); }
ROOM(bottomhalf) { return is_tuple(a) ? room_of_slice(a, (count(a) + 1) / 2, count(a)) : 0; }
LANE(bottomhalf) { return is_tuple(a) ? lane_slice(place, a, (count(a) + 1) / 2, count(a)) : undefined(); }

// The left or right half of a grid, without the column between them.
DEVICE_CALL Value lane_side(u8* place, Value grid, bool right) {
    if (tag(grid) != GRID) return without_grid(grid, empty_tuple());
    u32 half = width_of(grid) / 2;
    return half ? lane_part_of(place, grid, 0, right ? width_of(grid) - half : 0, height_of(grid), half) : empty_tuple();
}

ROOM(lefthalf) { return tag(a) == GRID ? room_of_cells(height_of(a) * (width_of(a) / 2)) : 0; }
LANE(lefthalf) { return lane_side(place, a, false); }
ROOM(righthalf) { return tag(a) == GRID ? room_of_cells(height_of(a) * (width_of(a) / 2)) : 0; }
LANE(righthalf) { return lane_side(place, a, true); }

ROOM(trim) {
    if (tag(a) != GRID || height_of(a) <= 2) return 0;
    u32 height = height_of(a) - 2;
    return width_of(a) > 2 ? room_of_cells(height * (width_of(a) - 2)) : height * (u32)sizeof(Value);
}

LANE(trim) {
    if (!is_tuple(a)) return undefined();
    if (count(a) <= 2) return empty_tuple();
    if (tag(a) != GRID) return tag(a) == TUPLE ? refused() : undefined();
    if (width_of(a) <= 2) return lane_empty_rows(place, height_of(a) - 2);
    return lane_part_of(place, a, 1, 1, height_of(a) - 2, width_of(a) - 2);
}

// How a side is cut: parts, their extent, and the lines from one to the next. There is at least one part.
struct Cuts {
    u32 parts, side, extent, step;
};

DEVICE Cuts cuts_of(u32 side, u32 parts) {
    Cuts cuts;
    cuts.parts = parts;
    cuts.side = side;
    cuts.extent = side / parts;
    cuts.step = cuts.extent + (side % parts != 0);
    return cuts;
}

// Whether parts at the end have no lines.
DEVICE bool has_empty_parts(const Cuts& cuts) { return cuts.extent == 0 || (cuts.parts - 1) * cuts.step >= cuts.side; }

// Memory for the parts of a grid: a list of them, the cells of each, and rows of no cells for those that have none.
DEVICE_CALL u32 room_of_parts(Value grid, Value parts, bool from_left) {
    if (tag(grid) != GRID || !is_number(parts) || number(parts) <= 0) return 0;
    if (number(parts) > 256) return REFUSE;
    Cuts cuts = cuts_of(from_left ? width_of(grid) : height_of(grid), (u32)number(parts));
    u32 across = from_left ? height_of(grid) : width_of(grid);
    u32 rows = from_left && has_empty_parts(cuts) ? across : 0;
    return (cuts.parts + rows) * (u32)sizeof(Value) + cuts.parts * room_of_cells(cuts.extent * across);
}

// A grid cut into parts from left to right or from top to bottom, leaving out a line between parts where the side does not divide.
DEVICE_CALL Value lane_split(u8* place, Value grid, Value parts, bool from_left) {
    if (!is_number(parts)) return undefined();
    if (tag(grid) != GRID) return without_grid(grid, undefined());
    if (number(parts) <= 0) return number(parts) ? empty_tuple() : undefined();
    u32 height = height_of(grid), width = width_of(grid);
    Cuts cuts = cuts_of(from_left ? width : height, (u32)number(parts));
    Value* items = (Value*)place;
    u8* next = place + cuts.parts * sizeof(Value);
    u32 each = room_of_cells(cuts.extent * (from_left ? height : width));
    // All parts without cells are one.
    Value none = from_left && has_empty_parts(cuts) ? lane_empty_rows(next + cuts.parts * each, height) : empty_tuple();
    for (u32 k = 0; k < cuts.parts; k++, next += each) {
        u32 start = min_of(k * cuts.step, cuts.side), stop = min_of(start + cuts.extent, cuts.side);
        if (start == stop) items[k] = none;
        else if (from_left) items[k] = lane_part_of(next, grid, 0, start, height, stop - start);
        else items[k] = lane_rows_of(next, grid, start, stop);
    }
    return lane_general(TUPLE, items, cuts.parts);
}

ROOM(hsplit) { return room_of_parts(a, b, true); }
LANE(hsplit) { return lane_split(place, a, b, true); }
ROOM(vsplit) { return room_of_parts(a, b, false); }
LANE(vsplit) { return lane_split(place, a, b, false); }

// The cells of a word that are equal in another, and others for those that are not.
DEVICE u32 where_equal(u32 four, u32 other, u32 fallback) {
    u32 same = equal_bytes(four, other);
    return (four & same) | (fallback & ~same);
}

ROOM(cellwise) { return room_of_grid(a); }

LANE(cellwise) {
    if (tag(a) != GRID) return without_grid(a, undefined());
    if (tag(b) != GRID) return without_grid(b, undefined());
    if (height_of(b) < height_of(a) || width_of(b) < width_of(a)) return undefined();
    if (!is_cell_colour(c)) return refused();
    u32 n = area_of(a), fallback = four_times((i32)number(c));
    // The part of the second grid that is compared, in the shape of the first, lies where the grid is made.
    lane_part_of(place, b, 0, 0, height_of(a), width_of(a));
    for (u32 at = 0; at < n; at += 16) {
        Block mine = lane_block(bytes_of(a), at, n), other = *(Block*)(place + at);
        Block made;
        made.x = where_equal(mine.x, other.x, fallback);
        made.y = where_equal(mine.y, other.y, fallback);
        made.z = where_equal(mine.z, other.z, fallback);
        made.w = where_equal(mine.w, other.w, fallback);
        *(Block*)(place + at) = made;
    }
    return grid_at((i8*)place, height_of(a), width_of(a));
}

// A bit for each row and each column of a grid whose cells are not all equal; sides have at most 64 lines.
struct Mixed {
    u64 rows, columns;
};

DEVICE_CALL Mixed lane_mixed_lines(Value grid) {
    Mixed mixed = {0, 0};
    const i8* first = bytes_of(grid);
    u32 height = height_of(grid), width = width_of(grid);
    for (u32 i = 0; i < height; i++) {
        const i8* row = first + i * width;
        u32 colour = four_times(*row), unlike = 0;
        for (u32 j = 0; j < width; j += 4) {
            u32 left = width - j, there = left < 4 ? (1u << 8 * left) - 1 : 0xFFFFFFFFu, four = lane_four(row + j, left);
            unlike |= (four ^ colour) & there;
            // Columns are compared with their first cells.
            u32 others = ~equal_bytes(four, lane_four(first + j, left)) & there & 0x08040201u;
            mixed.columns |= (u64)((others | others >> 8 | others >> 16 | others >> 24) & 15u) << j;
        }
        if (unlike) mixed.rows |= 1ull << i;
    }
    return mixed;
}

DEVICE u64 lowest_bits(u32 n) { return n < 64 ? (1ull << n) - 1 : ~0ull; }
DEVICE bool has_few_lines(Value grid) { return height_of(grid) <= 64 && width_of(grid) <= 64; }

// What is left may be rows of no cells.
ROOM(compress) { return tag(a) == GRID ? max_of(room_of_grid(a), height_of(a) * (u32)sizeof(Value)) : 0; }

LANE(compress) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    if (!has_few_lines(a)) return refused();
    Mixed mixed = lane_mixed_lines(a);
    u32 tall = bits_set_of_64(mixed.rows), wide = bits_set_of_64(mixed.columns);
    if (tall == height_of(a) && wide == width_of(a)) return a;
    if (tall == 0 || wide == 0) return lane_empty_rows(place, tall);
    Pen pen = pen_at(place);
    for (u64 rows = mixed.rows; rows; rows &= rows - 1) {
        const i8* row = bytes_of(a) + lowest_bit64(rows) * width_of(a);
        for (u64 columns = mixed.columns; columns; columns &= columns - 1) lay_cells(pen, (u8)row[lowest_bit64(columns)], 1);
    }
    finish_cells(pen);
    return grid_at((i8*)place, tall, wide);
}

// The rows and columns of a grid that have one colour each, a bit for each; false if lanes do not care for the grid.
DEVICE_CALL bool lane_frontier_lines(Value grid, u64& rows, u64& columns) {
    if (!has_few_lines(grid)) return false;
    Mixed mixed = lane_mixed_lines(grid);
    rows = ~mixed.rows & lowest_bits(height_of(grid));
    // The row and the column of a single cell are the same.
    columns = area_of(grid) == 1 ? 0 : ~mixed.columns & lowest_bits(width_of(grid));
    return true;
}

DEVICE_CALL Value lane_frontier(u32* cells, Value grid, u32 line, bool row) {
    u32 width = width_of(grid), n = row ? width : height_of(grid);
    i32 colour = bytes_of(grid)[row ? line * width : line];
    for (u32 k = 0; k < n; k++) cells[k] = pack_cell(colour, (i32)(row ? line : k), (i32)(row ? k : line));
    return value_of(OBJECT, n, 0, (u64)cells);
}

ROOM(frontiers) {
    u64 rows, columns;
    if (tag(a) != GRID) return 0;
    if (!lane_frontier_lines(a, rows, columns)) return REFUSE;
    u32 tall = bits_set_of_64(rows), wide = bits_set_of_64(columns);
    return (tall + wide) * (u32)sizeof(Value) + 4 * (tall * width_of(a) + wide * height_of(a));
}

LANE(frontiers) {
    u64 rows, columns;
    if (tag(a) != GRID) return without_rows(a);
    if (!lane_frontier_lines(a, rows, columns)) return refused();
    if (!rows && !columns) return empty_set();
    Value* items = (Value*)place;
    u32 n = 0, *next = (u32*)(items + bits_set_of_64(rows) + bits_set_of_64(columns));
    // The first row, the columns, and the other rows: they ascend by their cells, unless the first column is only the row's first cell.
    bool exchange = (rows & 1) && columns && height_of(a) == 1;
    if (rows & 1) {
        items[n++] = lane_frontier(next, a, 0, true);
        next += width_of(a);
    }
    for (; columns; columns &= columns - 1, next += height_of(a)) items[n++] = lane_frontier(next, a, lowest_bit64(columns), false);
    for (rows &= ~1ull; rows; rows &= rows - 1, next += width_of(a)) items[n++] = lane_frontier(next, a, lowest_bit64(rows), true);
    if (exchange) {
        Value row = items[0];
        items[0] = items[1];
        items[1] = row;
    }
    return lane_general(SET, items, n);
}
