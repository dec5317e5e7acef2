// Colours of grids and objects: counting them, choosing by them.
#pragma once
#include "ops.cuh"

// What is counted by colour: a grid's cells or an object's.
DEVICE bool is_coloured(Value v) { return tag(v) == GRID || tag(v) == OBJECT; }
DEVICE u32 coloured_cells(Value v) { return tag(v) == GRID ? area_of(v) : count(v); }
DEVICE i32 colour_at(Value v, u32 k) { return tag(v) == GRID ? (i32)bytes_of(v)[k] : colour_of(cells_of(v)[k]); }

// What an element that is neither grid nor object gives, the empty set apart: other tuples and sets may have colours too, which is left
// to the host. Tuples of numbers have no rows.
DEVICE Value without_colours(Value v) { return tag(v) == TUPLE || tag(v) == SET || tag(v) == INDICES ? refused() : undefined(); }

// What a grid argument gives that is no grid: a general tuple may be a table, which is left to the host. Everything else has no rows.
DEVICE Value without_rows(Value v) { return tag(v) == TUPLE ? refused() : undefined(); }

// Whether a tuple that is no grid is a table, with containers or, if so wanted, tuples for rows: NOTHING if so. A collective.
DEVICE_CALL Value is_table(Value v, bool of_tuples) {
    if (tag(v) != TUPLE) return undefined();
    bool fine = true;
    for (u32 k = lane(); k < count(v); k += 32) fine = fine && (of_tuples ? is_tuple(items_of(v)[k]) : is_container(items_of(v)[k]));
    return all(fine) ? nothing() : undefined();
}

// What a primitive gives that wants rows and got a tuple that is no grid: a table is left to the host. A collective.
DEVICE Value without_table(Value v, bool of_tuples) {
    Value rows = is_table(v, of_tuples);
    return is_value(rows) ? refused() : rows;
}

// The same of a primitive that wants to know how long the first row is. A collective.
DEVICE Value without_first_row(Value v) { return tag(v) == TUPLE && count(v) == 0 ? undefined() : without_table(v, true); }

// How many items of a table's rows are this number. A collective.
DEVICE_CALL u32 times_in_table(Value table, Value wanted) {
    u32 mine = 0;
    for (u32 i = 0; i < count(table); i++) {
        Value row = items_of(table)[i];
        for (u32 k = lane(); k < count(row); k += 32) {
            Value item = item_of(row, k);
            mine += is_number(item) && item.bits == wanted.bits;
        }
    }
    return sum(mine);
}

// Colours are counted so many at a time, by as many lanes.
const u32 COLOURS_AT_ONCE = 16;

// Which of 32 cells, of which each lane has one, have the colour whose number is this lane's; `colour` counts from the first of those
// that are counted. Cells of other colours are in none. `inside` becomes the cells that are in any. A collective.
DEVICE u32 cells_of_my_colour(i32 colour, u32& inside) {
    inside = ballot((u32)colour < COLOURS_AT_ONCE);
    u32 mine = lane() < COLOURS_AT_ONCE ? inside : 0;
    for (u32 bit = 0; bit < 4; bit++) {
        u32 plane = ballot(colour >> bit & 1);
        mine &= plane ^ ((lane() >> bit & 1u) - 1u);
    }
    return mine;
}

// How many cells have the colour `base` plus this lane's number; `inside` becomes how many have one of all these. A collective.
DEVICE u32 count_colours(Value v, i32 base, u32& inside) {
    u32 n = coloured_cells(v), mine = 0;
    inside = 0;
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane(), found;
        mine += bits_set(cells_of_my_colour(k < n ? colour_at(v, k) - base : -1, found));
        inside += bits_set(found);
    }
    return mine;
}

// The more frequent (or rarer) of two colours has the higher rank, of equal ones the lower colour; a colour that is not there has none.
DEVICE i32 rank_of_colour(u32 cells, i32 colour, bool most) {
    if (cells == 0) return -1;
    return (i32)((most ? cells : (1u << 22) - cells) << 8) | (127 - colour);
}

