// Programs that only turn the grid they have into another: no memory is needed but registers. A lane has a row of a grid, four bits a
// cell; grids of up to 16x16 go two to a warp, larger ones one to a warp.
#pragma once
#include "grid_steps.h"
#include "interpreter.cuh"
#include "score.cuh"

// A row of WORDS * 16 cells; the first cell in the lowest bits.
template <u32 WORDS> struct Row {
    u64 words[WORDS];
};

// A sample as rows: 32 rows of 16 bytes of the input, and as many of the expected output.
const u32 ROW_BYTES = 16, SAMPLE_ROWS = 64;
const u64 EVERY_CELL = 0x1111111111111111ull;

template <u32 WORDS> struct GridPipeline {
    // Lanes that a grid has, and grids of a warp.
    static const u32 SIDE = 16 * WORDS;
    static const u32 GRIDS = 32 / SIDE;
    // How many times a warp's grids are gone through at once: instructions are read once for all.
    static const u32 TIMES = 2;

    Row<WORDS> rows[TIMES];
    u32 height[TIMES], width[TIMES];

    DEVICE static u32 own_row() { return lane() % SIDE; }
    DEVICE static u32 first_lane() { return lane() / SIDE * SIDE; }

    // A word with the cells before column `n` of word `k` set.
    DEVICE static u64 columns_before(u32 n, u32 k) {
        i32 cells = (i32)n - 16 * (i32)k;
        return cells <= 0 ? 0 : cells >= 16 ? ~0ull : (1ull << 4 * cells) - 1;
    }

    // The row that another lane of the same grid has; nothing if it is below the grid.
    DEVICE static Row<WORDS> row_from(const Row<WORDS>& row, u32 from, u32 height) {
        Row<WORDS> taken;
#pragma unroll
        for (u32 k = 0; k < WORDS; k++) {
            u64 word = shuffle64(row.words[k], first_lane() + from % SIDE);
            taken.words[k] = own_row() < height ? word : 0;
        }
        return taken;
    }

    // The row moved so many cells towards its beginning.
    DEVICE static Row<WORDS> moved_left(const Row<WORDS>& row, u32 cells) {
        Row<WORDS> moved;
        u32 bits = 4 * cells;
        if (WORDS == 1) {
            moved.words[0] = bits >= 64 ? 0 : row.words[0] >> bits;
        } else {
            u64 low = row.words[0], high = row.words[WORDS - 1];
            if (bits >= 64) {
                low = high;
                high = 0;
                bits -= 64;
            }
            moved.words[0] = bits ? low >> bits | high << (64 - bits) : low;
            moved.words[WORDS - 1] = bits >= 64 ? 0 : high >> bits;
        }
        return moved;
    }

    DEVICE static u64 reversed(u64 word) {
        // Bits backwards, then the four bits of each cell forwards again.
        u64 bits = (u64)reverse_bits((u32)word) << 32 | reverse_bits((u32)(word >> 32));
        bits = (bits >> 1 & 0x5555555555555555ull) | (bits & 0x5555555555555555ull) << 1;
        return (bits >> 2 & 0x3333333333333333ull) | (bits & 0x3333333333333333ull) << 2;
    }

    DEVICE void flip_rows(u32 t) { rows[t] = row_from(rows[t], height[t] - 1 - own_row(), height[t]); }

    DEVICE void flip_columns(u32 t) {
        Row<WORDS> backwards;
#pragma unroll
        for (u32 k = 0; k < WORDS; k++) backwards.words[k] = reversed(rows[t].words[WORDS - 1 - k]);
        rows[t] = moved_left(backwards, SIDE - width[t]);
    }

    // Squares of cells change places across the diagonal: halves, then quarters, to single cells.
    DEVICE void transpose(u32 t) {
        Row<WORDS>& row = rows[t];
        if (WORDS == 2) {
            bool lower = lane() & 16;
            u64 given = shuffle64(lower ? row.words[0] : row.words[WORDS - 1], lane() ^ 16);
            if (lower) row.words[0] = given;
            else row.words[WORDS - 1] = given;
        }
        u64 mask = 0x00000000FFFFFFFFull;
#pragma unroll
        for (u32 step = 8; step; step >>= 1) {
            bool lower = lane() & step;
            u32 bits = 4 * step;
#pragma unroll
            for (u32 k = 0; k < WORDS; k++) {
                u64 word = row.words[k];
                u64 given = shuffle64(word, lane() ^ step);
                row.words[k] = lower ? (word & ~mask) | (given >> bits & mask) : (word & mask) | (given & mask) << bits;
            }
            mask ^= mask << bits / 2;
        }
        u32 was = height[t];
        height[t] = width[t];
        width[t] = was;
    }

    // The lowest bit of every cell that is this colour.
    DEVICE static u64 cells_of_colour(u64 word, u32 colour) {
        u64 other = word ^ EVERY_CELL * colour;
        other |= other >> 2;
        other |= other >> 1;
        return ~other & EVERY_CELL;
    }

    DEVICE void recolour(u32 t, u32 from, u32 to, bool both_ways) {
#pragma unroll
        for (u32 k = 0; k < WORDS; k++) {
            u64 word = rows[t].words[k];
            u64 inside = own_row() < height[t] ? columns_before(width[t], k) : 0;
            u64 chosen = cells_of_colour(word, from) * 15 & inside;
            u64 back = both_ways ? cells_of_colour(word, to) * 15 & inside : 0;
            word = (word & ~chosen) | (EVERY_CELL * to & chosen);
            rows[t].words[k] = back ? (word & ~(back & ~chosen)) | (EVERY_CELL * from & back & ~chosen) : word;
        }
    }

    DEVICE void keep_rows(u32 t, u32 first, u32 count) {
        height[t] = count;
        rows[t] = row_from(rows[t], own_row() + first, count);
    }

    DEVICE void keep_columns(u32 t, u32 first, u32 count) {
        width[t] = count;
        rows[t] = moved_left(rows[t], first);
#pragma unroll
        for (u32 k = 0; k < WORDS; k++) rows[t].words[k] &= columns_before(count, k);
    }

    // The steps of rows with the column `grid_step`; false where the value would be no grid, in all lanes of that grid.
#define GRID_STEP(name) DEVICE bool step_##name(u32 t, u32 a, u32 b)
    GRID_STEP(identity) { return true; }
    GRID_STEP(hmirror) { flip_rows(t); return true; }
    GRID_STEP(vmirror) { flip_columns(t); return true; }
    GRID_STEP(dmirror) { transpose(t); return true; }
    GRID_STEP(cmirror) { flip_rows(t); flip_columns(t); transpose(t); return true; }
    GRID_STEP(rot90) { flip_rows(t); transpose(t); return true; }
    GRID_STEP(rot180) { flip_rows(t); flip_columns(t); return true; }
    GRID_STEP(rot270) { transpose(t); flip_rows(t); return true; }
    GRID_STEP(replace) { recolour(t, a, b, false); return true; }
    GRID_STEP(switch) { recolour(t, a, b, true); return true; }
    GRID_STEP(tophalf) {
        u32 half = height[t] / 2;
        keep_rows(t, 0, half);
        return half > 0;
    }
    GRID_STEP(bottomhalf) {
        u32 half = height[t] / 2;
        keep_rows(t, height[t] - half, half);
        return half > 0;
    }
    GRID_STEP(lefthalf) {
        u32 half = width[t] / 2;
        keep_columns(t, 0, half);
        return half > 0;
    }
    GRID_STEP(righthalf) {
        u32 half = width[t] / 2;
        keep_columns(t, width[t] - half, half);
        return half > 0;
    }
    GRID_STEP(trim) {
        bool fits = height[t] > 2 && width[t] > 2;
        keep_rows(t, 1, fits ? height[t] - 2 : 0);
        keep_columns(t, 1, fits ? width[t] - 2 : 0);
        return fits;
    }

    DEVICE bool apply(u32 t, u32 op, u32 a, u32 b) {
        switch (op) {
#define CASE(name) case OP_##name: return step_##name(t, a, b);
            GRID_STEPS(CASE)
        default: return false;
        }
    }
};

