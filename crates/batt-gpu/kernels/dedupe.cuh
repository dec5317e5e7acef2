// Which programs come back to the host: of those that do the same on a task, the first, and those that cost less than it. Of the others the
// host need not know more than that it could not keep them.
#pragma once
#include "card.cuh"

DEVICE u32 task_of(const Work& work, u32 program) {
    return program < work.count ? work.cards[program].task : work.programs[program - work.count].task;
}

// Whether two programs do the same, and are of the same kind: the numbers of those are in the order in which the host has them, and a
// program that comes first there may be kept before another takes its place.
DEVICE bool do_the_same(const Work& work, u32 a, u32 b) {
    return (a < work.count) == (b < work.count) && work.judged[a].behaviour == work.judged[b].behaviour && task_of(work, a) == task_of(work, b);
}

DEVICE u32 place_of_first(const Work& work, u32 program) {
    return (u32)mixed(work.judged[program].behaviour + task_of(work, program) * 0x9E3779B97F4A7C15ull) & work.firsts_mask;
}

// Makes a program the first of those that do the same, unless there is an earlier one. One thread.
DEVICE void find_first(const Work& work, u32 program) {
    if (work.judged[program].state != KEPT) return;
    for (u32 at = place_of_first(work, program);; at = (at + 1) & work.firsts_mask) {
        u32 found = exchange_word_if(&work.firsts[at], 0, program + 1);
        if (found == 0) return;
        if (do_the_same(work, found - 1, program)) {
            min_into(&work.firsts[at], program + 1);
            return;
        }
    }
}

// Whether an earlier program does the same and costs no more, by calls and then by fuel. All firsts have been found. One thread.
DEVICE bool is_dropped(const Work& work, u32 program) {
    u32 at = place_of_first(work, program);
    while (!do_the_same(work, work.firsts[at] - 1, program)) at = (at + 1) & work.firsts_mask;
    u32 first = work.firsts[at] - 1;
    if (first == program) return false;
    u32 size = work.sizes[program], other = work.sizes[first];
    return other < size || (other == size && work.judged[first].fuel <= work.judged[program].fuel);
}

// Lays out what the host is told about a program: a word about each, and all about those that it may keep. One thread.
DEVICE void list_kept(const Work& work, u32 program) {
    Judged judged = work.judged[program];
    bool dropped = judged.state == KEPT && !work.lists_all && is_dropped(work, program);
    work.briefs[program] = judged.refused_by | (u32)judged.evaluations << 16 | (u32)judged.state << 28 | (u32)dropped << 30;
    if (judged.state == LEFT_TO_HOST || dropped || (judged.state == GIVEN_UP && !work.lists_all)) return;
    Kept kept;
    kept.behaviour = judged.behaviour;
    kept.program = program;
    kept.score = judged.score;
    kept.fuel = judged.fuel;
    kept.demos_right = judged.demos_right;
    work.kept[take_tickets(&work.control->kept, 1)] = kept;
}