// The most (or least) frequent colour; of several the lowest. There is at least one cell, and fewer than 2^22. A collective.
DEVICE_CALL i32 frequent_colour(Value v, bool most) {
    u32 inside, others;
    i32 best = rank_of_colour(count_colours(v, 0, inside), (i32)lane(), most);
    if (inside < coloured_cells(v)) {
        for (i32 base = -128; base < 128; base += (i32)COLOURS_AT_ONCE) {
            // The colours of real grids were counted first.
            if (base) best = max_of(best, rank_of_colour(count_colours(v, base, others), base + (i32)lane(), most));
        }
    }
    return 127 - (largest(best) & 0xFF);
}

// Lays the colours that occur into `list`, ascending, if there is one; gives how many they are. There may be 256. A collective.
DEVICE_CALL u32 list_colours(Value v, i8* list) {
    u32 inside, n = coloured_cells(v), made = 0;
    u32 present = ballot(count_colours(v, 0, inside) != 0);
    if (inside == n) {
        if (list && present >> lane() & 1u) list[rank_in(present)] = (i8)lane();
        made = bits_set(present);
    } else {
        for (i32 base = -128; base < 128; base += (i32)COLOURS_AT_ONCE) {
            present = ballot(count_colours(v, base, inside) != 0);
            if (list && present >> lane() & 1u) list[made + rank_in(present)] = (i8)(base + (i32)lane());
            made += bits_set(present);
        }
    }
    sync();
    return made;
}

// Gives back what is left of the arena's last piece when only so many bytes of it are used.
DEVICE void keep_bytes(Run& run, const void* piece, u32 bytes) { run.top = ((u32)((u8*)piece - run.arena) + bytes + 15u) & ~15u; }

DEVICE_CALL Value colour_set(Run& run, Value v) {
    if (is_empty_set(v)) return empty_set();
    // The colours of a table are all that is in its rows.
    if (tag(v) == TUPLE) return merged(run, items_of(v), count(v), true);
    if (!is_coloured(v)) return without_colours(v);
    // The list lies behind where its values go.
    ALLOCATE(Value, items, 256);
    ALLOCATE(i8, list, 256);
    u32 n = list_colours(v, list);
    for (u32 k = lane(); k < n; k += 32) items[k] = integer(list[k]);
    sync();
    keep_bytes(run, items, n * (u32)sizeof(Value));
    return general(SET, items, n);
}

DEVICE_CALL Value colour_tuple(Run& run, Value v) {
    ALLOCATE(i8, list, 256);
    u32 n = list_colours(v, list);
    if (n == 2) {
        i32 low = list[0], high = list[1];
        keep_bytes(run, list, 0);
        return pair_of(low, high);
    }
    keep_bytes(run, list, n);
    return row_at(list, n);
}

OP1(mostcolor) {
    if (is_empty_set(a)) return undefined();
    if (!is_coloured(a)) return without_colours(a);
    if (coloured_cells(a) >> 22) return refused();
    return integer(frequent_colour(a, true));
}

OP1(leastcolor) {
    if (is_empty_set(a)) return undefined();
    if (!is_coloured(a)) return without_colours(a);
    if (coloured_cells(a) >> 22) return refused();
    return integer(frequent_colour(a, false));
}

OP1(palette) { return colour_set(run, a); }

OP1(p_f) { return colour_set(run, a); }

OP1(p_g) { return tag(a) == GRID ? colour_tuple(run, a) : without_rows(a); }

OP1(p_o) {
    if (is_empty_set(a)) return empty_tuple();
    if (tag(a) == OBJECT) return colour_tuple(run, a);
    return is_set(a) || tag(a) == TUPLE ? refused() : undefined();
}

OP1(numcolors) {
    if (is_empty_set(a)) return integer(0);
    if (tag(a) == TUPLE) {
        Value colours = merged(run, items_of(a), count(a), true);
        return is_value(colours) ? integer(count(colours)) : colours;
    }
    if (!is_coloured(a)) return without_colours(a);
    return integer(list_colours(a, nullptr));
}

