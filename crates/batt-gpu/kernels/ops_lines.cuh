// Locations made from locations: neighbours, lines, boxes, frontiers. All are made in reading order, so that nothing is sorted.
#pragma once
#include "ops_patches.cuh"

// Locations around a place: bit `3 * (di + 1) + dj + 1` of `which` for each.
DEVICE Value around(Run& run, Value place, u32 which) {
    i32 i, j;
    u32 taken = take_two_ints(place, i, j);
    if (taken != TAKEN) return not_taken(taken);
    bool inner = i > LOWEST_COORDINATE && i < HIGHEST_COORDINATE && j > LOWEST_COORDINATE && j < HIGHEST_COORDINATE;
    if (!inner) return refused();
    ALLOCATE(u32, cells, 8);
    if (which >> lane() & 1) {
        i32 row = (i32)(lane() >= 3) + (i32)(lane() >= 6);
        cells[rank_in(which)] = pack(i + row - 1, j + (i32)lane() - 3 * row - 1);
    }
    return sorted_set(INDICES, cells, bits_set(which));
}

OP1(dneighbors) { return around(run, a, 0252u); }
OP1(ineighbors) { return around(run, a, 0505u); }
OP1(neighbors) { return around(run, a, 0757u); }

// The line between two places if it is straight or diagonal; else nothing.
DEVICE_CALL Value line_between(Run& run, i64 ai, i64 aj, i64 bi, i64 bj) {
    bool swapped = ai > bi || (ai == bi && aj > bj);
    i64 from_i = swapped ? bi : ai, from_j = swapped ? bj : aj;
    i64 di = (swapped ? ai : bi) - from_i, dj = (swapped ? aj : bj) - from_j;
    i64 across = dj < 0 ? -dj : dj;
    if (di != 0 && dj != 0 && di != across) return empty_set();
    if (!fits_coordinate(ai) || !fits_coordinate(aj) || !fits_coordinate(bi) || !fits_coordinate(bj)) return refused();
    u32 n = (u32)max_of(di, across) + 1;
    u32 start = pack((i32)from_i, (i32)from_j), step = displacement(di > 0, sign(dj, 0));
    ALLOCATE(u32, cells, n);
    for (u32 k = lane(); k < n; k += 32) cells[k] = start + k * step;
    return sorted_set(INDICES, cells, n);
}

OP2(connect) {
    i32 ai, aj, bi, bj;
    u32 of_a = take_location(a, ai, aj), of_b = take_location(b, bi, bj);
    if (of_a == NOT_THERE || of_b == NOT_THERE) return undefined();
    if (of_a != TAKEN || of_b != TAKEN) return refused();
    return line_between(run, ai, aj, bi, bj);
}

OP2(shoot) {
    if (!is_tuple(a)) return undefined();
    i32 i, j, di, dj;
    u32 of_a = take_location(a, i, j), of_b = take_two_ints(b, di, dj);
    if (of_a == NOT_THERE || of_b == NOT_THERE) return undefined();
    if (of_a != TAKEN || of_b != TAKEN) return refused();
    return line_between(run, i, j, i + 42ll * di, j + 42ll * dj);
}

// The 30 locations of a column or row.
DEVICE Value frontier(Run& run, i32 line, bool upright) {
    if (!fits_coordinate(line)) return refused();
    ALLOCATE(u32, cells, 30);
    if (lane() < 30) cells[lane()] = upright ? pack((i32)lane(), line) : pack(line, (i32)lane());
    return sorted_set(INDICES, cells, 30);
}

// The number of the column or row of a tuple: one item is looked at, and the others may be anything. False for what is left to the host.
DEVICE bool take_line(Value v, bool upright, i32& line) {
    if (tag(v) == PAIR) {
        line = upright ? second_of(v) : first_of(v);
        return true;
    }
    if (tag(v) == ROW && count(v) > (u32)upright) {
        line = bytes_of(v)[upright];
        return true;
    }
    if (tag(v) != CELL || upright) return false;
    line = colour_of((u32)v.bits);
    return true;
}

OP1(vfrontier) {
    i32 line;
    return take_line(a, true, line) ? frontier(run, line, true) : is_tuple(a) ? refused() : undefined();
}

OP1(hfrontier) {
    i32 line;
    return take_line(a, false, line) ? frontier(run, line, false) : is_tuple(a) ? refused() : undefined();
}

