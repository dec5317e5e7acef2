// Programs as the host compiles them: instructions, operands, fuel and guards.
#pragma once
#include "build.cuh"

// Registers of a run; the first is the input.
const u32 REGISTERS = 64;

// What a run gives that spent its fuel. Not a value.
const u32 OUT_OF_FUEL = 13;
// In the place of a primitive: the run was longer than a device cares for.
const u32 TOO_LONG = 0xFFFF;

// A constant from its word: a literal of the batch, or a number or a pair of numbers that fit.
DEVICE Value constant_of(u16 word, const Value* literals) {
    u32 payload = word & 0x3FFFu;
    switch (word >> 14) {
    case 1: return literals[payload];
    case 2: return integer((i32)(payload << 18) >> 18);
    default: return pair_of((i32)(payload << 18) >> 25, (i32)(payload << 25) >> 25);
    }
}

// The word of constant `k` of a program: eight of them take the room of an instruction before the first.
DEVICE u16 constant_word(const Instruction* code, u32 k) { return ((const u16*)(code - 1 - k / 8))[k % 8]; }

enum Guard : u32 { GUARD_NONE, GUARD_TUPLE, GUARD_SET, GUARD_INDICES, GUARD_OBJECT, GUARD_AS_TUPLE, GUARD_AS_SET };

// Whether a value has the type that an alias takes; NOTHING if so, and REFUSED if it would take it for another container.
DEVICE_CALL Value guarded(u32 guard, Value v) {
    switch (guard) {
    case GUARD_TUPLE: return is_tuple(v) ? nothing() : undefined();
    case GUARD_SET: return is_set(v) ? nothing() : undefined();
    case GUARD_INDICES:
    case GUARD_OBJECT:
        if (tag(v) == (guard == GUARD_INDICES ? INDICES : OBJECT) || is_empty_set(v)) return nothing();
        // A general set may hold locations or cells that are out of range, and a tuple may hold any.
        return tag(v) == SET || is_tuple(v) ? refused() : undefined();
    case GUARD_AS_TUPLE: return is_tuple(v) ? nothing() : is_set(v) ? refused() : undefined();
    case GUARD_AS_SET: return is_set(v) ? nothing() : is_tuple(v) ? refused() : undefined();
    default: return nothing();
    }
}

// Takes fuel; false when there is not so much.
DEVICE bool spend(Run& run, u32 amount) {
    if (amount > run.fuel) {
        run.fuel = 0;
        return false;
    }
    run.fuel -= amount;
    return true;
}

// The price of going through pairs of cells: eight of them cost one unit.
DEVICE u32 product_price(u64 pairs) {
    u64 price = 1 + pairs / 8;
    return price > 0xFFFFFFFFull ? 0xFFFFFFFFu : (u32)price;
}

// What a call costs before it gives anything, if it does not cost one unit whatever it is called with.
DEVICE_CALL u32 price_of(u32 cost, u32 arity, Value a, Value b, Value c, Value d) {
    u32 first = weight_of(a), second = arity > 1 ? weight_of(b) : 0, third = arity > 2 ? weight_of(c) : 0;
    if (cost == 1) return 1 + first + second + third + (arity > 3 ? weight_of(d) : 0);
    return product_price((u64)first * (arity > 1 ? second : 1) * (arity > 2 ? third : 1));
}
