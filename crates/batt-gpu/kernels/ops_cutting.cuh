// Making grids, cutting them and joining them.
#pragma once
#include "ops_grids.cuh"

// `value[0], value[1]` as integers: NOTHING if they are that.
DEVICE Value first_two_integers(Value v, i64& first, i64& second) {
    if (tag(v) == PAIR) {
        first = first_of(v);
        second = second_of(v);
        return nothing();
    }
    if (tag(v) == ROW && count(v) > 1) {
        first = bytes_of(v)[0];
        second = bytes_of(v)[1];
        return nothing();
    }
    return tag(v) == TUPLE && count(v) > 1 ? refused() : undefined();
}

// The first item of a tuple, if it is an integer. Of a tuple whose items have no compact form, it is left to the caller.
DEVICE bool first_integer(Value v, i64& first) {
    if (tag(v) == PAIR) first = first_of(v);
    else if (tag(v) == ROW) first = bytes_of(v)[0];
    else if (tag(v) == CELL) first = colour_of((u32)v.bits);
    else if (tag(v) == TUPLE && count(v) && is_number(items_of(v)[0]) && fits_32_bits(number(items_of(v)[0]))) first = number(items_of(v)[0]);
    else return false;
    return true;
}

// Python's position in a list of `length` items, for a slice.
DEVICE u32 slice_position(u32 length, i64 k) {
    if (k < 0) k = max_of(k + (i64)length, (i64)0);
    return (u32)min_of(k, (i64)length);
}

// Some rows and columns of a grid, at least one of each.
DEVICE Value part_of(Run& run, Value grid, u32 top, u32 left, u32 height, u32 width) {
    if (height == height_of(grid) && width == width_of(grid)) return grid;
    return gathered_grid(run, bytes_of(grid), height, width, (i32)(top * width_of(grid) + left), (i32)width_of(grid), 1);
}

// The part of a grid from `(i, j)` with this extent, by Python's rules of slicing.
DEVICE_CALL Value cut_out(Run& run, Value grid, i64 i, i64 j, i64 height, i64 width) {
    if (!is_tuple(grid)) return undefined();
    u32 top = slice_position(count(grid), i), bottom = slice_position(count(grid), i + height);
    if (bottom <= top) return empty_tuple();
    // Numbers have no columns; what else may have them is left to the host.
    if (tag(grid) != GRID) return tag(grid) == PAIR || tag(grid) == ROW ? undefined() : refused();
    u32 left = slice_position(width_of(grid), j), right = slice_position(width_of(grid), j + width);
    if (right <= left) return rows_without_cells(run, bottom - top);
    return part_of(run, grid, top, left, bottom - top, right - left);
}

// Whether a tuple's first item is an integer that is zero or less; of a longer tuple the others may be anything.
DEVICE bool has_no_rows(Value v) {
    i64 rows = 0;
    return first_integer(v, rows) && rows <= 0;
}

OP3(crop) {
    i64 i = 0, j = 0, height = 0, width = 0;
    // Where there are no rows, nothing says which columns.
    if (is_tuple(a) && first_integer(b, i) && first_integer(c, height) && slice_position(count(a), i + height) <= slice_position(count(a), i)) {
        return empty_tuple();
    }
    Value start = first_two_integers(b, i, j), extent = first_two_integers(c, height, width);
    if (!is_value(start)) return start;
    if (!is_value(extent)) return extent;
    return cut_out(run, a, i, j, height, width);
}

OP2(subgrid) {
    if (!is_packed(a)) return without_patch(a);
    Bounds box = bounds_of(a);
    return cut_out(run, b, box.top, box.left, box.bottom - box.top + 1, box.right - box.left + 1);
}

OP2(canvas) {
    if (has_no_rows(b)) return empty_tuple();
    i64 height = 0, width = 0;
    Value shape = first_two_integers(b, height, width);
    if (!is_value(shape)) return shape;
    height = max_of(height, (i64)0);
    width = max_of(width, (i64)0);
    if (height > MAX_AREA || width > MAX_AREA || height * width > MAX_AREA) return refused();
    u32 area = (u32)(height * width);
    if (area == 0) return rows_without_cells(run, (u32)height);
    if (!is_cell_colour(a)) return refused();
    u32 colour = four_times((i32)number(a));
    ALLOCATE(u32, words, (area + 3) / 4);
    for (u32 word = lane(); 4 * word < area; word += 32) words[word] = colour;
    sync();
    return grid_at((i8*)words, (u32)height, (u32)width);
}

