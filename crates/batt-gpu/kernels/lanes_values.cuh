// Numbers, truth values and items of containers by single lanes.
#pragma once
#include "lanes.cuh"
#include "lanes_build.cuh"
#include "ops_cutting.cuh"
#include "ops_numbers.cuh"
#include "ops_ranks.cuh"

ROOM(astuple) { return is_number(a) && is_number(b) ? 0 : 2 * sizeof(Value); }
LANE(astuple) { return lane_two_of(place, a, b); }
ROOM(toivec) { return is_number(a) ? 0 : 2 * sizeof(Value); }
LANE(toivec) { return lane_two_of(place, a, integer(0)); }
ROOM(tojvec) { return is_number(a) ? 0 : 2 * sizeof(Value); }
LANE(tojvec) { return lane_two_of(place, integer(0), a); }

LANE(identity) { return a; }
LANE(equality) { return boolean(lane_equal(a, b)); }
LANE(even) { return is_number(a) ? boolean((a.bits & 1) == 0) : undefined(); }
LANE(positive) { return is_number(a) ? boolean(number(a) > 0) : undefined(); }
LANE(flip) { return boolean(!truth(a)); }
LANE(both) { return truth(a) ? b : a; }
LANE(either) { return truth(a) ? a : b; }
LANE(branch) { return truth(a) ? b : c; }

LANE(add) { return arithmetic(SUM, a, b); }
LANE(subtract) { return arithmetic(DIFFERENCE, a, b); }
LANE(multiply) { return arithmetic(PRODUCT, a, b); }
LANE(divide) { return arithmetic(QUOTIENT, a, b); }
LANE(invert) { return on_parts<inverted>(a); }
LANE(double) { return twice(a); }
LANE(halve) { return on_parts<halved>(a); }
LANE(increment) { return on_parts<incremented>(a); }
LANE(decrement) { return on_parts<decremented>(a); }
LANE(crement) { return on_parts<cremented>(a); }
LANE(sign) { return on_parts<signed_of>(a); }

LANE(size) { return is_container(a) ? integer(count(a)) : undefined(); }
LANE(first) { return is_container(a) && count(a) ? lane_item(a, 0) : undefined(); }
LANE(last) { return is_container(a) && count(a) ? lane_item(a, count(a) - 1) : undefined(); }
LANE(second) { return is_container(a) && count(a) > 1 ? lane_item(a, 1) : undefined(); }

LANE(get_nth) {
    u32 place_in = 0;
    return is_container(a) && place_among(b, count(a), place_in) ? lane_item(a, place_in) : undefined();
}

LANE(index) {
    if (tag(b) != PAIR) return is_container(b) && count(b) == 2 ? refused() : undefined();
    if (tag(a) != GRID) return without_grid(a, undefined());
    u32 i = (u32)first_of(b), j = (u32)second_of(b);
    if (i >= height_of(a) || j >= width_of(a)) return nothing();
    return integer(bytes_of(a)[i * width_of(a) + j]);
}

LANE(greater) {
    i32 order = lane_python_compare(b, a);
    if (order >= UNORDERED) return order == UNORDERED ? undefined() : refused();
    return boolean(order < 0);
}

// The largest (1) or smallest (-1) item, the first of equal ones; zero if there is none.
DEVICE_CALL Value lane_extreme(Value container, i32 wanted) {
    if (!is_container(container)) return undefined();
    if (count(container) == 0) return integer(0);
    Value best = lane_item(container, 0);
    for (u32 k = 1; k < count(container); k++) {
        Value item = lane_item(container, k);
        i32 order = lane_python_compare(item, best);
        if (order >= UNORDERED) return order == UNORDERED ? undefined() : refused();
        if (order == wanted) best = item;
    }
    return best;
}

LANE(maximum) { return lane_extreme(a, 1); }
LANE(minimum) { return lane_extreme(a, -1); }

// How many numbers a range has; REFUSE for numbers that no row has room for.
DEVICE_CALL u32 lane_range(i64 start, i64 stop, i64 step) {
    const i64 far = 1 << 15;
    if (start < -far || start > far || stop < -far || stop > far || step < -far || step > far) return REFUSE;
    i32 distance = (i32)(stop - start), stride = (i32)step;
    if (stride < 0) {
        distance = -distance;
        stride = -stride;
    }
    return distance > 0 ? (u32)((distance + stride - 1) / stride) : 0;
}

ROOM(interval) {
    // Then it is undefined, as the body says.
    if (!is_number(a) || !is_number(b) || !is_number(c) || number(c) == 0) return 0;
    u32 n = lane_range(number(a), number(b), number(c));
    if (n == REFUSE) return REFUSE;
    if (n <= 2) return 16;
    bool fits = fits_8_bits(number(a)) && fits_8_bits(number(a) + (i64)(n - 1) * number(c));
    return fits ? n : REFUSE;
}

LANE(interval) {
    if (!is_number(a) || !is_number(b) || !is_number(c) || number(c) == 0) return undefined();
    u32 n = lane_range(number(a), number(b), number(c));
    if (n == 0) return empty_tuple();
    i64 start = number(a), step = number(c);
    if (n == 2) return pair_of_numbers(start, start + step);
    i8* row = (i8*)place;
    if (!fits_8_bits(start)) return refused();
    for (u32 k = 0; k < n; k++) row[k] = (i8)(start + (i64)k * step);
    return row_at(row, n);
}
