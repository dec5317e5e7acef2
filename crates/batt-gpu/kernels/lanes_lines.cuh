// Locations made from locations by single lanes: neighbours, lines, boxes, frontiers. All are made in reading order.
#pragma once
#include "lanes_patches.cuh"

// Locations around a place: bit `3 * (di + 1) + dj + 1` of `which` for each.
DEVICE_CALL Value lane_around(u8* place, Value centre, u32 which) {
    i32 i, j;
    u32 taken = take_two_ints(centre, i, j);
    if (taken != TAKEN) return not_taken(taken);
    bool inner = i > LOWEST_COORDINATE && i < HIGHEST_COORDINATE && j > LOWEST_COORDINATE && j < HIGHEST_COORDINATE;
    if (!inner) return refused();
    u32* cells = (u32*)place;
    u32 n = 0;
    for (i32 di = -1; di <= 1; di++) {
        for (i32 dj = -1; dj <= 1; dj++, which >>= 1) {
            if (which & 1) cells[n++] = pack(i + di, j + dj);
        }
    }
    return value_of(INDICES, n, 0, (u64)cells);
}

ROOM(dneighbors) { return 16; }

LANE(dneighbors) { return lane_around(place, a, 0252u); }

ROOM(ineighbors) { return 16; }

LANE(ineighbors) { return lane_around(place, a, 0505u); }

ROOM(neighbors) { return 32; }

LANE(neighbors) { return lane_around(place, a, 0757u); }

// A line from one place to another.
struct Line {
    i64 ai, aj, bi, bj;
};

// The cells of a line that is straight or diagonal; 0 of any other, REFUSE if it does not fit.
DEVICE_CALL u32 lane_line_length(const Line& line) {
    i64 di = line.bi - line.ai, dj = line.bj - line.aj, down = di < 0 ? -di : di, across = dj < 0 ? -dj : dj;
    if (down && across && down != across) return 0;
    bool fits = fits_coordinate(line.ai) && fits_coordinate(line.aj) && fits_coordinate(line.bi) && fits_coordinate(line.bj);
    return fits ? (u32)max_of(down, across) + 1 : REFUSE;
}

DEVICE u32 lane_line_room(const Line& line) {
    u32 length = lane_line_length(line);
    return length == REFUSE ? REFUSE : 4 * length;
}

// The cells of a line that fits.
DEVICE_CALL Value lane_line(u8* place, const Line& line) {
    u32 n = lane_line_length(line);
    if (n == REFUSE) return refused();
    bool swapped = line.ai > line.bi || (line.ai == line.bi && line.aj > line.bj);
    u32 cell = swapped ? pack((i32)line.bi, (i32)line.bj) : pack((i32)line.ai, (i32)line.aj);
    i32 dj = sign(line.bj, line.aj);
    u32 step = displacement(line.ai != line.bi, swapped ? -dj : dj);
    u32* cells = (u32*)place;
    for (u32 k = 0; k < n; k++, cell += step) cells[k] = cell;
    return lane_set(INDICES, cells, n);
}

// The line between two places, or 42 steps from the first in the direction of the second.
DEVICE_CALL u32 lane_take_line(Value a, Value b, bool shot, Line& line) {
    if (shot && !is_tuple(a)) return NOT_THERE;
    i32 ai, aj, bi, bj;
    u32 of_a = take_location(a, ai, aj), of_b = shot ? take_two_ints(b, bi, bj) : take_location(b, bi, bj);
    if (of_a == NOT_THERE || of_b == NOT_THERE) return NOT_THERE;
    if (of_a != TAKEN || of_b != TAKEN) return FOR_THE_HOST;
    line.ai = ai;
    line.aj = aj;
    line.bi = shot ? ai + 42ll * bi : bi;
    line.bj = shot ? aj + 42ll * bj : bj;
    return TAKEN;
}

ROOM(connect) {
    Line line;
    return lane_take_line(a, b, false, line) == TAKEN ? lane_line_room(line) : 0;
}

LANE(connect) {
    Line line;
    u32 taken = lane_take_line(a, b, false, line);
    return taken == TAKEN ? lane_line(place, line) : not_taken(taken);
}

ROOM(shoot) {
    Line line;
    return lane_take_line(a, b, true, line) == TAKEN ? lane_line_room(line) : 0;
}

LANE(shoot) {
    Line line;
    u32 taken = lane_take_line(a, b, true, line);
    return taken == TAKEN ? lane_line(place, line) : not_taken(taken);
}

