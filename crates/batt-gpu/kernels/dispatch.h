// Generated from the kernel files; `cargo test -p batt-gpu` says when it is stale, and with `UPDATE_EXPECT=1` it renews it.
#pragma once
#include "ops_colours.cuh"
#include "ops_containers.cuh"
#include "ops_cutting.cuh"
#include "ops_containers_more.cuh"
#include "ops_drawing.cuh"
#include "ops_grids.cuh"
#include "ops_lines.cuh"
#include "ops_numbers.cuh"
#include "ops_objects.cuh"
#include "ops_patches.cuh"
#include "ops_positions.cuh"
#include "ops_ranks.cuh"
#include "opcodes.h"

DEVICE Value dispatch(Run& run, u32 op, Value a, Value b, Value c, Value d) {
    switch (op) {
    case OP_add: return op_add(run, a, b);
    case OP_adjacent: return op_adjacent(run, a, b);
    case OP_ascell: return op_ascell(run, a, b);
    case OP_asindices: return op_asindices(run, a);
    case OP_asobject: return op_asobject(run, a);
    case OP_astriple: return op_astriple(run, a, b, c);
    case OP_astuple: return op_astuple(run, a, b);
    case OP_backdrop: return op_backdrop(run, a);
    case OP_bordering: return op_bordering(run, a, b);
    case OP_both: return op_both(run, a, b);
    case OP_bottomhalf: return op_bottomhalf(run, a);
    case OP_box: return op_box(run, a);
    case OP_branch: return op_branch(run, a, b, c);
    case OP_c_branch: return op_c_branch(run, a, b, c);
    case OP_canvas: return op_canvas(run, a, b);
    case OP_celltuple: return op_celltuple(run, a, b);
    case OP_cellwise: return op_cellwise(run, a, b, c);
    case OP_center: return op_center(run, a);
    case OP_centerofmass: return op_centerofmass(run, a);
    case OP_cmirror: return op_cmirror(run, a);
    case OP_col_row: return op_col_row(run, a, b);
    case OP_color: return op_color(run, a);
    case OP_colorcount: return op_colorcount(run, a, b);
    case OP_colorfilter: return op_colorfilter(run, a, b);
    case OP_colorfilter_t: return op_colorfilter_t(run, a, b);
    case OP_combine: return op_combine(run, a, b);
    case OP_compress: return op_compress(run, a);
    case OP_connect: return op_connect(run, a, b);
    case OP_contained: return op_contained(run, a, b);
    case OP_corner: return op_corner(run, a, b);
    case OP_corners: return op_corners(run, a);
    case OP_cover: return op_cover(run, a, b);
    case OP_crement: return op_crement(run, a);
    case OP_crop: return op_crop(run, a, b, c);
    case OP_decrement: return op_decrement(run, a);
    case OP_dedupe: return op_dedupe(run, a);
    case OP_dedupe_pair_tuple: return op_dedupe_pair_tuple(run, a);
    case OP_delta: return op_delta(run, a);
    case OP_difference: return op_difference(run, a, b);
    case OP_difference_tuple: return op_difference_tuple(run, a, b);
    case OP_divide: return op_divide(run, a, b);
    case OP_dmirror: return op_dmirror(run, a);
    case OP_dneighbors: return op_dneighbors(run, a);
    case OP_double: return op_double(run, a);
    case OP_downscale: return op_downscale(run, a, b);
    case OP_either: return op_either(run, a, b);
    case OP_equality: return op_equality(run, a, b);
    case OP_even: return op_even(run, a);
    case OP_fgpartition: return op_fgpartition(run, a);
    case OP_fill: return op_fill(run, a, b, c);
    case OP_first: return op_first(run, a);
    case OP_flip: return op_flip(run, a);
    case OP_frontiers: return op_frontiers(run, a);
    case OP_get_color_rank: return op_get_color_rank(run, a, b);
    case OP_get_common_rank: return op_get_common_rank(run, a, b);
    case OP_get_nth: return op_get_nth(run, a, b);
    case OP_get_rank: return op_get_rank(run, a, b);
    case OP_gravitate: return op_gravitate(run, a, b);
    case OP_greater: return op_greater(run, a, b);
    case OP_halve: return op_halve(run, a);
    case OP_hconcat: return op_hconcat(run, a, b);
    case OP_height: return op_height(run, a);
    case OP_hfrontier: return op_hfrontier(run, a);
    case OP_hline: return op_hline(run, a);
    case OP_hmatching: return op_hmatching(run, a, b);
    case OP_hmirror: return op_hmirror(run, a);
    case OP_hperiod: return op_hperiod(run, a);
    case OP_hsplit: return op_hsplit(run, a, b);
    case OP_hupscale: return op_hupscale(run, a, b);
    case OP_identity: return op_identity(run, a);
    case OP_inbox: return op_inbox(run, a);
    case OP_increment: return op_increment(run, a);
    case OP_index: return op_index(run, a, b);
    case OP_ineighbors: return op_ineighbors(run, a);
    case OP_initset: return op_initset(run, a);
    case OP_insert: return op_insert(run, a, b);
    case OP_intersection: return op_intersection(run, a, b);
    case OP_interval: return op_interval(run, a, b, c);
    case OP_invert: return op_invert(run, a);
    case OP_last: return op_last(run, a);
    case OP_leastcolor: return op_leastcolor(run, a);
    case OP_leastcommon: return op_leastcommon(run, a);
    case OP_leastcommon_f: return op_leastcommon_f(run, a);
    case OP_lefthalf: return op_lefthalf(run, a);
    case OP_leftmost: return op_leftmost(run, a);
    case OP_llcorner: return op_llcorner(run, a);
    case OP_lowermost: return op_lowermost(run, a);
    case OP_lrcorner: return op_lrcorner(run, a);
    case OP_manhattan: return op_manhattan(run, a, b);
    case OP_maximum: return op_maximum(run, a);
    case OP_merge: return op_merge(run, a);
    case OP_minimum: return op_minimum(run, a);
    case OP_mir_rot_f: return op_mir_rot_f(run, a, b);
    case OP_mir_rot_t: return op_mir_rot_t(run, a, b);
    case OP_mostcolor: return op_mostcolor(run, a);
    case OP_mostcommon: return op_mostcommon(run, a);
    case OP_mostcommon_f: return op_mostcommon_f(run, a);
    case OP_move: return op_move(run, a, b, c);
    case OP_multiply: return op_multiply(run, a, b);
    case OP_neighbors: return op_neighbors(run, a);
    case OP_normalize: return op_normalize(run, a);
    case OP_numcolors: return op_numcolors(run, a);
    case OP_o_g: return op_o_g(run, a, b);
    case OP_o_g_t: return op_o_g_t(run, a, b);
    case OP_objects: return op_objects(run, a, b, c, d);
    case OP_objects_t: return op_objects_t(run, a, b, c, d);
    case OP_occurrences: return op_occurrences(run, a, b);
    case OP_ofcolor: return op_ofcolor(run, a, b);
    case OP_other: return op_other(run, a, b);
    case OP_outbox: return op_outbox(run, a);
    case OP_p_f: return op_p_f(run, a);
    case OP_p_g: return op_p_g(run, a);
    case OP_p_o: return op_p_o(run, a);
    case OP_paint: return op_paint(run, a, b);
    case OP_pair: return op_pair(run, a, b);
    case OP_palette: return op_palette(run, a);
    case OP_partition: return op_partition(run, a);
    case OP_portrait: return op_portrait(run, a);
    case OP_position: return op_position(run, a, b);
    case OP_positive: return op_positive(run, a);
    case OP_product: return op_product(run, a, b);
    case OP_recolor: return op_recolor(run, a, b);
    case OP_remove: return op_remove(run, a, b);
    case OP_repeat: return op_repeat(run, a, b);
    case OP_replace: return op_replace(run, a, b, c);
    case OP_righthalf: return op_righthalf(run, a);
    case OP_rightmost: return op_rightmost(run, a);
    case OP_rot180: return op_rot180(run, a);
    case OP_rot270: return op_rot270(run, a);
    case OP_rot90: return op_rot90(run, a);
    case OP_second: return op_second(run, a);
    case OP_shape: return op_shape(run, a);
    case OP_shift: return op_shift(run, a, b);
    case OP_shoot: return op_shoot(run, a, b);
    case OP_sign: return op_sign(run, a);
    case OP_size: return op_size(run, a);
    case OP_sizefilter: return op_sizefilter(run, a, b);
    case OP_sizefilter_t: return op_sizefilter_t(run, a, b);
    case OP_square: return op_square(run, a);
    case OP_subgrid: return op_subgrid(run, a, b);
    case OP_subtract: return op_subtract(run, a, b);
    case OP_switch: return op_switch(run, a, b, c);
    case OP_toij: return op_toij(run, a);
    case OP_toindices: return op_toindices(run, a);
    case OP_toivec: return op_toivec(run, a);
    case OP_tojvec: return op_tojvec(run, a);
    case OP_toobject: return op_toobject(run, a, b);
    case OP_tophalf: return op_tophalf(run, a);
    case OP_totuple: return op_totuple(run, a);
    case OP_trim: return op_trim(run, a);
    case OP_ulcorner: return op_ulcorner(run, a);
    case OP_underfill: return op_underfill(run, a, b, c);
    case OP_underpaint: return op_underpaint(run, a, b);
    case OP_uppermost: return op_uppermost(run, a);
    case OP_upscale: return op_upscale(run, a, b);
    case OP_urcorner: return op_urcorner(run, a);
    case OP_vconcat: return op_vconcat(run, a, b);
    case OP_vfrontier: return op_vfrontier(run, a);
    case OP_vline: return op_vline(run, a);
    case OP_vmatching: return op_vmatching(run, a, b);
    case OP_vmirror: return op_vmirror(run, a);
    case OP_vperiod: return op_vperiod(run, a);
    case OP_vsplit: return op_vsplit(run, a, b);
    case OP_vupscale: return op_vupscale(run, a, b);
    case OP_width: return op_width(run, a);
    default: return refused();
    }
}
