// Running a program: instruction by instruction, fuel as on the host.
#pragma once
#include "loops.cuh"
#include "program.cuh"
#include "vector.cuh"
#include "dispatch.h"

// A container as an alias takes it: itself, the tuple or set of its items, or why it does not take it.
DEVICE_CALL Value taken_by(Run& run, u32 guard, Value v) {
    Value fits = guarded(guard, v);
    if (is_value(fits)) return v;
    if (tag(fits) != REFUSED) return fits;
    if (guard == GUARD_AS_TUPLE) return op_totuple(run, v, v, v, v);
    // Whatever else a tuple holds is the host's business.
    Value made = guard == GUARD_AS_SET ? as_patch(run, v) : v;
    return is_packed(made) ? made : fits;
}

// Calls a primitive on what is in registers; what it gives, or why it gives nothing.
DEVICE_CALL Value call_primitive(Run& run, Instruction now, const Value* registers) {
    u32 what = now.op & 0xFFFu, guard = now.op >> 12 & 7u, cost = now.jump & 3u, arity = now.jump >> 2 & 7u, price = 1;
    Value a = registers[now.args[0]], b = registers[now.args[1]], c = nothing(), d = nothing();
    if (arity > 2) {
        c = registers[now.args[2]];
        if (arity > 3) d = registers[now.args[3]];
    }
    if (cost != COST_UNIT) price = price_of(cost, arity, a, b, c, d);
    // What is dear in fuel takes long, too.
    if (!spend(run, price) || !take_steps(run, price / 64)) return value_of(OUT_OF_FUEL, 0, 0, 0);
    if (guard) {
        u32 which = now.jump >> 8;
        if (which & 1) a = taken_by(run, guard, a);
        if (which & 2) b = taken_by(run, guard, b);
        if (which & 4) c = taken_by(run, guard, c);
        if (!is_value(a)) return a;
        if (!is_value(b)) return b;
        if (!is_value(c)) return c;
    }
    if (!OPS[what]) return refused();
    Value value = OPS[what](run, a, b, c, d);
    sync();
    if (is_value(value) && cost != COST_UNIT && !spend(run, weight_of(value))) return value_of(OUT_OF_FUEL, 0, 0, 0);
    return value;
}

// Runs a program from its first instruction. `registers[0]` is the input, and constants are in
// the last registers. Where it has no value, `step` says which step and `op` what
// was called.
DEVICE_CALL Value run_program(Run& run, const Instruction* code, Value* registers, u32& step, u32& op) {
    Loop* innermost = nullptr;
    u32 at = 0;
    for (;;) {
        if (!take_steps(run, 1)) return value_of(OUT_OF_FUEL, 0, 0, 0);
        Instruction now = code[at++];
        u32 what = now.op & 0xFFFu, guard = now.op >> 12 & 7u;
        step = now.step;
        op = what;
        Value value = nothing();
        if (what < PRIMITIVES) {
            value = call_primitive(run, now, registers);
            if (!is_value(value)) return value;
            if (lane() == 0) registers[now.target] = value;
            sync();
            continue;
        }
        if (what == OP_CHARGE) {
            if (!spend(run, (u32)now.args[1] << 16 | now.args[0])) return value_of(OUT_OF_FUEL, 0, 0, 0);
            continue;
        }
        if (what == OP_UNLESS) {
            if (!truth(registers[now.args[0]])) at = now.jump;
            continue;
        }
        Value a = registers[now.args[0]], b = registers[now.args[1]];
        if (what == OP_LOOP) {
            u32 primitive = now.args[3] & 0xFFFu;
            op = primitive;
            // In a loop `args` are the containers, what it needs beside them, and the primitive with the number of functions above it.
            u32 others = now.args[3] >> 12 & 3u, functions = now.args[3] >> 14, price;
            if (COSTS[primitive] == COST_PRODUCT) price = product_price((u64)weight_of(a) * weight_of(b));
            else price = 1 + functions + weight_of(a) + (others > 1 ? weight_of(b) : 0);
            if (!spend(run, price) || !take_steps(run, price / 64)) return value_of(OUT_OF_FUEL, 0, 0, 0);
            if (guard) {
                a = taken_by(run, guard, a);
                if (is_value(a) && has_two_containers(primitive)) b = taken_by(run, guard, b);
                if (!is_value(a)) return a;
                if (!is_value(b)) return b;
            }
            value = begin_loop(run, innermost, primitive, a, b, now.target);
            if (!is_value(value)) return value;
            if (innermost->count == 0) {
                at = now.jump;
                continue;
            }
            // A function that lanes can call by themselves is called on many items at once.
            value = refused();
            if (now.op >> 15 && pays_by_lanes(innermost)) {
                Run before = run;
                value = run_by_lanes(run, innermost, code + at, now.jump - at, code[now.jump].args[0], registers);
                note_loop_by_lanes(tag(value) == REFUSED);
                // What was done in vain took its time.
                before.steps = run.steps;
                if (tag(value) == REFUSED) run = before;
            }
            if (tag(value) == REFUSED) {
                // What will be too long, unless it fails before, is not begun.
                if ((u64)innermost->count * (now.jump - at) > run.steps) {
                    run.steps = 0;
                    return value_of(OUT_OF_FUEL, 0, 0, 0);
                }
                lay_item(innermost, 0, registers);
                continue;
            }
            innermost = innermost->outer;
            if (!is_value(value)) return value;
            if (!spend(run, weight_of(value))) return value_of(OUT_OF_FUEL, 0, 0, 0);
            now.target = code[now.jump].target;
            at = now.jump + 1;
        } else if (what == OP_NEXT) {
            bool done = false;
            u32 primitive = innermost->primitive;
            op = primitive;
            value = next_item(run, innermost, a, registers, done);
            if (!is_value(value)) return value;
            if (!done) {
                at = now.jump;
                continue;
            }
            if (!spend(run, weight_of(value))) return value_of(OUT_OF_FUEL, 0, 0, 0);
        } else if (what == OP_MATCH) {
            value = boolean(equal(a, b));
        } else if (what == OP_MOVE) {
            value = a;
            at = now.jump;
        } else if (what == OP_FAIL) {
            return undefined();
        } else {
            return a;
        }
        sync();
        if (lane() == 0) registers[now.target] = value;
        sync();
    }
}
