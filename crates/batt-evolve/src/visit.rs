//! A visit of a task: programs are made or given, tried through a card, and the best that behave differently are kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use batt_engine::{CardExecutor, Limits, OnUndefined, OrderMark, Probe};
use batt_program::{ContentHash, Program, print_program};
use batt_run::{Stop, TaskPanic, catch, resume_with_program, task_in_name};
use rayon::prelude::*;

use crate::breed::{Child, GenerationContext, breed};
use crate::mutate::{Mutator, Operator, TypedProgram};
use crate::pool::{Fitness, Pool, PoolProgram};
use crate::puzzle::EvolveTask;
use crate::schedule::Cost;
use crate::trial::{is_verified, plan_of, try_all};
use crate::{Entry, EvolveOptions, Source, StepTimes};

/// Offspring may spend so many times the mean fuel of the task's best program on a demo. Few programs need as much, and a few expensive
/// ones hold up a generation.
const TIMES_THE_BEST: u64 = 4;

/// Initial programs tried at a time: a good one makes the bar higher for the next portion.
const PORTION: usize = 64;

/// A task, and what is known about it.
pub(crate) struct TaskState {
    pub(crate) puzzle: EvolveTask,
    pub(crate) pool: Pool,
    /// The programs that it started with; only needed without selection.
    pub(crate) founders: Vec<(Arc<TypedProgram>, ContentHash)>,
    /// Expected time of trying its programs.
    pub(crate) cost: Cost,
    /// Treatment of undefined calls.
    pub(crate) on_undefined: OnUndefined,
}

impl TaskState {
    /// Whether some program fits it: is right on all demos.
    pub(crate) fn is_fit(&self) -> bool {
        self.pool.best().is_some_and(|best| best.fitness.demos_right as usize == self.puzzle.demos.len())
    }

    /// The limits on programs that are made for it, or for another task.
    pub(crate) fn limits(&self, options: &EvolveOptions) -> Limits {
        let of_best = self.pool.best().map(|best| best.fitness.fuel / self.puzzle.demos.len().max(1) as u64);
        let most = of_best.map_or(options.fuel_floor, |fuel| fuel.saturating_mul(TIMES_THE_BEST).max(options.fuel_floor));
        Limits { fuel: options.limits.fuel.min(most), ..options.limits }
    }
}

/// A task whose turn it is, and how many programs it is to have.
pub(crate) struct Turn<'t> {
    pub(crate) task: usize,
    pub(crate) state: &'t mut TaskState,
    pub(crate) wanted: usize,
}

impl Turn<'_> {
    /// Expected seconds of the turn; `None` as long as none was tried.
    pub(crate) fn cost(&self) -> Option<f64> {
        self.state.cost.of(self.wanted)
    }
}

/// The tasks of a plan, in its order.
pub(crate) fn turns<'t>(tasks: &'t mut [TaskState], plan: &[(usize, usize)]) -> Vec<Turn<'t>> {
    let mut states: Vec<Option<&mut TaskState>> = tasks.iter_mut().map(Some).collect();
    plan.iter().filter_map(|&(task, wanted)| Some(Turn { task, state: states[task].take()?, wanted })).collect()
}

/// Results of a visit of a task.
#[derive(Default)]
pub(crate) struct Visit<P> {
    pub(crate) generation: u64,
    pub(crate) probes: Vec<P>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) fits: Option<ContentHash>,
    pub(crate) keys: Vec<u64>,
    pub(crate) asked: Vec<(Operator, bool)>,
    pub(crate) seen_before: Vec<Source>,
    pub(crate) gains: Vec<(Source, usize)>,
    pub(crate) tried: u64,
    pub(crate) evaluations: u64,
    pub(crate) refuted: u64,
    pub(crate) times: StepTimes,
    /// The panic that ended the visit; it has no other result then.
    pub(crate) panic: Option<TaskPanic>,
}

impl<P: Default> Visit<P> {
    /// A visit that a panic ended.
    pub(crate) fn lost(panic: TaskPanic) -> Self {
        Self { panic: Some(panic), ..Self::default() }
    }
}

