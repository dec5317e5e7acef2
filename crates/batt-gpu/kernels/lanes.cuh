// Primitives by single lanes: for a function that is called on many items, each lane calls it on an item of its own.
//
// LANE(name) { ... } is the body for arguments `a` to `c` that may differ from lane to lane: no collectives, no sync. It gives the value of
// the plain function of that name, `undefined()` where that is undefined, and `refused()` for unsupported forms. Then the loop runs item by
// item. A primitive whose value needs memory says how many bytes in ROOM(name) { ... }, REFUSE for none it cares for, and its LANE(name)
// writes them at `place`, which is aligned to 16.
#pragma once
#include "ops.cuh"

#define LANE(name) DEVICE_CALL Value lane_##name(u8* place, Value a, Value b, Value c)
#define ROOM(name) DEVICE_CALL u32 room_##name(Value a, Value b, Value c)

typedef Value (*LaneOp)(u8* place, Value a, Value b, Value c);
typedef u32 (*LaneRoom)(Value a, Value b, Value c);

// What ROOM gives for arguments that the lanes do not care for.
const u32 REFUSE = 0xFFFFFFFFu;

// Whether two values are equal. Values that are equal are equal in form, but for truth values.
DEVICE bool lane_equal(Value a, Value b) { return lane_compare(a, b) == 0; }
