// Putting patches onto grids.
#pragma once
#include "ops_grids.cuh"

// The most frequent colour of a grid; of several the lowest. Lane `k` counts the colour of number `k` among 32 at a time: five ballots
// tell every lane the colours of 32 cells.
DEVICE_CALL i32 background_of_grid(Value grid) {
    const i8* cells = bytes_of(grid);
    u32 area = area_of(grid), me = lane();
    // Colours as unsigned bytes in the order of their numbers: the lowest, -128, is 0. Nearly always all are in the one block of 0 to 31.
    u32 blocks = 1u << 4, best = 0;
    for (u32 done = 0; blocks & ~done;) {
        u32 block = lowest_bit(blocks & ~done), counted = 0, seen = 0;
        for (u32 start = 0; start < area; start += 128) {
            u32 k = start + 4 * me, four = k < area ? four_cells(cells, k / 4, area) : 0;
            for (u32 next = 0; next < 4; next++, four >>= 8) {
                u32 colour = (four & 0xFFu) ^ 0x80u;
                bool there = k + next < area;
                if (there) seen |= 1u << (colour >> 5);
                u32 mine = ballot(there && colour >> 5 == block);
                for (u32 bit = 0; bit < 5; bit++) {
                    u32 plane = ballot(colour >> bit & 1u);
                    mine &= me >> bit & 1u ? plane : ~plane;
                }
                counted += bits_set(mine);
            }
        }
        for (u32 other = 0; other < 8; other++) blocks |= any(seen >> other & 1u) ? 1u << other : 0u;
        done |= 1u << block;
        // More cells first, then the lower colour.
        best = max_of(best, (u32)largest((i32)(counted << 8 | (255u - (32 * block + me)))));
    }
    return 255 - (i32)(best & 0xFFu) - 128;
}

// Whether a patch can be drawn in one colour: NOTHING if so. Packed or empty, a tuple of cells, or a tuple of locations, which is a grid
// of two columns.
DEVICE Value is_drawable(Value patch) {
    if (is_packed(patch)) return nothing();
    if (tag(patch) == GRID) return width_of(patch) == 2 ? nothing() : undefined();
    if (tag(patch) != TUPLE && tag(patch) != SET) return undefined();
    u32 n = count(patch);
    if (n == 0) return nothing();
    const Value* items = items_of(patch);
    bool cells = tag(patch) == TUPLE;
    for (u32 k = lane(); k < n; k += 32) cells = cells && tag(items[k]) == CELL;
    return all(cells) ? nothing() : without_patch(patch);
}

// Whether a patch can be drawn in its own colours: NOTHING if so.
DEVICE Value is_paintable(Value patch) {
    if (tag(patch) == OBJECT) return nothing();
    if (tag(patch) != TUPLE && tag(patch) != SET) return undefined();
    if (count(patch) == 0) return nothing();
    Value fine = is_drawable(patch);
    // Two of anything may stand for a colour and its location, also in a set; but not two numbers or two cells.
    Value first = items_of(patch)[0];
    bool two = is_container(first) && count(first) == 2 && tag(first) != PAIR && tag(first) != OBJECT;
    return is_value(fine) ? fine : two ? refused() : undefined();
}

// Cell `k` of a patch that can be drawn.
DEVICE u32 cell_to_draw(Value patch, u32 k) {
    if (is_packed(patch)) return cells_of(patch)[k];
    if (tag(patch) == TUPLE) return (u32)items_of(patch)[k].bits;
    return pack(bytes_of(patch)[2 * k], bytes_of(patch)[2 * k + 1]);
}

// Where a cell that is moved lies among a grid's cells; the grid's area where it is outside. A sum that wraps around is outside too, as
// is a negative number, which is a large unsigned one.
DEVICE u32 place_on(Value grid, u32 cell, i32 di, i32 dj) {
    u32 i = (u32)row_of(cell) + (u32)di, j = (u32)column_of(cell) + (u32)dj;
    return i < height_of(grid) && j < width_of(grid) ? i * width_of(grid) + j : area_of(grid);
}

// Colours that no cell has: nothing is compared.
const i32 ANY_COLOUR = 1000;

// Fills a patch on a copy of a grid, only cells of colour `only` unless that is ANY_COLOUR.
DEVICE void fill_cells(i8* made, Value grid, Value patch, i32 colour, i32 only) {
    u32 n = count(patch), area = area_of(grid);
    for (u32 k = lane(); k < n; k += 32) {
        u32 place = place_on(grid, cell_to_draw(patch, k), 0, 0);
        if (place < area && (only == ANY_COLOUR || bytes_of(grid)[place] == only)) made[place] = (i8)colour;
    }
}

// Paints a moved object on a copy of a grid. Of several colours at one place the last, which is the highest, is seen.
DEVICE void paint_cells(i8* made, Value grid, Value object, i32 di, i32 dj) {
    u32 n = count(object), area = area_of(grid);
    const u32* cells = cells_of(object);
    for (u32 k = lane(); k < n; k += 32) {
        u32 cell = cells[k];
        u32 place = place_on(grid, cell, di, dj);
        bool last = k + 1 == n || without_colour(cells[k + 1]) != without_colour(cell);
        if (place < area && last) made[place] = (i8)colour_of(cell);
    }
}

