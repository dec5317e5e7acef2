// Making tuples and sets: the only places that choose a form. All are collectives, and all end with memory that every lane sees.
#pragma once
#include "sort.cuh"

// The most cells of a grid or row that the device makes; the host allows more.
const u32 MAX_AREA = 1u << 14;

// Depth and weight of a container of these items, packed as a general container has it; 0 if it is more than the device takes.
DEVICE_CALL u32 nesting_of(const Value* items, u32 n) {
    u32 deepest = 0;
    u64 weight = 0;
    for (u32 k = lane(); k < n; k += 32) {
        deepest = max_of(deepest, depth_of(items[k]));
        weight += weight_of(items[k]);
    }
    deepest = (u32)largest((i32)deepest) + 1;
    weight = sum64(weight);
    if (weight < n) weight = n;
    if (deepest > MAX_DEPTH || weight > (1u << 22)) return 0;
    return deepest << 24 | (u32)weight;
}

DEVICE_CALL Value general(u32 tag, const Value* items, u32 n) {
    u32 nesting = nesting_of(items, n);
    return nesting ? value_of(tag, n, nesting, (u64)items) : refused();
}

// A tuple of two integers.
DEVICE Value pair_of_numbers(i64 a, i64 b) {
    return fits_32_bits(a) && fits_32_bits(b) ? pair_of((i32)a, (i32)b) : refused();
}

// The tuple of two values, in its one form.
DEVICE_CALL Value two_of(Run& run, Value a, Value b) {
    if (is_number(a) && is_number(b)) return pair_of_numbers(number(a), number(b));
    if (is_number(a) && tag(b) == PAIR) {
        i32 i = first_of(b), j = second_of(b);
        // A cell that does not fit is a general tuple that sorts among the cells: left to the host.
        if (!fits_8_bits(number(a)) || !fits_coordinate(i) || !fits_coordinate(j)) return refused();
        return cell_of(pack_cell((i32)number(a), i, j));
    }
    if (tag(a) == PAIR && tag(b) == PAIR) {
        i32 cells[4] = {first_of(a), second_of(a), first_of(b), second_of(b)};
        bool fits = fits_8_bits(cells[0]) && fits_8_bits(cells[1]) && fits_8_bits(cells[2]) && fits_8_bits(cells[3]);
        if (fits) {
            ALLOCATE(i8, made, 4);
            if (lane() == 0) {
                for (u32 k = 0; k < 4; k++) made[k] = (i8)cells[k];
            }
            sync();
            return grid_at(made, 2, 2);
        }
    }
    if (tag(a) == ROW && tag(b) == ROW && count(a) == count(b)) {
        u32 width = count(a);
        if (2 * width > MAX_AREA) return refused();
        ALLOCATE(i8, made, 2 * width);
        for (u32 k = lane(); k < width; k += 32) {
            made[k] = bytes_of(a)[k];
            made[width + k] = bytes_of(b)[k];
        }
        sync();
        return grid_at(made, 2, width);
    }
    ALLOCATE(Value, items, 2);
    if (lane() == 0) {
        items[0] = a;
        items[1] = b;
    }
    sync();
    return general(TUPLE, items, 2);
}

// The tuple of these items, in its one form. The items lie in memory that nobody changes any more.
DEVICE_CALL Value tuple_of(Run& run, const Value* items, u32 n) {
    if (n == 0) return empty_tuple();
    if (n == 2) return two_of(run, items[0], items[1]);
    Value first = items[0];
    if (is_number(first)) {
        bool fits = true;
        for (u32 k = lane(); k < n; k += 32) fits = fits && is_number(items[k]) && fits_8_bits(number(items[k]));
        if (all(fits)) {
            if (n > MAX_AREA) return refused();
            ALLOCATE(i8, row, n);
            for (u32 k = lane(); k < n; k += 32) row[k] = (i8)number(items[k]);
            sync();
            return row_at(row, n);
        }
    } else if (tag(first) == ROW || tag(first) == PAIR) {
        u32 width = count(first);
        bool fits = true;
        for (u32 k = lane(); k < n; k += 32) {
            Value row = items[k];
            fits = fits && tag(row) == tag(first) && count(row) == width;
            if (tag(first) == PAIR) fits = fits && fits_8_bits(first_of(row)) && fits_8_bits(second_of(row));
        }
        // The host makes nothing that begins like too large a grid, even if it is none.
        if (n > 0xFFFF || (u64)n * width > MAX_AREA) return refused();
        if (all(fits)) {
            ALLOCATE(i8, cells, n * width);
            for (u32 k = lane(); k < n * width; k += 32) {
                u32 i = k / width, j = k - i * width;
                cells[k] = tag(first) == PAIR ? (i8)(j ? second_of(items[i]) : first_of(items[i])) : bytes_of(items[i])[j];
            }
            sync();
            return grid_at(cells, n, width);
        }
    }
    return general(TUPLE, items, n);
}

