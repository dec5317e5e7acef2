//! A visit of a task: programs are made or given, tried through a card, and the best that behave differently are kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use batt_engine::{CardExecutor, Limits, Probe};
use batt_program::{ContentHash, Program, canonical_text, parse_file};
use rayon::prelude::*;

use super::breed::{Made, Shared, breed};
use super::even::Cost;
use super::pool::{Fitness, Member, Pool};
use super::puzzle::Puzzle;
use super::trial::{is_verified, plan_of, try_all};
use super::{Entry, EvolveOptions, Source, StepTimes};
use crate::mutate::{Mutator, Operator, TypedProgram};

/// A program that is made may spend so many times what the best of its task spends on a demo on average. Few programs need as much, and
/// those that spend more than all others hold up a generation.
const TIMES_THE_BEST: u64 = 4;

/// A task, and what is known about it.
pub(super) struct TaskState {
    pub(super) puzzle: Puzzle,
    pub(super) pool: Pool,
    /// The programs that it started with; only needed without selection.
    pub(super) founders: Vec<(Arc<TypedProgram>, ContentHash)>,
    /// What trying its programs takes.
    pub(super) cost: Cost,
}

impl TaskState {
    /// Whether some program is right on all demos.
    pub(super) fn is_solved(&self) -> bool {
        self.pool.best().is_some_and(|best| best.fitness.demos_right as usize == self.puzzle.demos.len())
    }

    /// The limits on programs that are made for it.
    pub(super) fn limits(&self, options: &EvolveOptions) -> Limits {
        let of_best = self.pool.best().map(|best| best.fitness.fuel / self.puzzle.demos.len().max(1) as u64);
        let most = of_best.map_or(u64::MAX, |fuel| fuel.saturating_mul(TIMES_THE_BEST).max(options.fuel_floor));
        Limits { fuel: options.limits.fuel.min(most), ..options.limits }
    }
}

/// A task whose turn it is, and how many programs it is to have.
pub(super) struct Turn<'t> {
    pub(super) task: usize,
    pub(super) state: &'t mut TaskState,
    pub(super) wanted: usize,
}

impl Turn<'_> {
    /// What the turn will take.
    pub(super) fn cost(&self) -> Option<f64> {
        self.state.cost.of(self.wanted)
    }
}

/// The tasks that are to have programs.
pub(super) fn turns<'t>(tasks: &'t mut [TaskState], wanted: &[usize]) -> Vec<Turn<'t>> {
    let all = tasks.iter_mut().zip(wanted).enumerate().map(|(task, (state, &wanted))| Turn { task, state, wanted });
    all.filter(|turn| turn.wanted > 0).collect()
}

/// What a visit of a task gave.
#[derive(Default)]
pub(super) struct Visit<P> {
    pub(super) generation: u64,
    pub(super) probes: Vec<P>,
    pub(super) entries: Vec<Entry>,
    pub(super) solved: Option<ContentHash>,
    pub(super) keys: Vec<u64>,
    pub(super) asked: Vec<(Operator, bool)>,
    pub(super) seen_before: Vec<Source>,
    pub(super) gains: Vec<(Source, usize)>,
    pub(super) tried: u64,
    pub(super) evaluations: u64,
    pub(super) refuted: u64,
    pub(super) times: StepTimes,
}

impl<P> Visit<P> {
    /// Takes over what was seen while programs were tried.
    pub(super) fn take_over(&mut self, other: Self) {
        self.evaluations += other.evaluations;
        self.times.add(&other.times);
        self.probes.extend(other.probes);
    }

    /// Leaves out programs that were kept and had to go again on the same visit: nothing was made of them.
    pub(super) fn forget_those_that_left(&mut self, pool: &Pool) {
        self.entries.retain(|entry| pool.members().iter().any(|member| member.hash == entry.hash));
        // The first solution may have had to go for a shorter one.
        if self.solved.is_some() {
            self.solved = pool.best().map(|best| best.hash);
        }
    }
}

/// A program made ready to be changed, from its canonical text: whoever reads the text again gets the very same.
pub(super) fn prepared(text: &str) -> Option<(Arc<TypedProgram>, ContentHash)> {
    let program = parse_file(text).programs.into_iter().next()?;
    Some((Arc::new(TypedProgram::new(&program).ok()?), ContentHash::of_text(text)))
}