impl<P> Visit<P> {
    /// Takes over what was seen while programs were tried.
    pub(crate) fn take_over(&mut self, other: Self) {
        self.panic = self.panic.take().or(other.panic);
        self.evaluations += other.evaluations;
        self.times.add(&other.times);
        self.probes.extend(other.probes);
    }

    /// Leaves out programs that were kept and had to go again on the same visit: nothing was made of them.
    pub(crate) fn forget_those_that_left(&mut self, pool: &Pool) {
        self.entries.retain(|entry| pool.members().iter().any(|member| member.hash == entry.hash));
        // The first program that fits may have had to go for a shorter one.
        if self.fits.is_some() {
            self.fits = pool.best().map(|best| best.hash);
        }
    }
}

/// A program made ready for mutation, its canonical text and the hash of that: whoever reads the text again has the same.
pub(crate) fn prepared(program: &Program) -> Option<(Arc<TypedProgram>, Arc<str>, ContentHash)> {
    let program = program.canonical().ok()?;
    let text = print_program(&program);
    let hash = ContentHash::of_text(&text);
    Some((Arc::new(TypedProgram::new(&program).ok()?), text.into(), hash))
}

/// Tries the first programs of a task; `None` if it was to end before.
pub(crate) fn try_founders<P: Probe>(
    task: usize,
    state: &mut TaskState,
    programs: &[Program],
    chosen: &[u32],
    options: &EvolveOptions,
    stop: &Stop,
) -> Option<Visit<P>> {
    let mut visit = Visit { generation: 0, ..Visit::default() };
    let is_own = |program: &&Program| task_in_name(program.name(), |id| (id == state.puzzle.name).then_some(())).is_some();
    let (own, others): (Vec<&Program>, Vec<&Program>) = chosen.iter().map(|&k| &programs[k as usize]).partition(is_own);
    // A program written for the task may spend all fuel, another one no more than offspring may.
    let turns = own.chunks(PORTION).map(|portion| (portion, true)).chain(others.chunks(PORTION).map(|portion| (portion, false)));
    for (portion, is_own) in turns {
        let batch: Vec<(&Program, Source, Vec<ContentHash>)> = portion.iter().map(|&program| (program, Source::Seed, Vec::new())).collect();
        let limits = if is_own { options.limits } else { state.limits(options) };
        try_batch(task, state, &batch, options, TrialOptions { limits, longest_piece: Duration::MAX, stop }, &mut visit)?;
    }
    visit.forget_those_that_left(&state.pool);
    Some(visit)
}

/// Makes programs for a task and tries them; `None` if it was to end before.
pub(crate) fn visit<P: Probe>(
    task: usize,
    state: &mut TaskState,
    shared: &GenerationContext<'_>,
    mutator: &mut Mutator,
    wanted: usize,
) -> Option<Visit<P>> {
    if shared.stop.is_due() {
        return None;
    }
    let (mut visit, made) = make(task, state, shared, mutator, wanted);
    let batch: Vec<_> = made.iter().map(|made| (&made.offspring.program, made.source, made.parents.clone())).collect();
    let trying = shared.trying(state);
    try_batch(task, state, &batch, shared.options, trying, &mut visit)?;
    visit.forget_those_that_left(&state.pool);
    Some(visit)
}

/// How programs are tried.
#[derive(Clone, Copy)]
pub(crate) struct TrialOptions<'s> {
    pub(crate) limits: Limits,
    /// How long a piece of the work may take.
    pub(crate) longest_piece: Duration,
    /// When to give up.
    pub(crate) stop: &'s Stop,
}

impl<'s> GenerationContext<'s> {
    /// How programs that are made for a task are tried.
    pub(crate) fn trying(&self, state: &TaskState) -> TrialOptions<'s> {
        TrialOptions { limits: state.limits(self.options), longest_piece: self.longest_piece, stop: self.stop }
    }
}

/// Makes programs for a task.
pub(crate) fn make<P: Probe>(
    task: usize,
    state: &mut TaskState,
    shared: &GenerationContext<'_>,
    mutator: &mut Mutator,
    wanted: usize,
) -> (Visit<P>, Vec<Child>) {
    let started = Instant::now();
    let brood = breed(task, state, shared, mutator, wanted);
    let mut visit =
        Visit { generation: shared.generation, keys: brood.keys, asked: brood.asked, seen_before: brood.seen_before, ..Visit::default() };
    visit.times.breed = started.elapsed();
    (visit, brood.made)
}

