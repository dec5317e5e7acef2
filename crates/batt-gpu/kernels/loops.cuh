// Primitives that call a function on the items of containers. The function is a piece of the program between a LOOP instruction, which
// lays the first item into a register, and a NEXT instruction, which takes what the function gave.
#pragma once
#include "ops.cuh"
#include "opcodes.h"

// A loop that is being gone through, in the arena, written by one lane.
struct Loop {
    Loop* outer;
    Value* out;  // What was collected.
    Value container, second;
    Value best, best_key;
    u32 primitive, index, count, kept;
    u32 mark;      // Where the arena's top was before this item.
    u32 item;      // The register of the item; a second item is in the next.
    u32 unordered; // Keys that have no order were compared.
};

// Whether the keys or values of all items are needed at once, and have a place in `out`.
DEVICE bool collects(u32 primitive) {
    bool keeps_one = primitive == OP_argmax || primitive == OP_argmin || primitive == OP_valmax || primitive == OP_valmin;
    return !keeps_one && primitive != OP_extract;
}

DEVICE bool has_two_containers(u32 primitive) { return primitive == OP_papply || primitive == OP_mpapply || primitive == OP_prapply; }

// Lays item `index` of the loop into its register.
DEVICE_CALL void lay_item(Loop* loop, u32 index, Value* registers) {
    Value first, second = nothing();
    if (loop->primitive == OP_prapply) {
        u32 across = count(loop->container);
        first = item_of(loop->container, index % across);
        second = item_of(loop->second, index / across);
    } else {
        first = count(loop->container) ? item_of(loop->container, index) : integer(0);
        if (has_two_containers(loop->primitive)) second = item_of(loop->second, index);
    }
    sync();
    if (lane() == 0) {
        registers[loop->item] = first;
        if (has_two_containers(loop->primitive)) registers[loop->item + 1] = second;
    }
    sync();
}

// Begins a loop, without its first item; gives NOTHING, or why there is none.
DEVICE_CALL Value begin_loop(Run& run, Loop*& innermost, u32 primitive, Value container, Value second, u32 item) {
    bool two = has_two_containers(primitive);
    if (!is_container(container) || (two && !is_container(second))) return undefined();
    u64 items = count(container);
    if (primitive == OP_prapply) items *= count(second);
    else if (two) items = min_of(items, (u64)count(second));
    if (items > (1u << 16)) return refused();
    Loop* loop = (Loop*)allocate(run, sizeof(Loop));
    if (!loop) return refused();
    Value* out = collects(primitive) ? (Value*)allocate(run, (u32)items * (u32)sizeof(Value)) : nullptr;
    if (collects(primitive) && !out) return refused();
    if ((primitive == OP_valmax || primitive == OP_valmin) && items == 0) items = 1;
    if (lane() == 0) {
        loop->outer = innermost;
        loop->out = out;
        loop->container = container;
        loop->second = second;
        loop->primitive = primitive;
        loop->index = 0;
        loop->count = (u32)items;
        loop->kept = 0;
        loop->mark = run.top;
        loop->item = item;
        loop->unordered = 0;
    }
    sync();
    innermost = loop;
    return nothing();
}

// Moves a value that lies at the arena's top down to where this item began, so that what else the item left is free again.
DEVICE_CALL Value settle(Run& run, u32& mark, Value v) {
    u8* start = run.arena + mark;
    if (tag(v) == TUPLE || tag(v) == SET) {
        // Its items may lie anywhere above.
        if (count(v)) mark = run.top;
        return v;
    }
    bool in_memory = tag(v) == ROW || tag(v) == GRID || is_packed(v);
    u8* from = (u8*)v.bits;
    if (!in_memory || from < start || from >= run.arena + run.top) {
        run.top = mark;
        return v;
    }
    u32 bytes = is_packed(v) ? 4 * count(v) : tag(v) == ROW ? count(v) : area_of(v);
    // Rows of a grid need not be aligned.
    u32 words = (bytes + 3) / 4;
    if (from != start && ((u64)from & 3) == 0) {
        for (u32 k = lane(); k - lane() < words; k += 32) {
            u32 word = k < words ? ((u32*)from)[k] : 0;
            sync();
            if (k < words) ((u32*)start)[k] = word;
            sync();
        }
        v.bits = (u64)start;
    } else if (from != start) {
        for (u32 k = lane(); k - lane() < bytes; k += 32) {
            u8 byte = k < bytes ? from[k] : 0;
            sync();
            if (k < bytes) start[k] = byte;
            sync();
        }
        v.bits = (u64)start;
    }
    mark += (4 * words + 15u) & ~15u;
    run.top = mark;
    return v;
}

