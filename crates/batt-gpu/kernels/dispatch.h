// Generated from the kernel files; `cargo test -p batt-gpu` says when it is stale, and with `UPDATE_EXPECT=1` it renews it.
#pragma once
#include "ops_colours.cuh"
#include "ops_containers.cuh"
#include "ops_drawing.cuh"
#include "ops_grids.cuh"
#include "ops_lines.cuh"
#include "ops_numbers.cuh"
#include "ops_objects.cuh"
#include "ops_patches.cuh"
#include "ops_positions.cuh"
#include "opcodes.h"

DEVICE Value dispatch(Run& run, u32 op, Value a, Value b, Value c, Value d) {
    switch (op) {
    case OP_adjacent: return op_adjacent(run, a, b);
    case OP_ascell: return op_ascell(run, a, b);
    case OP_astriple: return op_astriple(run, a, b, c);
    case OP_backdrop: return op_backdrop(run, a);
    case OP_bordering: return op_bordering(run, a, b);
    case OP_box: return op_box(run, a);
    case OP_celltuple: return op_celltuple(run, a, b);
    case OP_center: return op_center(run, a);
    case OP_centerofmass: return op_centerofmass(run, a);
    case OP_col_row: return op_col_row(run, a, b);
    case OP_connect: return op_connect(run, a, b);
    case OP_corner: return op_corner(run, a, b);
    case OP_corners: return op_corners(run, a);
    case OP_delta: return op_delta(run, a);
    case OP_dneighbors: return op_dneighbors(run, a);
    case OP_gravitate: return op_gravitate(run, a, b);
    case OP_height: return op_height(run, a);
    case OP_hfrontier: return op_hfrontier(run, a);
    case OP_hline: return op_hline(run, a);
    case OP_hmatching: return op_hmatching(run, a, b);
    case OP_hperiod: return op_hperiod(run, a);
    case OP_identity: return op_identity(run, a);
    case OP_inbox: return op_inbox(run, a);
    case OP_ineighbors: return op_ineighbors(run, a);
    case OP_leftmost: return op_leftmost(run, a);
    case OP_llcorner: return op_llcorner(run, a);
    case OP_lowermost: return op_lowermost(run, a);
    case OP_lrcorner: return op_lrcorner(run, a);
    case OP_manhattan: return op_manhattan(run, a, b);
    case OP_mir_rot_f: return op_mir_rot_f(run, a, b);
    case OP_neighbors: return op_neighbors(run, a);
    case OP_normalize: return op_normalize(run, a);
    case OP_outbox: return op_outbox(run, a);
    case OP_portrait: return op_portrait(run, a);
    case OP_position: return op_position(run, a, b);
    case OP_recolor: return op_recolor(run, a, b);
    case OP_rightmost: return op_rightmost(run, a);
    case OP_shape: return op_shape(run, a);
    case OP_shift: return op_shift(run, a, b);
    case OP_shoot: return op_shoot(run, a, b);
    case OP_square: return op_square(run, a);
    case OP_toij: return op_toij(run, a);
    case OP_toindices: return op_toindices(run, a);
    case OP_ulcorner: return op_ulcorner(run, a);
    case OP_uppermost: return op_uppermost(run, a);
    case OP_urcorner: return op_urcorner(run, a);
    case OP_vfrontier: return op_vfrontier(run, a);
    case OP_vline: return op_vline(run, a);
    case OP_vmatching: return op_vmatching(run, a, b);
    case OP_vperiod: return op_vperiod(run, a);
    case OP_width: return op_width(run, a);
    default: return refused();
    }
}
