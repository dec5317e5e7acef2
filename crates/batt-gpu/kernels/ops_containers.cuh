// Tuples and sets of anything: what is in them, with more, with less. Sets of cells are sorted lists of integers, in which each lane
// looks for a cell of its own; items of other containers are compared one after the other with many at a time.
#pragma once
#include "ops.cuh"

// The position of the first cell that is not less, `n` if there is none. No collective: each lane may look for another cell.
DEVICE u32 lower_bound(const u32* cells, u32 n, u32 cell) {
    u32 at = 0;
    for (u32 step = n ? 1u << highest_bit(n) : 0; step; step >>= 1) {
        if (at + step <= n && cells[at + step - 1] < cell) at += step;
    }
    return at;
}

// Gives back the arena behind a list of so many bytes that begins at `start`.
DEVICE void keep_only(Run& run, u32 start, u32 bytes) { run.top = start + ((bytes + 15u) & ~15u); }

// The packed cell that an item of a set of this form is; false if a set of this form has no such item.
DEVICE bool packed_item(u32 form, Value item, u32& cell) {
    if (form == OBJECT && tag(item) == CELL) {
        cell = (u32)item.bits;
        return true;
    }
    if (form != INDICES || tag(item) != PAIR || !fits_coordinate(first_of(item)) || !fits_coordinate(second_of(item))) return false;
    cell = pack(first_of(item), second_of(item));
    return true;
}

// Which of the 32 items from `start` on equal a value, a bit for each. A collective.
DEVICE_CALL u32 matches(Value container, u32 start, Value wanted) {
    u32 k = start + lane();
    bool inside = k < count(container);
    Value mine = inside ? item_of(container, k) : undefined();
    bool alike = mine.head == wanted.head && mine.aux == wanted.aux;
    if (is_number(wanted)) return ballot(is_number(mine) && mine.bits == wanted.bits);
    if (tag(wanted) <= CELL) return ballot(alike && mine.bits == wanted.bits);
    return ballot(alike && lane_compare(mine, wanted) == 0);
}

// Whether a value is an item of a container. No collective: each lane may look for another.
DEVICE_CALL bool lane_contains(Value container, Value wanted) {
    u32 n = count(container);
    if (is_packed(container)) {
        u32 cell = 0;
        if (!packed_item(tag(container), wanted, cell)) return false;
        u32 at = lower_bound(cells_of(container), n, cell);
        return at < n && cells_of(container)[at] == cell;
    }
    if (tag(container) == SET) {
        u32 low = 0, high = n;
        while (low < high) {
            u32 half = (low + high) / 2;
            if (lane_compare(items_of(container)[half], wanted) < 0) low = half + 1;
            else high = half;
        }
        return low < n && lane_compare(items_of(container)[low], wanted) == 0;
    }
    for (u32 k = 0; k < n; k++) {
        if (lane_compare(item_of(container, k), wanted) == 0) return true;
    }
    return false;
}

// Whether a value is an item of a container. A collective.
DEVICE_CALL bool contains(Value container, Value wanted) {
    // What is in order is searched for by halves, the same in all lanes.
    if (is_packed(container)) return lane_contains(container, wanted);
    for (u32 start = 0; start < count(container); start += 32) {
        if (matches(container, start, wanted)) return true;
    }
    return false;
}

// The set of items of a general set that were kept, in their order. They may all be cells now, which have a form of their own.
DEVICE Value set_of_kept(Run& run, Value* items, u32 n) {
    sync();
    if (n == 0) return empty_set();
    if (tag(items[0]) == CELL || tag(items[0]) == PAIR) return set_of(run, items, n);
    return general(SET, items, n);
}

// Items of a container that were kept, in the same kind of container. All of them are that container.
DEVICE Value kept_of(Run& run, Value container, Value* items, u32 n) {
    sync();
    if (n == count(container)) return container;
    return is_set(container) ? set_of_kept(run, items, n) : tuple_of(run, items, n);
}

