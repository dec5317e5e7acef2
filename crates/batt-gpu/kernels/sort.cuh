// The canonical order by single lanes, and sorting by it: each lane finds the place of an item of its own.
#pragma once
#include "order.cuh"

// The first position at which two lists differ, or `n`. One lane.
template <class T> DEVICE u32 lane_first_difference(const T* a, const T* b, u32 n) {
    u32 k = 0;
    while (k < n && a[k] == b[k]) k++;
    return k;
}

// Orders pairs as tuples are: by the first, then by the second.
DEVICE u64 pair_key(Value v) { return (u64)((u32)first_of(v) ^ 0x80000000u) << 32 | ((u32)second_of(v) ^ 0x80000000u); }

// The canonical order of two values, -1, 0 or 1. No collective: each lane may compare others.
template <u32 LEVELS> DEVICE_CALL i32 lane_compare_at(Value a, Value b) {
    u32 form = tag(a);
    bool alike = form == tag(b);
    if (alike && form < ROW) {
        if (form == NOTHING) return 0;
        if (form == PAIR) return pair_key(a) < pair_key(b) ? -1 : pair_key(a) > pair_key(b);
        return sign((i64)a.bits, (i64)b.bits);
    }
    if (alike && a.bits == b.bits && a.head == b.head && a.aux == b.aux) return 0;
    if (!alike) {
        u32 class_a = class_of(a), class_b = class_of(b);
        if (class_a != class_b) return class_a < class_b ? -1 : 1;
        if (class_a == 1) return sign(number(a), number(b));
    }
    u32 shorter = min_of(count(a), count(b));
    i32 by_count = sign(count(a), count(b));
    if (by_count && is_tuple(a)) return by_count;
    if (alike && (form == ROW || (form == GRID && width_of(a) == width_of(b)))) {
        u32 n = form == ROW ? shorter : area_of(a);
        u32 k = lane_first_difference(bytes_of(a), bytes_of(b), n);
        return k == n ? 0 : sign(bytes_of(a)[k], bytes_of(b)[k]);
    }
    if (alike && is_packed(a)) {
        u32 k = lane_first_difference(cells_of(a), cells_of(b), shorter);
        return k == shorter ? by_count : sign(cells_of(a)[k], cells_of(b)[k]);
    }
    bool in_memory = alike && form >= TUPLE;
    for (u32 k = 0; k < shorter; k++) {
        Value x = in_memory ? items_of(a)[k] : item_of(a, k), y = in_memory ? items_of(b)[k] : item_of(b, k);
        i32 order = lane_compare_at<LEVELS - 1>(x, y);
        if (order) return order;
    }
    return by_count;
}
// Deeper than any value that is made here.
template <> DEVICE_CALL i32 lane_compare_at<0>(Value a, Value b) { return sign(number(a), number(b)); }

DEVICE i32 lane_compare(Value a, Value b) { return lane_compare_at<MAX_DEPTH + 1>(a, b); }

// A number in 16 bits; those that do not fit are at an end.
DEVICE u64 rough_number(Value v) {
    i64 n = number(v);
    return n <= -32768 ? 0 : n >= 32767 ? 65535 : (u64)(n + 32768);
}

// What decides most comparisons, in 48 bits: of two values the lesser never has the greater key. One lane.
template <u32 LEVELS> DEVICE_CALL u64 rough_key_at(Value v) {
    u64 form = class_of(v), body = 0;
    if (form == 1) body = rough_number(v) << 29;
    if (form == 2) body = (v.bits & 0xFFFFFFFFu) << 13;
    if (form >= 3 && count(v)) {
        Value first = item_of(v, 0);
        u64 inner = rough_key_at<LEVELS - 1>(first);
        if (form == 4) {
            body = inner >> 3;
        } else {
            inner >>= 13;
            // Behind a number there is room for another; one that is at an end may be any of many.
            if (is_number(first) && count(v) > 1 && number(first) > -32768 && number(first) < 32767) {
                Value second = item_of(v, 1);
                inner |= is_number(second) ? rough_number(second) : class_of(second) ? 65535 : 0;
            }
            body = (u64)min_of(count(v), 1023u) << 35 | inner;
        }
    }
    return form << 45 | body;
}
template <> DEVICE_CALL u64 rough_key_at<0>(Value v) { return (u64)class_of(v) << 45; }

