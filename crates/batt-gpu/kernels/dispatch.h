// Generated from the kernel files; `cargo test -p batt-gpu` says when it is stale, and with `UPDATE_EXPECT=1` it renews it.
#pragma once
#include "ops_colours.cuh"
#include "ops_containers.cuh"
#include "ops_containers_more.cuh"
#include "ops_drawing.cuh"
#include "ops_grids.cuh"
#include "ops_lines.cuh"
#include "ops_numbers.cuh"
#include "ops_objects.cuh"
#include "ops_patches.cuh"
#include "ops_ranks.cuh"
#include "opcodes.h"

DEVICE Value dispatch(Run& run, u32 op, Value a, Value b, Value c, Value d) {
    switch (op) {
    case OP_add: return op_add(run, a, b);
    case OP_astuple: return op_astuple(run, a, b);
    case OP_both: return op_both(run, a, b);
    case OP_branch: return op_branch(run, a, b, c);
    case OP_combine: return op_combine(run, a, b);
    case OP_contained: return op_contained(run, a, b);
    case OP_crement: return op_crement(run, a);
    case OP_decrement: return op_decrement(run, a);
    case OP_dedupe: return op_dedupe(run, a);
    case OP_dedupe_pair_tuple: return op_dedupe_pair_tuple(run, a);
    case OP_difference: return op_difference(run, a, b);
    case OP_difference_tuple: return op_difference_tuple(run, a, b);
    case OP_divide: return op_divide(run, a, b);
    case OP_double: return op_double(run, a);
    case OP_either: return op_either(run, a, b);
    case OP_equality: return op_equality(run, a, b);
    case OP_even: return op_even(run, a);
    case OP_first: return op_first(run, a);
    case OP_flip: return op_flip(run, a);
    case OP_get_color_rank: return op_get_color_rank(run, a, b);
    case OP_get_common_rank: return op_get_common_rank(run, a, b);
    case OP_get_nth: return op_get_nth(run, a, b);
    case OP_get_rank: return op_get_rank(run, a, b);
    case OP_greater: return op_greater(run, a, b);
    case OP_halve: return op_halve(run, a);
    case OP_identity: return op_identity(run, a);
    case OP_increment: return op_increment(run, a);
    case OP_initset: return op_initset(run, a);
    case OP_insert: return op_insert(run, a, b);
    case OP_intersection: return op_intersection(run, a, b);
    case OP_interval: return op_interval(run, a, b, c);
    case OP_invert: return op_invert(run, a);
    case OP_last: return op_last(run, a);
    case OP_leastcommon: return op_leastcommon(run, a);
    case OP_leastcommon_f: return op_leastcommon_f(run, a);
    case OP_maximum: return op_maximum(run, a);
    case OP_merge: return op_merge(run, a);
    case OP_minimum: return op_minimum(run, a);
    case OP_mostcommon: return op_mostcommon(run, a);
    case OP_mostcommon_f: return op_mostcommon_f(run, a);
    case OP_multiply: return op_multiply(run, a, b);
    case OP_other: return op_other(run, a, b);
    case OP_pair: return op_pair(run, a, b);
    case OP_positive: return op_positive(run, a);
    case OP_product: return op_product(run, a, b);
    case OP_remove: return op_remove(run, a, b);
    case OP_repeat: return op_repeat(run, a, b);
    case OP_second: return op_second(run, a);
    case OP_sign: return op_sign(run, a);
    case OP_size: return op_size(run, a);
    case OP_sizefilter: return op_sizefilter(run, a, b);
    case OP_sizefilter_t: return op_sizefilter_t(run, a, b);
    case OP_subtract: return op_subtract(run, a, b);
    case OP_toivec: return op_toivec(run, a);
    case OP_tojvec: return op_tojvec(run, a);
    case OP_totuple: return op_totuple(run, a);
    default: return refused();
    }
}
