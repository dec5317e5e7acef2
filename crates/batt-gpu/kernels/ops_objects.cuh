// Finding things on grids: objects, colours, occurrences, frontiers.
#pragma once
#include "ops_colours.cuh"

// Whether all cells of a grid have coordinates that fit.
DEVICE bool is_packable(Value grid) { return height_of(grid) <= 2048 && width_of(grid) <= 2048; }

// Scratch memory from the arena's far end, so that a result whose size is not known yet can follow what is there. It is given back by
// putting `run.size` back. Null when there is not so much.
DEVICE u8* borrow(Run& run, u32 bytes) {
    u32 rounded = (bytes + 31u) & ~15u;
    if (rounded < bytes || rounded > run.size - run.top) return nullptr;
    run.size = (run.size - rounded) & ~15u;
    return run.arena + run.size;
}

// What cells have in common that belong together: their colour, or that they are there at all. The background has nothing in common.
const i32 APART = 512, NO_BACKGROUND = 256;
const u32 NO_PARENT = 0xFFFF;

struct Connection {
    i32 background;
    bool univalued, diagonal;
};

DEVICE i32 kind_of(i32 colour, const Connection& how) { return colour == how.background ? APART : how.univalued ? colour : 0; }

DEVICE u32 root_of(const u16* parents, u32 k) {
    u32 parent = parents[k];
    while (parent != k) {
        k = parent;
        parent = parents[k];
    }
    return k;
}

// Joins each lane's cell with another, if `pending`. Of two roots the higher gets the lower as its parent; a lane whose word was
// overwritten by another lane's tries again. Parents are never higher than their children, so this ends.
DEVICE void join(u16* parents, u32 mine, u32 other, bool pending) {
    while (any(pending)) {
        u32 high = 0, low = 0;
        if (pending) {
            u32 x = root_of(parents, mine), y = root_of(parents, other);
            high = max_of(x, y);
            low = min_of(x, y);
        }
        // All look before any writes.
        sync();
        if (high != low) parents[high] = (u16)low;
        sync();
        pending = high != low && parents[high] != low;
    }
}

// Gives each cell a parent: following parents one comes to the first cell of its object. Cells of the background have none.
//
// Cells side by side have the first of them as parent at once; what is left to join are such runs with those above that they touch,
// once for each contact.
DEVICE void label_cells(const i8* cells, u32 n, u32 width, const Connection& how, u16* parents) {
    Walk walk = walk_over(width);
    u32 carried_first = 0;
    i32 carried_kind = APART;
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        u32 column = walk.column;
        step_on(walk);
        i32 kind = k < n ? kind_of(cells[k], how) : APART;
        bool there = kind != APART, below = k < n && k >= width;
        i32 left = (i32)shuffle((u32)kind, lane() ? lane() - 1 : 0);
        if (lane() == 0) left = carried_kind;
        bool joined = there && column && left == kind;
        u32 joined_mask = ballot(joined);
        u32 firsts = ~joined_mask & ((2u << lane()) - 1u);
        u32 first = firsts ? start + highest_bit(firsts) : carried_first;
        if (k < n) parents[k] = (u16)(there ? first : NO_PARENT);
        carried_first = shuffle(first, 31);
        carried_kind = (i32)shuffle((u32)kind, 31);
        bool up = there && below && kind_of(cells[k - width], how) == kind;
        u32 up_mask = ballot(up);
        // Where the cell to the left touches the same run above, it has joined them.
        bool contact = up && !((up_mask << 1 & joined_mask) >> lane() & 1u);
        u32 other = k - width;
        sync();
        if (how.diagonal) {
            // A corner matters at a run's ends alone, and where the cell above is not of its kind: else its neighbour has the contact.
            bool corner = there && below && !up;
            bool last = lane() == 31 || !(joined_mask >> (lane() + 1) & 1u);
            bool to_left = corner && column && !joined && kind_of(cells[k - width - 1], how) == kind;
            bool to_right = corner && column + 1 < width && last && kind_of(cells[k - width + 1], how) == kind;
            join(parents, first, k - width + 1, to_right);
            if (to_left) {
                contact = true;
                other--;
            }
        }
        join(parents, first, other, contact);
    }
}

