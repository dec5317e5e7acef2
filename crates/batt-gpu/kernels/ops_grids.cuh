// Whole grids: mirrors, rotations, scaling, and changes of their colours. Mirrors and scaling take patches too.
#pragma once
#include "ops.cuh"

// Division by one number, many times: of anything up to MAX_AREA, by anything up to MAX_AREA.
struct Divisor {
    u32 by, factor;
};

DEVICE Divisor divisor_of(u32 by) {
    Divisor divisor;
    divisor.by = by;
    divisor.factor = (1u << 30) / by + 1;
    return divisor;
}

// Rounding up the factor adds less than MAX_AREA * MAX_AREA, which is less than the 30 bits that are cut off.
DEVICE u32 divided(u32 n, Divisor divisor) { return (u32)((u64)n * divisor.factor >> 30); }

// A number that a cell of a grid can have.
DEVICE bool is_cell_colour(Value v) { return is_number(v) && fits_8_bits(number(v)); }

// The same byte four times.
DEVICE u32 four_times(i32 colour) { return (u32)(u8)colour * 0x01010101u; }

// All ones in the bytes in which two words are equal.
DEVICE u32 equal_bytes(u32 a, u32 b) {
    u32 difference = a ^ b;
    u32 zero = ~(((difference & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | difference | 0x7F7F7F7Fu);
    return (zero >> 7) * 0xFFu;
}

// Cells `4 * word` and the three behind it, of `n`; what there is behind the last is not looked at by anyone. Memory has room for whole
// words where it starts at one, but rows of a grid may start anywhere.
DEVICE u32 four_cells(const i8* cells, u32 word, u32 n) {
    if (((u64)cells & 3) == 0) return ((const u32*)cells)[word];
    u32 four = 0;
    for (u32 k = 4 * word; k < 4 * word + 4; k++) {
        if (k < n) four |= (u32)(u8)cells[k] << 8 * (k & 3);
    }
    return four;
}

// Copies cells to memory that has room for whole words. Lanes see it after sync().
DEVICE_CALL void copy_cells(i8* to, const i8* from, u32 n) {
    for (u32 word = lane(); 4 * word < n; word += 32) ((u32*)to)[word] = four_cells(from, word, n);
}

// What a primitive gives that wants a tuple of rows and got this, which is no grid. A tuple of other rows is left to the host.
DEVICE Value without_grid(Value v, Value for_empty_tuple) {
    if (tag(v) != TUPLE) return undefined();
    if (count(v) == 0) return for_empty_tuple;
    return is_container(items_of(v)[0]) ? refused() : undefined();
}

// What a primitive gives that wants the locations of a patch, at least one, and got this, which is not packed.
DEVICE Value without_patch(Value v) {
    // A table of two columns is a tuple of locations; other rows are none.
    if (tag(v) == GRID) return width_of(v) == 2 ? refused() : undefined();
    if ((tag(v) != TUPLE && tag(v) != SET) || count(v) == 0) return undefined();
    Value first = items_of(v)[0];
    // Only tuples of two items can be a location or a cell.
    return is_tuple(first) && count(first) == 2 ? refused() : undefined();
}

// So many rows of no cells.
DEVICE_CALL Value rows_without_cells(Run& run, u32 height) {
    if (height == 0) return empty_tuple();
    if (height > MAX_AREA) return refused();
    ALLOCATE(Value, rows, height);
    for (u32 k = lane(); k < height; k += 32) rows[k] = empty_tuple();
    sync();
    return general(TUPLE, rows, height);
}

// The tuple of items that may be rows: the host does not make what begins like too large a grid.
DEVICE Value tuple_of_rows(Run& run, const Value* items, u32 n) {
    if (n && tag(items[0]) == ROW && (u64)n * count(items[0]) > MAX_AREA) return refused();
    return tuple_of(run, items, n);
}

// A grid whose cell `(i, j)` is `from[start + i * row_step + j * column_step]`. Each lane makes four cells at a time.
DEVICE_CALL Value gathered_grid(Run& run, const i8* from, u32 height, u32 width, i32 start, i32 row_step, i32 column_step) {
    u32 area = height * width;
    ALLOCATE(u32, words, (area + 3) / 4);
    Divisor by_width = divisor_of(width);
    i32 to_next_row = row_step - (i32)width * column_step;
    for (u32 word = lane(); 4 * word < area; word += 32) {
        u32 k = 4 * word, i = divided(k, by_width), j = k - i * width;
        i32 place = start + (i32)i * row_step + (i32)j * column_step;
        u32 four = 0;
        for (u32 shift = 0; shift < 32; shift += 8, k++) {
            if (k < area) four |= (u32)(u8)from[place] << shift;
            place += column_step;
            if (++j == width) {
                j = 0;
                place += to_next_row;
            }
        }
        words[word] = four;
    }
    sync();
    return grid_at((i8*)words, height, width);
}

// A packed patch mirrored within its box: upside down, left to right, and then along the diagonal.
DEVICE_CALL Value mirrored_patch(Run& run, Value patch, bool vertical, bool horizontal, bool diagonal) {
    Bounds box = bounds_of(patch);
    if (diagonal && (!fits_coordinate(box.top + box.right - box.left) || !fits_coordinate(box.left + box.bottom - box.top))) {
        return refused();
    }
    u32 n = count(patch);
    const u32* cells = cells_of(patch);
    ALLOCATE(u32, moved, n);
    for (u32 k = lane(); k < n; k += 32) {
        i32 i = row_of(cells[k]), j = column_of(cells[k]);
        i32 down = vertical ? box.bottom - i : i - box.top, across = horizontal ? box.right - j : j - box.left;
        moved[k] = pack(box.top + (diagonal ? across : down), box.left + (diagonal ? down : across)) | (cells[k] & 0xFFu);
    }
    return packed_set(run, tag(patch), moved, n);
}

OP1(rot90) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    i32 height = (i32)height_of(a), width = (i32)width_of(a);
    return gathered_grid(run, bytes_of(a), width, height, (height - 1) * width, 1, -width);
}

OP1(rot180) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    i32 height = (i32)height_of(a), width = (i32)width_of(a);
    return gathered_grid(run, bytes_of(a), height, width, height * width - 1, -width, -1);
}

