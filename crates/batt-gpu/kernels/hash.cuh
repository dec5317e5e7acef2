// Values and calls by hash: 128 bits, so that nobody need think of two that have the same.
#pragma once
#include "value.cuh"

// Values are no deeper on the device, see `nesting_of`.
const u32 MAX_HASHED_DEPTH = 6;

struct Hash {
    u64 low, high;
};

DEVICE u64 mixed(u64 word) {
    word ^= word >> 32;
    word *= 0xD6E8FEB86659FD93ull;
    word ^= word >> 32;
    word *= 0xD6E8FEB86659FD93ull;
    return word ^ word >> 32;
}

// A sum with a word at a place, in which words may come in any order.
DEVICE Hash sum_with(Hash hash, u64 word, u32 place) {
    u64 one = mixed(word + place * 0x9E3779B97F4A7C15ull);
    hash.low += one;
    hash.high += (one << 27 | one >> 37) * 0xC2B2AE3D27D4EB4Full ^ word;
    return hash;
}
DEVICE_CALL Hash with_word(Hash hash, u64 word, u32 place) { return sum_with(hash, word, place); }
DEVICE void take_word(Hash& hash, u64 word, u32 place) { hash = with_word(hash, word, place); }

// Two words at places of their own, without a call.
DEVICE Hash hash_of_words(u64 one, u64 other, u32 place) {
    Hash none = {0, 0};
    return sum_with(sum_with(none, one, 2 * place + 1), other, 2 * place + 2);
}

// What a value that is not in memory is, and of the others what is in the value itself.
DEVICE u64 head_of(Value v) { return (u64)v.aux << 32 | v.head; }
DEVICE bool is_in_memory(Value v) { return tag(v) >= ROW && !(tag(v) >= TUPLE && count(v) == 0); }

// The hash of a value by one lane.
template <u32 LEVELS> DEVICE_CALL Hash lane_hash_at(Value v) {
    Hash hash = {0, 0};
    take_word(hash, head_of(v), 0);
    if (!is_in_memory(v)) {
        take_word(hash, v.bits, 1);
    } else if (tag(v) == TUPLE || tag(v) == SET) {
        for (u32 k = 0; k < count(v); k++) {
            Hash item = lane_hash_at<LEVELS - 1>(items_of(v)[k]);
            take_word(hash, item.low, 2 * k + 2);
            take_word(hash, item.high, 2 * k + 3);
        }
    } else if (is_packed(v)) {
        for (u32 k = 0; k < count(v); k++) take_word(hash, cells_of(v)[k], k + 2);
    } else {
        u32 bytes = tag(v) == ROW ? count(v) : area_of(v);
        u64 word = 0;
        for (u32 k = 0; k < bytes; k++) {
            word = word << 8 | (u8)bytes_of(v)[k];
            if (k % 8 == 7 || k + 1 == bytes) {
                take_word(hash, word, k + 2);
                word = 0;
            }
        }
    }
    return hash;
}
template <> DEVICE_CALL Hash lane_hash_at<0>(Value v) {
    Hash hash = {head_of(v), v.bits};
    return hash;
}

// Sums of 32 bits each: there is an instruction for them.
DEVICE_CALL Hash sum_of_hashes(Hash mine) {
    u32 a = sum((u32)mine.low), b = sum((u32)(mine.low >> 32)), c = sum((u32)mine.high), d = sum((u32)(mine.high >> 32));
    Hash all_of_them = {(u64)b << 32 | a, (u64)d << 32 | c};
    return all_of_them;
}

// What a lane has of a value whose items are no containers of others.
DEVICE void take_flat(Hash& hash, Value v) {
    if (is_packed(v)) {
        for (u32 k = lane(); k < count(v); k += 32) take_word(hash, cells_of(v)[k], k + 2);
    } else {
        u32 bytes = tag(v) == ROW ? count(v) : area_of(v);
        const i8* cells = bytes_of(v);
        for (u32 k = 4 * lane(); k < bytes; k += 128) {
            u32 word = 0;
            for (u32 t = k; t < min_of(k + 4, bytes); t++) word = word << 8 | (u8)cells[t];
            take_word(hash, word, k + 2);
        }
    }
}

// An item that is heavier is hashed by all lanes together.
const u32 HEAVY_ITEM = 64;
// So many levels of a value are; below these, each item by a lane.
const u32 LEVELS_TOGETHER = 2;

// The hash of a value by all lanes together: it differs from that by one lane.
template <u32 LEVELS> DEVICE_CALL Hash hash_at(Value v) {
    Hash hash = {0, 0};
    if (lane() == 0) take_word(hash, head_of(v), 0);
    if (!is_in_memory(v)) {
        if (lane() == 0) take_word(hash, v.bits, 1);
    } else if (tag(v) == TUPLE || tag(v) == SET) {
        for (u32 start = 0; start < count(v); start += 32) {
            u32 k = start + lane();
            bool there = k < count(v), heavy = there && weight_of(items_of(v)[k]) > HEAVY_ITEM;
            if (there && !heavy) {
                Hash item = lane_hash_at<MAX_HASHED_DEPTH>(items_of(v)[k]);
                take_word(hash, item.low, 2 * k + 2);
                take_word(hash, item.high, 2 * k + 3);
            }
            for (u32 left = ballot(heavy); left; left &= left - 1) {
                u32 one = start + lowest_bit(left);
                Hash item = hash_at<LEVELS - 1>(items_of(v)[one]);
                if (lane() == 0) {
                    take_word(hash, item.low, 2 * one + 2);
                    take_word(hash, item.high, 2 * one + 3);
                }
            }
        }
    } else {
        take_flat(hash, v);
    }
    return sum_of_hashes(hash);
}
template <> DEVICE_CALL Hash hash_at<0>(Value v) {
    Hash hash = {0, 0};
    if (lane() == 0) take_word(hash, head_of(v), 0);
    if (!is_in_memory(v)) {
        if (lane() == 0) take_word(hash, v.bits, 1);
    } else if (tag(v) == TUPLE || tag(v) == SET) {
        for (u32 k = lane(); k < count(v); k += 32) {
            Hash item = lane_hash_at<MAX_HASHED_DEPTH>(items_of(v)[k]);
            take_word(hash, item.low, 2 * k + 2);
            take_word(hash, item.high, 2 * k + 3);
        }
    } else {
        take_flat(hash, v);
    }
    return sum_of_hashes(hash);
}
DEVICE Hash hash_of(Value v) { return hash_at<LEVELS_TOGETHER>(v); }