OP1(backdrop) {
    a = as_patch(run, a);
    if (!is_packed(a)) return unless_packed(a, empty_set());
    Bounds box = bounds_of(a);
    u32 height = (u32)(box.bottom - box.top + 1), width = (u32)(box.right - box.left + 1), area = height * width;
    if (area > MAX_AREA) return refused();
    ALLOCATE(u32, cells, area);
    u32 start = pack(box.top, box.left);
    Walk walk = walk_over(width);
    for (u32 k = lane(); k < area; k += 32, step_on(walk)) cells[k] = start + displacement((i32)walk.row, (i32)walk.column);
    return sorted_set(INDICES, cells, area);
}

OP1(delta) {
    // Locations without colours stay as they are, and then there must be a set of them.
    if (tag(a) == GRID) return undefined();
    bool was_tuple = is_tuple(a);
    a = as_patch(run, a);
    if (was_tuple && tag(a) == INDICES) return undefined();
    if (!is_packed(a)) return unless_packed(a, empty_set());
    Bounds box = bounds_of(a);
    u32 n = count(a), height = (u32)(box.bottom - box.top + 1), width = (u32)(box.right - box.left + 1), area = height * width;
    if (area > MAX_AREA) return refused();
    const u32* from = cells_of(a);
    u32 before = run.top, words = (area + 3) / 4;
    ALLOCATE(u32, cells, area);
    ALLOCATE(u32, marks, words);
    for (u32 k = lane(); k < words; k += 32) marks[k] = 0;
    sync();
    u8* taken = (u8*)marks;
    for (u32 k = lane(); k < n; k += 32) taken[(u32)(row_of(from[k]) - box.top) * width + (u32)(column_of(from[k]) - box.left)] = 1;
    sync();
    u32 start = pack(box.top, box.left), made = 0;
    Walk walk = walk_over(width);
    for (u32 base = 0; base < area; base += 32, step_on(walk)) {
        u32 k = base + lane();
        u32 mask = ballot(k < area && !taken[k]);
        if (mask >> lane() & 1) cells[made + rank_in(mask)] = start + displacement((i32)walk.row, (i32)walk.column);
        made += bits_set(mask);
    }
    run.top = before + ((4 * made + 15u) & ~15u);
    return sorted_set(INDICES, cells, made);
}

// The outline of the bounding box, moved inwards by `inset`.
DEVICE_CALL Value inset_box(Run& run, Value patch, i32 inset) {
    Bounds box = bounds_of(patch);
    // A box too small to be moved inwards turns inside out.
    i32 top = min_of(box.top + inset, box.bottom - inset), bottom = max_of(box.top + inset, box.bottom - inset);
    i32 left = min_of(box.left + inset, box.right - inset), right = max_of(box.left + inset, box.right - inset);
    if (!fits_coordinate(top) || !fits_coordinate(bottom) || !fits_coordinate(left) || !fits_coordinate(right)) return refused();
    u32 width = (u32)(right - left + 1), between = bottom > top ? (u32)(bottom - top - 1) : 0;
    // A bar, two ends of each row between, and the other bar; a box of one column has one end.
    u32 end_shift = width > 1, uprights = between << end_shift;
    u32 n = width + uprights + (bottom > top ? width : 0);
    ALLOCATE(u32, cells, n);
    u32 start = pack(top, left);
    for (u32 k = lane(); k < n; k += 32) {
        i32 i = 0, j = (i32)k;
        if (k >= width + uprights) {
            i = bottom - top;
            j = (i32)(k - width - uprights);
        } else if (k >= width) {
            u32 end = k - width;
            i = (i32)(end >> end_shift) + 1;
            j = end & end_shift ? (i32)width - 1 : 0;
        }
        cells[k] = start + displacement(i, j);
    }
    return sorted_set(INDICES, cells, n);
}

OP1(inbox) {
    a = as_patch(run, a);
    return is_packed(a) ? inset_box(run, a, 1) : unless_packed(a, undefined());
}

OP1(outbox) {
    a = as_patch(run, a);
    return is_packed(a) ? inset_box(run, a, -1) : unless_packed(a, undefined());
}

OP1(box) {
    a = as_patch(run, a);
    return is_packed(a) ? inset_box(run, a, 0) : unless_packed(a, a);
}
