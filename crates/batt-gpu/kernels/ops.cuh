// How a primitive is written for the device: OP1(name) to OP4(name) with a body that takes `run` and its arguments `a` to `d`.
//
// A body is a collective: all lanes come in with equal arguments and leave with an equal value. It gives the value of the plain function of
// that name, `undefined()` where that is undefined, and `refused()` for unsupported forms. Then the host runs the program. Fuel and the
// guards of aliases are the interpreter's business. Memory is taken by ALLOCATE; what other lanes wrote is seen after sync().
#pragma once
#include "build.cuh"

#define OP1(name) DEVICE_CALL Value op_##name(Run& run, Value a, Value = Value(), Value = Value(), Value = Value())
#define OP2(name) DEVICE_CALL Value op_##name(Run& run, Value a, Value b, Value = Value(), Value = Value())
#define OP3(name) DEVICE_CALL Value op_##name(Run& run, Value a, Value b, Value c, Value = Value())
#define OP4(name) DEVICE_CALL Value op_##name(Run& run, Value a, Value b, Value c, Value d)

typedef Value (*WarpOp)(Run& run, Value a, Value b, Value c, Value d);

// The bounding box of packed cells, of which there is at least one. A collective.
struct Bounds {
    i32 top, bottom, left, right;
};

DEVICE_CALL Bounds bounds_of(Value patch) {
    u32 n = count(patch);
    const u32* cells = cells_of(patch);
    Bounds box;
    // They ascend by row.
    box.top = row_of(cells[0]);
    box.bottom = row_of(cells[n - 1]);
    i32 left = 4096, right = -4096;
    for (u32 k = lane(); k < n; k += 32) {
        i32 j = column_of(cells[k]);
        left = min_of(left, j);
        right = max_of(right, j);
    }
    box.left = smallest(left);
    box.right = largest(right);
    return box;
}

// Where a lane is that goes through a grid's cells by steps of 32, without dividing.
struct Walk {
    u32 row, column, width, down, right;
};

DEVICE Walk walk_over(u32 width) {
    Walk walk;
    walk.width = width;
    walk.row = lane() / width;
    walk.column = lane() - walk.row * width;
    walk.down = 32 / width;
    walk.right = 32 - walk.down * width;
    return walk;
}

DEVICE void step_on(Walk& walk) {
    walk.row += walk.down;
    walk.column += walk.right;
    if (walk.column >= walk.width) {
        walk.column -= walk.width;
        walk.row++;
    }
}

DEVICE u32 place_of(const Walk& walk) { return pack((i32)walk.row, (i32)walk.column); }