/// Tries programs on a task, and keeps the best; `None` if it was stopped.
fn try_batch<P: Probe>(
    task: usize,
    state: &mut TaskState,
    batch: &[(&Program, Source, Vec<ContentHash>)],
    options: &EvolveOptions,
    trying: TrialOptions<'_>,
    visit: &mut Visit<P>,
) -> Option<()> {
    let programs: Vec<&Program> = batch.iter().map(|(program, ..)| *program).collect();
    let before = visit.times.trying();
    let fitness = try_here(state, &programs, trying, visit)?;
    state.cost.learn(programs.len(), visit.times.trying().saturating_sub(before));
    visit.tried += batch.len() as u64;
    keep_wanted(task, state, batch, fitness, options, visit);
    Some(())
}

/// Tries programs on this processor: if that takes longer than a piece may, in several pieces at the same time. `None` if it was to end
/// before.
pub(crate) fn try_here<P: Probe>(
    state: &TaskState,
    programs: &[&Program],
    trying: TrialOptions<'_>,
    visit: &mut Visit<P>,
) -> Option<Vec<Option<Fitness>>> {
    let pieces = state.cost.pieces(programs.len(), trying.longest_piece);
    if pieces == 1 {
        return try_piece(state, programs, trying, visit);
    }
    // A panic in a piece is resumed by whoever waits for the pieces.
    let tried: Option<Vec<(Visit<P>, Vec<_>)>> = programs
        .par_chunks(programs.len().div_ceil(pieces))
        .map(|piece| {
            let mut visit = Visit::default();
            let fitness = try_piece(state, piece, trying, &mut visit)?;
            Some((visit, fitness))
        })
        .collect();
    let mut fitness = Vec::with_capacity(programs.len());
    for (seen, piece) in tried? {
        visit.take_over(seen);
        fitness.extend(piece);
    }
    Some(fitness)
}

fn try_piece<P: Probe>(
    state: &TaskState,
    programs: &[&Program],
    trying: TrialOptions<'_>,
    visit: &mut Visit<P>,
) -> Option<Vec<Option<Fitness>>> {
    let started = Instant::now();
    let (plan, sizes) = plan_of(programs.iter().copied(), trying.limits, state.on_undefined);
    let mut executor = CardExecutor::watched(&plan, P::default());
    visit.times.card += started.elapsed();
    let started = Instant::now();
    let tried = catch(|| try_all(&state.puzzle, &plan, &sizes, &mut executor, state.pool.bar(), trying.stop));
    let tried = tried.unwrap_or_else(|panic| resume_with_program(panic, programs[executor.current()]))?;
    visit.evaluations += tried.evaluations;
    visit.times.batt += started.elapsed();
    if P::WATCHES {
        visit.probes.push(executor.into_probe());
    }
    Some(tried.fitness)
}

/// Keeps those programs of a batch that are wanted.
pub(crate) fn keep_wanted<P: Probe>(
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
        if let Some(fitness) = fitness.and_then(|fitness| wanted(state, program, fitness, visit.generation, options)) {
            let right = fitness.demos_right as usize == state.puzzle.demos.len();
            // What leads its pool is what is reported.
            if right
                && state.pool.would_lead(&fitness, visit.generation)
                && !is_verified(&state.puzzle, program, options.limits, state.on_undefined)
            {
                visit.refuted += 1;
                continue;
            }
            if let Some((program, text, hash)) = prepared(program) {
                let was_fit = state.is_fit();
                let best = state.pool.best().is_none_or(|best| fitness.beats(&best.fitness));
                gain = 1 + usize::from(best) + usize::from(right && !was_fit);
                if right && !was_fit {
                    visit.fits = Some(hash);
                }
                state.pool.keep(PoolProgram { program, text: Arc::clone(&text), hash, fitness, tried: 0, found: visit.generation });
                visit.entries.push(Entry { task, text, hash, fitness, source: *source, parents: parents.clone() });
            }
        }
        visit.gains.push((*source, gain));
    }
    visit.times.keep += started.elapsed();
}