// The sum over the lanes of a grid.
template <u32 SIDE> DEVICE u32 sum_in_grid(u32 mine) {
#pragma unroll
    for (u32 step = SIDE / 2; step; step >>= 1) mine += shuffle(mine, lane() ^ step);
    return mine;
}
template <u32 SIDE> DEVICE u64 sum_in_grid(u64 mine) {
#pragma unroll
    for (u32 step = SIDE / 2; step; step >>= 1) mine += shuffle64(mine, lane() ^ step);
    return mine;
}

// Scores a program as `score_program` does.
template <u32 WORDS> DEVICE_CALL void score_grid_pipeline(const Work& work, u32 program) {
    typedef GridPipeline<WORDS> S;
    const u32 SIDE = S::SIDE, GRIDS = S::GRIDS, TIMES = S::TIMES;
    Program entry = work.programs[program];
    Task task = work.tasks[entry.task];
    const Instruction* code = work.code + entry.code;
    Score total_score = no_score();
    // Constants are colours here; a lane has one.
    u32 colour = lane() < entry.constants ? constant_word(code, lane()) & 15u : 0;
    u32 total = task.demos + task.tests;
    bool going = true;
    for (u32 base = 0; base < total && going; base += GRIDS * TIMES) {
        if (base >= task.demos && total_score.demos_right < task.demos) break;
        S state;
        u32 fuel[TIMES], failed[TIMES];
#pragma unroll
        for (u32 t = 0; t < TIMES; t++) {
            u32 sample = min_of(base + t * GRIDS + lane() / SIDE, total - 1) + task.first_sample;
            const u64* rows = (const u64*)(work.rows + (u64)sample * SAMPLE_ROWS * ROW_BYTES);
#pragma unroll
            for (u32 k = 0; k < WORDS; k++) state.rows[t].words[k] = rows[2 * S::own_row() + k];
            u32 shape = work.samples[sample].input.aux;
            state.height[t] = shape >> 16;
            state.width[t] = shape & 0xFFFF;
            fuel[t] = 0;
            failed[t] = 0;
        }
        for (u32 at = 0; at + 1 < entry.length; at++) {
            Instruction now = code[at];
            u32 a = shuffle(colour, REGISTERS - 1 - now.args[1]), b = shuffle(colour, REGISTERS - 1 - now.args[2]);
            u32 others = ARITIES[now.op] - 1, by_area = COSTS[now.op] == COST_LINEAR;
#pragma unroll
            for (u32 t = 0; t < TIMES; t++) {
                fuel[t] += 1 + (others + state.height[t] * state.width[t]) * by_area;
                if (!state.apply(t, now.op, a, b) && !failed[t]) failed[t] = now.op + 1;
                fuel[t] += state.height[t] * state.width[t] * by_area;
            }
        }
        u32 scores[TIMES];
        Hash hashes[TIMES];
#pragma unroll
        for (u32 t = 0; t < TIMES; t++) {
            u32 sample = min_of(base + t * GRIDS + lane() / SIDE, total - 1) + task.first_sample;
            const u64* rows = (const u64*)(work.rows + ((u64)sample * SAMPLE_ROWS + 32) * ROW_BYTES);
            u32 height = state.height[t], width = state.width[t];
            u32 shape = work.samples[sample].expected.aux, h = shape >> 16, w = shape & 0xFFFF;
            u32 same = 0;
#pragma unroll
            for (u32 k = 0; k < WORDS; k++) {
                u64 both = S::own_row() < min_of(height, h) ? S::columns_before(min_of(width, w), k) & EVERY_CELL : 0;
                u64 other = state.rows[t].words[k] ^ rows[2 * S::own_row() + k];
                other |= other >> 2;
                other |= other >> 1;
                both &= ~other;
                same += bits_set((u32)both) + bits_set((u32)(both >> 32));
            }
            same = sum_in_grid<SIDE>(same);
            bool alike = height == h && width == w;
            u32 around = max_of(max_of(height, h) * max_of(width, w), 1u);
            scores[t] = alike ? FULL_SCORE * same / around : FULL_SCORE / 2 * same / around;
            Hash share = digest_of_row(state.rows[t].words[0], WORDS == 2 ? state.rows[t].words[WORDS - 1] : 0, S::own_row());
            bool inside = S::own_row() < height;
            hashes[t].low = sum_in_grid<SIDE>(inside ? share.low : 0);
            hashes[t].high = sum_in_grid<SIDE>(inside ? share.high : 0);
        }
        // In the order of the samples, as if they had been run one after the other.
#pragma unroll
        for (u32 k = 0; k < GRIDS * TIMES && going; k++) {
            u32 sample = base + k;
            bool demo = sample < task.demos;
            if (sample >= total || (!demo && total_score.demos_right < task.demos)) break;
            u32 t = k / GRIDS, from = k % GRIDS * SIDE;
            u32 op = shuffle(t ? failed[TIMES - 1] : failed[0], from);
            total_score.evaluations++;
            if (op) {
                total_score.state = LEFT_TO_HOST;
                total_score.refused_by = op - 1;
                going = false;
                break;
            }
            u32 height = shuffle(t ? state.height[TIMES - 1] : state.height[0], from);
            u32 width = shuffle(t ? state.width[TIMES - 1] : state.width[0], from);
            u32 score = shuffle(t ? scores[TIMES - 1] : scores[0], from);
            u32 spent = shuffle(t ? fuel[TIMES - 1] : fuel[0], from);
            Hash rows;
            rows.low = shuffle64(t ? hashes[TIMES - 1].low : hashes[0].low, from);
            rows.high = shuffle64(t ? hashes[TIMES - 1].high : hashes[0].high, from);
            total_score.behaviour = digest_then(total_score.behaviour, sum_of_digests(digest_of_shape(height << 16 | width), rows));
            if (demo) add_demo(total_score, task, sample, score, spent);
            going = total_score.state == KEPT;
        }
    }
    if (lane() == 0) work.scores[program] = total_score;
}
