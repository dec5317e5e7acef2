// Patches and locations by single lanes.
#pragma once
#include "lanes.cuh"

ROOM(toindices) {
    if (is_empty_set(a)) return 0;
    return is_packed(a) ? 4 * count(a) : REFUSE;
}

LANE(toindices) {
    if (is_empty_set(a)) return a;
    u32* made = (u32*)place;
    u32 n = 0;
    // Cells of several colours at one location follow each other.
    for (u32 k = 0; k < count(a); k++) {
        u32 location = without_colour(cells_of(a)[k]);
        if (n == 0 || made[n - 1] != location) made[n++] = location;
    }
    return value_of(INDICES, n, 0, (u64)made);
}