// More cells than these are not sorted by comparing here.
const u32 MANY_CELLS = 4096;

// Puts packed cells in order by comparing: for the few sets that do not fit a table.
DEVICE_CALL void sort_cells(u32* cells, u32 n) {
    // Odd-even merging of a list of any length: at each step lanes compare and exchange disjoint pairs. `p` and `k` are powers of two.
    for (u32 p = 1; p < n; p <<= 1) {
        for (u32 k = p; k >= 1; k >>= 1) {
            u32 start = k & (p - 1), outside = ~(2 * p - 1);
            for (u32 t = start + lane(); t + k < n; t += 32) {
                u32 other = t + k;
                if ((t - start) & k || (t ^ other) & outside) continue;
                u32 a = cells[t], b = cells[other];
                if (b < a) {
                    cells[t] = b;
                    cells[other] = a;
                }
            }
            sync();
        }
    }
}

// Removes equal neighbours from a sorted list, where it is; returns how many are left.
DEVICE_CALL u32 unique_cells(u32* cells, u32 n) {
    u32 kept = 0;
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        u32 mine = k < n ? cells[k] : 0;
        bool first = k < n && (k == 0 || cells[k - 1] != mine);
        sync();
        u32 mask = ballot(first);
        // Never written ahead of what is still to be read: at most `start` lie before it, and `cells[start - 1]` is kept last.
        if (first) cells[kept + rank_in(mask)] = mine;
        kept += bits_set(mask);
        sync();
    }
    return kept;
}

// The set of these packed cells or locations, which may come in any order and more than once, and are changed. `tag` says which.
DEVICE_CALL Value packed_set(Run& run, u32 tag, u32* cells, u32 n) {
    sync();
    if (n == 0) return empty_set();
    bool sorted = true;
    i32 top = 4096, bottom = -4096, left = 4096, right = -4096;
    for (u32 k = lane(); k < n; k += 32) {
        u32 cell = cells[k];
        if (k && cells[k - 1] >= cell) sorted = false;
        top = min_of(top, row_of(cell));
        bottom = max_of(bottom, row_of(cell));
        left = min_of(left, column_of(cell));
        right = max_of(right, column_of(cell));
    }
    if (all(sorted)) return value_of(tag, n, 0, (u64)cells);
    top = smallest(top);
    bottom = largest(bottom);
    left = smallest(left);
    right = largest(right);
    u32 height = (u32)(bottom - top + 1), width = (u32)(right - left + 1), area = height * width;
    if (n > 8 && area <= 32 * n + 8192) {
        // Cells are marked in a table of their box, and gathered from it in reading order.
        u32 before = run.top;
        u8* marks = allocate(run, area);
        if (!marks) return refused();
        for (u32 k = lane(); k < (area + 3) / 4; k += 32) ((u32*)marks)[k] = 0;
        sync();
        // A colour's bits may be all ones: location and colour together never use more than 0..254 plus one here, or it is not tabled.
        bool clash = false;
        for (u32 k = lane(); k < n; k += 32) {
            u32 cell = cells[k];
            clash = clash || (cell & 0xFFu) == 0xFFu;
            marks[(u32)(row_of(cell) - top) * width + (u32)(column_of(cell) - left)] = (u8)((cell & 0xFFu) + 1);
        }
        sync();
        for (u32 k = lane(); k < n; k += 32) {
            u32 cell = cells[k];
            u8 mark = marks[(u32)(row_of(cell) - top) * width + (u32)(column_of(cell) - left)];
            clash = clash || mark != (u8)((cell & 0xFFu) + 1);
        }
        if (!any(clash)) {
            u32 made = 0;
            for (u32 start = 0; start < area; start += 32) {
                u32 k = start + lane();
                u32 mark = k < area ? marks[k] : 0;
                u32 mask = ballot(mark != 0);
                if (mark) cells[made + rank_in(mask)] = pack(top + (i32)(k / width), left + (i32)(k % width)) | (mark - 1);
                made += bits_set(mask);
            }
            sync();
            run.top = before;
            return value_of(tag, made, 0, (u64)cells);
        }
        run.top = before;
    }
    if (n > MANY_CELLS) return refused();
    sort_cells(cells, n);
    n = unique_cells(cells, n);
    return value_of(tag, n, 0, (u64)cells);
}

