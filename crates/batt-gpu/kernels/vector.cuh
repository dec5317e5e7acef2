// Loops whose function single lanes can call: 32 items at a time, each lane with registers of its own for what the function makes.
#pragma once
#include "loops.cuh"
#include "lanes.cuh"
#include "program.cuh"
#include "dispatch.h"

// Whether lanes are worth it: there must be a few items, and not few large ones.
DEVICE bool pays_by_lanes(Loop* loop) {
    u32 n = loop->count;
    return n >= 3 && weight_of(loop->container) <= 64 * n;
}

// What a lane has of an operand: from its own registers, if the function wrote it.
DEVICE Value lane_operand(u16 word, const Value* registers, const Value* own, u64 written) {
    return written >> word & 1 ? own[word] : registers[word];
}

enum LaneState : u32 { IDLE, RUNNING, FAILED };

// The position of the first largest or smallest key; false if keys have no order.
DEVICE_CALL bool best_key(const Value* keys, u32 n, bool most, u32& best) {
    bool numbers = true;
    for (u32 k = lane(); k < n; k += 32) numbers = numbers && is_number(keys[k]);
    best = 0;
    if (all(numbers)) {
        i64 mine = 0;
        u32 at = n;
        for (u32 k = lane(); k < n; k += 32) {
            i64 key = number(keys[k]);
            if (at == n || (most ? key > mine : key < mine)) {
                mine = key;
                at = k;
            }
        }
        for (u32 step = 16; step; step >>= 1) {
            i64 key = (i64)shuffle64((u64)mine, lane() ^ step);
            u32 place = shuffle(at, lane() ^ step);
            bool better = place < n && (at == n || (most ? key > mine : key < mine) || (key == mine && place < at));
            if (better) {
                mine = key;
                at = place;
            }
        }
        best = at;
        return true;
    }
    if (all_ordered_by_lanes(keys, n)) {
        best = best_by_lanes(keys, n, most);
        return true;
    }
    bool ordered = true;
    for (u32 k = 1; k < n; k++) {
        i32 order = python_compare(keys[k], keys[best], ordered);
        if (most ? order > 0 : order < 0) best = k;
    }
    return ordered;
}

// Runs a loop by lanes: the instructions of its function, and the operand that is what the function gives. The value of the loop, or why
// there is none; refused if some lane does not care for what it meets: then nothing has happened but that memory was written.
DEVICE_CALL Value run_by_lanes(Run& run, Loop* loop, const Instruction* body, u32 length, u16 given, const Value* registers) {
    u32 primitive = loop->primitive, n = loop->count, item = loop->item, kept = 0;
    Value container = loop->container, second = loop->second;
    bool two = has_two_containers(primitive), finds = primitive == OP_extract;
    bool filters = primitive == OP_sfilter || primitive == OP_mfilter;
    Value* out = loop->out;
    if (!collects(primitive)) {
        out = (Value*)allocate(run, n * (u32)sizeof(Value));
        if (!out) return refused();
    }
    Value own[REGISTERS];
    for (u32 start = 0; start < n; start += 32) {
        if (!take_steps(run, length)) return value_of(OUT_OF_FUEL, 0, 0, 0);
        u32 k = start + lane();
        u32 state = k < n ? RUNNING : IDLE;
        u64 written = 1ull << item;
        u64 spent = 0;
        Value first = nothing();
        if (state == RUNNING) {
            u32 across = count(container);
            first = across == 0 ? integer(0) : item_of(container, primitive == OP_prapply ? k % across : k);
            own[item] = first;
            if (two) own[item + 1] = item_of(second, primitive == OP_prapply ? k / across : k);
        }
        if (two) written |= 1ull << (item + 1);
        for (u32 at = 0; at < length; at++) {
            Instruction now = body[at];
            u32 what = now.op & 0xFFFu, guard = now.op >> 12 & 7u, cost = now.jump & 3u, arity = now.jump >> 2 & 7u;
            if (what == OP_CHARGE) {
                if (state == RUNNING) spent += (u32)now.args[1] << 16 | now.args[0];
                continue;
            }
            bool running = state == RUNNING;
            Value a = nothing(), b = nothing(), c = nothing(), value = nothing();
            if (running) {
                a = lane_operand(now.args[0], registers, own, written);
                b = lane_operand(now.args[1], registers, own, written);
                if (what != OP_MATCH && arity > 2) c = lane_operand(now.args[2], registers, own, written);
            }
            if (what == OP_MATCH) {
                if (running) value = boolean(lane_equal(a, b));
            } else {
                if (running) {
                    spent += cost == COST_UNIT ? 1 : price_of(cost, arity, a, b, c, c);
                    if (guard) {
                        u32 which = now.jump >> 8;
                        if (which & 1) value = guarded(guard, a);
                        if (is_value(value) && which & 2) value = guarded(guard, b);
                        if (is_value(value) && which & 4) value = guarded(guard, c);
                    }
                }
                running = running && is_value(value);
                u8* place = nullptr;
                if (LANE_ROOMS[what]) {
                    u32 bytes = running ? LANE_ROOMS[what](a, b, c) : 0;
                    if (any(bytes == REFUSE) || any(bytes > (1u << 16))) return refused();
                    bytes = (bytes + 15u) & ~15u;
                    u32 total, before = sum_before(bytes, total);
                    u8* all_places = allocate(run, total);
                    if (!all_places) return refused();
                    place = all_places + before;
                }
                if (running) {
                    value = LANE_OPS[what](place, a, b, c);
                    if (is_value(value) && cost != COST_UNIT) spent += weight_of(value);
                }
            }
            if (any(state == RUNNING && tag(value) == REFUSED)) return refused();
            if (state == RUNNING) {
                if (tag(value) == UNDEFINED) state = FAILED;
                else own[now.target] = value;
            }
            written |= 1ull << now.target;
        }
        Value result = nothing();
        if (state == RUNNING) result = lane_operand(given, registers, own, written);
        // In the order of the items: what comes after the first that fails, or that is found, does not happen.
        u32 failed = ballot(state == FAILED), holds = ballot(state == RUNNING && truth(result));
        u32 fails_at = failed ? lowest_bit(failed) : 32, found_at = finds && holds ? lowest_bit(holds) : 32;
        u64 total = sum64(lane() <= min_of(fails_at, found_at) ? spent : 0);
        // All wait for the lane that does most.
        if (!take_steps(run, (u32)largest((i32)min_of(spent, (u64)(1u << 24))) / 8)) return value_of(OUT_OF_FUEL, 0, 0, 0);
        if (total > run.fuel || !spend(run, (u32)total)) {
            run.fuel = 0;
            return value_of(OUT_OF_FUEL, 0, 0, 0);
        }
        if (fails_at < found_at) return undefined();
        if (found_at < 32) return item_of(container, start + found_at);
        if (filters) {
            if (holds >> lane() & 1) out[kept + rank_in(holds)] = first;
            kept += bits_set(holds);
        } else {
            if (state == RUNNING) out[k] = result;
            kept += min_of(n - start, 32u);
        }
    }
    sync();
    if (finds) return undefined();
    if (!collects(primitive)) {
        u32 best;
        bool most = primitive == OP_argmax || primitive == OP_valmax;
        if (n == 0 || !best_key(out, n, most, best)) return undefined();
        return primitive == OP_argmax || primitive == OP_argmin ? item_of(container, best) : out[best];
    }
    if (lane() == 0) loop->kept = kept;
    sync();
    Value made = finish_loop(run, loop);
    // The loop is then run item by item, from its beginning.
    if (tag(made) == REFUSED && lane() == 0) loop->kept = 0;
    sync();
    return made;
}
