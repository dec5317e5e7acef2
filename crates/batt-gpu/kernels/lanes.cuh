// Primitives by single lanes: for a function that is called on many items, each lane calls it on an item of its own.
//
// LANE(name) { ... } is the body for arguments `a` to `c` that may differ from lane to lane: no collectives, no sync. It gives what the
// plain function of that name gives, `undefined()` where that has no answer, and `refused()` for forms that it does not care for; then
// the whole loop is run item by item. A primitive whose value needs memory says how many bytes in ROOM(name) { ... }, REFUSE for none it
// cares for, and its LANE(name) writes them at `place`, which is aligned to 16.
#pragma once
#include "ops.cuh"

#define LANE(name) DEVICE_CALL Value lane_##name(u8* place, Value a, Value b, Value c)
#define ROOM(name) DEVICE_CALL u32 room_##name(Value a, Value b, Value c)

typedef Value (*LaneOp)(u8* place, Value a, Value b, Value c);
typedef u32 (*LaneRoom)(Value a, Value b, Value c);

// What ROOM gives for arguments that the lanes do not care for.
const u32 REFUSE = 0xFFFFFFFFu;

// Whether two values whose items are numbers or cells in one piece of memory are equal.
DEVICE_CALL bool lane_equal_flat(Value a, Value b) {
    if (is_number(a) && is_number(b)) return a.bits == b.bits;
    if (a.head != b.head || a.aux != b.aux) return false;
    if (tag(a) == NOTHING || a.bits == b.bits) return true;
    if (tag(a) == PAIR || tag(a) == CELL) return false;
    if (is_packed(a)) {
        for (u32 k = 0; k < count(a); k++) {
            if (cells_of(a)[k] != cells_of(b)[k]) return false;
        }
        return true;
    }
    u32 bytes = tag(a) == ROW ? count(a) : area_of(a);
    for (u32 k = 0; k < bytes; k++) {
        if (bytes_of(a)[k] != bytes_of(b)[k]) return false;
    }
    return true;
}

// Whether two values are equal, as a boolean; refused for containers in containers in containers.
DEVICE_CALL Value lane_equal(Value a, Value b) {
    if (is_flat(a) || is_flat(b)) return boolean(is_flat(a) && is_flat(b) && lane_equal_flat(a, b));
    if (a.head != b.head || a.aux != b.aux) return boolean(false);
    if (a.bits == b.bits) return boolean(true);
    for (u32 k = 0; k < count(a); k++) {
        Value x = items_of(a)[k], y = items_of(b)[k];
        if (!is_flat(x) || !is_flat(y)) return refused();
        if (!lane_equal_flat(x, y)) return boolean(false);
    }
    return boolean(true);
}
