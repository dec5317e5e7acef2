// What a value is worth: its agreement with an expected grid, and the hash of what a program does. The host computes the same.
#pragma once
#include "build.cuh"
#include "structures.h"

const u32 FULL_SCORE = 1000;
const u32 MAX_SIDE = 30;
const i32 MAX_COLOUR = 9;
// In the highest byte of a word, in the place of a row: what the word is about.
const u64 SHAPE = 0xFFull << 56, NO_ANSWER = 0xFEull << 56;

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

DEVICE Hash sum_of_digests(Hash a, Hash b) {
    Hash both = {a.low + b.low, a.high + b.high};
    return both;
}

// The finaliser of SplitMix64, as `mix` in batt-core.
DEVICE u64 split_mix(u64 word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ word >> 27) * 0x94D049BB133111EBull;
    return word ^ word >> 31;
}

// The digest of two words, as `Digest::of` in batt-core.
DEVICE Hash digest_of(u64 a, u64 b) {
    u64 first = split_mix(a ^ 0x9E3779B97F4A7C15ull);
    Hash digest;
    digest.low = split_mix(b ^ first);
    digest.high = split_mix(digest.low ^ (first << 29 | first >> 35) ^ 0xD1B54A32D192ED03ull);
    return digest;
}

// The digest of a sequence with one more element, as `Digest::then` in batt-core.
DEVICE Hash digest_then(Hash before, Hash next) { return digest_of(before.low + next.low, before.high ^ next.high); }

DEVICE Hash digest_of_shape(u32 shape) { return digest_of(shape, SHAPE); }
DEVICE Hash digest_of_row(u64 low, u64 high, u32 row) { return digest_of(low, high | (u64)row << 56); }
DEVICE Hash digest_of_none() { return digest_of(0, NO_ANSWER); }

// The digest of an answer, as `Behaviour` in batt-engine has it: a lane takes a row, four bits a cell, 16 cells in the first word.
DEVICE_CALL Hash digest_of_answer(Value v) {
    u32 height = height_of(v), width = width_of(v);
    Hash share = {0, 0};
    if (lane() < height) {
        const i8* row = bytes_of(v) + lane() * width;
        u64 low = 0, high = 0;
        for (u32 j = 0; j < width; j++) {
            if (j < 16) low |= (u64)row[j] << 4 * j;
            else high |= (u64)row[j] << 4 * (j - 16);
        }
        share = digest_of_row(low, high, lane());
    }
    Hash rows = {sum64(share.low), sum64(share.high)};
    return sum_of_digests(digest_of_shape(v.aux), rows);
}

enum ProgramState : u32 { KEPT, PRUNED, LEFT_TO_HOST };

DEVICE Score no_score() {
    Score score = {{0, 0}, 0, 0, 0, 0, KEPT, 0};
    return score;
}

// Adds the score and the fuel of demo `k`, and prunes the program when it cannot reach the bar any more.
DEVICE void add_demo(Score& total, const Task& task, u32 k, u32 score, u32 fuel) {
    total.fuel += fuel;
    total.demos_right += score == FULL_SCORE;
    total.score += score;
    u32 left = task.demos - 1 - k, reach = total.demos_right + left;
    if (reach < task.bar_right || (reach == task.bar_right && total.score + left * FULL_SCORE < task.bar_score)) total.state = PRUNED;
}