OP1(rot270) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    i32 height = (i32)height_of(a), width = (i32)width_of(a);
    return gathered_grid(run, bytes_of(a), width, height, width - 1, -1, width);
}

OP1(hmirror) {
    if (tag(a) == GRID) {
        i32 height = (i32)height_of(a), width = (i32)width_of(a);
        return gathered_grid(run, bytes_of(a), height, width, (height - 1) * width, -width, 1);
    }
    if (is_packed(a)) return mirrored_patch(run, a, true, false, false);
    if (!is_tuple(a)) return without_patch(a);
    // Any other tuple from the last to the first.
    u32 n = count(a);
    ALLOCATE(Value, items, n);
    for (u32 k = lane(); k < n; k += 32) items[k] = item_of(a, n - 1 - k);
    sync();
    return tuple_of_rows(run, items, n);
}

OP1(vmirror) {
    if (tag(a) == GRID) {
        i32 height = (i32)height_of(a), width = (i32)width_of(a);
        return gathered_grid(run, bytes_of(a), height, width, width - 1, width, -1);
    }
    if (is_packed(a)) return mirrored_patch(run, a, false, true, false);
    return is_tuple(a) ? without_grid(a, empty_tuple()) : without_patch(a);
}

OP1(dmirror) {
    if (tag(a) == GRID) {
        i32 height = (i32)height_of(a), width = (i32)width_of(a);
        return gathered_grid(run, bytes_of(a), width, height, 0, 1, width);
    }
    if (is_packed(a)) return mirrored_patch(run, a, false, false, true);
    return is_tuple(a) ? without_grid(a, empty_tuple()) : without_patch(a);
}

