// What a value is worth: its agreement with an expected grid, and the hash of what a program does. The host computes the same.
#pragma once
#include "build.cuh"
#include "opcodes.h"

const u32 FULL_SCORE = 1000;
const u32 MAX_SIDE = 30;
const i32 MAX_COLOUR = 9;
const u64 NO_ANSWER = 1ull << 32;

// Whether a value may be an answer: a grid of at most 30x30 in colours 0 to 9.
DEVICE_CALL bool is_answer(Value v) {
    if (tag(v) != GRID || height_of(v) > MAX_SIDE || width_of(v) > MAX_SIDE) return false;
    bool fine = true;
    for (u32 k = lane(); k < area_of(v); k += 32) fine = fine && bytes_of(v)[k] >= 0 && bytes_of(v)[k] <= MAX_COLOUR;
    return all(fine);
}

// How much of a candidate is as expected, 0 to 1000: the share of equal cells. Of grids of different shape, where they overlap, at
// half the worth.
DEVICE_CALL u32 agreement(Value candidate, bool answer, Value expected) {
    if (equal(candidate, expected)) return FULL_SCORE;
    if (!answer) return 0;
    u32 height = min_of(height_of(candidate), height_of(expected)), width = min_of(width_of(candidate), width_of(expected));
    u32 same = 0;
    for (u32 k = lane(); k < height * width; k += 32) {
        u32 i = k / width, j = k - i * width;
        same += bytes_of(candidate)[i * width_of(candidate) + j] == bytes_of(expected)[i * width_of(expected) + j];
    }
    same = sum(same);
    if (candidate.aux == expected.aux) return min_of(FULL_SCORE * same / area_of(expected), FULL_SCORE - 1);
    u32 around = max_of(height_of(candidate), height_of(expected)) * max_of(width_of(candidate), width_of(expected));
    return FULL_SCORE / 2 * same / around;
}

// Takes a value into the hash of what a program does: `hash = (hash + word) * factor` for the shape, then for each row, four bits a
// cell, 16 cells a word. A lane takes a row, times the power of the factor that the words from it on would give.
DEVICE_CALL u64 behave(u64 hash, Value v, bool answer) {
    hash = (hash + (answer ? (u64)v.aux : NO_ANSWER)) * POWERS[1];
    if (!answer) return hash;
    u32 height = height_of(v), width = width_of(v), each = width > 16 ? 2 : 1;
    u64 share = 0;
    if (lane() < height) {
        const i8* row = bytes_of(v) + lane() * width;
        u64 low = 0, high = 0;
        for (u32 j = 0; j < width; j++) {
            if (j < 16) low |= (u64)row[j] << 4 * j;
            else high |= (u64)row[j] << 4 * (j - 16);
        }
        u64 power = POWERS[each * (height - lane()) - (each - 1)];
        share = each == 2 ? (low * POWERS[1] + high) * power : low * power;
    }
    return hash * POWERS[each * height] + sum64(share);
}
