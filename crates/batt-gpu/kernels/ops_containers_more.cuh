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
    ALLOCATE(Value, items, n);
    if (all_items_are(a, PAIR) && all_items_are(b, PAIR)) {
        // Two locations are a grid of 2x2, if they fit.
        ALLOCATE(i8, cells, 4 * n);
        bool fits = true;
        for (u32 k = lane(); k < n; k += 32) {
            Value x = item_of(a, k / columns), y = item_of(b, k % columns);
            i32 four[4] = {first_of(x), second_of(x), first_of(y), second_of(y)};
            for (u32 t = 0; t < 4; t++) {
                fits = fits && fits_8_bits(four[t]);
                cells[4 * k + t] = (i8)four[t];
            }
            items[k] = grid_at(cells + 4 * k, 2, 2);
        }
        if (all(fits)) return set_of(run, items, n);
    }
    ALLOCATE(u8, places, 2 * n * (u32)sizeof(Value));
    bool made = true;
    for (u32 k = lane(); k < n; k += 32) {
        items[k] = lane_two_of(places + 2 * k * sizeof(Value), item_of(a, k / columns), item_of(b, k % columns));
        made = made && is_value(items[k]);
    }
    return all(made) ? set_of(run, items, n) : refused();
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
    for (u32 k = 0; k < n; k++) {
        Value made = two_of(run, item_of(a, k), item_of(b, k));
        if (!is_value(made)) return made;
        if (lane() == 0) items[k] = made;
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
    if (!is_tuple(a)) return undefined();
    u32 made = 0;
    ALLOCATE(Value, kept, count(a));
    if (!of_size(a, b, kept, made)) return undefined();
    return kept_of(run, a, kept, made);
}

OP1(dedupe) {
    if (!is_tuple(a)) return is_empty_set(a) ? empty_tuple() : undefined();
    u32 n = count(a), made = 0;
    if (n > MANY_ITEMS) return refused();
    ALLOCATE(Value, kept, n);
    for (u32 k = 0; k < n; k++) {
        Value item = item_of(a, k);
        if (contains(value_of(TUPLE, made, 0, (u64)kept), item)) continue;
        if (lane() == 0) kept[made] = item;
        made++;
        sync();
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
DEVICE_CALL Value extreme_item(Value container, bool largest_wanted) {
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
    Value best = item_of(container, 0);
    bool ordered = true;
    for (u32 k = 1; k < n && ordered; k++) {
        Value item = item_of(container, k);
        i32 order = python_compare(item, best, ordered);
        if (largest_wanted ? order > 0 : order < 0) best = item;
    }
    return ordered ? best : undefined();
}

OP1(maximum) { return extreme_item(a, true); }
OP1(minimum) { return extreme_item(a, false); }
