// Tuples and sets with more or less in them by single lanes.
#pragma once
#include "lanes_values.cuh"
#include "ops_containers.cuh"

// Which items of a container are kept: those in another, those not in another, those that are not equal to a value.
enum Selection : u32 { IN_OTHER, NOT_IN_OTHER, NOT_EQUAL };

// So many bytes for a selection.
DEVICE u32 room_for_items(Value container) { return count(container) * (is_packed(container) ? 4 : (u32)sizeof(Value)); }

// The items of a container that are kept, in the same kind of container.
DEVICE_CALL Value lane_select(u8* place, Value container, u32 selection, Value other) {
    u32 n = count(container), kept = 0;
    u32* cells = (u32*)place;
    Value* items = (Value*)place;
    bool packed = is_packed(container);
    for (u32 k = 0; k < n; k++) {
        Value item = lane_item(container, k);
        bool found = selection == NOT_EQUAL ? lane_equal(item, other) : lane_contains(other, item);
        if (found != (selection == IN_OTHER)) continue;
        if (packed) cells[kept] = cells_of(container)[k];
        else items[kept] = item;
        kept++;
    }
    if (kept == n) return container;
    if (!is_set(container)) return lane_tuple_of(items, kept);
    if (kept == 0) return empty_set();
    if (packed) return value_of(tag(container), kept, 0, (u64)cells);
    // They may all be cells now, which have a form of their own.
    return tag(items[0]) == CELL || tag(items[0]) == PAIR ? refused() : lane_general(SET, items, kept);
}

LANE(contained) { return is_container(b) ? boolean(lane_contains(b, a)) : undefined(); }

ROOM(remove) { return is_container(b) ? room_for_items(b) : 0; }
LANE(remove) { return is_container(b) ? lane_select(place, b, NOT_EQUAL, a) : undefined(); }
ROOM(difference) { return is_container(a) && is_container(b) ? room_for_items(a) : 0; }
LANE(difference) { return is_container(a) && is_container(b) ? lane_select(place, a, NOT_IN_OTHER, b) : undefined(); }
ROOM(intersection) { return is_set(a) && is_set(b) ? room_for_items(a) : 0; }
LANE(intersection) { return is_set(a) && is_set(b) ? lane_select(place, a, IN_OTHER, b) : undefined(); }

LANE(other) {
    if (!is_container(a)) return undefined();
    for (u32 k = 0; k < count(a); k++) {
        Value item = lane_item(a, k);
        if (!lane_equal(item, b)) return item;
    }
    return undefined();
}

// The set of one value.
DEVICE_CALL Value lane_set_of_one(u8* place, Value item) {
    if (tag(item) == CELL || tag(item) == PAIR) {
        u32 form = tag(item) == CELL ? (u32)OBJECT : (u32)INDICES;
        // A location that does not fit makes a general set that the host takes.
        return packed_item(form, item, *(u32*)place) ? value_of(form, 1, 0, (u64)place) : refused();
    }
    *(Value*)place = item;
    return lane_general(SET, (Value*)place, 1);
}

ROOM(initset) { return sizeof(Value); }
LANE(initset) { return lane_set_of_one(place, a); }

// Whether all items of a set are numbers: they come before others.
DEVICE bool is_set_of_numbers(Value v) { return tag(v) == SET && count(v) && is_number(items_of(v)[0]) && is_number(items_of(v)[count(v) - 1]); }

ROOM(insert) { return is_set(b) ? room_for_items(b) + (u32)sizeof(Value) : 0; }

LANE(insert) {
    if (!is_set(b)) return undefined();
    if (lane_contains(b, a)) return b;
    u32 n = count(b), cell = 0, at = 0;
    if (n == 0) return lane_set_of_one(place, a);
    if (is_packed(b)) {
        if (!packed_item(tag(b), a, cell)) return refused();
        u32* made = (u32*)place;
        at = lower_bound(cells_of(b), n, cell);
        for (u32 k = 0; k <= n; k++) made[k] = k < at ? cells_of(b)[k] : k == at ? cell : cells_of(b)[k - 1];
        return value_of(tag(b), n + 1, 0, (u64)made);
    }
    if (!is_number(a) || !is_set_of_numbers(b)) return refused();
    Value* made = (Value*)place;
    while (at < n && number(items_of(b)[at]) < number(a)) at++;
    for (u32 k = 0; k <= n; k++) made[k] = k < at ? items_of(b)[k] : k == at ? a : items_of(b)[k - 1];
    return lane_general(SET, made, n + 1);
}

// The union of packed sets of one form.
DEVICE_CALL Value lane_unite(u32* made, Value a, Value b) {
    const u32 *cells = cells_of(a), *others = cells_of(b);
    u32 n = 0, i = 0, j = 0;
    while (i < count(a) || j < count(b)) {
        bool take = j == count(b) || (i < count(a) && cells[i] <= others[j]);
        u32 cell = take ? cells[i] : others[j];
        if (j < count(b) && others[j] == cell) j++;
        if (take) i++;
        made[n++] = cell;
    }
    return value_of(tag(a), n, 0, (u64)made);
}

// Whether a union is one of both as it is; both are containers.
DEVICE bool adds_nothing(Value a, Value b) { return count(b) == 0 || (count(a) == 0 && is_set(a) == is_set(b)); }

ROOM(combine) {
    if (!is_container(a) || !is_container(b) || adds_nothing(a, b)) return 0;
    if (is_packed(a) && tag(a) == tag(b)) return room_for_items(a) + room_for_items(b);
    return is_tuple(a) ? (count(a) + count(b)) * (u32)sizeof(Value) : REFUSE;
}

LANE(combine) {
    if (!is_container(a) || !is_container(b)) return undefined();
    if (adds_nothing(a, b)) return count(b) == 0 ? a : b;
    if (is_packed(a)) return lane_unite((u32*)place, a, b);
    Value* items = (Value*)place;
    u32 n = count(a), total = n + count(b);
    for (u32 k = 0; k < total; k++) items[k] = k < n ? lane_item(a, k) : lane_item(b, k - n);
    return lane_tuple_of(items, total);
}

ROOM(totuple) { return is_set(a) ? count(a) * (u32)sizeof(Value) : 0; }

LANE(totuple) {
    if (!is_set(a)) return is_tuple(a) ? a : undefined();
    Value* items = (Value*)place;
    for (u32 k = 0; k < count(a); k++) items[k] = lane_item(a, k);
    return lane_tuple_of(items, count(a));
}

// So many times are more than lanes care for.
const i64 MANY_TIMES = 256;

ROOM(repeat) {
    if (!is_number(b) || number(b) <= 0) return 0;
    if (number(b) > MANY_TIMES) return REFUSE;
    u32 n = (u32)number(b), bytes = tag(a) == ROW ? count(a) : (u32)sizeof(Value);
    return n * max_of(bytes, (u32)sizeof(Value));
}

LANE(repeat) {
    if (!is_number(b)) return undefined();
    if (number(b) <= 0) return empty_tuple();
    u32 n = (u32)number(b);
    if (tag(a) == ROW) {
        if (n * count(a) > MAX_AREA) return refused();
        for (u32 k = 0; k < n; k++) lane_lay_row(a, place + k * count(a));
        return grid_at((i8*)place, n, count(a));
    }
    Value* items = (Value*)place;
    for (u32 k = 0; k < n; k++) items[k] = a;
    return lane_tuple_of(items, n);
}
