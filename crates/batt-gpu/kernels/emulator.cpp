// Runs warps of the kernels on this machine.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <ucontext.h>
#include <vector>

#include "main.cu"

namespace emulator {

const u32 LANES = 32;
const size_t STACK = 256 * 1024;

thread_local u32 current_lane = 0;
thread_local u32 loops_by_lanes[2] = {0, 0};
// How many warps run at the same time, and how often this one has waited for others.
static thread_local u32 warps = 1;
static thread_local u64 waited = 0;

struct Warp {
#if defined(__x86_64__)
    void* stack_pointers[LANES + 1];
#else
    ucontext_t contexts[LANES + 1];
#endif
    u8* stacks;
    u64 words[2][LANES];
    u32 kinds[2][LANES];
    u32 round[LANES];
    bool done[LANES];
    bool backwards;
    void (*body)(void*);
    void* argument;
};

static thread_local Warp* warp = nullptr;

#if defined(__x86_64__)
// Saves what a function must keep on the stack, changes the stack, and takes the same back from there.
extern "C" void batt_switch(void** save, void* load);
asm(".text\n.globl batt_switch\n.type batt_switch,@function\nbatt_switch:\n"
    "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
    "movq %rsp,(%rdi)\nmovq %rsi,%rsp\n"
    "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n"
    ".size batt_switch,.-batt_switch\n");
static void go(u32 from, u32 to) { batt_switch(&warp->stack_pointers[from], warp->stack_pointers[to]); }
#else
static void go(u32 from, u32 to) { swapcontext(&warp->contexts[from], &warp->contexts[to]); }
#endif

// The lane whose turn it is after this one; where there is none, the place that started the warp.
static u32 after(u32 from) {
    for (u32 k = 1; k <= LANES; k++) {
        u32 next = warp->backwards ? (from + LANES - k) % LANES : (from + k) % LANES;
        if (!warp->done[next]) return next;
    }
    return LANES;
}

static void lane_main() {
    u32 me = current_lane;
    warp->body(warp->argument);
    warp->done[me] = true;
    u32 next = after(me);
    current_lane = next;
    go(me, next);
    abort();
}

const u64* meet(u32 kind, u64 mine) {
    u32 me = current_lane;
    u32 round = warp->round[me]++ & 1;
    warp->words[round][me] = mine;
    warp->kinds[round][me] = kind;
    u32 next = after(me);
    current_lane = next;
    if (next != me) go(me, next);
    for (u32 k = 0; k < LANES; k++) {
        if (warp->kinds[round][k] != kind || warp->round[k] < warp->round[me]) {
            fprintf(stderr, "lane %u is at collective %u, lane %u at %u\n", me, kind, k, warp->kinds[round][k]);
            abort();
        }
    }
    return warp->words[round];
}

void wait_for_others() {
    // Some seconds to minutes: more than any test lets a warp wait.
    const u64 LONG = 20000000;
    if (warps > 1 && ++waited < LONG) {
        std::this_thread::yield();
        return;
    }
    fprintf(stderr, "a warp waits for what no other will do\n");
    abort();
}

struct Stacks {
    u8* place = (u8*)aligned_alloc(64, LANES * STACK);
    ~Stacks() { free(place); }
};

static void run_warp(bool backwards, void (*body)(void*), void* argument) {
    static thread_local Stacks owned;
    u8* stacks = owned.place;
    Warp now;
    memset(&now, 0, sizeof now);
    now.stacks = stacks;
    now.backwards = backwards;
    now.body = body;
    now.argument = argument;
    warp = &now;
    for (u32 k = 0; k < LANES; k++) {
#if defined(__x86_64__)
        u64* top = (u64*)(stacks + (k + 1) * STACK);
        *--top = 0;  // Keeps the stack aligned as at a call.
        *--top = (u64)lane_main;
        for (u32 saved = 0; saved < 6; saved++) *--top = 0;
        now.stack_pointers[k] = top;
#else
        getcontext(&now.contexts[k]);
        now.contexts[k].uc_stack.ss_sp = stacks + k * STACK;
        now.contexts[k].uc_stack.ss_size = STACK;
        now.contexts[k].uc_link = nullptr;
        makecontext(&now.contexts[k], lane_main, 0);
#endif
    }
    u32 first = backwards ? LANES - 1 : 0;
    current_lane = first;
    go(LANES, first);
    warp = nullptr;
}

struct Call {
    const Work* work;
    u32 item;
};

static thread_local Value registers[REGISTERS];

const u32 WARPS_OF_A_BLOCK = 2;

struct NodesCall {
    const Work* work;
    Queue* queue;
};

static void run_nodes(void* argument) {
    const NodesCall* call = (const NodesCall*)argument;
    run_all_nodes(*call->work, call->queue, registers);
}

// Runs nodes by so many warps at the same time.
static void run_nodes_by(const Work& work, u32 count, bool backwards) {
    std::vector<Queue> queues(count / WARPS_OF_A_BLOCK + 1, Queue{TAKEN_AT_ONCE, 0});
    auto run = [&](u32 warp) {
        warps = count;
        waited = 0;
        NodesCall call = {&work, &queues[warp / WARPS_OF_A_BLOCK]};
        run_warp(backwards, run_nodes, &call);
    };
    std::vector<std::thread> others;
    for (u32 warp = 1; warp < count; warp++) others.emplace_back(run, warp);
    run(0);
    for (std::thread& other : others) other.join();
    warps = 1;
}

static void score_all_grid_pipelines(void* argument) {
    const Call* call = (const Call*)argument;
    for (u32 program = 0; program < call->work->count; program++) {
        if (call->work->tasks[call->work->programs[program].task].side <= 16) score_grid_pipeline<1>(*call->work, program);
        else score_grid_pipeline<2>(*call->work, program);
    }
}

static void run_item(void* argument) {
    const Call* call = (const Call*)argument;
    const Work& work = *call->work;
    Item item = work.items[call->item];
    Run run;
    ItemResult result;
    memset(&result, 0, sizeof result);
    result.value = run_on(work, run, item.program, item.sample, registers, work.arenas + (u64)call->item * work.arena_size, result.step, result.op);
    result.fuel = work.slice - run.fuel;
    sync();
    if (lane() == 0) work.results[call->item] = result;
}

}  // namespace emulator

