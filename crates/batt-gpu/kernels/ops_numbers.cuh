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

// Python's `//`: rounds towards minus infinity. The divisor is not zero.
DEVICE bool divide_checked(i64 a, i64 b, i64& out) {
    if (b == -1) return subtract_checked(0, a, out);
    // A division of 64 bits is many times slower than one of 32.
    i64 quotient = fits_32_bits(a) && fits_32_bits(b) ? (i64)((i32)a / (i32)b) : a / b;
    i64 rest = a - quotient * b;
    out = rest != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
    return true;
}

enum Arithmetic : u32 { SUM, DIFFERENCE, PRODUCT, QUOTIENT };

// Two numbers, or what Python's operators make of other things: sums of tuples and their multiples are left to the host.
DEVICE Value calculate(u32 kind, Value a, Value b) {
    if (!is_number(a) || !is_number(b)) {
        if (kind == SUM && is_tuple(a) && is_tuple(b)) return refused();
        if (kind == PRODUCT && ((is_tuple(a) && is_number(b)) || (is_number(a) && is_tuple(b)))) return refused();
        return undefined();
    }
    i64 x = number(a), y = number(b), out = 0;
    switch (kind) {
    case SUM: return add_checked(x, y, out) ? integer(out) : undefined();
    case DIFFERENCE: return subtract_checked(x, y, out) ? integer(out) : undefined();
    case PRODUCT: return multiply_checked(x, y, out) ? integer(out) : refused();
    default: return y != 0 && divide_checked(x, y, out) ? integer(out) : undefined();
    }
}

// Two pairs are taken part by part, and a number goes with both parts of a pair. A longer tuple stands for its first two items. No
// collective: lanes call it with arguments of their own too.
DEVICE_CALL Value arithmetic(u32 kind, Value a, Value b) {
    if (is_number(a) && is_number(b)) return calculate(kind, a, b);
    if ((!is_number(a) && !(is_tuple(a) && count(a) > 1)) || (!is_number(b) && !(is_tuple(b) && count(b) > 1))) return undefined();
    Value first = calculate(kind, is_number(a) ? a : item_of(a, 0), is_number(b) ? b : item_of(b, 0));
    if (!is_value(first)) return first;
    Value second = calculate(kind, is_number(a) ? a : item_of(a, 1), is_number(b) ? b : item_of(b, 1));
    if (!is_value(second)) return second;
    return pair_of_numbers(number(first), number(second));
}

OP2(add) { return arithmetic(SUM, a, b); }
OP2(subtract) { return arithmetic(DIFFERENCE, a, b); }
OP2(multiply) { return arithmetic(PRODUCT, a, b); }
OP2(divide) { return arithmetic(QUOTIENT, a, b); }

// An operation on one number, or on both parts of a pair; `FUNCTION` says whether there is a result. No collective.
template <bool (*FUNCTION)(i64, i64&)> DEVICE_CALL Value on_parts(Value a) {
    i64 first = 0, second = 0;
    if (is_number(a)) return FUNCTION(number(a), first) ? integer(first) : undefined();
    if (!is_tuple(a) || count(a) < 2) return undefined();
    Value x = item_of(a, 0), y = item_of(a, 1);
    if (!is_number(x) || !is_number(y)) return undefined();
    if (!FUNCTION(number(x), first) || !FUNCTION(number(y), second)) return undefined();
    return pair_of_numbers(first, second);
}

DEVICE bool inverted(i64 n, i64& out) { return subtract_checked(0, n, out); }
DEVICE bool doubled(i64 n, i64& out) { return add_checked(n, n, out); }
DEVICE bool halved(i64 n, i64& out) {
    // Shifting rounds down, as Python does.
    out = n >> 1;
    return true;
}
DEVICE bool incremented(i64 n, i64& out) { return add_checked(n, 1, out); }
DEVICE bool decremented(i64 n, i64& out) { return subtract_checked(n, 1, out); }
DEVICE bool signed_of(i64 n, i64& out) {
    out = sign(n, 0);
    return true;
}
DEVICE bool cremented(i64 n, i64& out) { return add_checked(n, sign(n, 0), out); }

OP1(invert) { return on_parts<inverted>(a); }
// Python doubles a tuple by repeating it.
DEVICE bool has_tuple_part(Value a) {
    return is_tuple(a) && count(a) > 1 && (is_tuple(item_of(a, 0)) || is_tuple(item_of(a, 1)));
}
DEVICE_CALL Value twice(Value a) { return has_tuple_part(a) ? refused() : on_parts<doubled>(a); }

OP1(double) { return twice(a); }
OP1(halve) { return on_parts<halved>(a); }
OP1(increment) { return on_parts<incremented>(a); }
OP1(decrement) { return on_parts<decremented>(a); }
OP1(crement) { return on_parts<cremented>(a); }
OP1(sign) { return on_parts<signed_of>(a); }

OP1(identity) { return a; }
OP1(even) { return is_number(a) ? boolean((a.bits & 1) == 0) : undefined(); }
OP1(positive) { return is_number(a) ? boolean(number(a) > 0) : undefined(); }
OP1(flip) { return boolean(!truth(a)); }
OP2(equality) { return boolean(equal(a, b)); }
OP2(both) { return truth(a) ? b : a; }
OP2(either) { return truth(a) ? a : b; }
OP3(branch) { return truth(a) ? b : c; }

OP2(greater) {
    bool ordered = true;
    i32 order = python_compare(b, a, ordered);
    return ordered ? boolean(order < 0) : undefined();
}

OP1(toivec) { return two_of(run, a, integer(0)); }
OP1(tojvec) { return two_of(run, integer(0), a); }
OP2(astuple) { return two_of(run, a, b); }

OP3(interval) {
    if (!is_number(a) || !is_number(b) || !is_number(c) || number(c) == 0) return undefined();
    if (!fits_32_bits(number(a)) || !fits_32_bits(number(b)) || !fits_32_bits(number(c))) return refused();
    i64 start = number(a), step = number(c), distance = number(b) - start;
    if ((distance > 0) != (step > 0) || distance == 0) return empty_tuple();
    u64 reach = (u64)(distance > 0 ? distance : -distance), stride = (u64)(step > 0 ? step : -step);
    u64 length = (reach + stride - 1) / stride;
    if (length > MAX_AREA) return refused();
    u32 n = (u32)length;
    i64 last = start + (i64)(n - 1) * step;
    if (n == 2) return pair_of_numbers(start, last);
    if (fits_8_bits(start) && fits_8_bits(last)) {
        ALLOCATE(i8, row, n);
        for (u32 k = lane(); k < n; k += 32) row[k] = (i8)(start + (i64)k * step);
        sync();
        return row_at(row, n);
    }
    ALLOCATE(Value, items, n);
    for (u32 k = lane(); k < n; k += 32) items[k] = integer(start + (i64)k * step);
    sync();
    return general(TUPLE, items, n);
}