// Numbers the objects by their first cells, and lays number and place in its object of each cell into `places`, the number above 16
// bits; `sizes` become those of the objects. Gives how many there are.
DEVICE u32 number_cells(const u16* parents, u32 n, u32* places, u16* sizes) {
    u32 found = 0;
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        u32 parent = k < n ? parents[k] : NO_PARENT;
        bool first = k < n && parent == k, member = parent != NO_PARENT;
        u32 firsts = ballot(first), members = ballot(member);
        if (first) {
            u32 number = found + rank_in(firsts);
            places[k] = number << 16;
            sizes[number] = 0;
        }
        found += bits_set(firsts);
        sync();
        if (members == 0) continue;
        u32 number = member ? places[root_of(parents, k)] >> 16 : 0;
        // The lanes whose cells are of the same object.
        u32 same = members;
        for (u32 bit = 0; (found - 1) >> bit; bit++) {
            u32 plane = ballot(number >> bit & 1u);
            same &= plane ^ ((number >> bit & 1u) - 1u);
        }
        u32 before = member ? sizes[number] : 0;
        sync();
        if (member) {
            places[k] = number << 16 | (before + rank_in(same));
            if (highest_bit(same) == lane()) sizes[number] = (u16)(before + bits_set(same));
        }
        sync();
    }
    return found;
}

// The objects of a grid: as sets of cells, or as a tuple of tuples of them. Numbers of cells and of objects fit 15 bits, see MAX_AREA.
DEVICE_CALL Value objects_of(Run& run, Value grid, bool univalued, bool diagonal, bool without_background, bool as_tuples) {
    if (tag(grid) != GRID) return without_first_row(grid);
    u32 n = area_of(grid), width = width_of(grid);
    if (!is_packable(grid) || n > MAX_AREA) return refused();
    const i8* cells = bytes_of(grid);
    Connection how;
    how.univalued = univalued;
    how.diagonal = diagonal;
    how.background = without_background ? frequent_colour(grid, true) : NO_BACKGROUND;
    u32 size_before = run.size;
    u32* places = (u32*)borrow(run, 8 * n);
    if (!places) return refused();
    u16* parents = (u16*)(places + n);
    u16* sizes = parents + n;
    label_cells(cells, n, width, how, parents);
    u32 found = number_cells(parents, n, places, sizes);
    if (found == 0) {
        run.size = size_before;
        return as_tuples ? empty_tuple() : empty_set();
    }
    u32 total = 0;
    for (u32 k = lane(); k < found; k += 32) total += sizes[k];
    total = sum(total);
    u32 bytes = as_tuples ? (u32)sizeof(Value) : 4;
    ALLOCATE(Value, items, found);
    ALLOCATE(u8, packed, total * bytes);
    u32 taken = 0;
    for (u32 start = 0; start < found; start += 32) {
        u32 k = start + lane(), these;
        u32 size = k < found ? sizes[k] : 0;
        u64 at = (u64)(packed + (taken + sum_before(size, these)) * bytes);
        // A tuple of cells is a general one.
        if (k < found) items[k] = as_tuples ? value_of(TUPLE, size, 3u << 24 | size, at) : value_of(OBJECT, size, 0, at);
        taken += these;
    }
    sync();
    Walk walk = walk_over(width);
    for (u32 k = lane(); k < n; k += 32) {
        if (parents[k] != NO_PARENT) {
            u32 place = places[k], cell = place_of(walk) | (u32)(cells[k] + 128);
            Value object = items[place >> 16];
            if (as_tuples) items_of(object)[place & 0xFFFFu] = cell_of(cell);
            else cells_of(object)[place & 0xFFFFu] = cell;
        }
        step_on(walk);
    }
    sync();
    run.size = size_before;
    return general(as_tuples ? TUPLE : SET, items, found);
}

// The three switches of `objects` from one number: 4 for univalued, 2 for diagonal, 1 for without background.
DEVICE Value objects_by_number(Run& run, Value grid, Value kind, bool as_tuples) {
    if (!is_number(kind) || number(kind) < 0 || number(kind) > 7) return undefined();
    u32 switches = (u32)number(kind);
    return objects_of(run, grid, switches & 4u, switches & 2u, switches & 1u, as_tuples);
}

OP4(objects) { return objects_of(run, a, truth(b), truth(c), truth(d), false); }

OP4(objects_t) { return objects_of(run, a, truth(b), truth(c), truth(d), true); }

OP2(o_g) { return objects_by_number(run, a, b, false); }

OP2(o_g_t) { return objects_by_number(run, a, b, true); }

// Where a table's rows have a number.
DEVICE_CALL Value places_in_table(Run& run, Value table, Value wanted) {
    Value rows = is_table(table, false);
    if (!is_value(rows)) return rows;
    if (!is_number(wanted) || count(table) > HIGHEST_COORDINATE) return refused();
    u32 n = times_in_table(table, wanted), made = 0;
    bool fits = true;
    ALLOCATE(u32, found, n);
    for (u32 i = 0; i < count(table); i++) {
        Value row = items_of(table)[i];
        fits = fits && count(row) <= HIGHEST_COORDINATE;
        for (u32 start = 0; start < count(row) && made < n; start += 32) {
            u32 k = start + lane();
            Value item = k < count(row) ? item_of(row, k) : nothing();
            u32 mask = ballot(is_number(item) && item.bits == wanted.bits);
            if (mask >> lane() & 1) found[made + rank_in(mask)] = pack((i32)i, (i32)k);
            made += bits_set(mask);
        }
    }
    return fits ? sorted_set(INDICES, found, made) : refused();
}

