// The kernels.
#include "graph.cuh"
#include "grid_pipeline.cuh"

// Runs one program on one sample; `run` comes back with what fuel is left.
DEVICE Value run_on(const Work& work, Run& run, u32 program, u32 sample, Value* registers, u8* arena, u32& step, u32& op) {
    run.arena = arena;
    run.top = 0;
    run.size = work.arena_size;
    run.fuel = (u32)work.slice;
    run.steps = 0xFFFFFFFFu;
    Program entry = work.programs[program];
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

#ifdef __CUDACC_RTC__
const u32 WARPS_PER_BLOCK = 32;
// Registers are for one such block on a multiprocessor.
const u32 BLOCKS = 1;

// Empties the slots.
KERNEL void __launch_bounds__(32 * WARPS_PER_BLOCK, BLOCKS) clear_slots(Work work) {
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (u32 k = thread; k < work.slot_count; k += threads) {
        work.slots[k].state = NOT_YET;
        work.needed[k] = 0;
    }
}

KERNEL void __launch_bounds__(32 * WARPS_PER_BLOCK, BLOCKS) mark_nodes(Work work) {
    for (u32 k = blockIdx.x * blockDim.x + threadIdx.x; k < work.count; k += gridDim.x * blockDim.x) mark_program(work, k);
}

KERNEL void __launch_bounds__(32 * WARPS_PER_BLOCK, BLOCKS) run_nodes(Work work) {
    __shared__ Value registers[WARPS_PER_BLOCK][REGISTERS];
    __shared__ Queue queue;
    if (threadIdx.x == 0) queue.tickets = TAKEN_AT_ONCE, queue.round = 0;
    __syncthreads();
    run_all_nodes(work, &queue, registers[threadIdx.x / 32]);
}

KERNEL void __launch_bounds__(32 * WARPS_PER_BLOCK, BLOCKS) score_programs(Work work) {
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (u32 k = thread; k < work.count; k += gridDim.x * blockDim.x) score_program(work, k);
    if (thread == 0) work.control->tickets = 0;
}

// Scores programs that only transform whole grids.
KERNEL void __launch_bounds__(32 * WARPS_PER_BLOCK, BLOCKS) score_grid_pipelines(Work work) {
    u32 warp = blockIdx.x * WARPS_PER_BLOCK + threadIdx.x / 32, warps = gridDim.x * WARPS_PER_BLOCK;
    for (u32 program = warp; program < work.count; program += warps) {
        if (work.tasks[work.programs[program].task].side <= 16) score_grid_pipeline<1>(work, program);
        else score_grid_pipeline<2>(work, program);
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
    ItemResult result;
    result.value = run_on(work, run, item.program, item.sample, registers[warp], work.arenas + (u64)slot * work.arena_size, result.step, result.op);
    result.fuel = work.slice - run.fuel;
    if (lane() == 0) work.results[slot] = result;
}
#endif