// `backwards` lets the lanes take turns from the last to the first: what depends on their order shows.
extern "C" void batt_emulate_clear_slots(const Work* work) {
    for (u32 k = 0; k < work->slot_count; k++) work->slots[k].state = NOT_YET, work->needed[k] = 0;
}

extern "C" void batt_emulate_mark_nodes(const Work* work) {
    for (u32 k = 0; k < work->count; k++) mark_program(*work, k);
}

extern "C" void batt_emulate_run_nodes(const Work* work, bool backwards) {
    emulator::run_nodes_by(*work, work->warps ? work->warps : 1, backwards);
}

extern "C" void batt_emulate_score_programs(const Work* work) {
    for (u32 k = 0; k < work->count; k++) score_program(*work, k);
    work->control->tickets = 0;
}

extern "C" u32 batt_emulate_take_loops(bool refused) {
    u32 loops = emulator::loops_by_lanes[refused];
    emulator::loops_by_lanes[refused] = 0;
    return loops;
}

extern "C" void batt_emulate_score_grid_pipelines(const Work* work, bool backwards) {
    emulator::Call call = {work, 0};
    emulator::run_warp(backwards, emulator::score_all_grid_pipelines, &call);
}

extern "C" void batt_emulate_run_items(const Work* work, bool backwards) {
    for (u32 item = 0; item < work->count; item++) {
        emulator::Call call = {work, item};
        emulator::run_warp(backwards, emulator::run_item, &call);
    }
}