// The cells of a packed set that are in another of the same form, or those that are not.
DEVICE_CALL Value select_packed(Run& run, Value a, Value b, bool in_both) {
    u32 before = run.top, n = count(a), others = count(b), made = 0;
    const u32 *cells = cells_of(a), *other = cells_of(b);
    ALLOCATE(u32, kept, n);
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        u32 mine = k < n ? cells[k] : 0;
        u32 at = lower_bound(other, others, mine);
        bool found = at < others && other[at] == mine;
        u32 mask = ballot(k < n && found == in_both);
        if (mask >> lane() & 1) kept[made + rank_in(mask)] = mine;
        made += bits_set(mask);
    }
    if (made == n) {
        run.top = before;
        return a;
    }
    keep_only(run, before, 4 * made);
    return sorted_set(tag(a), kept, made);
}

// The items that are in another container, or those that are not, in the same kind of container.
DEVICE_CALL Value select_items(Run& run, Value a, Value b, bool in_both) {
    if (is_packed(a) && tag(a) == tag(b)) return select_packed(run, a, b, in_both);
    // Nothing is in both: locations are not cells.
    if (count(b) == 0 || (is_packed(a) && is_packed(b))) return in_both ? empty_set() : a;
    u32 n = count(a), made = 0;
    ALLOCATE(Value, kept, n);
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        Value item = k < n ? item_of(a, k) : nothing();
        u32 mask = ballot(k < n && lane_contains(b, item) == in_both);
        if (mask >> lane() & 1) kept[made + rank_in(mask)] = item;
        made += bits_set(mask);
    }
    return kept_of(run, a, kept, made);
}

// The union of packed sets of one form: what the second has beside the first is found, and both are merged by their ranks.
DEVICE_CALL Value unite_packed(Run& run, Value a, Value b) {
    u32 before = run.top, n = count(a), others = count(b), fresh = 0;
    const u32 *cells = cells_of(a), *other = cells_of(b);
    ALLOCATE(u32, made, n + others);
    ALLOCATE(u32, added, others);
    for (u32 start = 0; start < others; start += 32) {
        u32 k = start + lane();
        u32 mine = k < others ? other[k] : 0;
        u32 at = lower_bound(cells, n, mine);
        bool mine_alone = k < others && !(at < n && cells[at] == mine);
        u32 mask = ballot(mine_alone);
        if (mine_alone) {
            u32 place = fresh + rank_in(mask);
            added[place] = mine;
            made[place + at] = mine;
        }
        fresh += bits_set(mask);
    }
    sync();
    if (fresh == 0) {
        run.top = before;
        return a;
    }
    for (u32 k = lane(); k < n; k += 32) {
        u32 mine = cells[k];
        made[k + lower_bound(added, fresh, mine)] = mine;
    }
    keep_only(run, before, 4 * (n + fresh));
    return sorted_set(tag(a), made, n + fresh);
}

OP2(difference) { return is_container(a) && is_container(b) ? select_items(run, a, b, false) : undefined(); }
OP2(difference_tuple) { return is_container(a) && is_container(b) ? select_items(run, a, b, false) : undefined(); }
OP2(intersection) { return is_set(a) && is_set(b) ? select_items(run, a, b, true) : undefined(); }
OP2(contained) { return is_container(b) ? boolean(contains(b, a)) : undefined(); }
// What a container on the device holds cannot be called: functions are known before a program runs, or the host runs it.
OP2(rapply) { return !is_container(a) || count(a) ? undefined() : is_set(a) ? empty_set() : empty_tuple(); }
OP1(size) { return is_container(a) ? integer(count(a)) : undefined(); }
OP1(first) { return is_container(a) && count(a) ? item_of(a, 0) : undefined(); }
OP1(last) { return is_container(a) && count(a) ? item_of(a, count(a) - 1) : undefined(); }
OP1(second) { return is_container(a) && count(a) > 1 ? item_of(a, 1) : undefined(); }

