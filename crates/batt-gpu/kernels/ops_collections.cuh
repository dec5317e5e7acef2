// Tuples and sets of anything: those that are made of several, and items chosen by how often or in which order they come.
#pragma once
#include "lanes_build.cuh"
#include "ops_containers.cuh"

// Whether all items are of this form. A collective.
DEVICE bool all_items_are(Value container, u32 form) {
    u32 n = count(container);
    bool fine = true;
    for (u32 k = lane(); k < n; k += 32) fine = fine && tag(item_of(container, k)) == form;
    return all(fine);
}

DEVICE bool all_items_are_numbers(Value container) {
    u32 n = count(container);
    bool fine = true;
    for (u32 k = lane(); k < n; k += 32) fine = fine && is_number(item_of(container, k));
    return all(fine);
}

// What is done item by item, or compares all items with each other, is done better by the host if there are more.
const u32 MANY_ITEMS = 512;

// The largest number of pairs that are made at a time; each may have memory of its own.
const u32 MAX_PAIRS = 1u << 14;

// The tuple of two numbers, or of a number and a pair, which needs no memory; `fits` becomes false if it does not fit.
DEVICE Value two_in_place(Value x, Value y, bool& fits) {
    if (is_number(y)) {
        fits = fits && fits_32_bits(number(x)) && fits_32_bits(number(y));
        return pair_of((i32)number(x), (i32)number(y));
    }
    fits = fits && fits_8_bits(number(x)) && fits_coordinate(first_of(y)) && fits_coordinate(second_of(y));
    return cell_of(pack_cell((i32)number(x), first_of(y), second_of(y)));
}

// The items of a container in order, each once, and how many they are; null where there is no memory, or it would take too long.
DEVICE_CALL Value* distinct_items(Run& run, Value container, u32& n) {
    Value* items = list_of(run, container);
    n = count(container);
    if (!items || is_set(container)) return items;
    // They are sorted where they are, which must not be somebody else's memory.
    Value* sorted = (Value*)allocate(run, n * (u32)sizeof(Value));
    if (!sorted) return nullptr;
    for (u32 k = lane(); k < n; k += 32) sorted[k] = items[k];
    sync();
    u32 left = sort_items(run, sorted, n);
    if (left > n) return nullptr;
    n = left;
    return sorted;
}

OP2(product) {
    if (!is_container(a) || !is_container(b)) return undefined();
    u32 rows = count(a), columns = count(b);
    if (rows == 0 || columns == 0) return empty_set();
    if ((u64)rows * columns > MAX_PAIRS) return refused();
    u32 n = rows * columns;
    bool first_numbers = all_items_are_numbers(a), numbers = first_numbers && all_items_are_numbers(b);
    if (numbers || (first_numbers && all_items_are(b, PAIR))) {
        ALLOCATE(u32, cells, n);
        bool fits = true;
        for (u32 k = lane(); k < n; k += 32) {
            u32 i = k / columns;
            Value made = two_in_place(item_of(a, i), item_of(b, k - i * columns), fits);
            // Locations out of range make a general set that the host takes.
            if (numbers) fits = fits && fits_coordinate(first_of(made)) && fits_coordinate(second_of(made));
            cells[k] = numbers ? pack(first_of(made), second_of(made)) : (u32)made.bits;
        }
        return all(fits) ? packed_set(run, numbers ? INDICES : OBJECT, cells, n) : refused();
    }
    // Of items in order, the pairs are in order, too.
    Value *firsts = distinct_items(run, a, rows), *seconds = distinct_items(run, b, columns);
    if (!firsts || !seconds) return refused();
    n = rows * columns;
    ALLOCATE(Value, items, n);
    if (all_items_are(a, PAIR) && all_items_are(b, PAIR)) {
        // Two locations are a grid of 2x2, if they fit.
        ALLOCATE(i8, cells, 4 * n);
        bool fits = true;
        for (u32 k = lane(); k < n; k += 32) {
            Value x = firsts[k / columns], y = seconds[k % columns];
            i32 four[4] = {first_of(x), second_of(x), first_of(y), second_of(y)};
            for (u32 t = 0; t < 4; t++) {
                fits = fits && fits_8_bits(four[t]);
                cells[4 * k + t] = (i8)four[t];
            }
            items[k] = grid_at(cells + 4 * k, 2, 2);
        }
        sync();
        if (all(fits)) return general(SET, items, n);
    }
    ALLOCATE(u8, places, 2 * n * (u32)sizeof(Value));
    bool made = true, tuples = true;
    for (u32 k = lane(); k < n; k += 32) {
        items[k] = lane_two_of(places + 2 * k * sizeof(Value), firsts[k / columns], seconds[k % columns]);
        made = made && is_value(items[k]);
        tuples = tuples && tag(items[k]) > CELL;
    }
    sync();
    if (!all(made)) return refused();
    return all(tuples) ? general(SET, items, n) : set_of(run, items, n);
}

