//! Counts what fitted rules solve: `count TASKS [LOOKED]`, folders of tasks as JSON. Test outputs are read for grading only. Only tasks in the
//! folder LOOKED are named.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use batt_core::{Grid, Task, Value};
use batt_data::{Context, Source, load};
use batt_engine::{Inputs, Limits, Outcome, ReferenceExecutor};
use batt_program::parse_file;
use batt_rules::{Family, FitOptions, FittedRule, propose_family};
use batt_vision::Puzzle;

/// Counts and outcomes of a member.
#[derive(Default)]
struct Count {
    fits: usize,
    counted: usize,
    looked: usize,
    first: usize,
    disagreements: usize,
    abstained: Vec<f64>,
    all: Vec<f64>,
    names: Vec<String>,
    wrong: Vec<String>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(tasks) = arguments.next() else {
        eprintln!("count TASKS [LOOKED] [SOLVED]");
        return ExitCode::FAILURE;
    };
    let looked: BTreeSet<String> = arguments.next().map(|folder| names(Path::new(&folder))).unwrap_or_default();
    let solved: BTreeSet<String> = arguments
        .next()
        .and_then(|file| std::fs::read_to_string(file).ok())
        .map(|text| text.split_whitespace().map(str::to_owned).collect())
        .unwrap_or_default();
    let show = std::env::var_os("SHOW").is_some();
    let only = std::env::var("ONLY").ok();
    let families = families();
    let starter = Vec::new;
    let loaded = match load(&Source::path(&tasks), &Context::new(None, &starter)) {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut slow: Vec<(f64, &str, String)> = Vec::new();
    for task in &loaded.tasks {
        if only.as_ref().is_some_and(|only| !only.split(',').any(|id| id == task.id)) {
            continue;
        }
        let is_looked = looked.contains(&task.id);
        let mut all: Vec<FittedRule> = Vec::new();
        for &family in &families {
            let started = Instant::now();
            let Some(puzzle) = Puzzle::of(task) else { continue };
            let proposals = propose_family(family, &puzzle, FitOptions::default());
            let seconds = started.elapsed().as_secs_f64();
            let count = counts.entry(family.name()).or_default();
            count.disagreements += proposals.iter().filter(|proposal| !agrees(task, proposal)).count();
            if proposals.is_empty() {
                count.abstained.push(seconds);
            }
            if is_looked {
                slow.push((seconds, family.name(), task.id.clone()));
            }
            grade(task, &proposals, count, seconds, is_looked);
            if show && is_looked {
                for proposal in &proposals {
                    println!(
                        "{} {} cost {} foretold {}/{} {}",
                        task.id,
                        family.name(),
                        proposal.cost,
                        proposal.foretold.count_ones(),
                        puzzle.demos(),
                        right(task, proposal)
                    );
                    println!("{}", proposal.recipe);
                }
            }
            all.extend(proposals);
        }
        all.sort_by_key(|proposal| proposal.length(task.demos.len()));
        let mut distinct: Vec<FittedRule> = Vec::new();
        for proposal in all {
            if !distinct.iter().any(|other| other.outputs == proposal.outputs) {
                distinct.push(proposal);
            }
        }
        grade(task, &distinct, counts.entry("together").or_default(), 0.0, is_looked);
        if !solved.contains(&task.id) {
            grade(task, &distinct, counts.entry("together, not solved before").or_default(), 0.0, is_looked);
        }
    }
    for (name, count) in &mut counts {
        count.abstained.sort_by(f64::total_cmp);
        count.all.sort_by(f64::total_cmp);
        let worked = &count.abstained[count.abstained.partition_point(|&time| time < 0.001)..];
        let median = |times: &[f64]| times.get(times.len() / 2).map_or(0.0, |time| time * 1000.0);
        println!(
            "{name}: fits {}, solved {} (first guess {}): counted {}, looked at {}; disagreements {}; abstains in {:.1} ms (median), {:.1} ms where it takes more than 1 ms ({} tasks), {:.0} ms at most; all {:.1} s",
            count.fits,
            count.counted + count.looked,
            count.first,
            count.counted,
            count.looked,
            count.disagreements,
            median(&count.abstained),
            median(worked),
            worked.len(),
            count.abstained.last().unwrap_or(&0.0) * 1000.0,
            count.all.iter().sum::<f64>(),
        );
        let new: Vec<&String> = count.names.iter().filter(|name| !solved.contains(*name)).collect();
        println!("  right, not solved before: {new:?}");
        println!("  wrong: {:?}", count.wrong.iter().filter(|name| !solved.contains(*name)).collect::<Vec<_>>());
    }
    slow.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("slowest: {:?}", &slow[..slow.len().min(8)]);
    ExitCode::SUCCESS
}

/// Those that the variable FAMILY names, or all.
fn families() -> Vec<Family> {
    let only = std::env::var("FAMILY").ok();
    let is_named = |family: &&Family| only.as_ref().is_none_or(|only| only.split(',').any(|name| name == family.name()));
    Family::ALL.iter().filter(is_named).copied().collect()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.path().file_stem().and_then(OsStr::to_str).map(str::to_owned)).collect()
}

fn right(task: &Task, proposal: &FittedRule) -> bool {
    task.tests.iter().zip(&proposal.outputs).all(|(test, output)| test.output.as_ref() == Some(output))
}

/// Two guesses for each test, from all proposals in order.
fn grade(task: &Task, proposals: &[FittedRule], count: &mut Count, seconds: f64, looked: bool) {
    count.all.push(seconds);
    count.fits += usize::from(!proposals.is_empty());
    let solved = |guesses: usize| {
        task.tests.iter().enumerate().all(|(k, test)| {
            let mut outputs: Vec<&Grid> = Vec::new();
            for proposal in proposals {
                if !outputs.contains(&&proposal.outputs[k]) {
                    outputs.push(&proposal.outputs[k]);
                }
            }
            outputs.iter().take(guesses).any(|output| test.output.as_ref() == Some(*output))
        })
    };
    count.first += usize::from(solved(1));
    if solved(2) {
        if looked {
            count.looked += 1;
            count.names.push(task.id.clone());
        } else {
            count.counted += 1;
        }
    } else if looked && !proposals.is_empty() {
        count.wrong.push(task.id.clone());
    }
}

/// Whether the reference executor gives what the fit foretold.
fn agrees(task: &Task, proposal: &FittedRule) -> bool {
    let Some(program) = parse_file(&proposal.recipe.to_string()).programs.pop() else { return false };
    let mut executor = ReferenceExecutor::new(Limits::default());
    let demos = Inputs::demos_of(&task.demos);
    let mut gives = |input: &Grid, output: &Grid| {
        let input = Value::Grid(input.clone());
        let evaluation = executor.run_one(&program, Inputs { input: &input, demos: &demos, candidate: None });
        matches!(evaluation.outcome, Outcome::Value(Value::Grid(grid)) if grid == *output)
    };
    task.demos.iter().all(|demo| gives(&demo.input, &demo.output))
        && task.tests.iter().zip(&proposal.outputs).all(|(test, output)| gives(&test.input, output))
}