OP2(colorcount) {
    if (is_empty_set(a)) return integer(0);
    if (tag(a) == TUPLE) {
        Value rows = is_table(a, true);
        return !is_value(rows) ? rows : is_number(b) ? integer(times_in_table(a, b)) : refused();
    }
    if (!is_coloured(a)) return without_colours(a);
    // What is no number is no colour.
    if (!is_number(b) || !fits_8_bits(number(b))) return integer(0);
    i32 wanted = (i32)number(b);
    u32 n = coloured_cells(a), mine = 0;
    for (u32 k = lane(); k < n; k += 32) mine += colour_at(a, k) == wanted;
    return integer(sum(mine));
}

// The first item's first item, in `colour` if it is a number. Each lane may ask for another container.
enum FirstColour : u32 { FIRST_NUMBER, FIRST_OTHER, FIRST_MISSING };

DEVICE FirstColour first_colour(Value object, i64& colour) {
    switch (tag(object)) {
    case OBJECT: colour = colour_of(cells_of(object)[0]); return FIRST_NUMBER;
    // The first items of locations and of rows stand for colours too.
    case INDICES: colour = row_of(cells_of(object)[0]); return FIRST_NUMBER;
    case GRID: colour = bytes_of(object)[0]; return FIRST_NUMBER;
    case TUPLE:
    case SET: {
        if (count(object) == 0) return FIRST_MISSING;
        Value first = items_of(object)[0];
        if (!is_tuple(first) || count(first) == 0) return FIRST_MISSING;
        Value inner = item_of(first, 0);
        if (!is_number(inner)) return FIRST_OTHER;
        colour = number(inner);
        // A truth value is given as it is, and equals a number.
        return tag(inner) == INT ? FIRST_NUMBER : FIRST_OTHER;
    }
    default: return FIRST_MISSING;
    }
}

OP1(color) {
    i64 colour = 0;
    switch (first_colour(a, colour)) {
    case FIRST_NUMBER: return integer(colour);
    case FIRST_OTHER: return item_of(items_of(a)[0], 0);
    default: return undefined();
    }
}

// The items of a general container whose first cell has a colour, in their order, laid into `kept`. NOTHING, or why there are none.
DEVICE_CALL Value keep_by_colour(Value objects, Value wanted, Value* kept, u32& made) {
    u32 n = count(objects);
    bool missing = false, other = false;
    made = 0;
    for (u32 start = 0; start < n; start += 32) {
        u32 k = start + lane();
        bool fits = false;
        Value item = nothing();
        if (k < n) {
            item = items_of(objects)[k];
            i64 colour = 0;
            FirstColour first = first_colour(item, colour);
            missing = missing || first == FIRST_MISSING;
            other = other || first == FIRST_OTHER;
            fits = first == FIRST_NUMBER && is_number(wanted) && colour == number(wanted);
        }
        u32 mask = ballot(fits);
        if (fits) kept[made + rank_in(mask)] = item;
        made += bits_set(mask);
    }
    sync();
    if (any(missing)) return undefined();
    return any(other) ? refused() : nothing();
}

OP2(colorfilter) {
    // The items of other containers are no containers of tuples.
    if (tag(a) != SET && tag(a) != TUPLE) return undefined();
    ALLOCATE(Value, kept, count(a));
    u32 made;
    Value answer = keep_by_colour(a, b, kept, made);
    if (!is_value(answer)) return answer;
    keep_bytes(run, kept, made * (u32)sizeof(Value));
    if (made == 0) return empty_set();
    // What is left of a set is in order.
    return tag(a) == SET ? general(SET, kept, made) : set_of(run, kept, made);
}

OP2(colorfilter_t) {
    if (tag(a) != SET && tag(a) != TUPLE) return undefined();
    ALLOCATE(Value, kept, count(a));
    u32 made;
    Value answer = keep_by_colour(a, b, kept, made);
    if (!is_value(answer)) return answer;
    keep_bytes(run, kept, made * (u32)sizeof(Value));
    return tuple_of(run, kept, made);
}

OP3(c_branch) {
    Value chosen = truth(a) ? b : c;
    return is_number(chosen) ? integer(number(chosen)) : undefined();
}
