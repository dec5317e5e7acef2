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
#include "opcodes.h"

DEVICE Value dispatch(Run& run, u32 op, Value a, Value b, Value c, Value d) {
    switch (op) {
    case OP_asindices: return op_asindices(run, a);
    case OP_asobject: return op_asobject(run, a);
    case OP_c_branch: return op_c_branch(run, a, b, c);
    case OP_color: return op_color(run, a);
    case OP_colorcount: return op_colorcount(run, a, b);
    case OP_colorfilter: return op_colorfilter(run, a, b);
    case OP_colorfilter_t: return op_colorfilter_t(run, a, b);
    case OP_fgpartition: return op_fgpartition(run, a);
    case OP_frontiers: return op_frontiers(run, a);
    case OP_identity: return op_identity(run, a);
    case OP_leastcolor: return op_leastcolor(run, a);
    case OP_mostcolor: return op_mostcolor(run, a);
    case OP_numcolors: return op_numcolors(run, a);
    case OP_o_g: return op_o_g(run, a, b);
    case OP_o_g_t: return op_o_g_t(run, a, b);
    case OP_objects: return op_objects(run, a, b, c, d);
    case OP_objects_t: return op_objects_t(run, a, b, c, d);
    case OP_occurrences: return op_occurrences(run, a, b);
    case OP_ofcolor: return op_ofcolor(run, a, b);
    case OP_p_f: return op_p_f(run, a);
    case OP_p_g: return op_p_g(run, a);
    case OP_p_o: return op_p_o(run, a);
    case OP_palette: return op_palette(run, a);
    case OP_partition: return op_partition(run, a);
    case OP_toobject: return op_toobject(run, a, b);
    default: return refused();
    }
}