// Items `from` to `to` of any tuple.
DEVICE_CALL Value slice_of(Run& run, Value tuple, u32 from, u32 to) {
    if (from >= to) return empty_tuple();
    if (tag(tuple) == GRID) return part_of(run, tuple, from, 0, to - from, width_of(tuple));
    if (tag(tuple) == TUPLE) return tuple_of_rows(run, items_of(tuple) + from, to - from);
    ALLOCATE(Value, items, to - from);
    for (u32 k = lane(); k < to - from; k += 32) items[k] = item_of(tuple, from + k);
    sync();
    return tuple_of(run, items, to - from);
}

OP1(tophalf) {
    if (!is_tuple(a)) return undefined();
    return slice_of(run, a, 0, count(a) / 2);
}

OP1(bottomhalf) {
    if (!is_tuple(a)) return undefined();
    return slice_of(run, a, (count(a) + 1) / 2, count(a));
}

OP1(lefthalf) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    u32 half = width_of(a) / 2;
    return half ? part_of(run, a, 0, 0, height_of(a), half) : empty_tuple();
}

OP1(righthalf) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    u32 half = width_of(a) / 2;
    return half ? part_of(run, a, 0, width_of(a) - half, height_of(a), half) : empty_tuple();
}

OP1(trim) {
    if (!is_tuple(a)) return undefined();
    if (count(a) <= 2) return empty_tuple();
    if (tag(a) != GRID) return tag(a) == TUPLE ? refused() : undefined();
    if (width_of(a) <= 2) return rows_without_cells(run, height_of(a) - 2);
    return part_of(run, a, 1, 1, height_of(a) - 2, width_of(a) - 2);
}

OP2(hconcat) {
    if (tag(a) != GRID || tag(b) != GRID) {
        Value first = tag(a) == GRID ? nothing() : without_grid(a, nothing());
        Value second = tag(b) == GRID ? nothing() : without_grid(b, nothing());
        if (tag(first) == UNDEFINED || tag(second) == UNDEFINED) return undefined();
        // Beside no rows there are none.
        return tag(first) == REFUSED || tag(second) == REFUSED ? refused() : empty_tuple();
    }
    u32 height = min_of(height_of(a), height_of(b)), left = width_of(a), right = width_of(b), width = left + right, area = height * width;
    if (width > MAX_AREA || area > MAX_AREA) return refused();
    ALLOCATE(u32, words, (area + 3) / 4);
    Divisor by_width = divisor_of(width);
    for (u32 word = lane(); 4 * word < area; word += 32) {
        u32 k = 4 * word, i = divided(k, by_width), j = k - i * width, four = 0;
        for (u32 shift = 0; shift < 32; shift += 8, k++) {
            const i8* from = j < left ? bytes_of(a) + i * left + j : bytes_of(b) + i * right + (j - left);
            if (k < area) four |= (u32)(u8)*from << shift;
            if (++j == width) {
                j = 0;
                i++;
            }
        }
        words[word] = four;
    }
    sync();
    return grid_at((i8*)words, height, width);
}

OP2(vconcat) {
    if (!is_tuple(a) || !is_tuple(b)) return undefined();
    if (count(a) == 0 && tag(b) == GRID) return b;
    if (count(b) == 0 && tag(a) == GRID) return a;
    if (tag(a) == GRID && tag(b) == GRID && width_of(a) == width_of(b)) {
        u32 above = area_of(a), below = area_of(b);
        if (above + below > MAX_AREA) return refused();
        ALLOCATE(i8, cells, above + below);
        copy_cells(cells, bytes_of(a), above);
        // A word that both have a share in is written by the first before.
        sync();
        for (u32 k = lane(); k < below; k += 32) cells[above + k] = bytes_of(b)[k];
        sync();
        return grid_at(cells, height_of(a) + height_of(b), width_of(a));
    }
    u32 n = count(a) + count(b);
    if (n > MAX_AREA) return refused();
    ALLOCATE(Value, items, n);
    for (u32 k = lane(); k < n; k += 32) items[k] = k < count(a) ? item_of(a, k) : item_of(b, k - count(a));
    sync();
    return tuple_of_rows(run, items, n);
}