// The 30 locations of the column or row of a place.
DEVICE_CALL Value lane_frontier(u8* place, Value at, bool upright) {
    i32 line;
    if (!take_line(at, upright, line)) return is_tuple(at) ? refused() : undefined();
    if (!fits_coordinate(line)) return refused();
    u32* cells = (u32*)place;
    for (i32 k = 0; k < 30; k++) cells[k] = upright ? pack(k, line) : pack(line, k);
    return value_of(INDICES, 30, 0, (u64)cells);
}

ROOM(vfrontier) { return 4 * 30; }

LANE(vfrontier) { return lane_frontier(place, a, true); }

ROOM(hfrontier) { return 4 * 30; }

LANE(hfrontier) { return lane_frontier(place, a, false); }

// Memory for all locations of the box of a packed patch.
DEVICE_CALL u32 lane_box_room(Value patch) {
    if (!is_packed(patch)) return 0;
    Bounds box = lane_bounds(patch);
    return 4 * (u32)(box.bottom - box.top + 1) * (u32)(box.right - box.left + 1);
}

// The locations of the box of a patch, with or without those of the patch.
DEVICE_CALL Value lane_box_cells(u8* place, Value patch, bool with_patch) {
    Bounds box = lane_bounds(patch);
    const u32* from = cells_of(patch);
    u32* cells = (u32*)place;
    u32 n = 0, seen = 0;
    for (i32 i = box.top; i <= box.bottom; i++) {
        for (i32 j = box.left; j <= box.right; j++) {
            u32 location = pack(i, j);
            bool taken = false;
            // Both are in reading order; a location has one cell for each of its colours.
            for (; !with_patch && seen < count(patch) && without_colour(from[seen]) == location; seen++) taken = true;
            if (!taken) cells[n++] = location;
        }
    }
    return lane_set(INDICES, cells, n);
}

ROOM(backdrop) { return lane_box_room(a); }

LANE(backdrop) { return is_packed(a) ? lane_box_cells(place, a, true) : lane_unpacked(a, empty_set()); }

ROOM(delta) { return lane_box_room(a); }

LANE(delta) {
    // Locations without colours stay as they are, and then there must be a set of them.
    if (tag(a) == GRID) return undefined();
    return is_packed(a) ? lane_box_cells(place, a, false) : lane_unpacked(a, empty_set());
}

// The bounding box moved inwards by `inset`. One too small for that turns inside out.
DEVICE_CALL Bounds lane_inset(Value patch, i32 inset) {
    Bounds box = lane_bounds(patch), moved;
    moved.top = min_of(box.top + inset, box.bottom - inset);
    moved.bottom = max_of(box.top + inset, box.bottom - inset);
    moved.left = min_of(box.left + inset, box.right - inset);
    moved.right = max_of(box.left + inset, box.right - inset);
    return moved;
}

// Memory for the outline, and a little more where that is a line.
DEVICE_CALL u32 lane_outline_room(Value patch, i32 inset) {
    if (!is_packed(patch)) return 0;
    Bounds box = lane_inset(patch, inset);
    return 8 * (u32)(box.bottom - box.top + box.right - box.left + 2);
}

// The outline of the bounding box of a patch, moved inwards by `inset`.
DEVICE_CALL Value lane_outline(u8* place, Value patch, i32 inset) {
    Bounds box = lane_inset(patch, inset);
    bool fits = fits_coordinate(box.top) && fits_coordinate(box.bottom) && fits_coordinate(box.left) && fits_coordinate(box.right);
    if (!fits) return refused();
    u32* cells = (u32*)place;
    u32 n = 0;
    for (i32 i = box.top; i <= box.bottom; i++) {
        // Rows between the first and the last have their ends alone.
        i32 step = i == box.top || i == box.bottom ? 1 : max_of(box.right - box.left, 1);
        for (i32 j = box.left; j <= box.right; j += step) cells[n++] = pack(i, j);
    }
    return value_of(INDICES, n, 0, (u64)cells);
}

ROOM(inbox) { return lane_outline_room(a, 1); }

LANE(inbox) { return is_packed(a) ? lane_outline(place, a, 1) : lane_unpacked(a, undefined()); }

ROOM(outbox) { return lane_outline_room(a, -1); }

LANE(outbox) { return is_packed(a) ? lane_outline(place, a, -1) : lane_unpacked(a, undefined()); }

ROOM(box) { return lane_outline_room(a, 0); }

LANE(box) { return is_packed(a) ? lane_outline(place, a, 0) : lane_unpacked(a, a); }
