// Patches by single lanes: their extent, moving and recolouring them, and how they lie to each other.
#pragma once
#include "lanes.cuh"
#include "ops_positions.cuh"

// The bounding box of packed cells, of which there is at least one.
DEVICE_CALL Bounds lane_bounds(Value patch) {
    u32 n = count(patch);
    const u32* cells = cells_of(patch);
    Bounds box;
    // They ascend by row.
    box.top = row_of(cells[0]);
    box.bottom = row_of(cells[n - 1]);
    box.left = box.right = column_of(cells[0]);
    for (u32 k = 1; k < n; k++) {
        i32 j = column_of(cells[k]);
        box.left = min_of(box.left, j);
        box.right = max_of(box.right, j);
    }
    return box;
}

// What a patch gives that is not packed. Tuples of cells are refused here, though warps take them.
DEVICE_CALL Value lane_unpacked(Value patch, Value if_empty) { return unless_packed(patch, if_empty); }
DEVICE_CALL Value lane_not_both(Value a, Value b, Value if_empty) { return unless_both_packed(a, b, if_empty); }

// Memory for as many cells as a packed patch has.
DEVICE u32 room_as(Value patch) { return is_packed(patch) ? 4 * count(patch) : 0; }

// A packed set of cells that ascend; `n` may be 0.
DEVICE Value lane_set(u32 tag, u32* cells, u32 n) { return n ? value_of(tag, n, 0, (u64)cells) : empty_set(); }

LANE(uppermost) { return is_packed(a) ? integer(top_of(a)) : lane_unpacked(a, undefined()); }

LANE(lowermost) { return is_packed(a) ? integer(bottom_of(a)) : lane_unpacked(a, undefined()); }

LANE(leftmost) { return is_packed(a) ? integer(lane_bounds(a).left) : lane_unpacked(a, undefined()); }

LANE(rightmost) { return is_packed(a) ? integer(lane_bounds(a).right) : lane_unpacked(a, undefined()); }

DEVICE_CALL Value lane_corner_at(Value patch, bool low, bool far) {
    if (!is_packed(patch)) return unless_packed(patch, empty_tuple());
    Bounds box = lane_bounds(patch);
    return pair_of(low ? box.bottom : box.top, far ? box.right : box.left);
}

LANE(ulcorner) { return lane_corner_at(a, false, false); }

LANE(urcorner) { return lane_corner_at(a, false, true); }

LANE(llcorner) { return lane_corner_at(a, true, false); }

LANE(lrcorner) { return lane_corner_at(a, true, true); }

ROOM(corners) { return is_container(a) ? 16 : 0; }

LANE(corners) {
    if (!is_packed(a)) {
        Value failure = lane_unpacked(a, nothing());
        if (!is_value(failure)) return failure;
        // Each corner of an empty patch is the empty tuple.
        *(Value*)place = empty_tuple();
        return value_of(SET, 1, 2u << 24 | 1, (u64)place);
    }
    Bounds box = lane_bounds(a);
    u32* cells = (u32*)place;
    u32 n = 0;
    for (u32 low = 0; low <= (u32)(box.bottom > box.top); low++) {
        for (u32 far = 0; far <= (u32)(box.right > box.left); far++) cells[n++] = pack(low ? box.bottom : box.top, far ? box.right : box.left);
    }
    return lane_set(INDICES, cells, n);
}

// The height and width of a grid or patch: NOTHING if it has them, else why not.
DEVICE_CALL Value lane_extent(Value piece, i32& height, i32& width) {
    height = (i32)count(piece);
    width = 0;
    if (is_packed(piece)) {
        Bounds box = lane_bounds(piece);
        height = box.bottom - box.top + 1;
        width = box.right - box.left + 1;
        return nothing();
    }
    if (tag(piece) == GRID) {
        width = (i32)width_of(piece);
        return nothing();
    }
    if (tag(piece) == TUPLE && count(piece)) {
        Value first = items_of(piece)[0];
        width = (i32)count(first);
        return is_container(first) ? nothing() : undefined();
    }
    // Of other tuples the first item is a number.
    return unless_packed(piece, nothing());
}

LANE(height) {
    if (is_packed(a)) return integer(bottom_of(a) - top_of(a) + 1);
    // The rows of a tuple may be anything.
    return is_tuple(a) ? integer(count(a)) : lane_unpacked(a, integer(0));
}

LANE(width) {
    i32 height, width;
    Value failure = lane_extent(a, height, width);
    return is_value(failure) ? integer(width) : failure;
}

LANE(shape) {
    i32 height, width;
    Value failure = lane_extent(a, height, width);
    return is_value(failure) ? pair_of(height, width) : failure;
}

LANE(portrait) {
    i32 height, width;
    Value failure = lane_extent(a, height, width);
    return is_value(failure) ? boolean(height > width) : failure;
}