/// The fitness of a program if it is to be kept. If it is not known yet whether it depends on the order of a set, that is found out now.
fn wanted(state: &TaskState, program: &Program, fitness: Fitness, found: u64, options: &EvolveOptions) -> Option<Fitness> {
    if fitness.order == OrderMark::Unsure {
        // As good as it can be: whether it is worth finding out.
        let best = Fitness { order: OrderMark::Free, ..fitness };
        return state
            .pool
            .wants(&best, found)
            .then(|| state.puzzle.with_order(program, fitness, options))
            .filter(|fitness| state.pool.wants(fitness, found));
    }
    state.pool.wants(&fitness, found).then_some(fitness)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::fmt::Write as _;

    use batt_engine::NoProbe;
    use batt_testing::{noise, task_of};

    use super::*;
    use crate::try_on_host;

    #[test]
    fn programs_tried_in_pieces_are_judged_as_if_they_had_not_been() {
        let task = task_of("pieces", &[0, 1, 2].map(|seed| (noise(9, 9, seed), noise(9, 9, seed + 1))), &[]);
        let mut text = String::new();
        for k in 0..40 {
            let (call, colour) = (["rot90", "vmirror", "dmirror", "upscale"][k % 4], k % 7);
            let more = if call == "upscale" { ", TWO" } else { "" };
            let _ = write!(text, "def p{k}(I):\n    x1 = {call}(I{more})\n    O = replace(x1, {colour}, ONE)\n    return O\n\n");
        }
        let programs = batt_testing::programs(&text);
        let programs: Vec<&Program> = programs.iter().collect();
        let options = EvolveOptions::default();
        let mut state = TaskState {
            puzzle: EvolveTask::new(&task),
            pool: Pool::new(4, 3),
            founders: Vec::new(),
            cost: Cost::default(),
            on_undefined: OnUndefined::Propagate,
        };
        state.cost.learn(1, Duration::from_millis(10));
        let (expected, evaluations) = try_on_host(&task, &programs, options.limits, None);
        assert!(expected.len() == 40 && expected.iter().flatten().any(|fitness| fitness.score > 0));
        for longest in [Duration::ZERO, Duration::from_millis(70), Duration::MAX] {
            let mut visit = Visit::<NoProbe>::default();
            let trying = TrialOptions { limits: options.limits, longest_piece: longest, stop: &Stop::default() };
            let found = try_here(&state, &programs, trying, &mut visit).unwrap();
            assert_eq!((found, visit.evaluations), (expected.clone(), evaluations), "pieces of {longest:?}");
        }
    }

    #[test]
    fn programs_may_spend_some_times_what_the_best_does() {
        let task = batt_testing::task("fuel", &["11 11 -> 11 11"; 2], &[]);
        let options = EvolveOptions::default();
        let mut state = TaskState {
            puzzle: EvolveTask::new(&task),
            pool: Pool::new(4, 2),
            founders: Vec::new(),
            cost: Cost::default(),
            on_undefined: OnUndefined::Propagate,
        };
        assert_eq!(state.limits(&options), Limits { fuel: options.fuel_floor, ..options.limits });
        for (spent, most) in [(900, options.fuel_floor), (100_000, 200_000), (10_000_000, options.limits.fuel)] {
            let text = "def p(I):\n    O = vmirror(I)\n    return O\n";
            let (program, text, hash) = prepared(&batt_testing::program(text)).unwrap();
            let fitness =
                Fitness { demos_right: 1, score: 1000 + spent, size: 1, fuel: spent, behaviour: u128::from(spent), order: OrderMark::Free };
            state.pool.keep(PoolProgram { program, text, hash, fitness, tried: 0, found: 0 });
            assert_eq!(state.limits(&options), Limits { fuel: most, ..options.limits });
        }
        let all = EvolveOptions { fuel_floor: u64::MAX, ..options.clone() };
        assert_eq!(state.limits(&all), all.limits);
        let little = EvolveOptions { limits: Limits { fuel: 70, ..options.limits }, ..options };
        assert_eq!(state.limits(&little), little.limits);
    }
}