OP2(pair) {
    if (!is_container(a) || !is_container(b)) return undefined();
    u32 n = min_of(count(a), count(b));
    if (n > MAX_PAIRS) return refused();
    ALLOCATE(Value, items, n);
    bool in_place = true, fits = true;
    for (u32 k = lane(); k < n; k += 32) {
        Value x = item_of(a, k), y = item_of(b, k);
        bool mine = is_number(x) && (is_number(y) || tag(y) == PAIR);
        in_place = in_place && mine;
        if (mine) items[k] = two_in_place(x, y, fits);
    }
    sync();
    if (all(in_place)) return all(fits) ? tuple_of(run, items, n) : refused();
    ALLOCATE(u8, places, 2 * n * (u32)sizeof(Value));
    bool made = true;
    for (u32 k = lane(); k < n; k += 32) {
        items[k] = lane_two_of(places + 2 * k * sizeof(Value), item_of(a, k), item_of(b, k));
        made = made && is_value(items[k]);
    }
    sync();
    if (all(made)) return tuple_of(run, items, n);
    // Lanes do not care for wide rows.
    for (u32 k = 0; k < n; k++) {
        Value both = two_of(run, item_of(a, k), item_of(b, k));
        if (!is_value(both)) return both;
        if (lane() == 0) items[k] = both;
    }
    sync();
    return tuple_of(run, items, n);
}

OP2(repeat) {
    if (!is_number(b)) return undefined();
    i64 times = number(b);
    if (times <= 0) return empty_tuple();
    if (times > MAX_AREA) return refused();
    u32 n = (u32)times;
    ALLOCATE(Value, items, n);
    for (u32 k = lane(); k < n; k += 32) items[k] = a;
    sync();
    return tuple_of(run, items, n);
}

// The items that have so many items themselves, laid into `kept`; false if one is no container.
DEVICE bool of_size(Value container, Value wanted, Value* kept, u32& made) {
    u32 n = count(container);
    bool fine = true;
    made = 0;
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        Value mine = k < n ? item_of(container, k) : empty_tuple();
        fine = fine && is_container(mine);
        u32 mask = ballot(k < n && is_number(wanted) && number(wanted) == (i64)count(mine));
        if (mask >> lane() & 1) kept[made + rank_in(mask)] = mine;
        made += bits_set(mask);
    }
    sync();
    return all(fine);
}

OP2(sizefilter) {
    if (!is_container(a)) return undefined();
    u32 made = 0;
    ALLOCATE(Value, kept, count(a));
    if (!of_size(a, b, kept, made)) return undefined();
    if (!is_set(a)) return set_of(run, kept, made);
    return kept_of(run, a, kept, made);
}

OP2(sizefilter_t) {
    if (!is_container(a)) return undefined();
    u32 made = 0;
    ALLOCATE(Value, kept, count(a));
    if (!of_size(a, b, kept, made)) return undefined();
    return is_tuple(a) ? kept_of(run, a, kept, made) : tuple_of(run, kept, made);
}

OP1(dedupe) {
    if (!is_tuple(a)) return is_empty_set(a) ? empty_tuple() : undefined();
    u32 n = count(a), made = 0;
    if (n > MANY_ITEMS) return refused();
    Value* items = list_of(run, a);
    if (!items) return refused();
    ALLOCATE(Value, kept, n);
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        bool first_one = k < n;
        for (u32 t = 0; t < k && first_one; t++) first_one = lane_compare(items[t], items[k]) != 0;
        u32 mask = ballot(first_one);
        if (first_one) kept[made + rank_in(mask)] = items[k];
        made += bits_set(mask);
    }
    return kept_of(run, a, kept, made);
}

OP1(dedupe_pair_tuple) {
    if (!is_tuple(a)) return undefined();
    u32 n = count(a), made = 0;
    ALLOCATE(Value, kept, n);
    for (u32 k = 0; k < n; k++) {
        Value item = item_of(a, k);
        if (!is_container(item) || count(item) != 2) return undefined();
        if (equal(item_of(item, 0), item_of(item, 1))) continue;
        if (lane() == 0) kept[made] = item;
        made++;
    }
    return kept_of(run, a, kept, made);
}

// The largest or smallest item, the first of equal ones; zero if there is none.
DEVICE_CALL Value extreme_item(Run& run, Value container, bool largest_wanted) {
    if (!is_container(container)) return undefined();
    u32 n = count(container);
    if (n == 0) return integer(0);
    if (tag(container) == ROW) {
        i32 best = bytes_of(container)[0];
        for (u32 k = lane(); k < n; k += 32) {
            i32 mine = bytes_of(container)[k];
            best = largest_wanted ? max_of(best, mine) : min_of(best, mine);
        }
        return integer(largest_wanted ? largest(best) : smallest(best));
    }
    // A set of numbers or of locations has them in this order already.
    bool numbers = tag(container) == SET && is_number(item_of(container, 0)) && is_number(item_of(container, n - 1));
    bool ascending = numbers || tag(container) == INDICES;
    if (ascending) return item_of(container, largest_wanted ? n - 1 : 0);
    if (n > MANY_ITEMS) return refused();
    Value* items = list_of(run, container);
    if (!items) return refused();
    if (all_ordered_by_lanes(items, n)) return items[best_by_lanes(items, n, largest_wanted)];
    Value best = item_of(container, 0);
    bool ordered = true;
    for (u32 k = 1; k < n && ordered; k++) {
        Value item = item_of(container, k);
        i32 order = python_compare(item, best, ordered);
        if (largest_wanted ? order > 0 : order < 0) best = item;
    }
    return ordered ? best : undefined();
}

OP1(maximum) { return extreme_item(run, a, true); }
OP1(minimum) { return extreme_item(run, a, false); }
