// Items chosen by their position, their rank, or how often they occur.
#pragma once
#include "ops_containers.cuh"

// The place that a number means among `n`: negative counts from the end. False if there is none.
DEVICE bool place_among(Value wanted, u32 n, u32& place) {
    if (!is_number(wanted)) return false;
    i64 k = number(wanted);
    if (k < 0) k += n;
    if (k < 0 || k >= (i64)n) return false;
    place = (u32)k;
    return true;
}

OP2(get_nth) {
    u32 place = 0;
    return is_container(a) && place_among(b, count(a), place) ? item_of(a, place) : undefined();
}

OP2(get_rank) {
    if (!is_container(a)) return undefined();
    u32 n = count(a), place = 0;
    bool numbers = true;
    for (u32 k = lane(); k < n; k += 32) numbers = numbers && is_number(item_of(a, k));
    if (!all(numbers) || !place_among(b, n, place)) return undefined();
    // The item before which, in descending order, there are as many as the rank says.
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane(), before = 0;
        i64 mine = k < n ? number(item_of(a, k)) : 0;
        for (u32 t = 0; t < n; t++) {
            i64 other = number(item_of(a, t));
            before += other > mine || (other == mine && t < k);
        }
        u32 mask = ballot(k < n && before == place);
        if (mask) return integer(number(item_of(a, start + lowest_bit(mask))));
    }
    return undefined();
}

// Among distinct items in canonical order, how often each occurs. Both lists are in the arena.
struct Tally {
    Value* items;
    u32* counts;
    u32 distinct;
};

// Counting compares each distinct item with each item: more items than these are left to the host.
const u32 MAX_TALLIED = 1024;

DEVICE_CALL bool tally_items(Run& run, Value container, Tally& tally) {
    u32 n = count(container);
    if (n > MAX_TALLIED) return false;
    tally.counts = (u32*)allocate(run, n * (u32)sizeof(u32));
    tally.items = (Value*)allocate(run, n * (u32)sizeof(Value));
    if (!tally.counts || !tally.items) return false;
    // Repeated ones go first, so that few are left to be sorted.
    u32 distinct = 0;
    for (u32 k = 0; k < n; k++) {
        Value item = item_of(container, k);
        if (contains(value_of(TUPLE, distinct, 0, (u64)tally.items), item)) continue;
        if (lane() == 0) tally.items[distinct] = item;
        distinct++;
        sync();
    }
    tally.distinct = sort_items(run, tally.items, distinct);
    if (tally.distinct > distinct) return false;
    for (u32 t = 0; t < tally.distinct; t++) {
        Value item = tally.items[t];
        u32 times = 0;
        for (u32 start = 0; start < n; start += 32) times += bits_set(matches(container, start, item));
        if (lane() == 0) tally.counts[t] = times;
    }
    sync();
    return true;
}

// Counts of the 256 small numbers that a row may have, in the arena; null when that is full.
DEVICE u32* count_numbers(Run& run, const i8* numbers, u32 n) {
    u32* counts = (u32*)allocate(run, 256 * (u32)sizeof(u32));
    if (!counts) return nullptr;
    for (u32 k = lane(); k < 256; k += 32) counts[k] = 0;
    sync();
    for (u32 k = lane(); k < n; k += 32) add_into(&counts[(u32)(numbers[k] + 128)], 1);
    sync();
    return counts;
}

// The item that occurs most or least often; of several the first in canonical order.
DEVICE_CALL Value by_count(Run& run, Value container, bool most) {
    if (!is_tuple(container) || count(container) == 0) return undefined();
    u32 before = run.top;
    if (tag(container) == ROW) {
        u32* counts = count_numbers(run, bytes_of(container), count(container));
        if (!counts) return refused();
        // The count above, the number below: a row has too few numbers for the two to meet.
        i32 best = 0x7FFFFFFF;
        for (u32 k = lane(); k < 256; k += 32) {
            i32 times = (i32)counts[k];
            if (times) best = min_of(best, ((most ? (1 << 22) - times : times) << 8) + (i32)k);
        }
        best = smallest(best);
        run.top = before;
        return integer((best & 0xFF) - 128);
    }
    Tally tally;
    if (!tally_items(run, container, tally)) return refused();
    u32 best = 0;
    for (u32 t = 1; t < tally.distinct; t++) {
        if (most ? tally.counts[t] > tally.counts[best] : tally.counts[t] < tally.counts[best]) best = t;
    }
    Value found = tally.items[best];
    // What a row of a grid points to is the grid.
    sync();
    run.top = before;
    return found;
}

OP1(mostcommon) { return by_count(run, a, true); }
OP1(leastcommon) { return by_count(run, a, false); }
// Each item of a set occurs once.
OP1(mostcommon_f) { return is_set(a) && count(a) ? item_of(a, 0) : by_count(run, a, true); }
OP1(leastcommon_f) { return is_set(a) && count(a) ? item_of(a, 0) : by_count(run, a, false); }

OP2(get_common_rank) {
    if (!is_container(a)) return undefined();
    u32 place = 0, before = run.top;
    // Each item of a set occurs once.
    if (is_set(a)) return place_among(b, count(a), place) ? item_of(a, place) : undefined();
    Tally tally;
    if (!tally_items(run, a, tally)) return refused();
    Value found = undefined();
    if (place_among(b, tally.distinct, place)) {
        for (u32 t = 0; t < tally.distinct; t++) {
            u32 fewer = 0;
            for (u32 k = lane(); k < tally.distinct; k += 32) {
                fewer += tally.counts[k] < tally.counts[t] || (tally.counts[k] == tally.counts[t] && k < t);
            }
            if (sum(fewer) == place) found = tally.items[t];
        }
    }
    sync();
    run.top = before;
    return found;
}

OP2(get_color_rank) {
    if (is_empty_set(a) || !is_container(a)) return undefined();
    // Numbers have no colours; what else may stand for a grid is the host's business.
    if (tag(a) == PAIR || tag(a) == CELL || tag(a) == ROW) return undefined();
    if (tag(a) != GRID && tag(a) != OBJECT) return refused();
    u32 n = tag(a) == GRID ? area_of(a) : count(a), before = run.top;
    ALLOCATE(u32, counts, 256);
    ALLOCATE(u32, met, 256);
    for (u32 k = lane(); k < 256; k += 32) {
        counts[k] = 0;
        met[k] = n;
    }
    sync();
    for (u32 k = lane(); k < n; k += 32) {
        u32 colour = (u32)((tag(a) == GRID ? (i32)bytes_of(a)[k] : colour_of(cells_of(a)[k])) + 128);
        add_into(&counts[colour], 1);
        min_into(&met[colour], k);
    }
    sync();
    u32 distinct = 0;
    for (u32 start = 0; start < 256; start += 32) distinct += bits_set(ballot(counts[start + lane()] != 0));
    u32 place = 0;
    Value found = undefined();
    if (place_among(b, distinct, place)) {
        for (u32 start = 0; start < 256; start += 32) {
            u32 mine = start + lane(), first = 0;
            if (counts[mine]) {
                for (u32 k = 0; k < 256; k++) {
                    first += counts[k] > counts[mine] || (counts[k] == counts[mine] && counts[k] && met[k] < met[mine]);
                }
            }
            u32 mask = ballot(counts[mine] != 0 && first == place);
            if (mask) found = integer((i32)(start + lowest_bit(mask)) - 128);
        }
    }
    sync();
    run.top = before;
    return found;
}
