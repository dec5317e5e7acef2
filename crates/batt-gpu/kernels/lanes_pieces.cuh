// Grids and patches by single lanes where they are alike: mirrors and rotations; and parts of grids, as grids and as cells.
#pragma once
#include "lanes_build.cuh"
#include "lanes_patches.cuh"
#include "ops_cutting.cuh"
#include "ops_objects.cuh"

// Memory for the cells of a grid or a packed patch.
DEVICE u32 room_of_piece(Value piece) { return tag(piece) == GRID ? area_of(piece) : room_as(piece); }

// A grid whose cell `(i, j)` is `from[start + i * row_step + j * column_step]`.
DEVICE_CALL Value lane_gathered(u8* place, const i8* from, u32 height, u32 width, i32 start, i32 row_step, i32 column_step) {
    Pen pen = pen_at(place);
    for (u32 i = 0; i < height; i++, start += row_step) {
        i32 at = start;
        for (u32 j = 0; j < width; j++, at += column_step) lay_cells(pen, (u8)from[at], 1);
    }
    finish_cells(pen);
    return grid_at((i8*)place, height, width);
}

// A grid upside down, left to right, and then along the diagonal.
DEVICE_CALL Value lane_turned_grid(u8* place, Value grid, bool vertical, bool horizontal, bool diagonal) {
    i32 height = (i32)height_of(grid), width = (i32)width_of(grid);
    i32 start = (vertical ? (height - 1) * width : 0) + (horizontal ? width - 1 : 0);
    i32 down = vertical ? -width : width, across = horizontal ? -1 : 1;
    if (diagonal) return lane_gathered(place, bytes_of(grid), (u32)width, (u32)height, start, across, down);
    return lane_gathered(place, bytes_of(grid), (u32)height, (u32)width, start, down, across);
}

// Puts packed cells in order.
DEVICE_CALL void lane_sort_cells(u32* cells, u32 n) {
    // By insertion among cells that are far from each other first, so that large patches do not take long.
    u32 gap = 1;
    while (gap < n) gap = 3 * gap + 1;
    for (; gap; gap /= 3) {
        for (u32 k = gap; k < n; k++) {
            u32 cell = cells[k], at = k;
            for (; at >= gap && cells[at - gap] > cell; at -= gap) cells[at] = cells[at - gap];
            cells[at] = cell;
        }
    }
}

// A packed patch mirrored within its box: upside down, left to right, and then along the diagonal.
DEVICE_CALL Value lane_mirrored_patch(u8* place, Value patch, bool vertical, bool horizontal, bool diagonal) {
    Bounds box = lane_bounds(patch);
    if (diagonal && (!fits_coordinate(box.top + box.right - box.left) || !fits_coordinate(box.left + box.bottom - box.top))) {
        return refused();
    }
    u32 n = count(patch);
    u32* moved = (u32*)place;
    for (u32 k = 0; k < n; k++) {
        u32 cell = cells_of(patch)[k];
        i32 i = row_of(cell), j = column_of(cell);
        i32 down = vertical ? box.bottom - i : i - box.top, across = horizontal ? box.right - j : j - box.left;
        moved[k] = pack(box.top + (diagonal ? across : down), box.left + (diagonal ? down : across)) | (cell & 0xFFu);
    }
    lane_sort_cells(moved, n);
    return value_of(tag(patch), n, 0, (u64)moved);
}

DEVICE_CALL Value lane_mirrored(u8* place, Value piece, bool vertical, bool horizontal, bool diagonal) {
    if (tag(piece) == GRID) return lane_turned_grid(place, piece, vertical, horizontal, diagonal);
    if (is_packed(piece)) return lane_mirrored_patch(place, piece, vertical, horizontal, diagonal);
    return is_tuple(piece) ? without_grid(piece, empty_tuple()) : without_patch(piece);
}

ROOM(hmirror) { return room_of_piece(a); }

LANE(hmirror) {
    // Any tuple can be turned round, also one that has no columns.
    if (is_tuple(a) && tag(a) != GRID && count(a)) return refused();
    return lane_mirrored(place, a, true, false, false);
}

ROOM(vmirror) { return room_of_piece(a); }

LANE(vmirror) { return lane_mirrored(place, a, false, true, false); }

ROOM(dmirror) { return room_of_piece(a); }

LANE(dmirror) { return lane_mirrored(place, a, false, false, true); }

ROOM(cmirror) { return room_of_piece(a); }

LANE(cmirror) { return lane_mirrored(place, a, true, true, true); }

ROOM(rot90) { return tag(a) == GRID ? area_of(a) : 0; }

LANE(rot90) { return tag(a) == GRID ? lane_turned_grid(place, a, true, false, true) : without_grid(a, empty_tuple()); }

ROOM(rot180) { return tag(a) == GRID ? area_of(a) : 0; }

LANE(rot180) { return tag(a) == GRID ? lane_turned_grid(place, a, true, true, false) : without_grid(a, empty_tuple()); }

ROOM(rot270) { return tag(a) == GRID ? area_of(a) : 0; }