LANE(square) {
    i32 height, width;
    // The first row is looked at, so a grid must have one.
    Value failure = tag(a) == TUPLE && count(a) == 0 ? undefined() : lane_extent(a, height, width);
    if (!is_value(failure)) return failure;
    return boolean(height == width && (is_tuple(a) || (u32)(height * width) == count(a)));
}

LANE(vline) {
    i32 height, width;
    Value failure = lane_extent(a, height, width);
    return is_value(failure) ? boolean((u32)height == count(a) && width == 1) : failure;
}

LANE(hline) {
    i32 height, width;
    Value failure = lane_extent(a, height, width);
    return is_value(failure) ? boolean((u32)width == count(a) && height == 1) : failure;
}

LANE(center) {
    if (!is_packed(a)) return lane_unpacked(a, undefined());
    Bounds box = lane_bounds(a);
    return pair_of(middle(box.top, box.bottom), middle(box.left, box.right));
}

LANE(centerofmass) {
    if (!is_packed(a)) return lane_unpacked(a, empty_tuple());
    u32 n = count(a), before = 0;
    const u32* cells = cells_of(a);
    i32 rows = 0, columns = 0;
    for (u32 k = 0; k < n; k++) {
        u32 location = without_colour(cells[k]);
        // The sums are over distinct locations, the divisor counts cells.
        if (k == 0 || location != before) {
            rows += row_of(location);
            columns += column_of(location);
        }
        before = location;
    }
    return pair_of((i32)floor_quotient(rows, n), (i32)floor_quotient(columns, n));
}

// The locations of a packed patch with these colour bits instead of its own.
DEVICE_CALL Value lane_recoloured(u8* place, Value patch, u32 tag_made, u32 colour_bits) {
    u32* made = (u32*)place;
    u32 n = 0;
    // Cells of several colours at one location follow each other, and become one.
    for (u32 k = 0; k < count(patch); k++) {
        u32 cell = without_colour(cells_of(patch)[k]) | colour_bits;
        if (n == 0 || made[n - 1] != cell) made[n++] = cell;
    }
    return value_of(tag_made, n, 0, (u64)made);
}

ROOM(toindices) { return tag(a) == OBJECT ? 4 * count(a) : 0; }

LANE(toindices) {
    if (tag(a) == OBJECT) return lane_recoloured(place, a, INDICES, 0);
    if (tag(a) == INDICES) return a;
    if (is_container(a) && count(a)) {
        // What has no colours stays as it is, be it a patch or not; the first item tells.
        Value first = item_of(a, 0);
        if (is_tuple(first) && count(first) >= 2 && !is_tuple(item_of(first, 1))) return a;
    }
    return lane_unpacked(a, empty_set());
}

ROOM(recolor) { return room_as(b); }

LANE(recolor) {
    if (!is_packed(b)) {
        // A row takes a colour too: that is no cell, and no error either.
        return tag(b) == GRID && width_of(b) > 1 ? refused() : lane_unpacked(b, empty_set());
    }
    // Other colours make tuples that are no cells, and no error.
    if (!is_number(a) || !fits_8_bits(number(a))) return refused();
    return lane_recoloured(place, b, OBJECT, (u32)(number(a) + 128));
}

// Packed cells moved by a vector.
DEVICE_CALL Value lane_moved(u8* place, Value patch, i32 di, i32 dj) {
    if (!fits_coordinate((i64)top_of(patch) + di) || !fits_coordinate((i64)bottom_of(patch) + di)) return refused();
    if (dj < -4096 || dj > 4096) return refused();
    u32 n = count(patch), offset = displacement(di, dj);
    const u32* from = cells_of(patch);
    u32* cells = (u32*)place;
    bool fits = true;
    for (u32 k = 0; k < n; k++) {
        u32 cell = from[k];
        fits = fits && fits_coordinate(column_of(cell) + dj);
        cells[k] = cell + offset;
    }
    return fits ? value_of(tag(patch), n, 0, (u64)cells) : refused();
}

ROOM(shift) { return room_as(a); }

LANE(shift) {
    if (is_container(a) && count(a) == 0) return a;
    i32 di, dj;
    u32 taken = take_location(b, di, dj);
    if (taken == NOT_THERE) return undefined();
    if (!is_packed(a)) return lane_unpacked(a, undefined());
    return taken == TAKEN ? lane_moved(place, a, di, dj) : refused();
}

ROOM(normalize) { return room_as(a); }

LANE(normalize) {
    if (!is_packed(a)) return lane_unpacked(a, a);
    Bounds box = lane_bounds(a);
    return lane_moved(place, a, -box.top, -box.left);
}

