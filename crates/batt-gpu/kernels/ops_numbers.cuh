// Numbers, pairs and truth values.
#pragma once
#include "ops.cuh"

// A sum, difference or product that fits 64 bits.
DEVICE bool add_checked(i64 a, i64 b, i64& out) {
    out = (i64)((u64)a + (u64)b);
    return !(((a ^ out) & (b ^ out)) < 0);
}
DEVICE bool subtract_checked(i64 a, i64 b, i64& out) {
    out = (i64)((u64)a - (u64)b);
    return !(((a ^ b) & (a ^ out)) < 0);
}
DEVICE bool multiply_checked(i64 a, i64 b, i64& out) {
    // Numbers of real programs are small; the host knows the others.
    if (!fits_32_bits(a) || !fits_32_bits(b)) return false;
    out = a * b;
    return true;
}

OP1(identity) { return a; }