// A grid cut into parts from left to right or from top to bottom, leaving out a line between parts where the side does not divide.
DEVICE_CALL Value split_grid(Run& run, Value grid, Value parts, bool from_left) {
    if (!is_number(parts)) return undefined();
    if (tag(grid) != GRID) return without_grid(grid, undefined());
    if (number(parts) == 0) return undefined();
    if (number(parts) < 0) return empty_tuple();
    // More parts than a side has lines are parts without cells; so many are no use to anyone.
    if (number(parts) > 256) return refused();
    u32 n = (u32)number(parts), side = from_left ? width_of(grid) : height_of(grid), extent = side / n, gap = side % n != 0;
    ALLOCATE(Value, items, n);
    for (u32 k = 0; k < n; k++) {
        u32 start = min_of(k * (extent + gap), side), stop = min_of(start + extent, side);
        Value part;
        if (start == stop) part = from_left ? rows_without_cells(run, height_of(grid)) : empty_tuple();
        else if (from_left) part = part_of(run, grid, 0, start, height_of(grid), stop - start);
        else part = part_of(run, grid, start, 0, stop - start, width_of(grid));
        if (!is_value(part)) return part;
        if (lane() == 0) items[k] = part;
    }
    sync();
    return general(TUPLE, items, n);
}

OP2(hsplit) { return split_grid(run, a, b, true); }

OP2(vsplit) { return split_grid(run, a, b, false); }

// Lists the lines of a grid whose cells are not all equal; returns how many. A line begins at a multiple of `line_step`.
DEVICE u32 list_mixed_lines(u16* list, const i8* cells, u32 lines, u32 line_step, u32 length, u32 cell_step) {
    u32 listed = 0;
    for (u32 start = 0; start < lines; start += 32) {
        u32 line = start + lane();
        bool mixed = false;
        if (line < lines) {
            const i8* place = cells + line * line_step;
            i8 first = *place;
            for (u32 k = 1; k < length && !mixed; k++) mixed = place[k * cell_step] != first;
        }
        u32 mask = ballot(mixed);
        if (mixed) list[listed + rank_in(mask)] = (u16)line;
        listed += bits_set(mask);
    }
    sync();
    return listed;
}

OP1(compress) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    u32 width = width_of(a);
    const i8* cells = bytes_of(a);
    // No more is left than there was; what is not needed is given back.
    u32 bottom = run.top;
    ALLOCATE(u32, words, (area_of(a) + 3) / 4);
    ALLOCATE(u16, rows, height_of(a));
    ALLOCATE(u16, columns, width);
    u32 tall = list_mixed_lines(rows, cells, height_of(a), width, width, 1);
    u32 wide = list_mixed_lines(columns, cells, width, 1, height_of(a), width);
    run.top = bottom;
    if (tall == height_of(a) && wide == width) return a;
    if (tall == 0 || wide == 0) return rows_without_cells(run, tall);
    u32 area = tall * wide;
    Divisor by_width = divisor_of(wide);
    for (u32 word = lane(); 4 * word < area; word += 32) {
        u32 k = 4 * word, i = divided(k, by_width), j = k - i * wide, four = 0;
        for (u32 shift = 0; shift < 32 && k < area; shift += 8, k++) {
            four |= (u32)(u8)cells[rows[i] * width + columns[j]] << shift;
            if (++j == wide) {
                j = 0;
                i++;
            }
        }
        words[word] = four;
    }
    sync();
    run.top = bottom + ((area + 15) & ~15u);
    return grid_at((i8*)words, tall, wide);
}

OP2(index) {
    if (tag(b) != PAIR) return is_container(b) && count(b) == 2 ? refused() : undefined();
    if (tag(a) != GRID) return without_grid(a, undefined());
    i32 i = first_of(b), j = second_of(b);
    // A negative number is a large unsigned one.
    if ((u32)i >= height_of(a) || (u32)j >= width_of(a)) return nothing();
    return integer(bytes_of(a)[(u32)i * width_of(a) + (u32)j]);
}