OP2(ofcolor) {
    if (tag(a) == TUPLE) return places_in_table(run, a, b);
    if (tag(a) != GRID) return undefined();
    if (!is_packable(a)) return refused();
    // What is no number is no colour.
    if (!is_number(b) || !fits_8_bits(number(b))) return empty_set();
    i32 wanted = (i32)number(b);
    const i8* cells = bytes_of(a);
    u32 n = area_of(a), made = 0;
    ALLOCATE(u32, found, n);
    Walk walk = walk_over(width_of(a));
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        bool here = k < n && cells[k] == wanted;
        u32 mask = ballot(here);
        if (here) found[made + rank_in(mask)] = place_of(walk);
        made += bits_set(mask);
        step_on(walk);
    }
    keep_bytes(run, found, 4 * made);
    return sorted_set(INDICES, found, made);
}

OP1(asindices) {
    if (is_container(a) && count(a) == 0) return empty_set();
    u32 width;
    if (tag(a) == TUPLE) {
        // All rows of a table count as long as the first.
        if (!is_container(items_of(a)[0])) return undefined();
        width = count(items_of(a)[0]);
        if (count(a) > HIGHEST_COORDINATE || width > HIGHEST_COORDINATE || count(a) * width > MAX_AREA) return refused();
    } else {
        if (tag(a) != GRID) return undefined();
        if (!is_packable(a)) return refused();
        width = width_of(a);
    }
    u32 n = count(a) * width;
    if (n == 0) return empty_set();
    ALLOCATE(u32, made, n);
    Walk walk = walk_over(width);
    for (u32 k = lane(); k < n; k += 32) {
        made[k] = place_of(walk);
        step_on(walk);
    }
    return sorted_set(INDICES, made, n);
}

OP1(asobject) {
    if (tag(a) == TUPLE && count(a) == 0) return empty_set();
    if (tag(a) != GRID) return without_table(a, false);
    if (!is_packable(a)) return refused();
    const i8* cells = bytes_of(a);
    u32 n = area_of(a);
    ALLOCATE(u32, made, n);
    Walk walk = walk_over(width_of(a));
    for (u32 k = lane(); k < n; k += 32) {
        made[k] = place_of(walk) | (u32)(cells[k] + 128);
        step_on(walk);
    }
    return sorted_set(OBJECT, made, n);
}

// What a patch argument gives that is neither packed nor empty: sets and tuples of cells are left to the host. Numbers are no cells.
DEVICE Value without_cells(Value v) { return tag(v) == SET || tag(v) == TUPLE || tag(v) == GRID ? refused() : undefined(); }

OP2(toobject) {
    if (tag(b) != GRID) return without_first_row(b);
    if (is_empty_set(a)) return empty_set();
    if (!is_packed(a)) return without_cells(a);
    const i8* colours = bytes_of(b);
    const u32* cells = cells_of(a);
    u32 n = count(a), height = height_of(b), width = width_of(b), made = 0;
    ALLOCATE(u32, found, n);
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        u32 cell = k < n ? cells[k] : 0;
        u32 i = (u32)row_of(cell), j = (u32)column_of(cell);
        // Cells of several colours at one place become one.
        bool here = k < n && i < height && j < width && !(k && without_colour(cells[k - 1]) == without_colour(cell));
        u32 mask = ballot(here);
        if (here) found[made + rank_in(mask)] = with_colour(cell, colours[i * width + j]);
        made += bits_set(mask);
    }
    keep_bytes(run, found, 4 * made);
    return sorted_set(OBJECT, found, made);
}

OP2(occurrences) {
    if (tag(a) != GRID) return without_first_row(a);
    if (!is_patch(b)) return without_cells(b);
    const i8* grid = bytes_of(a);
    i32 height = (i32)height_of(a), width = (i32)width_of(a);
    if (height > HIGHEST_COORDINATE || width > HIGHEST_COORDINATE) return refused();
    // An empty object has no extent, and is everywhere.
    u32 n = count(b);
    Bounds box = {0, -1, 0, -1};
    if (n) box = bounds_of(b);
    i32 rows = height - (box.bottom - box.top), columns = width - (box.right - box.left);
    if (rows <= 0 || columns <= 0) return empty_set();
    // Locations have no colour to compare.
    if (tag(b) == INDICES) return undefined();
    const u32* cells = cells_of(b);
    u32 places = (u32)rows * (u32)columns, made = 0;
    ALLOCATE(u32, found, places);
    Walk walk = walk_over((u32)columns);
    for (u32 start = 0; start < places; start += 32) {
        bool here = start + lane() < places;
        const i8* window = grid + (here ? walk.row * (u32)width + walk.column : 0);
        u32 mask = ballot(here);
        for (u32 t = 0; t < n && mask; t++) {
            u32 cell = cells[t];
            here = here && window[(row_of(cell) - box.top) * width + column_of(cell) - box.left] == colour_of(cell);
            mask = ballot(here);
        }
        if (here) found[made + rank_in(mask)] = place_of(walk);
        made += bits_set(mask);
        step_on(walk);
    }
    keep_bytes(run, found, 4 * made);
    return sorted_set(INDICES, found, made);
}

