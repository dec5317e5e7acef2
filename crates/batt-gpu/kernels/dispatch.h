// Generated from the kernel files; `cargo test -p batt-gpu` says when it is stale, and with `UPDATE_EXPECT=1` it renews it.
#pragma once
#include "ops_colours.cuh"
#include "ops_containers.cuh"
#include "ops_cutting.cuh"
#include "ops_drawing.cuh"
#include "ops_grids.cuh"
#include "ops_lines.cuh"
#include "ops_numbers.cuh"
#include "ops_objects.cuh"
#include "ops_patches.cuh"
#include "opcodes.h"

DEVICE Value dispatch(Run& run, u32 op, Value a, Value b, Value c, Value d) {
    switch (op) {
    case OP_bottomhalf: return op_bottomhalf(run, a);
    case OP_canvas: return op_canvas(run, a, b);
    case OP_cellwise: return op_cellwise(run, a, b, c);
    case OP_cmirror: return op_cmirror(run, a);
    case OP_compress: return op_compress(run, a);
    case OP_cover: return op_cover(run, a, b);
    case OP_crop: return op_crop(run, a, b, c);
    case OP_dmirror: return op_dmirror(run, a);
    case OP_downscale: return op_downscale(run, a, b);
    case OP_fill: return op_fill(run, a, b, c);
    case OP_hconcat: return op_hconcat(run, a, b);
    case OP_hmirror: return op_hmirror(run, a);
    case OP_hsplit: return op_hsplit(run, a, b);
    case OP_hupscale: return op_hupscale(run, a, b);
    case OP_identity: return op_identity(run, a);
    case OP_index: return op_index(run, a, b);
    case OP_lefthalf: return op_lefthalf(run, a);
    case OP_mir_rot_t: return op_mir_rot_t(run, a, b);
    case OP_move: return op_move(run, a, b, c);
    case OP_paint: return op_paint(run, a, b);
    case OP_replace: return op_replace(run, a, b, c);
    case OP_righthalf: return op_righthalf(run, a);
    case OP_rot180: return op_rot180(run, a);
    case OP_rot270: return op_rot270(run, a);
    case OP_rot90: return op_rot90(run, a);
    case OP_subgrid: return op_subgrid(run, a, b);
    case OP_switch: return op_switch(run, a, b, c);
    case OP_tophalf: return op_tophalf(run, a);
    case OP_trim: return op_trim(run, a);
    case OP_underfill: return op_underfill(run, a, b, c);
    case OP_underpaint: return op_underpaint(run, a, b);
    case OP_upscale: return op_upscale(run, a, b);
    case OP_vconcat: return op_vconcat(run, a, b);
    case OP_vmirror: return op_vmirror(run, a);
    case OP_vsplit: return op_vsplit(run, a, b);
    case OP_vupscale: return op_vupscale(run, a, b);
    default: return refused();
    }
}
