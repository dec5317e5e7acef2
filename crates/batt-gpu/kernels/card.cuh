// Many programs as one graph. A warp takes nodes in an order in which each comes after those that it takes, waits until these are there,
// and leaves what it gives for others. Nodes that are done at a time do the same: warps read the same text of the kernels.
#pragma once
#include "interpreter.cuh"
#include "score.cuh"
#include "work.cuh"

// How a node ended; above these 8 bits, the primitive that left it to the host.
enum Ending : u32 {
    NOT_YET,
    GAVE,       // It has a value.
    HAS_NONE,   // It is undefined.
    LEFT,       // The device does not care for what it met.
    SPENT,      // It needs more fuel than there is.
    UNREACHED,  // Something that it takes did not give a value.
};

DEVICE u32 ending_of(u32 state) { return state & 0xFFu; }

// Memory of a warp, of which what nodes give is taken. It begins at a line of what a multiprocessor keeps near, and so does all that is
// taken: nobody else has read a line of it before it is written.
struct Heap {
    u8* place;
    u32 left;
};
const u32 LINE = 128;

// Sees that there is memory for a run; false when there is none left.
DEVICE bool refill(const Work& work, Heap& heap) {
    if (heap.left >= work.arena_size) return true;
    u32 chunk = shuffle(lane() == 0 ? take_tickets(&work.control->chunks, 1) : 0, 0);
    if ((u64)(chunk + 1) * work.chunk_size > work.heap_size) {
        if (lane() == 0) work.control->full = 1;
        return false;
    }
    heap.place = work.heap + (u64)chunk * work.chunk_size;
    heap.left = work.chunk_size;
    return true;
}

// Keeps what a run gave and frees the rest of its memory.
DEVICE Value keep(Run& run, Value v) {
    u8* from = (u8*)v.bits;
    bool general = tag(v) == TUPLE || tag(v) == SET;
    if (general && (count(v) == 0 || from < run.arena || from >= run.arena + run.top)) {
        run.top = 0;
        return v;
    }
    u32 mark = 0;
    v = settle(run, mark, v);
    run.top = mark;
    return v;
}

// Runs a node on sample `k` of its task.
DEVICE void run_node(const Work& work, Heap& heap, Node node, u32 k, Value* registers) {
    Slot* slot = work.slots + node.slot + k;
    Value value = nothing();
    u32 ending = GAVE, fuel = 0, step, op = 0;
    sync();
    if (node.flags & IS_INPUT) {
        value = work.samples[work.tasks[node.task].first_sample + k].input;
    } else {
        bool reached = true;
        const u32* words = work.words + node.words;
        if (lane() < node.inputs) {
            const Slot* input = work.slots + words[lane()] + k;
            reached = ending_of(await_word(&input->state)) == GAVE;
            uint4 bits = fresh(&input->value);
            registers[lane()] = value_of(bits.x & 0xFFu, bits.x >> 8, bits.y, (u64)bits.w << 32 | bits.z);
        }
        for (u32 c = lane(); c < node.constants; c += 32) {
            u32 pair = words[node.inputs + c / 2];
            registers[REGISTERS - 1 - c] = constant_of((u16)(c & 1 ? pair >> 16 : pair), work.literals + node.literals);
        }
        reached = all(reached);
        if (!reached) {
            ending = UNREACHED;
        } else if (!refill(work, heap)) {
            ending = LEFT;
        } else {
            Run run;
            run.arena = heap.place;
            run.top = 0;
            run.size = work.arena_size;
            run.fuel = (u32)work.slice;
            value = run_program(run, work.code + node.code, registers, step, op);
            fuel = (u32)work.slice - run.fuel;
            if (is_value(value)) {
                value = keep(run, value);
                u32 used = (run.top + LINE - 1) & ~(LINE - 1);
                heap.place += used;
                heap.left -= used;
            } else {
                ending = tag(value) == UNDEFINED ? HAS_NONE : tag(value) == OUT_OF_FUEL ? SPENT : LEFT;
            }
        }
    }
    u64 behaviour = 0;
    u32 power = 1, score = 0;
    if (node.flags & IS_OUTPUT && ending == GAVE) {
        Task task = work.tasks[node.task];
        bool answer = is_answer(value);
        behaviour = behave(0, value, answer);
        if (answer) power = 1 + height_of(value) * (width_of(value) > 16 ? 2 : 1);
        if (k < task.demos) score = agreement(value, answer, work.samples[task.first_sample + k].expected);
    }
    sync();
    if (lane() == 0) {
        slot->value = value;
        slot->behaviour = behaviour;
        slot->power = power;
        slot->score = score;
        slot->fuel = fuel;
        publish_word(&slot->state, ending | op << 8);
    }
}

