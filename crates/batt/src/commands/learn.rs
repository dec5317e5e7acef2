//! `batt learn`: how likely answers of search are, from tasks whose test outputs are known.

use std::io::Write;

use batt_core::Task;
use batt_lab::learn::{Bin, Lesson, Options, Report, calibrate, learn as learn_from};
use batt_search::{Calibration, Learnt, Solver};
use batt_session::FittedRules;

use super::Status;
use crate::args::LearnArgs;
use crate::files::write_whole;
use crate::output::{Output, count, grouped};
use crate::tasks::{self, TaskRequest};

/// Learns from tasks and samples of them.
pub(super) fn learn(args: &LearnArgs, out: &mut Output) -> anyhow::Result<Status> {
    if !args.calibrate.is_empty() {
        return calibrated(args, out);
    }
    let wanted = TaskRequest::of(&args.tasks)?;
    let chosen = wanted.load(&wanted.source_or_starter(), out)?;
    let mut skipped = chosen.skipped;
    let mut samples = Vec::new();
    if let Some(source) = &args.samples {
        let loaded = tasks::load(&tasks::source(source.text()), out)?;
        skipped.extend(loaded.skipped);
        samples = loaded.tasks;
    }
    tasks::warn_of_skipped(&skipped, out);
    let options = Options { columns: args.columns, ..Options::default() };
    let command = command(args, &chosen.source);
    let lesson = Lesson { tasks: &chosen.tasks, samples: &samples, command: &command };
    let report = with_threads(args.threads.number(), || learn_from(&lesson, options, &[&FittedRules::default() as &dyn Solver]))??;
    if let Some(path) = &args.out {
        write_whole(path, report.learnt.to_text()?.as_bytes())?;
    }
    if let Some(path) = &args.json.json {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        if path.is_stdout() { out.data(&text)? } else { write_whole(path, text.as_bytes())? }
    }
    if !args.json.to_stdout() {
        tell(&report, args, out)?;
    }
    Ok(Status::good_if(skipped.is_empty()))
}

/// Learns how probabilities are corrected.
fn calibrated(args: &LearnArgs, out: &mut Output) -> anyhow::Result<Status> {
    let (mut sets, mut skipped) = (Vec::new(), Vec::new());
    for source in &args.calibrate {
        let loaded = tasks::load(&tasks::source(source.text()), out)?;
        skipped.extend(loaded.skipped);
        sets.push((source.text().to_string_lossy().into_owned(), loaded.tasks));
    }
    tasks::warn_of_skipped(&skipped, out);
    let sets: Vec<(String, &[Task])> = sets.iter().map(|(name, tasks)| (name.clone(), tasks.as_slice())).collect();
    let options = Options { columns: args.columns, ..Options::default() };
    let (learnt, report) =
        with_threads(args.threads.number(), || calibrate(&sets, options, &[&FittedRules::default() as &dyn Solver], Learnt::embedded()))??;
    if let Some(path) = &args.out {
        write_whole(path, learnt.to_text()?.as_bytes())?;
    }
    if let Some(path) = &args.json.json {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        if path.is_stdout() { out.data(&text)? } else { write_whole(path, text.as_bytes())? }
    }
    if args.json.to_stdout() {
        return Ok(Status::good_if(skipped.is_empty()));
    }
    let Calibration { factor, fits, misses, second } = report.calibration;
    writeln!(
        out,
        "log-odds: {factor} times, {fits:+} if all demos are right, {misses:+} if not, {second:+} for the second guess (fitted on {})",
        count(report.fitted_on, "task")
    )?;
    writeln!(out, "mean loss on the other half: {:.3} before, {:.3} now", report.loss_before, report.loss)?;
    for set in &report.sets {
        writeln!(out, "{}, {}:", set.name, count(set.tasks, "task"))?;
        for (name, before, guesses) in [("first", &set.first_before, &set.first), ("second", &set.second_before, &set.second)] {
            writeln!(out, "  {name} guesses: said {:.1} right before, {:.1} now; {} are", before.said, guesses.said, guesses.right)?;
            bins(&guesses.reliability, out)?;
        }
    }
    Ok(Status::good_if(skipped.is_empty()))
}

/// The command as it is kept with the probabilities.
fn command(args: &LearnArgs, source: &str) -> String {
    let samples = args.samples.as_ref().map_or(String::new(), |samples| format!(" --samples {}", samples.text().to_string_lossy()));
    format!("batt learn --tasks {source}{samples} --columns {}", args.columns)
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(work))
}

/// Prints how likely answers are.
fn tell(report: &Report, args: &LearnArgs, out: &mut Output) -> anyhow::Result<()> {
    let ranking = &report.ranking;
    let (answers, right, again) = (count(ranking.answers, "answer"), grouped(ranking.right as u64), grouped(ranking.as_unsolved as u64));
    writeln!(out, "{answers}, {right} right; {again} wrong ones also taken as those of unsolved tasks")?;
    let (by_cost, by_probability) = (ranking.right_by_cost, ranking.right_by_probability);
    writeln!(out, "tasks right with two guesses: {by_cost} in the order of costs, {by_probability} of probabilities")?;
    writeln!(out, "first answers, judged by what was learnt from other tasks:")?;
    bins(&ranking.reliability, out)?;
    if let Some(path) = &args.out {
        writeln!(out, "{}: what was learnt", path.display())?;
    }
    Ok(())
}

/// Predicted and actual share of right answers.
fn bins(reliability: &[Bin], out: &mut Output) -> anyhow::Result<()> {
    let percent = |share: f64| (share * 100.0).round();
    for Bin { from, to, said, right, answers } in reliability {
        writeln!(
            out,
            "  {:>3}% to {:>3}%: said {:>3}%, right {:>3}% of {}",
            percent(*from),
            percent(*to),
            percent(*said),
            percent(*right),
            grouped(*answers as u64)
        )?;
    }
    Ok(())
}
