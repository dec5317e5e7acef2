// Items of containers by single lanes: joined, paired, and chosen by their colour, their size, or how often they occur.
#pragma once
#include "lanes_containers.cuh"
#include "lanes_grids.cuh"
#include "lanes_pieces.cuh"
#include "ops_colours.cuh"

// More cells than these are put in order better by a warp.
const u32 MAX_LANE_CELLS = 512;

ROOM(merge) {
    u32 total = 0;
    if (tag(a) != SET || count(a) == 1) return 0;
    for (u32 k = 0; k < count(a) && total <= MAX_LANE_CELLS; k++) total += is_packed(items_of(a)[k]) ? count(items_of(a)[k]) : 0;
    return total <= MAX_LANE_CELLS ? 4 * total : REFUSE;
}

LANE(merge) {
    if (!is_container(a)) return undefined();
    // The rows of a grid lie one behind the other already.
    if (tag(a) == GRID) return area_of(a) == 2 ? pair_of(bytes_of(a)[0], bytes_of(a)[1]) : row_at(bytes_of(a), area_of(a));
    if (is_packed(a)) return refused();
    // Of tuples of numbers nothing can be merged.
    if (tag(a) != TUPLE && tag(a) != SET) return undefined();
    u32 n = 0, form = SET;
    bool fine = true;
    for (u32 k = 0; k < count(a); k++) {
        Value item = items_of(a)[k];
        if (!is_container(item)) return undefined();
        if (is_empty_set(item)) continue;
        fine = fine && is_packed(item) && (form == SET || form == tag(item));
        form = tag(item);
    }
    if (count(a) == 0) return a;
    if (tag(a) == TUPLE || !fine) return refused();
    if (count(a) == 1) return items_of(a)[0];
    u32* cells = (u32*)place;
    for (u32 k = 0; k < count(a); k++) {
        Value item = items_of(a)[k];
        for (u32 t = 0; t < count(item); t++) cells[n++] = cells_of(item)[t];
    }
    lane_sort_cells(cells, n);
    u32 kept = 0;
    for (u32 k = 0; k < n; k++) {
        if (k == 0 || cells[k] != cells[kept - 1]) cells[kept++] = cells[k];
    }
    return lane_set(form, cells, kept);
}

ROOM(pair) { return is_container(a) && is_container(b) ? 3 * min_of(count(a), count(b)) * (u32)sizeof(Value) : 0; }

LANE(pair) {
    if (!is_container(a) || !is_container(b)) return undefined();
    u32 n = min_of(count(a), count(b));
    Value* items = (Value*)place;
    u8* places = place + n * sizeof(Value);
    for (u32 k = 0; k < n; k++) {
        items[k] = lane_two_of(places + 2 * k * sizeof(Value), lane_item(a, k), lane_item(b, k));
        if (!is_value(items[k])) return refused();
    }
    return lane_tuple_of_rows(items, n);
}

// More items than these are put in order, or compared with each other, better by a warp.
const u32 MAX_LANE_ITEMS = 64;

// The set of items of a tuple, which may come in any order and more than once.
DEVICE_CALL Value lane_set_of_items(Value* items, u32 n) {
    u32 kept = 0;
    if (n > MAX_LANE_ITEMS) return refused();
    for (u32 k = 0; k < n; k++) {
        Value item = items[k];
        // Cells and locations have forms of their own.
        if (tag(item) == CELL || tag(item) == PAIR) return refused();
        u32 at = kept;
        i32 order = 1;
        while (at > 0 && (order = lane_compare(items[at - 1], item)) > 0) at--;
        if (at > 0 && order == 0) continue;
        for (u32 t = kept; t > at; t--) items[t] = items[t - 1];
        items[at] = item;
        kept++;
    }
    return kept ? lane_general(SET, items, kept) : empty_set();
}

// The set of the items of a container that were kept.
DEVICE_CALL Value lane_set_of_kept(Value container, Value* kept, u32 n) {
    if (n == 0) return empty_set();
    if (tag(container) != SET) return lane_set_of_items(kept, n);
    if (n == count(container)) return container;
    // They may all be cells now, which have a form of their own.
    return tag(kept[0]) == CELL || tag(kept[0]) == PAIR ? refused() : lane_general(SET, kept, n);
}

ROOM(colorfilter) { return tag(a) == SET || tag(a) == TUPLE ? count(a) * (u32)sizeof(Value) : 0; }

LANE(colorfilter) {
    // The items of other containers are no containers of tuples.
    if (tag(a) != SET && tag(a) != TUPLE) return undefined();
    Value* kept = (Value*)place;
    u32 n = 0;
    bool other = false;
    for (u32 k = 0; k < count(a); k++) {
        i64 colour = 0;
        FirstColour first = first_colour(items_of(a)[k], colour);
        if (first == FIRST_MISSING) return undefined();
        other = other || first == FIRST_OTHER;
        if (first == FIRST_NUMBER && is_number(b) && colour == number(b)) kept[n++] = items_of(a)[k];
    }
    return other ? refused() : lane_set_of_kept(a, kept, n);
}

ROOM(sizefilter) { return tag(a) == SET || tag(a) == TUPLE || tag(a) == GRID ? count(a) * (u32)sizeof(Value) : 0; }

LANE(sizefilter) {
    // Numbers have no size; a location and a cell have two items.
    if (!is_container(a) || tag(a) == PAIR || tag(a) == CELL || tag(a) == ROW) return undefined();
    if (is_packed(a)) return is_number(b) && number(b) == 2 ? a : empty_set();
    Value* kept = (Value*)place;
    u32 n = 0;
    for (u32 k = 0; k < count(a); k++) {
        Value item = lane_item(a, k);
        if (!is_container(item)) return undefined();
        if (is_number(b) && number(b) == (i64)count(item)) kept[n++] = item;
    }
    return lane_set_of_kept(a, kept, n);
}

// The item that occurs most or least often; of several the first in canonical order.
DEVICE_CALL Value lane_by_count(Value tuple, bool most) {
    if (!is_tuple(tuple) || count(tuple) == 0) return undefined();
    if (tag(tuple) == ROW) {
        i32 found = lane_frequent(bytes_of(tuple), count(tuple), most);
        return found == ANY_COLOUR ? refused() : integer(found);
    }
    u32 n = count(tuple), best = 0;
    if (n > MAX_LANE_ITEMS) return refused();
    Value found = nothing();
    for (u32 k = 0; k < n; k++) {
        Value item = lane_item(tuple, k);
        u32 times = 0;
        for (u32 t = 0; t < n; t++) times += lane_equal(lane_item(tuple, t), item);
        bool better = k == 0 || (most ? times > best : times < best) || (times == best && lane_compare(item, found) < 0);
        if (!better) continue;
        found = item;
        best = times;
    }
    return found;
}

LANE(mostcommon) { return lane_by_count(a, true); }
LANE(leastcommon) { return lane_by_count(a, false); }
