// Generated: `UPDATE_EXPECT=1 cargo test -p batt-gpu` writes it.
#pragma once
#include "platform.cuh"

struct alignas(16) Value {
    u32 head;
    u32 aux;
    u64 bits;
};
static_assert(sizeof(Value) == 16, "the host has another size");
static_assert(OFFSET_OF(Value, head) == 0, "the host has another place");
static_assert(OFFSET_OF(Value, aux) == 4, "the host has another place");
static_assert(OFFSET_OF(Value, bits) == 8, "the host has another place");

struct Hash {
    u64 low;
    u64 high;
};
static_assert(sizeof(Hash) == 16, "the host has another size");
static_assert(OFFSET_OF(Hash, low) == 0, "the host has another place");
static_assert(OFFSET_OF(Hash, high) == 8, "the host has another place");

struct alignas(16) Instruction {
    u16 op;
    u16 target;
    u16 args[4];
    u16 jump;
    u16 step;
};
static_assert(sizeof(Instruction) == 16, "the host has another size");
static_assert(OFFSET_OF(Instruction, op) == 0, "the host has another place");
static_assert(OFFSET_OF(Instruction, target) == 2, "the host has another place");
static_assert(OFFSET_OF(Instruction, args) == 4, "the host has another place");
static_assert(OFFSET_OF(Instruction, jump) == 12, "the host has another place");
static_assert(OFFSET_OF(Instruction, step) == 14, "the host has another place");

struct Sample {
    Value input;
    Value expected;
};
static_assert(sizeof(Sample) == 32, "the host has another size");
static_assert(OFFSET_OF(Sample, input) == 0, "the host has another place");
static_assert(OFFSET_OF(Sample, expected) == 16, "the host has another place");

struct Task {
    u32 first_sample;
    u32 demos;
    u32 tests;
    u32 bar_right;
    u64 bar_score;
    u32 side;
    u32 fuel;
};
static_assert(sizeof(Task) == 32, "the host has another size");
static_assert(OFFSET_OF(Task, first_sample) == 0, "the host has another place");
static_assert(OFFSET_OF(Task, demos) == 4, "the host has another place");
static_assert(OFFSET_OF(Task, tests) == 8, "the host has another place");
static_assert(OFFSET_OF(Task, bar_right) == 12, "the host has another place");
static_assert(OFFSET_OF(Task, bar_score) == 16, "the host has another place");
static_assert(OFFSET_OF(Task, side) == 24, "the host has another place");
static_assert(OFFSET_OF(Task, fuel) == 28, "the host has another place");

struct Program {
    u32 code;
    u32 task;
    u32 literals;
    u16 length;
    u16 constants;
};
static_assert(sizeof(Program) == 16, "the host has another size");
static_assert(OFFSET_OF(Program, code) == 0, "the host has another place");
static_assert(OFFSET_OF(Program, task) == 4, "the host has another place");
static_assert(OFFSET_OF(Program, literals) == 8, "the host has another place");
static_assert(OFFSET_OF(Program, length) == 12, "the host has another place");
static_assert(OFFSET_OF(Program, constants) == 14, "the host has another place");

struct GraphProgram {
    u32 first_step;
    u32 task;
    u32 output;
    u32 last_fuel;
    u16 steps;
    u16 fails;
};
static_assert(sizeof(GraphProgram) == 20, "the host has another size");
static_assert(OFFSET_OF(GraphProgram, first_step) == 0, "the host has another place");
static_assert(OFFSET_OF(GraphProgram, task) == 4, "the host has another place");
static_assert(OFFSET_OF(GraphProgram, output) == 8, "the host has another place");
static_assert(OFFSET_OF(GraphProgram, last_fuel) == 12, "the host has another place");
static_assert(OFFSET_OF(GraphProgram, steps) == 16, "the host has another place");
static_assert(OFFSET_OF(GraphProgram, fails) == 18, "the host has another place");

struct Step {
    u32 slot;
    u32 fuel;
};
static_assert(sizeof(Step) == 8, "the host has another size");
static_assert(OFFSET_OF(Step, slot) == 0, "the host has another place");
static_assert(OFFSET_OF(Step, fuel) == 4, "the host has another place");

struct Node {
    u32 code;
    u32 words;
    u32 slot;
    u32 task;
    u32 literals;
    u8 inputs;
    u8 constants;
    u16 flags;
};
static_assert(sizeof(Node) == 24, "the host has another size");
static_assert(OFFSET_OF(Node, code) == 0, "the host has another place");
static_assert(OFFSET_OF(Node, words) == 4, "the host has another place");
static_assert(OFFSET_OF(Node, slot) == 8, "the host has another place");
static_assert(OFFSET_OF(Node, task) == 12, "the host has another place");
static_assert(OFFSET_OF(Node, literals) == 16, "the host has another place");
static_assert(OFFSET_OF(Node, inputs) == 20, "the host has another place");
static_assert(OFFSET_OF(Node, constants) == 21, "the host has another place");
static_assert(OFFSET_OF(Node, flags) == 22, "the host has another place");

struct Slot {
    Value value;
    Hash behaviour;
    u32 fuel;
    u32 state;
    u32 score;
    u32 unused;
};
static_assert(sizeof(Slot) == 48, "the host has another size");
static_assert(OFFSET_OF(Slot, value) == 0, "the host has another place");
static_assert(OFFSET_OF(Slot, behaviour) == 16, "the host has another place");
static_assert(OFFSET_OF(Slot, fuel) == 32, "the host has another place");
static_assert(OFFSET_OF(Slot, state) == 36, "the host has another place");
static_assert(OFFSET_OF(Slot, score) == 40, "the host has another place");
static_assert(OFFSET_OF(Slot, unused) == 44, "the host has another place");