// The set of packed cells that ascend already; `n` may be 0.
DEVICE Value sorted_set(u32 tag, u32* cells, u32 n) {
    sync();
    return n ? value_of(tag, n, 0, (u64)cells) : empty_set();
}

// The set of these items, which may come in any order and more than once, and are changed.
DEVICE_CALL Value set_of(Run& run, Value* items, u32 n) {
    sync();
    if (n == 0) return empty_set();
    u32 kind = tag(items[0]);
    bool alike = true, fits = true;
    for (u32 k = lane(); k < n; k += 32) {
        Value item = items[k];
        alike = alike && tag(item) == kind;
        // Locations that are out of range make a general set that the host takes.
        if (tag(item) == PAIR) fits = fits && fits_coordinate(first_of(item)) && fits_coordinate(second_of(item));
    }
    alike = all(alike);
    if (!all(fits)) return refused();
    if (alike && (kind == CELL || kind == PAIR)) {
        ALLOCATE(u32, cells, n);
        for (u32 k = lane(); k < n; k += 32) cells[k] = kind == CELL ? (u32)items[k].bits : pack(first_of(items[k]), second_of(items[k]));
        return packed_set(run, kind == CELL ? OBJECT : INDICES, cells, n);
    }
    u32 left = sort_items(run, items, n);
    return left <= n ? general(SET, items, left) : refused();
}

// A tuple or set of these items, whichever `like` is.
DEVICE_CALL Value same_kind(Run& run, Value like, Value* items, u32 n) {
    if (is_set(like)) return set_of(run, items, n);
    if (is_tuple(like)) return tuple_of(run, items, n);
    return undefined();
}

// The items of a container as a list in the arena; null when that is full.
DEVICE_CALL Value* list_of(Run& run, Value container) {
    if (count(container) == 0) return (Value*)run.arena;
    if (tag(container) == TUPLE || tag(container) == SET) return items_of(container);
    u32 n = count(container);
    Value* items = (Value*)allocate(run, n * (u32)sizeof(Value));
    if (!items) return nullptr;
    for (u32 k = lane(); k < n; k += 32) items[k] = item_of(container, k);
    sync();
    return items;
}

// The items of the items of containers, as a set or a tuple.
DEVICE_CALL Value merged(Run& run, const Value* containers, u32 n, bool as_set) {
    u64 total = 0;
    bool fine = true, packed = true, objects = false, indices = false;
    for (u32 k = lane(); k < n; k += 32) {
        Value container = containers[k];
        fine = fine && is_container(container);
        // The empty set is a part of a set of any kind.
        packed = packed && (is_packed(container) || is_empty_set(container));
        objects = objects || tag(container) == OBJECT;
        indices = indices || tag(container) == INDICES;
        total += count(container);
    }
    if (!all(fine)) return undefined();
    total = sum64(total);
    if (total > (1u << 16)) return refused();
    objects = any(objects);
    // A mixture of cells and locations is no packed set.
    if (as_set && all(packed) && !(objects && any(indices))) {
        ALLOCATE(u32, cells, total);
        u32 made = 0;
        for (u32 k = 0; k < n; k++) {
            Value container = containers[k];
            u32 size = count(container);
            for (u32 t = lane(); t < size; t += 32) cells[made + t] = cells_of(container)[t];
            made += size;
        }
        return packed_set(run, objects ? OBJECT : INDICES, cells, made);
    }
    ALLOCATE(Value, items, total);
    u32 made = 0;
    for (u32 k = 0; k < n; k++) {
        Value container = containers[k];
        u32 size = count(container);
        for (u32 t = lane(); t < size; t += 32) items[made + t] = item_of(container, t);
        made += size;
    }
    sync();
    return as_set ? set_of(run, items, made) : tuple_of(run, items, made);
}
