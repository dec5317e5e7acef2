// Many programs as one graph. A warp takes nodes in topological order, waits for their arguments, and publishes their values. Nodes that
// are done at a time do the same: warps read the same text of the kernels.
#pragma once
#include "interpreter.cuh"
#include "score.cuh"

enum NodeFlag : u32 { IS_OUTPUT = 1, IS_INPUT = 2, IS_CALL = 4, IS_UNUSED = 8 };

// How a node ended; above these 8 bits, the primitive that left it to the host.
enum Ending : u32 {
    NOT_YET,
    GAVE,       // It has a value.
    HAS_NONE,   // It is undefined.
    LEFT,       // The device does not care for what it met.
    SPENT,      // It needs more fuel than it may spend here.
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
DEVICE_CALL Value keep(Run& run, Value v) {
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

// Waits for a slot.
DEVICE const Slot* await_slot(const Work& work, u32 place, u32& state) {
    const Slot* slot = work.slots + place;
    while ((state = look_at(&slot->state)) == NOT_YET) pause();
    return slot;
}

// What a value is worth as what a program gives; `expected` is null for a test.
DEVICE_CALL void score_output(Slot* slot, Value value, const Value* expected) {
    bool answer = is_answer(value);
    Hash behaviour = answer ? digest_of_answer(value) : digest_of_none();
    u32 score = expected ? agreement(value, answer, *expected) : 0;
    if (lane() == 0) {
        slot->behaviour = behaviour;
        slot->score = score;
    }
}

// Runs a node on sample `k` of its task.
DEVICE void run_node(const Work& work, Heap& heap, Node node, u32 k, Value* registers) {
    u32 place = node.slot + k;
    Slot* slot = work.slots + place;
    Value value = nothing();
    u32 ending = GAVE, fuel = 0, step, op = 0;
    sync();
    if (node.flags & IS_INPUT) {
        value = work.samples[work.tasks[node.task].first_sample + k].input;
    } else {
        bool reached = true;
        const u32* words = work.words + node.words;
        // Each lane has an input or a constant.
        u32 c = lane() - node.inputs;
        if (lane() < node.inputs) {
            u32 state;
            const Slot* input = await_slot(work, words[lane()] + k, state);
            reached = ending_of(state) == GAVE;
            uint4 bits = fresh(&input->value);
            registers[lane()] = value_of(bits.x & 0xFFu, bits.x >> 8, bits.y, (u64)bits.w << 32 | bits.z);
        } else if (c < node.constants) {
            u32 pair = words[node.inputs + c / 2];
            registers[REGISTERS - 1 - c] = constant_of((u16)(c & 1 ? pair >> 16 : pair), work.literals + node.literals);
        }
        sync();
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
            run.steps = work.steps_each;
            sync();
            if (node.flags & IS_CALL) {
                Instruction call = work.code[node.code];
                op = call.op & 0xFFFu;
                value = call_primitive(run, call, registers);
            } else {
                value = run_program(run, work.code + node.code, registers, step, op);
            }
            fuel = (u32)work.slice - run.fuel;
            if (is_value(value)) {
                value = keep(run, value);
                u32 used = (run.top + LINE - 1) & ~(LINE - 1);
                heap.place += used;
                heap.left -= used;
            } else if (tag(value) == OUT_OF_FUEL && (run.fuel || !run.steps)) {
                // It did too many instructions: what it would have spent is not known.
                ending = LEFT;
                op = TOO_LONG;
            } else {
                ending = tag(value) == UNDEFINED ? HAS_NONE : tag(value) == OUT_OF_FUEL ? SPENT : LEFT;
            }
        }
    }
    if (ending == GAVE && node.flags & IS_OUTPUT) {
        const Task& task = work.tasks[node.task];
        const Value* expected = k < task.demos ? &work.samples[task.first_sample + k].expected : nullptr;
        score_output(slot, value, expected);
    }
    sync();
    if (lane() == 0) {
        slot->value = value;
        slot->fuel = fuel;
        publish_word(&slot->state, ending | op << 8);
    }
}

// The samples of a task that belong to a phase.
DEVICE void samples_of(const Work& work, const Task& task, u32& first, u32& end) {
    first = work.with_tests ? task.demos : work.first_demo;
    end = work.with_tests ? task.demos + task.tests : min_of(work.last_demo, task.demos);
}

// Nodes that the warps of a block take. A block takes many adjacent nodes, because they call the same primitive, and more only when nearly
// all of these are done. So the machine code that the warps of a multiprocessor execute at a time fits its instruction cache. Those that
// are left over go on beside the next ones, and nobody waits for them any more.
const u32 TAKEN_AT_ONCE = 32;
// Of these, so many may still run when the block takes others.
const u32 STRAGGLERS = 4;
// In the place of how many were taken: a warp is taking more for the block.
const u32 BEING_TAKEN = TAKEN_AT_ONCE + 1;
struct Queue {
    u64 tickets;  // The first node that the block took last, and below that, in 32 bits, how many of these its warps took.
    u32 round;    // How often the block took nodes, and below that, in 8 bits, how many of the last are not done.
};

// The next node for this warp, and in which round the block took it.
DEVICE_CALL u32 next_ticket(Control* control, Queue* queue, u32& round) {
    u32 ticket = 0;
    if (lane() == 0) {
        for (;;) {
            u64 seen = look_near(&queue->tickets);
            u32 taken = (u32)seen;
            if (taken < TAKEN_AT_ONCE) {
                ticket = (u32)(seen >> 32) + taken;
                round = look_at(&queue->round) >> 8;
                if (exchange_if(&queue->tickets, seen, seen + 1) == seen) break;
            } else if (taken == TAKEN_AT_ONCE && (look_at(&queue->round) & 0xFFu) <= STRAGGLERS) {
                if (exchange_if(&queue->tickets, seen, BEING_TAKEN) != seen) continue;
                ticket = take_tickets(&control->tickets, TAKEN_AT_ONCE);
                round = (look_at(&queue->round) >> 8) + 1;
                exchange_word(&queue->round, round << 8 | TAKEN_AT_ONCE);
                exchange_if(&queue->tickets, BEING_TAKEN, (u64)ticket << 32 | 1);
                break;
            } else {
                pause();
            }
        }
    }
    return shuffle(ticket, 0);
}

// Says that a node of a round is done.
DEVICE void leave_round(Queue* queue, u32 round) {
    if (lane() != 0) return;
    for (;;) {
        u32 seen = look_at(&queue->round);
        if (seen >> 8 != round || exchange_word_if(&queue->round, seen, seen - 1) == seen) return;
    }
}

// Takes nodes until there are none left.
DEVICE void run_all_nodes(const Work& work, Queue* queue, Value* registers) {
    Heap heap;
    heap.place = nullptr;
    heap.left = 0;
    u32 all_of_them = work.node_count * work.groups;
    for (;;) {
        u32 round = 0;
        u32 ticket = next_ticket(work.control, queue, round);
        if (ticket < all_of_them) {
            Node node = work.nodes[work.order[ticket / work.groups]];
            bool wanted = work.phase == 1 ? !(node.flags & IS_UNUSED) : work.needed[node.slot] == work.phase || node.flags & IS_INPUT;
            if (wanted) {
                u32 first, end;
                samples_of(work, work.tasks[node.task], first, end);
                for (u32 k = first + ticket % work.groups; k < end; k += work.groups) run_node(work, heap, node, k, registers);
            }
        }
        sync();
        leave_round(queue, round);
        if (ticket >= all_of_them) return;
    }
}

// Marks the nodes of a program that is still in question. One thread.
DEVICE void mark_program(const Work& work, u32 index) {
    GraphProgram program = work.graph_programs[index];
    const Score& score = work.scores[index];
    Task task = work.tasks[program.task];
    u32 first, end;
    samples_of(work, task, first, end);
    if (score.state != KEPT || first >= end || (work.with_tests && score.demos_right < task.demos)) return;
    for (u32 k = 0; k < program.steps; k++) work.needed[work.steps[program.first_step + k].slot] = work.phase;
}

// How a program that may spend so much did on a sample: whether it has a value, and what it spent; else LEFT and by what.
DEVICE u32 follow(const Work& work, const GraphProgram& program, u32 k, u64 most, u64& fuel, u32& op) {
    fuel = 0;
    for (u32 t = 0; t < program.steps; t++) {
        Step step = work.steps[program.first_step + t];
        const Slot& slot = work.slots[step.slot + k];
        u32 ending = ending_of(slot.state);
        op = slot.state >> 8;
        if (ending == SPENT && work.slice < most) {
            op = TOO_LONG;
            return LEFT;
        }
        if (ending == LEFT) return LEFT;
        fuel += step.fuel + slot.fuel;
        if (fuel > most || ending == SPENT) {
            fuel = most;
            return HAS_NONE;
        }
        if (ending != GAVE) return HAS_NONE;
    }
    fuel += program.last_fuel;
    if (fuel > most) {
        fuel = most;
        return HAS_NONE;
    }
    return program.fails ? HAS_NONE : GAVE;
}

// Scores a program by the results of its nodes, as far as it can still be kept. One thread.
DEVICE void score_program(const Work& work, u32 index) {
    GraphProgram program = work.graph_programs[index];
    Task task = work.tasks[program.task];
    Score total = work.phase == 1 ? no_score() : work.scores[index];
    u32 first, end;
    samples_of(work, task, first, end);
    for (u32 k = first; k < end && total.state == KEPT; k++) {
        bool demo = k < task.demos;
        if (!demo && total.demos_right < task.demos) break;
        u64 fuel;
        u32 op = 0;
        u32 ending = follow(work, program, k, task.fuel, fuel, op);
        total.evaluations++;
        if (ending == LEFT) {
            total.state = LEFT_TO_HOST;
            total.refused_by = (u16)op;
            break;
        }
        const Slot& output = work.slots[program.output + k];
        total.behaviour = digest_then(total.behaviour, ending == GAVE ? output.behaviour : digest_of_none());
        if (demo) add_demo(total, task, k, ending == GAVE ? output.score : 0, (u32)fuel);
    }
    work.scores[index] = total;
}
