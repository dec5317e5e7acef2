// What a launch works on, as the host lays it out.
#pragma once
#include "hash.cuh"

struct Instruction;

struct Sample {
    Value input, expected;
};

struct Task {
    u32 first_sample, demos, tests;
    // A program that cannot reach so many right demos, or as many and this score, is given up.
    u32 bar_right;
    u64 bar_score;
    u32 side;  // The longest side of its grids.
    u32 fuel;  // What a program may spend on a sample of it.
};

struct ProgramEntry {
    u32 code, task;
    u32 literals;  // Where the literals of its part of the batch begin.
    u16 length;    // Instructions.
    u16 constants; // Constants that are laid into the last registers; their words stand before the instructions.
};

// A program that shares its calls with others: the nodes that it comes to, in order.
struct CardProgram {
    u32 first_step, task;
    u32 output;     // The slot of what it gives, on the first sample of its task.
    u32 last_fuel;  // What it spends after its last step.
    u16 steps;
    u16 fails;  // Whether it has no answer, even if all steps have.
};

struct Step {
    u32 slot;  // Where its node leaves what it gives on the first sample.
    u32 fuel;  // What the program spends before it.
};

// A call, or a loop with all that its function does, of what other nodes give and of constants.
struct Node {
    u32 code;
    u32 words;  // Where its words begin: the slots of what it takes, and then constants, two to a word.
    u32 slot;   // Of the first sample of its task; the others follow.
    u32 task;
    u32 literals;
    u8 inputs, constants;
    u16 flags;
};

enum NodeFlag : u32 { IS_OUTPUT = 1, IS_INPUT = 2, IS_CALL = 4, IS_UNUSED = 8 };

// What a node gave on a sample.
struct Slot {
    Value value;
    Hash hash;  // Of the value.
    Hash call;  // Of what was called, and on what.
    u64 behaviour;  // What it adds to the hash of a program's behaviour, if it is what a program gives.
    u32 power;      // By which power of the factor the hash is multiplied before.
    u32 score;      // How much of it is as expected.
    u32 fuel;
    u32 state;      // How the node ended, see card.cuh; nothing as long as it has not.
    u32 ticks;      // How long that took, in units of 64 cycles.
    u32 same;       // Where the same call was made on the same values.
};

// So many places for nodes that neighbouring multiprocessors take together.
const u32 NEIGHBOURHOODS = 256;

// Counters that the kernels of a batch share.
struct Control {
    u32 tickets;  // Nodes that were taken.
    u32 chunks;    // Pieces of the heap that were taken.
    u32 full;      // Whether more were wanted than there are.
    u32 kept;      // Programs that the host is told all about.
    // By neighbourhood, the next node that it took and has not shared out, and below that, in 32 bits, how many rounds are left of these.
    u64 shares[NEIGHBOURHOODS];
};

enum State : u32 { KEPT, GIVEN_UP, LEFT_TO_HOST };

struct Judged {
    u64 behaviour;
    u32 score, fuel;
    u16 demos_right, evaluations, state, refused_by;
};

// A program that the host may keep.
struct Kept {
    u64 behaviour;
    u32 program, score, fuel, demos_right;
};

struct Item {
    u32 program, sample;
};

struct Ran {
    Value value;
    u64 fuel;
    u32 step, op;
};

// What a launch works on.
struct Work {
    const Instruction* code;
    const ProgramEntry* programs;
    const Value* literals;
    const Task* tasks;
    const Sample* samples;
    const Item* items;
    u8* arenas;
    Judged* judged;
    Ran* ran;
    u64 fuel;   // What a program may spend on a sample, unless its task says less.
    u64 slice;  // What a node may spend on it here: if it needs more, programs that come to it are left to the host.
    const u8* rows;  // Samples as rows of four bits a cell, see straight.cuh.
    const CardProgram* cards;
    const Node* nodes;
    const u32* words;
    const u32* order;  // The nodes, each after those that it takes.
    const Step* steps;
    Slot* slots;
    u32* needed;  // By the first slot of a node, the last phase that needs it.
    Control* control;
    u32* calls;  // Slots by the hash of what was called, one more than their numbers; nothing where there is none.
    u8* heap;
    u64 heap_size;
    u32* firsts;       // By what programs do, one more than the number of the first that does it.
    const u16* sizes;  // By program, its calls.
    u32* briefs;       // By program, what the host is told about each: see dedupe.cuh.
    Kept* kept;
    u32 arena_size, chunk_size, count;
    u32 node_count, slot_count;
    u32 warps;
    u32 phase;  // From 1 on.
    // The samples of the phase: some demos, or the tests.
    u32 first_demo, last_demo, with_tests;
    u32 groups;  // How many warps share the samples of a node.
    u32 calls_mask;  // One less than the length of `calls`.
    u32 steps_each;  // How many instructions a node may do on a sample.
    u32 stragglers;  // How many warps of a block may still be at older nodes when it takes more.
    u32 all_programs;  // Those that share their calls, of which there are `count`, and the straight ones behind them.
    u32 firsts_mask;   // One less than the length of `firsts`.
    u32 lists_all;     // Whether the host is told all about every program that was judged.
    u32 unused;
};