// Paints an object on the cells of the background's colour. Of several colours at one place the first stays that is another.
DEVICE void underpaint_cells(i8* made, Value grid, Value object, i32 background) {
    u32 n = count(object), area = area_of(grid);
    const u32* cells = cells_of(object);
    for (u32 k = lane(); k < n; k += 32) {
        u32 cell = cells[k], here = without_colour(cell);
        u32 place = place_on(grid, cell, 0, 0);
        if (place >= area || colour_of(cell) == background || bytes_of(grid)[place] != background) continue;
        // At most one of those before is the background's colour itself.
        bool second = k >= 1 && without_colour(cells[k - 1]) == here, third = k >= 2 && without_colour(cells[k - 2]) == here;
        if (!second || (!third && colour_of(cells[k - 1]) == background)) made[place] = (i8)colour_of(cell);
    }
}

// Paints a tuple of cells in its order on a copy of a grid; `background` as above, or ANY_COLOUR. Which cell is seen at each place is
// found first: the last, or where only background is painted the first that is not of its colour.
DEVICE bool paint_list(Run& run, i8* made, Value grid, Value list, i32 background) {
    u32 n = count(list), area = area_of(grid), before = run.top;
    u32* seen = (u32*)allocate(run, 4 * area);
    if (!seen) return false;
    for (u32 k = lane(); k < area; k += 32) seen[k] = n;
    sync();
    for (u32 turn = 0; turn < 2; turn++) {
        for (u32 k = lane(); k < n; k += 32) {
            u32 cell = cell_to_draw(list, k), place = place_on(grid, cell, 0, 0);
            if (place >= area) continue;
            if (background != ANY_COLOUR && (bytes_of(grid)[place] != background || colour_of(cell) == background)) continue;
            u32 rank = background == ANY_COLOUR ? n - 1 - k : k;
            if (turn == 0) min_into(&seen[place], rank);
            else if (seen[place] == rank) made[place] = (i8)colour_of(cell);
        }
        sync();
    }
    run.top = before;
    return true;
}

DEVICE_CALL Value filled_grid(Run& run, Value grid, Value patch, i32 colour, i32 only) {
    ALLOCATE(i8, made, area_of(grid));
    copy_cells(made, bytes_of(grid), area_of(grid));
    sync();
    fill_cells(made, grid, patch, colour, only);
    sync();
    return grid_at(made, height_of(grid), width_of(grid));
}

OP3(fill) {
    Value fine = is_drawable(c);
    if (!is_value(fine)) return fine;
    if (tag(a) != GRID) return without_grid(a, undefined());
    if (count(c) == 0) return a;
    if (!is_cell_colour(b)) return refused();
    return filled_grid(run, a, c, (i32)number(b), ANY_COLOUR);
}

OP3(underfill) {
    Value fine = is_drawable(c);
    if (!is_value(fine)) return fine;
    if (tag(a) != GRID) return without_grid(a, undefined());
    if (count(c) == 0) return a;
    if (!is_cell_colour(b)) return refused();
    return filled_grid(run, a, c, (i32)number(b), background_of_grid(a));
}

OP2(cover) {
    Value fine = is_drawable(b);
    if (!is_value(fine)) return fine;
    if (tag(a) != GRID) return without_grid(a, undefined());
    if (count(b) == 0) return a;
    return filled_grid(run, a, b, background_of_grid(a), ANY_COLOUR);
}

OP2(paint) {
    Value fine = is_paintable(b);
    if (!is_value(fine)) return fine;
    if (tag(a) != GRID) return without_grid(a, undefined());
    if (count(b) == 0) return a;
    ALLOCATE(i8, made, area_of(a));
    copy_cells(made, bytes_of(a), area_of(a));
    sync();
    if (tag(b) == OBJECT) paint_cells(made, a, b, 0, 0);
    else if (!paint_list(run, made, a, b, ANY_COLOUR)) return refused();
    sync();
    return grid_at(made, height_of(a), width_of(a));
}

OP2(underpaint) {
    Value fine = is_paintable(b);
    if (!is_value(fine)) return fine;
    if (tag(a) != GRID) return without_grid(a, undefined());
    if (count(b) == 0) return a;
    i32 background = background_of_grid(a);
    ALLOCATE(i8, made, area_of(a));
    copy_cells(made, bytes_of(a), area_of(a));
    sync();
    if (tag(b) == OBJECT) underpaint_cells(made, a, b, background);
    else if (!paint_list(run, made, a, b, background)) return refused();
    sync();
    return grid_at(made, height_of(a), width_of(a));
}

OP3(move) {
    Value fine = is_drawable(b);
    if (!is_value(fine)) return fine;
    if (tag(a) != GRID) return without_grid(a, undefined());
    if (count(b) == 0) return a;
    // Moved locations have no colours to paint with.
    if (tag(b) == INDICES || tag(b) == GRID) return undefined();
    if (tag(b) != OBJECT) return refused();
    if (tag(c) != PAIR) return (tag(c) == TUPLE || tag(c) == SET) && count(c) == 2 ? refused() : undefined();
    i32 background = background_of_grid(a);
    ALLOCATE(i8, made, area_of(a));
    copy_cells(made, bytes_of(a), area_of(a));
    sync();
    fill_cells(made, a, b, background, ANY_COLOUR);
    sync();
    paint_cells(made, a, b, first_of(c), second_of(c));
    sync();
    return grid_at(made, height_of(a), width_of(a));
}