struct Control {
    u32 tickets;
    u32 chunks;
    u32 full;
    u32 unused;
};
static_assert(sizeof(Control) == 16, "the host has another size");
static_assert(OFFSET_OF(Control, tickets) == 0, "the host has another place");
static_assert(OFFSET_OF(Control, chunks) == 4, "the host has another place");
static_assert(OFFSET_OF(Control, full) == 8, "the host has another place");
static_assert(OFFSET_OF(Control, unused) == 12, "the host has another place");

struct Score {
    Hash behaviour;
    u32 score;
    u32 fuel;
    u16 demos_right;
    u16 evaluations;
    u16 state;
    u16 refused_by;
};
static_assert(sizeof(Score) == 32, "the host has another size");
static_assert(OFFSET_OF(Score, behaviour) == 0, "the host has another place");
static_assert(OFFSET_OF(Score, score) == 16, "the host has another place");
static_assert(OFFSET_OF(Score, fuel) == 20, "the host has another place");
static_assert(OFFSET_OF(Score, demos_right) == 24, "the host has another place");
static_assert(OFFSET_OF(Score, evaluations) == 26, "the host has another place");
static_assert(OFFSET_OF(Score, state) == 28, "the host has another place");
static_assert(OFFSET_OF(Score, refused_by) == 30, "the host has another place");

struct Item {
    u32 program;
    u32 sample;
};
static_assert(sizeof(Item) == 8, "the host has another size");
static_assert(OFFSET_OF(Item, program) == 0, "the host has another place");
static_assert(OFFSET_OF(Item, sample) == 4, "the host has another place");

struct ItemResult {
    Value value;
    u64 fuel;
    u32 step;
    u32 op;
};
static_assert(sizeof(ItemResult) == 32, "the host has another size");
static_assert(OFFSET_OF(ItemResult, value) == 0, "the host has another place");
static_assert(OFFSET_OF(ItemResult, fuel) == 16, "the host has another place");
static_assert(OFFSET_OF(ItemResult, step) == 24, "the host has another place");
static_assert(OFFSET_OF(ItemResult, op) == 28, "the host has another place");

struct Work {
    Instruction* code;
    Program* programs;
    Value* literals;
    Task* tasks;
    Sample* samples;
    Item* items;
    u8* arenas;
    Score* scores;
    ItemResult* results;
    u64 fuel;
    u64 slice;
    u8* rows;
    GraphProgram* graph_programs;
    Node* nodes;
    u32* words;
    u32* order;
    Step* steps;
    Slot* slots;
    u32* needed;
    Control* control;
    u8* heap;
    u64 heap_size;
    u32 arena_size;
    u32 chunk_size;
    u32 count;
    u32 node_count;
    u32 slot_count;
    u32 warps;
    u32 phase;
    u32 first_demo;
    u32 last_demo;
    u32 with_tests;
    u32 groups;
    u32 steps_each;
};
static_assert(sizeof(Work) == 224, "the host has another size");
static_assert(OFFSET_OF(Work, code) == 0, "the host has another place");
static_assert(OFFSET_OF(Work, programs) == 8, "the host has another place");
static_assert(OFFSET_OF(Work, literals) == 16, "the host has another place");
static_assert(OFFSET_OF(Work, tasks) == 24, "the host has another place");
static_assert(OFFSET_OF(Work, samples) == 32, "the host has another place");
static_assert(OFFSET_OF(Work, items) == 40, "the host has another place");
static_assert(OFFSET_OF(Work, arenas) == 48, "the host has another place");
static_assert(OFFSET_OF(Work, scores) == 56, "the host has another place");
static_assert(OFFSET_OF(Work, results) == 64, "the host has another place");
static_assert(OFFSET_OF(Work, fuel) == 72, "the host has another place");
static_assert(OFFSET_OF(Work, slice) == 80, "the host has another place");
static_assert(OFFSET_OF(Work, rows) == 88, "the host has another place");
static_assert(OFFSET_OF(Work, graph_programs) == 96, "the host has another place");
static_assert(OFFSET_OF(Work, nodes) == 104, "the host has another place");
static_assert(OFFSET_OF(Work, words) == 112, "the host has another place");
static_assert(OFFSET_OF(Work, order) == 120, "the host has another place");
static_assert(OFFSET_OF(Work, steps) == 128, "the host has another place");
static_assert(OFFSET_OF(Work, slots) == 136, "the host has another place");
static_assert(OFFSET_OF(Work, needed) == 144, "the host has another place");
static_assert(OFFSET_OF(Work, control) == 152, "the host has another place");
static_assert(OFFSET_OF(Work, heap) == 160, "the host has another place");
static_assert(OFFSET_OF(Work, heap_size) == 168, "the host has another place");
static_assert(OFFSET_OF(Work, arena_size) == 176, "the host has another place");
static_assert(OFFSET_OF(Work, chunk_size) == 180, "the host has another place");
static_assert(OFFSET_OF(Work, count) == 184, "the host has another place");
static_assert(OFFSET_OF(Work, node_count) == 188, "the host has another place");
static_assert(OFFSET_OF(Work, slot_count) == 192, "the host has another place");
static_assert(OFFSET_OF(Work, warps) == 196, "the host has another place");
static_assert(OFFSET_OF(Work, phase) == 200, "the host has another place");
static_assert(OFFSET_OF(Work, first_demo) == 204, "the host has another place");
static_assert(OFFSET_OF(Work, last_demo) == 208, "the host has another place");
static_assert(OFFSET_OF(Work, with_tests) == 212, "the host has another place");
static_assert(OFFSET_OF(Work, groups) == 216, "the host has another place");
static_assert(OFFSET_OF(Work, steps_each) == 220, "the host has another place");