// The same for values of one form, in 64 bits, and for any if they are not `alike`. One lane.
DEVICE u64 order_key(Value v, bool alike) {
    if (!alike || tag(v) >= TUPLE) return rough_key_at<3>(v);
    switch (tag(v)) {
    case INT:
    case BOOL: return (u64)number(v) ^ 1ull << 63;
    case PAIR: return pair_key(v);
    case CELL: return v.bits;
    case ROW:
    case GRID: {
        // Length, width, and the first cells.
        u32 cells = tag(v) == ROW ? count(v) : area_of(v);
        u64 key = (u64)min_of(count(v), 0xFFFFu) << 16 | (tag(v) == GRID ? min_of(width_of(v), 0xFFFFu) : 0);
        for (u32 k = 0; k < 4; k++) key = key << 8 | (k < cells ? (u32)(bytes_of(v)[k] + 128) : 0);
        return key;
    }
    case INDICES:
    case OBJECT: return (u64)cells_of(v)[0] << 32 | (count(v) > 1 ? cells_of(v)[1] : 0);
    default: return 0;
    }
}

// Items that are being sorted: with their keys, by their places.
struct Sorting {
    const Value* items;
    const u64* keys;

    // Whether the item at one place is less than that at another; with `or_equal`, whether it is not greater.
    DEVICE bool less(u32 a, u32 b, bool or_equal) const {
        if (keys[a] != keys[b]) return keys[a] < keys[b];
        i32 order = lane_compare(items[a], items[b]);
        return or_equal ? order <= 0 : order < 0;
    }
};

// Rounds of comparing that take as long as an instruction.
const u32 SORTING_ROUNDS = 8;

// More items than these that differ deep inside are sorted by the host.
const u32 MANY_UNLIKE = 256;

// Sorts items in place and deduplicates them. Gives their number, or more than there were if memory or time is short. A collective.
DEVICE_CALL u32 sort_items(Run& run, Value* items, u32 n) {
    if (n < 2) return n;
    const u32 NOT_SORTED = n + 1;
    u32 before = run.top;
    u64* keys = (u64*)allocate(run, n * (u32)sizeof(u64));
    if (!keys) return NOT_SORTED;
    u32 kind = tag(items[0]);
    bool alike = true;
    for (u32 k = lane(); k < n; k += 32) alike = alike && (tag(items[k]) == kind || (is_number(items[k]) && kind <= BOOL && kind >= INT));
    alike = all(alike);
    for (u32 k = lane(); k < n; k += 32) keys[k] = order_key(items[k], alike);
    sync();
    Sorting sorting = {items, keys};
    bool sorted = true;
    for (u32 k = 1 + lane(); k < n; k += 32) sorted = sorted && sorting.less(k - 1, k, false);
    if (all(sorted)) {
        run.top = before;
        return n;
    }
    // A round of comparisons takes as long as a call.
    u32 rounds = highest_bit(n) + 1;
    if (!take_steps(run, (n + 31) / 32 * rounds * rounds / SORTING_ROUNDS)) return NOT_SORTED;
    // Where keys decide nothing, each comparison is long.
    if (n > MANY_UNLIKE && (!alike || kind >= TUPLE)) return NOT_SORTED;
    Value* moved = (Value*)allocate(run, n * (u32)sizeof(Value));
    u32* order = (u32*)allocate(run, n * (u32)sizeof(u32));
    u32* next = (u32*)allocate(run, n * (u32)sizeof(u32));
    if (!moved || !order || !next) return NOT_SORTED;
    for (u32 k = lane(); k < n; k += 32) order[k] = k;
    sync();
    // Runs of `width` are sorted; two of them become one: the place of an item is its place in its own run and how many of the other come
    // before it.
    for (u32 width = 1; width < n; width *= 2) {
        for (u32 k = lane(); k < n; k += 32) {
            u32 start = k / (2 * width) * (2 * width), middle = min_of(start + width, n), end = min_of(start + 2 * width, n);
            bool first = k < middle;
            u32 mine = order[k], low = first ? middle : start, high = first ? end : middle;
            u32 from = low;
            while (low < high) {
                u32 half = (low + high) / 2;
                // Of equal items those of the first run come first.
                if (sorting.less(order[half], mine, !first)) low = half + 1;
                else high = half;
            }
            next[(first ? k : k - middle + start) + (low - from)] = mine;
        }
        sync();
        u32* swapped = order;
        order = next;
        next = swapped;
    }
    for (u32 k = lane(); k < n; k += 32) moved[k] = items[order[k]];
    sync();
    u32 kept = 0;
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        bool fresh_one = k < n && (k == 0 || sorting.less(order[k - 1], order[k], false));
        u32 mask = ballot(fresh_one);
        if (fresh_one) next[kept + rank_in(mask)] = k;
        kept += bits_set(mask);
    }
    sync();
    for (u32 k = lane(); k < kept; k += 32) items[k] = moved[next[k]];
    sync();
    run.top = before;
    return kept;
}