// Positions of keys when sorted, equal ones in their order, laid into `places`; false if the keys have no order.
DEVICE_CALL bool sort_positions(const Value* keys, u32* places, u32 n, bool descending) {
    bool ordered = true;
    bool numbers = true, pairs = true;
    for (u32 k = lane(); k < n; k += 32) {
        numbers = numbers && is_number(keys[k]);
        pairs = pairs && tag(keys[k]) == PAIR;
    }
    if (all(numbers) || all(pairs)) {
        // Each lane counts what comes before its key.
        for (u32 k = lane(); k < n; k += 32) {
            u64 mine = order_key(keys[k], true);
            u32 before = 0;
            for (u32 t = 0; t < n; t++) {
                u64 other = order_key(keys[t], true);
                before += (descending ? other > mine : other < mine) || (other == mine && t < k);
            }
            places[before] = k;
        }
        sync();
        return true;
    }
    if (all_ordered_by_lanes(keys, n)) {
        i32 earlier = descending ? 1 : -1;
        for (u32 k = lane(); k < n; k += 32) {
            u32 before = 0;
            for (u32 t = 0; t < n; t++) {
                i32 order = lane_python_compare(keys[t], keys[k]);
                before += order == earlier || (order == 0 && t < k);
            }
            places[before] = k;
        }
        sync();
        return true;
    }
    for (u32 k = 0; k < n; k++) {
        // Insertion behind everything that is not greater.
        u32 at = k;
        while (at > 0) {
            u32 other = places[at - 1];
            i32 order = descending ? python_compare(keys[k], keys[other], ordered) : python_compare(keys[other], keys[k], ordered);
            if (order <= 0) break;
            at--;
        }
        for (u32 t = k; t > at; t--) {
            u32 moved = places[t - 1];
            sync();
            if (lane() == 0) places[t] = moved;
            sync();
        }
        if (lane() == 0) places[at] = k;
        sync();
    }
    return ordered;
}

// What a loop gives when all its items are done.
DEVICE_CALL Value finish_loop(Run& run, Loop* loop) {
    u32 n = loop->kept;
    switch (loop->primitive) {
    case OP_apply:
    case OP_sfilter: return same_kind(run, loop->container, loop->out, n);
    case OP_mapply:
    case OP_mfilter: return merged(run, loop->out, n, is_set(loop->container));
    case OP_papply: return tuple_of(run, loop->out, n);
    case OP_mpapply: return merged(run, loop->out, n, false);
    case OP_prapply: return set_of(run, loop->out, n);
    case OP_extract: return undefined();
    case OP_argmax:
    case OP_argmin:
    case OP_valmax:
    case OP_valmin: {
        if (n == 0 || loop->unordered) return undefined();
        bool item = loop->primitive == OP_argmax || loop->primitive == OP_argmin;
        return item ? loop->best : loop->best_key;
    }
    case OP_order: {
        ALLOCATE(u32, places, n);
        if (!sort_positions(loop->out, places, n, false)) return undefined();
        ALLOCATE(Value, sorted, n);
        for (u32 k = lane(); k < n; k += 32) sorted[k] = item_of(loop->container, places[k]);
        sync();
        return tuple_of(run, sorted, n);
    }
    case OP_get_arg_rank:
    case OP_get_nth_by_key:
    case OP_get_val_rank: {
        ALLOCATE(u32, places, n);
        if (!sort_positions(loop->out, places, n, loop->primitive == OP_get_arg_rank)) return undefined();
        if (!is_number(loop->second)) return undefined();
        i64 rank = number(loop->second);
        if (rank < 0) rank += n;
        if (rank < 0 || rank >= n) return undefined();
        u32 place = places[rank];
        return loop->primitive == OP_get_val_rank ? loop->out[place] : item_of(loop->container, place);
    }
    default: return refused();
    }
}

// Takes what the function gave for an item. `done` says whether that was the last; then the value is the loop's.
DEVICE_CALL Value next_item(Run& run, Loop*& innermost, Value given, Value* registers, bool& done) {
    Loop* loop = innermost;
    u32 primitive = loop->primitive, index = loop->index, n = loop->count, kept = loop->kept;
    u32 mark = loop->mark;
    if (index < n) {
        switch (primitive) {
        case OP_sfilter:
        case OP_mfilter: {
            run.top = mark;
            if (truth(given)) {
                Value item = item_of(loop->container, index);
                if (lane() == 0) loop->out[kept] = item;
                kept++;
            }
            break;
        }
        case OP_extract: {
            run.top = mark;
            if (truth(given)) {
                Value item = item_of(loop->container, index);
                innermost = loop->outer;
                done = true;
                return item;
            }
            break;
        }
        case OP_argmax:
        case OP_argmin:
        case OP_valmax:
        case OP_valmin: {
            bool better = kept == 0, ordered = true;
            if (kept) {
                i32 order = python_compare(given, loop->best_key, ordered);
                better = (primitive == OP_argmax || primitive == OP_valmax) ? order > 0 : order < 0;
            }
            if (better) {
                given = settle(run, mark, given);
                Value item = count(loop->container) ? item_of(loop->container, index) : nothing();
                sync();
                if (lane() == 0) {
                    loop->best = item;
                    loop->best_key = given;
                }
            } else {
                run.top = mark;
            }
            if (!ordered && lane() == 0) loop->unordered = 1;
            kept++;
            break;
        }
        default: {
            given = settle(run, mark, given);
            if (lane() == 0) loop->out[kept] = given;
            kept++;
        }
        }
        index++;
        sync();
        if (lane() == 0) {
            loop->index = index;
            loop->kept = kept;
            loop->mark = mark;
        }
        sync();
        if (index < n) {
            lay_item(loop, index, registers);
            done = false;
            return nothing();
        }
    }
    innermost = loop->outer;
    done = true;
    return finish_loop(run, loop);
}