// The samples of a task that belong to a phase.
DEVICE void samples_of(const Work& work, const Task& task, u32& first, u32& end) {
    first = work.with_tests ? task.demos : work.first_demo;
    end = work.with_tests ? task.demos + task.tests : min_of(work.last_demo, task.demos);
}

// Takes nodes until there are none left.
DEVICE void run_all_nodes(const Work& work, Value* registers) {
    Heap heap;
    heap.place = nullptr;
    heap.left = 0;
    u32 all_of_them = work.node_count * work.groups;
    for (;;) {
        u32 ticket = shuffle(lane() == 0 ? take_tickets(&work.control->tickets[work.phase], 1) : 0, 0);
        if (ticket >= all_of_them) return;
        u32 index = work.order[ticket / work.groups];
        Node node = work.nodes[index];
        if (work.phase > 1 && work.needed[index] != work.phase && !(node.flags & IS_INPUT)) continue;
        u32 first, end;
        samples_of(work, work.tasks[node.task], first, end);
        for (u32 k = first + ticket % work.groups; k < end; k += work.groups) run_node(work, heap, node, k, registers);
    }
}

// Marks the nodes of a program that is still in question. One thread.
DEVICE void mark_card(const Work& work, u32 index) {
    CardProgram program = work.cards[index];
    const Judged& judged = work.judged[index];
    Task task = work.tasks[program.task];
    u32 first, end;
    samples_of(work, task, first, end);
    if (judged.state != KEPT || first >= end || (work.with_tests && judged.demos_right < task.demos)) return;
    for (u32 k = 0; k < program.steps; k++) work.needed[work.steps[program.first_step + k].node] = work.phase;
}

// How a program did on a sample: whether it has a value, and what it spent; else LEFT and by what.
DEVICE u32 follow(const Work& work, const CardProgram& program, u32 k, u64& fuel, u32& op) {
    fuel = 0;
    for (u32 t = 0; t < program.steps; t++) {
        Step step = work.steps[program.first_step + t];
        const Slot& slot = work.slots[step.slot + k];
        u32 ending = ending_of(slot.state);
        op = slot.state >> 8;
        if (ending == SPENT && work.slice < work.fuel) {
            op = TOO_LONG;
            return LEFT;
        }
        if (ending == LEFT) return LEFT;
        fuel += step.fuel + slot.fuel;
        if (fuel > work.fuel || ending == SPENT) {
            fuel = work.fuel;
            return HAS_NONE;
        }
        if (ending != GAVE) return HAS_NONE;
    }
    fuel += program.last_fuel;
    if (fuel > work.fuel) {
        fuel = work.fuel;
        return HAS_NONE;
    }
    return program.fails ? HAS_NONE : GAVE;
}

// Judges a program by what its nodes gave, as far as it can still be kept. One thread.
DEVICE void judge_card(const Work& work, u32 index) {
    CardProgram program = work.cards[index];
    Task task = work.tasks[program.task];
    Judged judged;
    if (work.phase == 1) {
        judged.behaviour = 0;
        judged.score = judged.fuel = 0;
        judged.demos_right = judged.evaluations = judged.refused_by = 0;
        judged.state = KEPT;
    } else {
        judged = work.judged[index];
    }
    u32 first, end;
    samples_of(work, task, first, end);
    for (u32 k = first; k < end && judged.state == KEPT; k++) {
        bool demo = k < task.demos;
        if (!demo && judged.demos_right < task.demos) break;
        u64 fuel;
        u32 op = 0;
        u32 ending = follow(work, program, k, fuel, op);
        judged.evaluations++;
        if (ending == LEFT) {
            judged.state = LEFT_TO_HOST;
            judged.refused_by = (u16)op;
            break;
        }
        const Slot& output = work.slots[program.output + k];
        if (ending == GAVE) judged.behaviour = judged.behaviour * POWERS[output.power] + output.behaviour;
        else judged.behaviour = (judged.behaviour + NO_ANSWER) * POWERS[1];
        if (!demo) continue;
        u32 score = ending == GAVE ? output.score : 0;
        judged.fuel += (u32)fuel;
        judged.demos_right += score == FULL_SCORE;
        judged.score += score;
        u32 left = task.demos - 1 - k, reach = judged.demos_right + left;
        if (reach < task.bar_right || (reach == task.bar_right && judged.score + left * FULL_SCORE < task.bar_score)) judged.state = GIVEN_UP;
    }
    work.judged[index] = judged;
}
