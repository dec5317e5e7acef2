// What a launch works on, as the host lays it out.
#pragma once
#include "value.cuh"

struct Instruction;

struct Sample {
    Value input, expected;
};

struct Task {
    u32 first_sample, demos, tests;
    // A program that cannot reach so many right demos, or as many and this score, is given up.
    u32 bar_right;
    u64 bar_score;
    u32 side, unused;  // The longest side of its grids.
};

struct ProgramEntry {
    u32 code, task;
    u32 literals;  // Where the literals of its part of the batch begin.
    u16 length;    // Instructions.
    u16 constants; // Constants that are laid into the last registers; their words stand before the instructions.
};

enum State : u32 { KEPT, GIVEN_UP, LEFT_TO_HOST };

struct Judged {
    u64 behaviour;
    u32 score, fuel;
    u16 demos_right, evaluations, state, refused_by;
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
    u32* ticket;
    Judged* judged;
    Ran* ran;
    u64 fuel;   // What a program may spend on a sample.
    u64 slice;  // What it may spend on it here: if it needs more, it is left to the host.
    const u8* rows;  // Samples as rows of four bits a cell, see straight.cuh.
    u32 arena_size, count;
    u32 warps;  // Warps that there are arenas for.
    u32 together;  // Whether the warps of a block do an instruction each at a time.
};
