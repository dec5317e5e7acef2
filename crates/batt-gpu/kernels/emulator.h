// What the kernels need of a device, for the emulator: a warp is a thread, and its lanes are fibers that take turns. A lane runs until a
// collective, leaves there what it has, and the next lane runs; when all have come, each goes on with what the others left.
#pragma once
#include <cstdint>

typedef uint8_t u8;
typedef int8_t i8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;
#define DEVICE inline
#define DEVICE_CALL inline
#define OFFSET_OF(type, member) __builtin_offsetof(type, member)

namespace emulator {
extern thread_local u32 current_lane;
// Leaves a word at a collective of this kind, and comes back when all lanes have; the words of all lanes are then in the list.
const u64* meet(u32 kind, u64 mine);
// Loops that were run by lanes, and those that they left to the warp.
extern thread_local u32 loops_by_lanes[2];
// Lets other warps go on. Ends the process if that has not helped for long.
void wait_for_others();
}  // namespace emulator

DEVICE u32 lane() { return emulator::current_lane; }
DEVICE void sync() { emulator::meet(1, 0); }
DEVICE u32 ballot(bool mine) {
    const u64* all = emulator::meet(2, mine);
    u32 mask = 0;
    for (u32 k = 0; k < 32; k++) mask |= (u32)(all[k] != 0) << k;
    return mask;
}
DEVICE u32 shuffle(u32 mine, u32 from) { return (u32)emulator::meet(3, mine)[from & 31]; }
DEVICE u32 bits_set(u32 word) { return (u32)__builtin_popcount(word); }
DEVICE u32 lowest_bit(u32 word) { return (u32)__builtin_ffs((int)word) - 1; }
DEVICE u32 highest_bit(u32 word) { return 31u - (u32)__builtin_clz(word); }
DEVICE u32 reverse_bits(u32 word) {
    u32 reversed = 0;
    for (u32 k = 0; k < 32; k++) reversed |= (word >> k & 1u) << (31 - k);
    return reversed;
}
// One lane of a warp runs at a time, beside those of other warps.
DEVICE u32 take_tickets(u32* counter, u32 number) { return __atomic_fetch_add(counter, number, __ATOMIC_SEQ_CST); }
DEVICE void add_into(u32* word, u32 amount) { __atomic_fetch_add(word, amount, __ATOMIC_SEQ_CST); }
DEVICE void min_into(u32* word, u32 candidate) {
    u32 found = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while (candidate < found && !__atomic_compare_exchange_n(word, &found, candidate, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
}
DEVICE void publish_word(u32* word, u32 value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
DEVICE void pause() { emulator::wait_for_others(); }
DEVICE u32 look_at(const u32* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
DEVICE u32 exchange_word(u32* place, u32 wanted) { return __atomic_exchange_n(place, wanted, __ATOMIC_SEQ_CST); }
DEVICE u32 exchange_word_if(u32* place, u32 expected, u32 wanted) {
    __atomic_compare_exchange_n(place, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
DEVICE u64 look_near(const u64* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
DEVICE u64 exchange_if(u64* place, u64 expected, u64 wanted) {
    __atomic_compare_exchange_n(place, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
DEVICE void note_loop_by_lanes(bool refused) {
    if (lane() == 0) emulator::loops_by_lanes[refused]++;
}
struct uint4 {
    u32 x, y, z, w;
};
DEVICE uint4 fresh(const void* place) { return *(const uint4*)place; }