// The smallest Manhattan distance between packed cells.
DEVICE_CALL i32 lane_distance(Value a, Value b) {
    i32 best = 0x7FFFFFFF;
    for (u32 k = 0; k < count(a); k++) {
        i32 i = row_of(cells_of(a)[k]), j = column_of(cells_of(a)[k]);
        for (u32 t = 0; t < count(b); t++) {
            i32 di = row_of(cells_of(b)[t]) - i, dj = column_of(cells_of(b)[t]) - j;
            best = min_of(best, (di < 0 ? -di : di) + (dj < 0 ? -dj : dj));
        }
    }
    return best;
}

LANE(manhattan) {
    if (!is_packed(a) || !is_packed(b)) return lane_not_both(a, b, undefined());
    return integer(lane_distance(a, b));
}

LANE(adjacent) {
    if (!is_packed(a) || !is_packed(b)) return lane_not_both(a, b, undefined());
    return boolean(lane_distance(a, b) == 1);
}

LANE(bordering) {
    if (!is_tuple(b)) return undefined();
    if (!is_packed(a)) return lane_unpacked(a, undefined());
    Bounds box = lane_bounds(a);
    // The width is looked at only if no side before it is enough.
    if (box.top == 0 || box.left == 0 || box.bottom == (i64)count(b) - 1) return boolean(true);
    if (count(b) == 0) return undefined();
    i32 height, width;
    Value failure = lane_extent(b, height, width);
    return is_value(failure) ? boolean(box.right == width - 1) : failure;
}

// Which of the 32 rows or columns from `first` on have a cell.
DEVICE_CALL u32 lane_lines_taken(Value patch, i32 first, bool rows) {
    u32 taken = 0;
    for (u32 k = 0; k < count(patch); k++) {
        u32 cell = cells_of(patch)[k], line = (u32)((rows ? row_of(cell) : column_of(cell)) - first);
        if (line < 32) taken |= 1u << line;
    }
    return taken;
}

// Whether two packed patches have a row or column in common.
DEVICE_CALL bool lane_share_line(Value a, Value b, bool rows) {
    Bounds of_a = lane_bounds(a), of_b = lane_bounds(b);
    i32 first = rows ? max_of(of_a.top, of_b.top) : max_of(of_a.left, of_b.left);
    i32 last = rows ? min_of(of_a.bottom, of_b.bottom) : min_of(of_a.right, of_b.right);
    for (; first <= last; first += 32) {
        if (lane_lines_taken(a, first, rows) & lane_lines_taken(b, first, rows)) return true;
    }
    return false;
}

LANE(hmatching) {
    if (!is_packed(a) || !is_packed(b)) return lane_not_both(a, b, boolean(false));
    return boolean(lane_share_line(a, b, true));
}

LANE(vmatching) {
    if (!is_packed(a) || !is_packed(b)) return lane_not_both(a, b, boolean(false));
    return boolean(lane_share_line(a, b, false));
}

LANE(position) {
    if (!is_packed(a) || !is_packed(b)) return lane_not_both(a, b, undefined());
    Bounds of_a = lane_bounds(a), of_b = lane_bounds(b);
    i32 ia = middle(of_a.top, of_a.bottom), ja = middle(of_a.left, of_a.right);
    i32 ib = middle(of_b.top, of_b.bottom), jb = middle(of_b.left, of_b.right);
    if (ia == ib) return pair_of(0, towards(ja, jb));
    return pair_of(towards(ia, ib), ja == jb ? 0 : towards(ja, jb));
}

LANE(gravitate) {
    if (!is_packed(a) || !is_packed(b)) return lane_not_both(a, b, undefined());
    Bounds of_a = lane_bounds(a), of_b = lane_bounds(b);
    bool upright = lane_share_line(a, b, false);
    i32 heading = upright ? towards(middle(of_a.top, of_a.bottom), middle(of_b.top, of_b.bottom))
                          : towards(middle(of_a.left, of_a.right), middle(of_b.left, of_b.right));
    // Bit s + 1: after s steps a cell of the one lies on a cell of the other, or beside one.
    u64 upon = 0, beside = 0;
    for (u32 k = 0; k < count(a); k++) {
        i32 i = row_of(cells_of(a)[k]), j = column_of(cells_of(a)[k]);
        for (u32 t = 0; t < count(b); t++) {
            i32 di = row_of(cells_of(b)[t]) - i, dj = column_of(cells_of(b)[t]) - j;
            i32 across = upright ? dj : di, steps = (upright ? di : dj) * heading;
            if (across < -1 || across > 1 || steps < -1 || steps > 42) continue;
            u64 here = 1ull << (steps + 1);
            beside |= across ? here : here << 1 | here >> 1;
            if (!across) upon |= here;
        }
    }
    // The step before the first is none, and after 42 it is given up.
    u64 touching = (beside & ~upon) >> 1 & ((1ull << 42) - 1);
    i32 steps = (touching ? (i32)lowest_bit64(touching) : 42) * heading;
    return upright ? pair_of(steps, 0) : pair_of(0, steps);
}