// Python's order of two values that lanes know it of: the sign, or that there is none, or that lanes do not care for them.
const i32 UNORDERED = 2, ORDER_REFUSED = 3;

DEVICE_CALL i32 lane_python_compare(Value a, Value b) {
    if (is_number(a) && is_number(b)) return sign(number(a), number(b));
    if (!is_tuple(a) || !is_tuple(b)) return UNORDERED;
    if (tag(a) == CELL && tag(b) == CELL) {
        // The colour comes first here, and last in a packed cell.
        u32 x = (u32)a.bits, y = (u32)b.bits;
        return sign((x << 24) | (x >> 8), (y << 24) | (y >> 8));
    }
    if ((tag(a) != PAIR && tag(a) != ROW) || (tag(b) != PAIR && tag(b) != ROW)) return ORDER_REFUSED;
    u32 shorter = min_of(count(a), count(b));
    for (u32 k = 0; k < shorter; k++) {
        i32 order = sign(number(item_of(a, k)), number(item_of(b, k)));
        if (order) return order;
    }
    return sign(count(a), count(b));
}

// Whether lanes know Python's order of all these: numbers, or pairs and rows, or cells. A collective.
DEVICE_CALL bool all_ordered_by_lanes(const Value* keys, u32 n) {
    u32 forms = 0;
    for (u32 k = lane(); k < n; k += 32) forms |= is_number(keys[k]) ? 1u : tag(keys[k]) == PAIR || tag(keys[k]) == ROW ? 2u : tag(keys[k]) == CELL ? 4u : 8u;
    u32 seen = (any(forms & 1) ? 1u : 0) | (any(forms & 2) ? 2u : 0) | (any(forms & 4) ? 4u : 0) | (any(forms & 8) ? 8u : 0);
    return seen == 1 || seen == 2 || seen == 4;
}

// The first largest or smallest of keys that lanes know the order of. A collective.
DEVICE_CALL u32 best_by_lanes(const Value* keys, u32 n, bool most) {
    u32 best = lane() < n ? lane() : 0;
    i32 wanted = most ? 1 : -1;
    for (u32 k = lane() + 32; k < n; k += 32) {
        if (lane_python_compare(keys[k], keys[best]) == wanted) best = k;
    }
    for (u32 step = 16; step; step >>= 1) {
        u32 other = shuffle(best, lane() ^ step);
        i32 order = lane_python_compare(keys[other], keys[best]);
        if (order == wanted || (order == 0 && other < best)) best = other;
    }
    return best;
}
