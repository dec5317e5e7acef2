//! From rules to tasks: the pack, and any number of fresh tasks.

use batt_core::{Grid, Pair, Task, TestCase};

use crate::rng::Purpose;
use crate::{StarterRng, StarterTask, library, starter_tasks};

/// The most tasks that [`generate`] makes: as many as have an id of their own.
pub const MAX_GENERATED: usize = crate::families::COUNT << 24;

/// Attempts for each wanted pair, before a search gives up. A test holds every rule to one accepted draw in ten.
const ATTEMPTS: usize = 400;

/// The seed of the embedded pack. Changing it changes every task of the pack.
const PACK_SEED: u64 = 48;

/// Fresh tasks and the programs that solve them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The tasks, cycling over the rules.
    pub tasks: Vec<Task>,
    /// One `def solve_<id>(I):` for each task, in the same order.
    pub programs: String,
}

/// Makes `tasks` tasks with `samples` demos and one test each; more than [`MAX_GENERATED`] are not made.
///
/// Task `k` depends on the seed, `k` and `samples` only. Its id is two digits for the rule (from 01) and six for
/// the round, so an id means the same rule, and has the same program, whatever the seed.
pub fn generate(tasks: usize, samples: usize, seed: u64) -> Generated {
    let rules: Vec<(&StarterTask, &str)> = starter_tasks().iter().map(|rule| (rule, rule.program_body().unwrap_or(""))).collect();
    let tasks = tasks.min(MAX_GENERATED);
    let mut made = Vec::with_capacity(tasks);
    let mut programs = String::from(library::HEADER);
    for (index, (number, (rule, body))) in (0..tasks).zip(rules.iter().enumerate().cycle()) {
        let id = format!("{:02x}{:06x}", number + 1, index / rules.len());
        programs.push_str("\n\n");
        programs.push_str(&library::opening(&id));
        programs.push('\n');
        programs.push_str(body);
        let mut rng = StarterRng::new(seed, index as u64, Purpose::Generate);
        made.push(task(rule, id, samples, 1, &mut rng));
    }
    Generated { tasks: made, programs }
}

/// The embedded pack: three or four demos each, one test and now and then two.
pub(crate) fn pack() -> Vec<Task> {
    let mut tasks = Vec::with_capacity(starter_tasks().len());
    for (index, rule) in starter_tasks().iter().enumerate() {
        let mut rng = StarterRng::new(PACK_SEED, index as u64, Purpose::Pack);
        let demos = rng.between(3, 4);
        let tests = 1 + usize::from(rng.once_in(4));
        tasks.push(task(rule, rule.id.to_string(), demos, tests, &mut rng));
    }
    tasks
}

/// Pairs with inputs that differ from each other: first `demos`, whose cases alternate, then `tests`, whose cases do not.
pub(crate) fn pairs(rule: &StarterTask, demos: usize, tests: usize, rng: &mut StarterRng) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::with_capacity(demos + tests);
    let first = rng.below(2);
    for sample in 0..demos + tests {
        let turn = if sample < demos { first + sample } else { rng.below(2) };
        rng.set_turn(turn);
        let found = (0..ATTEMPTS).find_map(|_| {
            let pair = (rule.generate)(rng)?;
            let fresh = pairs.iter().all(|earlier| earlier.input != pair.input);
            (fresh && is_sound(&pair)).then_some(pair)
        });
        pairs.extend(found);
    }
    pairs
}

fn task(rule: &StarterTask, id: String, demos: usize, tests: usize, rng: &mut StarterRng) -> Task {
    let mut demos_and_tests = pairs(rule, demos, tests, rng);
    let rest = demos_and_tests.split_off(demos.min(demos_and_tests.len()));
    let tests = rest.into_iter().map(|pair| TestCase { input: pair.input, output: Some(pair.output) }).collect();
    Task { id, demos: demos_and_tests, tests }
}

/// Whether a pair has the sizes and colours of a task, and a rule to show.
fn is_sound(pair: &Pair) -> bool {
    let fits = |grid: &Grid| {
        let sides = 1..=Task::MAX_SIDE;
        sides.contains(&grid.height())
            && sides.contains(&grid.width())
            && grid.cells().iter().all(|colour| (0..=Task::MAX_COLOUR).contains(colour))
    };
    pair.input != pair.output && fits(&pair.input) && fits(&pair.output)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounded search relies on this: at one draw in ten, 400 attempts all fail once in 10^18 pairs.
    #[test]
    fn every_rule_accepts_one_draw_in_ten_or_more() {
        for rule in starter_tasks() {
            let mut rng = StarterRng::new(1, 0, Purpose::Pairs);
            let mut sound = 0;
            for turn in 0..2000 {
                rng.set_turn(turn);
                sound += usize::from((rule.generate)(&mut rng).is_some_and(|pair| is_sound(&pair)));
            }
            assert!(sound >= 200, "{} accepts {sound} of 2000", rule.name);
        }
    }
}