LANE(rot270) { return tag(a) == GRID ? lane_turned_grid(place, a, false, true, true) : without_grid(a, empty_tuple()); }

// A part of a grid: what is left of it after slicing. It has rows, but these may have no cells.
struct Part {
    u32 top, left, height, width;
};

// The part of a grid from `(i, j)` with this extent, by Python's rules of slicing: NOTHING, or what is given instead.
DEVICE_CALL Value lane_part(Value grid, i64 i, i64 j, i64 height, i64 width, Part& part) {
    if (!is_tuple(grid)) return undefined();
    u32 bottom = slice_position(count(grid), i + height);
    part.top = slice_position(count(grid), i);
    if (bottom <= part.top) return empty_tuple();
    // Numbers have no columns; what else may have them is left to warps.
    if (tag(grid) != GRID) return tag(grid) == PAIR || tag(grid) == ROW ? undefined() : refused();
    u32 right = slice_position(width_of(grid), j + width);
    part.left = slice_position(width_of(grid), j);
    part.height = bottom - part.top;
    part.width = right > part.left ? right - part.left : 0;
    return nothing();
}

// Memory for a part: its cells, or rows of none.
DEVICE u32 room_of_part(const Part& part) { return part.height * (part.width ? part.width : (u32)sizeof(Value)); }

DEVICE_CALL Value lane_copied_part(u8* place, Value grid, const Part& part) {
    if (part.width == 0) {
        for (u32 i = 0; i < part.height; i++) ((Value*)place)[i] = empty_tuple();
        return value_of(TUPLE, part.height, 2u << 24 | part.height, (u64)place);
    }
    u32 width = width_of(grid);
    return lane_gathered(place, bytes_of(grid), part.height, part.width, (i32)(part.top * width + part.left), (i32)width, 1);
}

// A grid's part, or what there is instead, as `crop` has it.
DEVICE_CALL Value lane_cropped(Value grid, Value start, Value extent, Part& part) {
    i64 i = 0, j = 0, height = 0, width = 0;
    Value failure = first_two_integers(start, i, j);
    if (is_value(failure)) failure = first_two_integers(extent, height, width);
    return is_value(failure) ? lane_part(grid, i, j, height, width, part) : failure;
}

ROOM(crop) {
    Part part;
    return tag(lane_cropped(a, b, c, part)) == NOTHING ? room_of_part(part) : 0;
}

LANE(crop) {
    Part part;
    Value instead = lane_cropped(a, b, c, part);
    return tag(instead) == NOTHING ? lane_copied_part(place, a, part) : instead;
}

DEVICE_CALL Value lane_under(Value patch, Value grid, Part& part) {
    if (!is_packed(patch)) return without_patch(patch);
    Bounds box = lane_bounds(patch);
    return lane_part(grid, box.top, box.left, box.bottom - box.top + 1, box.right - box.left + 1, part);
}

ROOM(subgrid) {
    Part part;
    return tag(lane_under(a, b, part)) == NOTHING ? room_of_part(part) : 0;
}

LANE(subgrid) {
    Part part;
    Value instead = lane_under(a, b, part);
    return tag(instead) == NOTHING ? lane_copied_part(place, b, part) : instead;
}

// All locations of a grid, with or without its colours.
DEVICE_CALL Value lane_grid_cells(u8* place, Value grid, bool coloured) {
    if (tag(grid) != GRID) return without_rows(grid);
    if (!is_packable(grid)) return refused();
    const i8* colours = bytes_of(grid);
    u32* cells = (u32*)place;
    u32 n = 0;
    for (u32 i = 0; i < height_of(grid); i++) {
        for (u32 j = 0; j < width_of(grid); j++, n++) {
            cells[n] = pack((i32)i, (i32)j) | (coloured ? (u32)(colours[n] + 128) : 0);
        }
    }
    return value_of(coloured ? OBJECT : INDICES, n, 0, (u64)cells);
}

ROOM(asindices) { return tag(a) == GRID ? 4 * area_of(a) : 0; }

LANE(asindices) { return lane_grid_cells(place, a, false); }

ROOM(asobject) { return tag(a) == GRID ? 4 * area_of(a) : 0; }

LANE(asobject) { return lane_grid_cells(place, a, true); }

ROOM(toobject) { return room_as(a); }

LANE(toobject) {
    if (tag(b) != GRID) return without_rows(b);
    if (is_empty_set(a)) return a;
    if (!is_packed(a)) return without_cells(a);
    u32* found = (u32*)place;
    u32 n = 0, before = 0;
    for (u32 k = 0; k < count(a); k++) {
        u32 location = without_colour(cells_of(a)[k]);
        u32 i = (u32)row_of(location), j = (u32)column_of(location);
        // Cells of several colours at one place become one; a negative number is a large unsigned one.
        bool repeated = k && location == before;
        before = location;
        if (!repeated && i < height_of(b) && j < width_of(b)) found[n++] = with_colour(location, bytes_of(b)[i * width_of(b) + j]);
    }
    return lane_set(OBJECT, found, n);
}