/// Tries the first programs of a task.
pub(super) fn try_founders<P: Probe>(
    task: usize,
    state: &mut TaskState,
    programs: &[Program],
    chosen: &[u32],
    options: &EvolveOptions,
) -> Visit<P> {
    let mut visit = Visit { generation: 0, ..Visit::default() };
    // In portions, so that most are given up soon for those that are better.
    for portion in chosen.chunks(64) {
        let portion: Vec<&Program> = portion.iter().map(|&k| &programs[k as usize]).collect();
        let batch: Vec<(&Program, Source, Vec<ContentHash>)> =
            portion.into_iter().map(|program| (program, Source::Seed, Vec::new())).collect();
        try_batch(task, state, &batch, options, options.limits, Duration::MAX, &mut visit);
    }
    visit.forget_those_that_left(&state.pool);
    visit
}

/// Makes programs for a task and tries them.
pub(super) fn visit<P: Probe>(task: usize, state: &mut TaskState, shared: &Shared<'_>, mutator: &mut Mutator, wanted: usize) -> Visit<P> {
    let (mut visit, made) = make(task, state, shared, mutator, wanted);
    let batch: Vec<_> = made.iter().map(|made| (&made.offspring.program, made.source, made.parents.clone())).collect();
    let limits = state.limits(shared.options);
    try_batch(task, state, &batch, shared.options, limits, shared.longest_piece, &mut visit);
    visit.forget_those_that_left(&state.pool);
    visit
}

/// Makes programs for a task.
pub(super) fn make<P: Probe>(
    task: usize,
    state: &mut TaskState,
    shared: &Shared<'_>,
    mutator: &mut Mutator,
    wanted: usize,
) -> (Visit<P>, Vec<Made>) {
    let started = Instant::now();
    let litter = breed(task, state, shared, mutator, wanted);
    let mut visit = Visit {
        generation: shared.generation,
        keys: litter.keys,
        asked: litter.asked,
        seen_before: litter.seen_before,
        ..Visit::default()
    };
    visit.times.breed = started.elapsed();
    (visit, litter.made)
}

/// Tries programs on a task, and keeps those that are wanted.
fn try_batch<P: Probe>(
    task: usize,
    state: &mut TaskState,
    batch: &[(&Program, Source, Vec<ContentHash>)],
    options: &EvolveOptions,
    limits: Limits,
    longest_piece: Duration,
    visit: &mut Visit<P>,
) {
    let programs: Vec<&Program> = batch.iter().map(|(program, ..)| *program).collect();
    let before = visit.times.trying();
    let fitness = try_here(state, &programs, limits, longest_piece, visit);
    state.cost.learn(programs.len(), visit.times.trying().saturating_sub(before));
    visit.tried += batch.len() as u64;
    keep_wanted(task, state, batch, fitness, options, visit);
}

/// Tries programs on this processor: if that takes longer than a piece may, in several pieces at the same time.
pub(super) fn try_here<P: Probe>(
    state: &TaskState,
    programs: &[&Program],
    limits: Limits,
    longest_piece: Duration,
    visit: &mut Visit<P>,
) -> Vec<Option<Fitness>> {
    let pieces = state.cost.pieces(programs.len(), longest_piece);
    if pieces == 1 {
        return try_piece(state, programs, limits, visit);
    }
    let tried: Vec<(Visit<P>, Vec<Option<Fitness>>)> = programs
        .par_chunks(programs.len().div_ceil(pieces))
        .map(|piece| {
            let mut visit = Visit::default();
            let fitness = try_piece(state, piece, limits, &mut visit);
            (visit, fitness)
        })
        .collect();
    let mut fitness = Vec::with_capacity(programs.len());
    for (seen, piece) in tried {
        visit.take_over(seen);
        fitness.extend(piece);
    }
    fitness
}

fn try_piece<P: Probe>(state: &TaskState, programs: &[&Program], limits: Limits, visit: &mut Visit<P>) -> Vec<Option<Fitness>> {
    let started = Instant::now();
    let (plan, sizes) = plan_of(programs.iter().copied(), limits);
    let mut executor = CardExecutor::watched(&plan, P::default());
    visit.times.card += started.elapsed();
    let started = Instant::now();
    let tried = try_all(&state.puzzle, &plan, &sizes, &mut executor, state.pool.bar());
    visit.evaluations += tried.evaluations;
    visit.times.batt += started.elapsed();
    if P::WATCHES {
        visit.probes.push(executor.into_probe());
    }
    tried.fitness
}

