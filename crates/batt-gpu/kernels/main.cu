// The kernels. A warp takes programs from a counter until there are none left.
#include "interpreter.cuh"
#include "score.cuh"
#include "straight.cuh"
#include "work.cuh"

// Runs one program on one sample; `run` comes back with what fuel is left.
DEVICE Value run_on(const Work& work, Run& run, u32 program, u32 sample, Value* registers, u8* arena, u32& step, u32& op) {
    run.arena = arena;
    run.top = 0;
    run.size = work.arena_size;
    run.together = work.together;
    run.fuel = (u32)work.slice;
    ProgramEntry entry = work.programs[program];
    const Instruction* code = work.code + entry.code;
    sync();
    if (lane() == 0) registers[0] = work.samples[sample].input;
    for (u32 k = lane(); k < entry.constants; k += 32) {
        registers[REGISTERS - 1 - k] = constant_of(constant_word(code, k), work.literals + entry.literals);
    }
    sync();
    Value value = run_program(run, code, registers, step, op);
    if (tag(value) == OUT_OF_FUEL && work.slice < work.fuel) {
        op = TOO_LONG;
        return refused();
    }
    return value;
}

// Runs a program on the demos of its task as far as it can still be kept, and on the tests if all demos are right.
DEVICE void judge(const Work& work, u32 program, Value* registers, u8* arena) {
    Task task = work.tasks[work.programs[program].task];
    Judged judged;
    judged.behaviour = 0;
    judged.score = judged.fuel = 0;
    judged.demos_right = judged.evaluations = judged.refused_by = 0;
    judged.state = KEPT;
    Run run;
    u32 step, op;
    for (u32 k = 0; k < task.demos + task.tests; k++) {
        bool demo = k < task.demos;
        if (!demo && judged.demos_right < task.demos) break;
        Value value = run_on(work, run, program, task.first_sample + k, registers, arena, step, op);
        judged.evaluations++;
        if (tag(value) == REFUSED) {
            judged.state = LEFT_TO_HOST;
            judged.refused_by = op;
            break;
        }
        bool answer = is_answer(value);
        judged.behaviour = behave(judged.behaviour, value, answer);
        if (!demo) continue;
        judged.fuel += (u32)work.slice - run.fuel;
        u32 score = is_value(value) ? agreement(value, answer, work.samples[task.first_sample + k].expected) : 0;
        judged.demos_right += score == FULL_SCORE;
        judged.score += score;
        u32 left = task.demos - 1 - k;
        u32 reach = judged.demos_right + left;
        if (reach < task.bar_right || (reach == task.bar_right && judged.score + left * FULL_SCORE < task.bar_score)) {
            judged.state = GIVEN_UP;
            break;
        }
    }
    sync();
    if (lane() == 0) work.judged[program] = judged;
}

#ifdef __CUDACC_RTC__
// Warps of a block share what they read of the kernel's text, which is larger than what a multiprocessor keeps of it: so a block takes
// programs that stand side by side, which are mostly made from the same program and do the same calls.
const u32 WARPS_PER_BLOCK = 32;
// Registers are for one such block on a multiprocessor.
const u32 BLOCKS = 1;

// Judges all programs, in rounds: a block takes one for each of its warps.
KERNEL void __launch_bounds__(32 * WARPS_PER_BLOCK, BLOCKS) judge_programs(Work work) {
    __shared__ Value registers[WARPS_PER_BLOCK][REGISTERS];
    __shared__ u32 first;
    u32 warp = threadIdx.x / 32;
    u64 slot = (u64)blockIdx.x * WARPS_PER_BLOCK + warp;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) first = take_tickets(work.ticket, WARPS_PER_BLOCK);
        __syncthreads();
        if (first >= work.count) return;
        if (first + warp < work.count) judge(work, first + warp, registers[warp], work.arenas + slot * work.arena_size);
        // Those that are done wait for the others, who go on one instruction at a time.
        while (work.together && meet_block(false)) {}
    }
}

// Judges programs that only turn grids into grids.
KERNEL void __launch_bounds__(32 * WARPS_PER_BLOCK, BLOCKS) judge_straight(Work work) {
    __shared__ u64 powers[65];
    for (u32 k = threadIdx.x; k < 65; k += 32 * WARPS_PER_BLOCK) powers[k] = POWERS[k];
    __syncthreads();
    u32 warp = blockIdx.x * WARPS_PER_BLOCK + threadIdx.x / 32, warps = gridDim.x * WARPS_PER_BLOCK;
    for (u32 program = warp; program < work.count; program += warps) {
        if (work.tasks[work.programs[program].task].side <= 16) judge_straight_program<1>(work, program, powers);
        else judge_straight_program<2>(work, program, powers);
    }
}

// Runs items, each in an arena of its own that the host reads afterwards.
KERNEL void __launch_bounds__(32 * WARPS_PER_BLOCK, BLOCKS) run_items(Work work) {
    __shared__ Value registers[WARPS_PER_BLOCK][REGISTERS];
    u32 warp = threadIdx.x / 32;
    u32 slot = blockIdx.x * WARPS_PER_BLOCK + warp;
    if (slot >= work.count) return;
    Item item = work.items[slot];
    Run run;
    Ran ran;
    ran.value = run_on(work, run, item.program, item.sample, registers[warp], work.arenas + (u64)slot * work.arena_size, ran.step, ran.op);
    ran.fuel = work.slice - run.fuel;
    if (lane() == 0) work.ran[slot] = ran;
}
#endif