OP1(cmirror) {
    if (tag(a) == GRID) {
        i32 height = (i32)height_of(a), width = (i32)width_of(a);
        return gathered_grid(run, bytes_of(a), width, height, height * width - 1, -1, -width);
    }
    if (is_packed(a)) return mirrored_patch(run, a, true, true, true);
    return is_tuple(a) ? without_grid(a, empty_tuple()) : without_patch(a);
}

OP2(mir_rot_t) {
    if (!is_tuple(a) || !is_number(b)) return undefined();
    switch (number(b)) {
    case 0: return op_hmirror(run, a);
    case 1: return op_dmirror(run, a);
    case 2: return op_vmirror(run, a);
    case 3: return op_cmirror(run, a);
    case 4: return op_rot90(run, a);
    case 5: return op_rot180(run, a);
    case 6: return op_rot270(run, a);
    default: return a;
    }
}

// A grid with each cell a block of cells; the factors are positive.
DEVICE_CALL Value scaled_grid(Run& run, Value grid, i64 vertical, i64 horizontal) {
    if (vertical == 1 && horizontal == 1) return grid;
    if (vertical > MAX_AREA || horizontal > MAX_AREA) return refused();
    u64 tall = height_of(grid) * (u64)vertical, wide = width_of(grid) * (u64)horizontal;
    if (tall * wide > MAX_AREA) return refused();
    u32 width = (u32)wide, area = (u32)(tall * wide);
    ALLOCATE(u32, words, (area + 3) / 4);
    const i8* from = bytes_of(grid);
    Divisor by_width = divisor_of(width), by_vertical = divisor_of((u32)vertical), by_horizontal = divisor_of((u32)horizontal);
    for (u32 word = lane(); 4 * word < area; word += 32) {
        u32 k = 4 * word, i = divided(k, by_width), j = k - i * width;
        const i8* row = from + divided(i, by_vertical) * width_of(grid);
        u32 four = 0;
        for (u32 shift = 0; shift < 32; shift += 8, k++) {
            if (k < area) four |= (u32)(u8)row[divided(j, by_horizontal)] << shift;
            if (++j == width) {
                j = 0;
                row = from + divided(++i, by_vertical) * width_of(grid);
            }
        }
        words[word] = four;
    }
    sync();
    return grid_at((i8*)words, (u32)tall, width);
}

// An object with each cell a block of cells; the factor is positive.
DEVICE_CALL Value scaled_object(Run& run, Value object, i64 factor) {
    if (factor == 1) return object;
    if (factor > 128) return refused();
    u64 block = (u64)(factor * factor), total = block * count(object);
    if (total > MAX_AREA) return refused();
    Bounds box = bounds_of(object);
    i32 times = (i32)factor;
    i32 bottom = box.top + (box.bottom - box.top + 1) * times - 1, right = box.left + (box.right - box.left + 1) * times - 1;
    if (!fits_coordinate(bottom) || !fits_coordinate(right)) return refused();
    ALLOCATE(u32, cells, (u32)total);
    Divisor by_block = divisor_of((u32)block), by_factor = divisor_of((u32)factor);
    for (u32 k = lane(); k < (u32)total; k += 32) {
        u32 which = divided(k, by_block), within = k - which * (u32)block, down = divided(within, by_factor);
        u32 cell = cells_of(object)[which];
        i32 i = box.top + (row_of(cell) - box.top) * times + (i32)down;
        i32 j = box.left + (column_of(cell) - box.left) * times + (i32)(within - down * (u32)factor);
        cells[k] = pack(i, j) | (cell & 0xFFu);
    }
    return packed_set(run, OBJECT, cells, (u32)total);
}

OP2(hupscale) {
    if (!is_number(b)) return undefined();
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    return number(b) <= 0 ? rows_without_cells(run, height_of(a)) : scaled_grid(run, a, 1, number(b));
}

OP2(vupscale) {
    if (!is_number(b)) return undefined();
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    return number(b) <= 0 ? empty_tuple() : scaled_grid(run, a, number(b), 1);
}