/// Keeps those programs of a batch that are wanted.
pub(super) fn keep_wanted<P: Probe>(
    task: usize,
    state: &mut TaskState,
    batch: &[(&Program, Source, Vec<ContentHash>)],
    fitness: Vec<Option<Fitness>>,
    options: &EvolveOptions,
    visit: &mut Visit<P>,
) {
    let started = Instant::now();
    for ((program, source, parents), fitness) in batch.iter().zip(fitness) {
        let mut gain = 0;
        if let Some(fitness) = fitness.filter(|fitness| state.pool.wants(fitness, visit.generation)) {
            let right = fitness.demos_right as usize == state.puzzle.demos.len();
            // What leads its pool is what is reported.
            if right && state.pool.would_lead(&fitness, visit.generation) && !is_verified(&state.puzzle, program, options.limits) {
                visit.refuted += 1;
                continue;
            }
            let text: Arc<str> = canonical_text(program).into();
            if let Some((program, hash)) = prepared(&text) {
                let was_solved = state.is_solved();
                let best = state.pool.best().is_none_or(|best| fitness.beats(&best.fitness));
                gain = 1 + usize::from(best) + usize::from(right && !was_solved);
                if right && !was_solved {
                    visit.solved = Some(hash);
                }
                state.pool.keep(Member { program, text: Arc::clone(&text), hash, fitness, tried: 0, found: visit.generation });
                visit.entries.push(Entry { task, text, hash, fitness, source: *source, parents: parents.clone() });
            }
        }
        visit.gains.push((*source, gain));
    }
    visit.times.keep += started.elapsed();
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::fmt::Write as _;

    use batt_core::{Grid, Pair, Task};
    use batt_engine::NoProbe;

    use super::*;
    use crate::evolve::try_on_host;

    #[test]
    fn programs_tried_in_pieces_are_judged_as_if_they_had_not_been() {
        let grid = |seed: usize| Grid::build(9, 9, |cells| cells.iter_mut().zip(seed..).for_each(|(cell, k)| *cell = (k * k % 7) as i8));
        let pair = |k: usize| Pair { input: grid(k).unwrap(), output: grid(k + 1).unwrap() };
        let task = Task { id: "pieces".to_owned(), demos: (0..3).map(pair).collect(), tests: Vec::new() };
        let mut text = String::new();
        for k in 0..40 {
            let (call, colour) = (["rot90", "vmirror", "dmirror", "upscale"][k % 4], k % 7);
            let more = if call == "upscale" { ", TWO" } else { "" };
            let _ = write!(text, "def p{k}(I):\n    x1 = {call}(I{more})\n    O = replace(x1, {colour}, ONE)\n    return O\n\n");
        }
        let programs = parse_file(&text).programs;
        let programs: Vec<&Program> = programs.iter().collect();
        let options = EvolveOptions::default();
        let mut state = TaskState { puzzle: Puzzle::new(&task), pool: Pool::new(4, 3), founders: Vec::new(), cost: Cost::default() };
        state.cost.learn(1, Duration::from_millis(10));
        let (expected, evaluations) = try_on_host(&task, &programs, options.limits, None);
        assert!(expected.len() == 40 && expected.iter().flatten().any(|fitness| fitness.score > 0));
        for longest in [Duration::ZERO, Duration::from_millis(70), Duration::MAX] {
            let mut visit = Visit::<NoProbe>::default();
            let found = try_here(&state, &programs, options.limits, longest, &mut visit);
            assert_eq!((found, visit.evaluations), (expected.clone(), evaluations), "pieces of {longest:?}");
        }
    }
    #[test]
    fn programs_may_spend_some_times_what_the_best_does() {
        let grid = Grid::filled(2, 2, 1).unwrap();
        let pair = Pair { input: grid.clone(), output: grid };
        let task = Task { id: "fuel".to_owned(), demos: vec![pair.clone(), pair], tests: Vec::new() };
        let options = EvolveOptions::default();
        let mut state = TaskState { puzzle: Puzzle::new(&task), pool: Pool::new(4, 2), founders: Vec::new(), cost: Cost::default() };
        assert_eq!(state.limits(&options), options.limits);
        for (spent, most) in [(900, options.fuel_floor), (100_000, 200_000), (10_000_000, options.limits.fuel)] {
            let text = "def p(I):\n    O = vmirror(I)\n    return O\n";
            let (program, hash) = prepared(text).unwrap();
            let fitness = Fitness { demos_right: 1, score: 1000 + spent, size: 1, fuel: spent, behaviour: spent };
            state.pool.keep(Member { program, text: text.into(), hash, fitness, tried: 0, found: 0 });
            assert_eq!(state.limits(&options), Limits { fuel: most, ..options.limits });
        }
        let all = EvolveOptions { fuel_floor: u64::MAX, ..options.clone() };
        assert_eq!(state.limits(&all), all.limits);
        let little = EvolveOptions { limits: Limits { fuel: 70, ..options.limits }, ..options };
        assert_eq!(state.limits(&little), little.limits);
    }
}