// The cells of each colour as one object, but for one colour that may be left out. Each lane keeps the books of one colour.
DEVICE_CALL Value by_colour(Run& run, Value grid, i32 left_out) {
    if (!is_packable(grid)) return refused();
    const i8* cells = bytes_of(grid);
    u32 n = area_of(grid), inside = 0, size = 0, first = n;
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane(), these;
        u32 mine = cells_of_my_colour(k < n ? (i32)cells[k] : -1, these);
        if (size == 0 && mine) first = start + lowest_bit(mine);
        size += bits_set(mine);
        inside += bits_set(these);
    }
    // Grids with other colours are left to the host.
    if (inside < n) return refused();
    if ((i32)lane() == left_out) size = 0;
    u32 present = ballot(size != 0);
    if (present == 0) return empty_set();
    // Objects are ordered by their first cells.
    u32 before = 0, next = 0, total = 0;
    for (u32 left = present; left; left &= left - 1) {
        u32 other = lowest_bit(left), other_size = shuffle(size, other);
        if (shuffle(first, other) < first) {
            before++;
            next += other_size;
        }
        total += other_size;
    }
    u32 found = bits_set(present);
    ALLOCATE(Value, items, found);
    ALLOCATE(u32, packed, total);
    if (size) items[before] = value_of(OBJECT, size, 0, (u64)(packed + next));
    Walk walk = walk_over(width_of(grid));
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane(), these;
        i32 colour = k < n ? (i32)cells[k] : -1;
        u32 mine = cells_of_my_colour(colour, these);
        // The lane of this cell's colour knows which cells have it, and where they go.
        u32 same = shuffle(mine, (u32)colour & 31u), at = shuffle(next, (u32)colour & 31u);
        if (k < n && colour != left_out) packed[at + rank_in(same)] = place_of(walk) | (u32)(colour + 128);
        next += bits_set(mine);
        step_on(walk);
    }
    sync();
    return general(SET, items, found);
}

OP1(partition) { return tag(a) == GRID ? by_colour(run, a, NO_BACKGROUND) : without_table(a, false); }

OP1(fgpartition) {
    // A set has colours, but no rows.
    return tag(a) == GRID ? by_colour(run, a, frequent_colour(a, true)) : without_table(a, false);
}

// Lays whether each of some lines of cells has one colour into `flags`; gives how many have.
DEVICE u32 mark_frontiers(const i8* cells, u32 lines, u32 apart, u32 length, u32 stride, u8* flags) {
    u32 mine = 0;
    for (u32 line = lane(); line < lines; line += 32) {
        const i8* at = cells + line * apart;
        bool one = true;
        for (u32 t = 1; t < length && one; t++) one = at[t * stride] == at[0];
        flags[line] = one;
        mine += one;
    }
    sync();
    return sum(mine);
}

OP1(frontiers) {
    if (tag(a) != GRID) return without_rows(a);
    if (!is_packable(a)) return refused();
    const i8* cells = bytes_of(a);
    u32 height = height_of(a), width = width_of(a), size_before = run.size;
    u8* flags = borrow(run, height + width);
    if (!flags) return refused();
    u32 rows = mark_frontiers(cells, height, width, width, 1, flags);
    u32 columns = mark_frontiers(cells, width, 1, height, width, flags + height);
    if (rows + columns == 0) {
        run.size = size_before;
        return empty_set();
    }
    ALLOCATE(Value, items, rows + columns);
    ALLOCATE(u32, packed, rows * width + columns * height);
    // The first row, the columns, and the other rows: nearly always in the order of their cells, which `set_of` sees to.
    u32 made = 0;
    u32* next = packed;
    for (u32 k = 0; k < height + width; k++) {
        bool row = k == 0 || k > width;
        u32 line = k == 0 ? 0 : row ? k - width : k - 1;
        if (!flags[row ? line : height + line]) continue;
        u32 length = row ? width : height;
        for (u32 t = lane(); t < length; t += 32) {
            u32 i = row ? line : t, j = row ? t : line;
            next[t] = pack_cell(cells[i * width + j], (i32)i, (i32)j);
        }
        if (lane() == 0) items[made] = value_of(OBJECT, length, 0, (u64)next);
        next += length;
        made++;
    }
    run.size = size_before;
    return set_of(run, items, made);
}