OP2(combine) {
    if (!is_container(a) || !is_container(b)) return undefined();
    if (is_packed(a) && tag(a) == tag(b)) return unite_packed(run, a, b);
    if (count(b) == 0) return a;
    if (count(a) == 0 && is_set(a) == is_set(b)) return b;
    u32 n = count(a), total = n + count(b);
    if (total > MAX_AREA) return refused();
    if (tag(a) == GRID && tag(b) == GRID && width_of(a) == width_of(b)) {
        u32 area = area_of(a), both_areas = area + area_of(b);
        if (both_areas > MAX_AREA) return refused();
        ALLOCATE(i8, cells, both_areas);
        for (u32 k = lane(); k < both_areas; k += 32) cells[k] = k < area ? bytes_of(a)[k] : bytes_of(b)[k - area];
        sync();
        return grid_at(cells, total, width_of(a));
    }
    ALLOCATE(Value, items, total);
    for (u32 k = lane(); k < total; k += 32) items[k] = k < n ? item_of(a, k) : item_of(b, k - n);
    sync();
    return same_kind(run, a, items, total);
}

OP1(merge) {
    if (!is_container(a)) return undefined();
    // The rows of a grid lie one behind the other already.
    if (tag(a) == GRID) return area_of(a) == 2 ? pair_of(bytes_of(a)[0], bytes_of(a)[1]) : row_at(bytes_of(a), area_of(a));
    // A set of one patch is that patch.
    if (tag(a) == SET && count(a) == 1 && is_packed(items_of(a)[0])) return items_of(a)[0];
    Value* containers = list_of(run, a);
    return containers ? merged(run, containers, count(a), is_set(a)) : refused();
}

OP1(initset) {
    if (tag(a) == CELL || tag(a) == PAIR) {
        u32 form = tag(a) == CELL ? (u32)OBJECT : (u32)INDICES, cell = 0;
        if (!packed_item(form, a, cell)) return refused();
        ALLOCATE(u32, cells, 1);
        if (lane() == 0) cells[0] = cell;
        return sorted_set(form, cells, 1);
    }
    ALLOCATE(Value, items, 1);
    if (lane() == 0) items[0] = a;
    sync();
    return general(SET, items, 1);
}

OP2(insert) {
    if (!is_set(b)) return undefined();
    if (contains(b, a)) return b;
    u32 n = count(b), cell = 0;
    if (n == 0) return op_initset(run, a);
    if (is_packed(b) && packed_item(tag(b), a, cell)) {
        const u32* cells = cells_of(b);
        ALLOCATE(u32, made, n + 1);
        u32 at = lower_bound(cells, n, cell);
        for (u32 k = lane(); k <= n; k += 32) made[k] = k < at ? cells[k] : k == at ? cell : cells[k - 1];
        return sorted_set(tag(b), made, n + 1);
    }
    ALLOCATE(Value, items, n + 1);
    for (u32 k = lane(); k <= n; k += 32) items[k] = k < n ? item_of(b, k) : a;
    sync();
    return set_of(run, items, n + 1);
}

OP2(remove) {
    if (!is_container(b)) return undefined();
    u32 before = run.top, n = count(b), made = 0;
    if (is_packed(b)) {
        u32 cell = 0;
        if (!packed_item(tag(b), a, cell)) return b;
        const u32* cells = cells_of(b);
        u32 at = lower_bound(cells, n, cell);
        if (at == n || cells[at] != cell) return b;
        ALLOCATE(u32, kept, n);
        for (u32 k = lane(); k < n - 1; k += 32) kept[k] = cells[k < at ? k : k + 1];
        return sorted_set(tag(b), kept, n - 1);
    }
    ALLOCATE(Value, kept, n);
    for (u32 start = 0; start < n; start += 32) {
        u32 gone = matches(b, start, a);
        u32 mask = ballot(start + lane() < n) & ~gone;
        if (mask >> lane() & 1) kept[made + rank_in(mask)] = item_of(b, start + lane());
        made += bits_set(mask);
    }
    if (made == n) run.top = before;
    return kept_of(run, b, kept, made);
}

OP2(other) {
    if (!is_container(a)) return undefined();
    u32 n = count(a);
    for (u32 start = 0; start < n; start += 32) {
        u32 mask = ballot(start + lane() < n) & ~matches(a, start, b);
        if (mask) return item_of(a, start + lowest_bit(mask));
    }
    return undefined();
}

OP1(totuple) {
    if (is_tuple(a)) return a;
    if (!is_set(a)) return undefined();
    Value* items = list_of(run, a);
    return items ? tuple_of(run, items, count(a)) : refused();
}