OP2(upscale) {
    if (is_empty_set(a)) return a;
    if (!is_number(b)) return undefined();
    i64 factor = number(b);
    if (tag(a) == GRID) return factor <= 0 ? empty_tuple() : scaled_grid(run, a, factor, factor);
    if (is_tuple(a)) return without_grid(a, empty_tuple());
    if (tag(a) == OBJECT) {
        // A number of many digits may overflow before it is found to leave nothing.
        if (!fits_32_bits(factor)) return refused();
        return factor <= 0 ? empty_set() : scaled_object(run, a, factor);
    }
    // Locations have no colours to make blocks of.
    return tag(a) == INDICES ? undefined() : without_patch(a);
}

OP2(downscale) {
    if (!is_number(b)) return undefined();
    if (tag(a) != GRID) return without_grid(a, undefined());
    i64 factor = number(b);
    if (factor == 0) return undefined();
    // More than a side is as much as a side: only the first row or column is left.
    u32 step = factor > (i64)MAX_AREA || factor < -(i64)MAX_AREA ? MAX_AREA : (u32)(factor < 0 ? -factor : factor);
    if (step == 1) return a;
    u32 height = (height_of(a) + step - 1) / step, width = (width_of(a) + step - 1) / step;
    return gathered_grid(run, bytes_of(a), height, width, 0, (i32)(step * width_of(a)), (i32)step);
}

OP3(replace) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    // No cell has another value than a colour.
    if (!is_cell_colour(b)) return a;
    if (!is_cell_colour(c)) return refused();
    u32 area = area_of(a), old_colour = four_times((i32)number(b)), new_colour = four_times((i32)number(c));
    const i8* cells = bytes_of(a);
    ALLOCATE(u32, words, (area + 3) / 4);
    for (u32 word = lane(); 4 * word < area; word += 32) {
        u32 four = four_cells(cells, word, area), changed = equal_bytes(four, old_colour);
        words[word] = (four & ~changed) | (new_colour & changed);
    }
    sync();
    return grid_at((i8*)words, height_of(a), width_of(a));
}

OP3(switch) {
    if (tag(a) != GRID) return without_grid(a, empty_tuple());
    if (!is_cell_colour(b) && !is_cell_colour(c)) return a;
    if (!is_cell_colour(b) || !is_cell_colour(c)) return refused();
    u32 area = area_of(a), one = four_times((i32)number(b)), other = four_times((i32)number(c));
    const i8* cells = bytes_of(a);
    ALLOCATE(u32, words, (area + 3) / 4);
    for (u32 word = lane(); 4 * word < area; word += 32) {
        u32 four = four_cells(cells, word, area), to_other = equal_bytes(four, one), to_one = equal_bytes(four, other);
        words[word] = (four & ~(to_other | to_one)) | (other & to_other) | (one & to_one);
    }
    sync();
    return grid_at((i8*)words, height_of(a), width_of(a));
}

OP3(cellwise) {
    if (tag(a) != GRID) return without_grid(a, undefined());
    if (tag(b) != GRID) return without_grid(b, undefined());
    if (height_of(b) < height_of(a) || width_of(b) < width_of(a)) return undefined();
    if (!is_cell_colour(c)) return refused();
    u32 height = height_of(a), width = width_of(a), area = height * width, fallback = four_times((i32)number(c));
    // The part of the second grid that is compared, in the shape of the first; it is not needed any more afterwards.
    ALLOCATE(u32, words, (area + 3) / 4);
    u32 before = run.top;
    Value other = b;
    if (width_of(b) != width) other = gathered_grid(run, bytes_of(b), height, width, 0, (i32)width_of(b), 1);
    if (!is_value(other)) return other;
    for (u32 word = lane(); 4 * word < area; word += 32) {
        u32 four = four_cells(bytes_of(a), word, area), same = equal_bytes(four, four_cells(bytes_of(other), word, area));
        words[word] = (four & same) | (fallback & ~same);
    }
    sync();
    run.top = before;
    return grid_at((i8*)words, height, width);
}
