// What the rest is written in: integer types, and what the 32 lanes of a warp do together.
//
// NVRTC compiles this text for a device, and a C++ compiler for the emulator. The emulator runs the 32 lanes of a warp as fibers and checks
// that they converge. A *collective* (everything below that takes or gives what other lanes have) is called by all lanes of a warp or by
// none.
#pragma once

#ifdef __CUDACC_RTC__
typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
#define DEVICE __device__ __forceinline__
#define DEVICE_CALL __device__ __noinline__
#define KERNEL extern "C" __global__
#define FULL_WARP 0xFFFFFFFFu
// NVRTC has no offsetof that is a constant, but what its front end makes of one.
#define OFFSET_OF(type, member) __INTADDR__(&((type*)0)->member)

DEVICE u32 lane() { return threadIdx.x & 31u; }
DEVICE void sync() { __syncwarp(); }
DEVICE u32 ballot(bool mine) { return __ballot_sync(FULL_WARP, mine); }
DEVICE u32 shuffle(u32 mine, u32 from) { return __shfl_sync(FULL_WARP, mine, from); }
DEVICE u32 bits_set(u32 word) { return __popc(word); }
DEVICE u32 lowest_bit(u32 word) { return __ffs(word) - 1; }
DEVICE u32 reverse_bits(u32 word) { return __brev(word); }
DEVICE u32 highest_bit(u32 word) { return 31 - __clz(word); }
DEVICE u32 take_tickets(u32* counter, u32 number) { return atomicAdd(counter, number); }
DEVICE void add_into(u32* word, u32 amount) { atomicAdd(word, amount); }
DEVICE void min_into(u32* word, u32 candidate) { atomicMin(word, candidate); }
// A word that another warp writes when what belongs to it is there. What belongs to it lies in memory that this multiprocessor has not read
// before, so that nothing older of it is kept near.
DEVICE u32 look_at(const u32* word) {
    u32 found = *(const volatile u32*)word;
    asm volatile("" ::: "memory");
    return found;
}
DEVICE void publish_word(u32* word, u32 value) {
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
DEVICE void pause() { __nanosleep(40); }
DEVICE u32 exchange_word(u32* place, u32 wanted) { return atomicExch(place, wanted); }
DEVICE u32 exchange_word_if(u32* place, u32 expected, u32 wanted) { return atomicCAS(place, expected, wanted); }
// A word that other warps change.
DEVICE u64 look_near(const u64* word) { return *(const volatile u64*)word; }
// Reads 16 bytes past what is kept near.
DEVICE uint4 fresh(const void* place) { return __ldcg((const uint4*)place); }
DEVICE u64 exchange_if(u64* place, u64 expected, u64 wanted) { return atomicCAS(place, expected, wanted); }
// Only the emulator counts how often lanes leave a loop to the warp.
DEVICE void note_loop_by_lanes(bool refused) {}
#else
#include "emulator.h"
#endif

DEVICE bool any(bool mine) { return ballot(mine) != 0; }
DEVICE bool all(bool mine) { return ballot(!mine) == 0; }

DEVICE u64 shuffle64(u64 mine, u32 from) {
    u32 low = shuffle((u32)mine, from), high = shuffle((u32)(mine >> 32), from);
    return (u64)high << 32 | low;
}

// From compute capability 8.0 on there are instructions for what all lanes have together.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
DEVICE u32 sum(u32 mine) { return __reduce_add_sync(FULL_WARP, mine); }
DEVICE i32 smallest(i32 mine) { return __reduce_min_sync(FULL_WARP, mine); }
DEVICE i32 largest(i32 mine) { return __reduce_max_sync(FULL_WARP, mine); }
#else
DEVICE u32 sum(u32 mine) {
    for (u32 step = 16; step; step >>= 1) mine += shuffle(mine, lane() ^ step);
    return mine;
}

DEVICE i32 smallest(i32 mine) {
    for (u32 step = 16; step; step >>= 1) {
        i32 other = (i32)shuffle((u32)mine, lane() ^ step);
        mine = other < mine ? other : mine;
    }
    return mine;
}

DEVICE i32 largest(i32 mine) {
    for (u32 step = 16; step; step >>= 1) {
        i32 other = (i32)shuffle((u32)mine, lane() ^ step);
        mine = other > mine ? other : mine;
    }
    return mine;
}
#endif

DEVICE u64 sum64(u64 mine) {
    for (u32 step = 16; step; step >>= 1) mine += shuffle64(mine, lane() ^ step);
    return mine;
}

// The sum over the lanes before this one, and in `total` over all.
DEVICE u32 sum_before(u32 mine, u32& total) {
    u32 running = mine;
    for (u32 step = 1; step < 32; step <<= 1) {
        u32 other = shuffle(running, lane() >= step ? lane() - step : lane());
        if (lane() >= step) running += other;
    }
    total = shuffle(running, 31);
    return running - mine;
}

// How many lanes before this one have the bit set.
DEVICE u32 rank_in(u32 mask) { return bits_set(mask & ((1u << lane()) - 1u)); }

template <class T> DEVICE T min_of(T a, T b) { return a < b ? a : b; }
template <class T> DEVICE T max_of(T a, T b) { return a > b ? a : b; }
