//! `batt lib list`, `show`, `best` and `lineage`.

use std::io::Write;

use batt_dsl::primitive;
use batt_program::{ContentHash, infer, order_sensitive};
use batt_session::program_of;
use batt_store::{Access, Ancestor, Origin, RankedProgram, Score, Store, StoredProgram};
use serde_json::{Value as Json, json};

use super::super::Status;
use crate::args::{BestArgs, LineageArgs, ListArgs, ShowProgramArgs};
use crate::files::write_json;
use crate::output::{Output, Tone, count, grouped, one_line};
use crate::table::{Align, Table};

/// As many digits of a hash as tell programs apart in practice.
const DIGITS: usize = 12;

/// How much of a name or a path is shown.
const LONGEST: usize = 100;

/// Lists programs.
pub(super) fn list(args: &ListArgs, out: &mut Output) -> anyhow::Result<Status> {
    let store = Store::open(&args.store, Access::Read)?;
    let (counts, programs) = (store.counts()?, store.list()?);
    let program = |one: &batt_store::ProgramSummary| json!({"hash": one.hash.to_string(), "name": one.name, "made_by": one.operator, "tasks": one.tasks, "fits": one.fits});
    let listed = || {
        let programs: Vec<Json> = programs.iter().map(program).collect();
        json!({"programs": programs, "scores": counts.scores, "tasks": counts.tasks, "fits": counts.fits, "runs": counts.runs})
    };
    if write_json(args.json.json.as_ref(), listed, out)? {
        return Ok(Status::Good);
    }
    let columns = [("hash", Align::Left), ("tasks", Align::Right), ("fits", Align::Right), ("made by", Align::Left), ("name", Align::Left)];
    let mut table = Table::new(columns);
    for one in programs {
        let cells = [short(one.hash), grouped(one.tasks), grouped(one.fits), one.operator, one.name.unwrap_or_default()];
        table.plain_row(cells);
    }
    let look = out.look;
    table.print(out, look, 0)?;
    writeln!(
        out,
        "\n{}, {} on {} (fits {}), {}",
        count(counts.programs, "program"),
        count(counts.scores, "score"),
        count(counts.tasks, "task"),
        grouped(counts.fits),
        count(counts.runs, "run")
    )?;
    Ok(Status::Good)
}

pub(super) fn runs(args: &ListArgs, out: &mut Output) -> anyhow::Result<Status> {
    let store = Store::open(&args.store, Access::Read)?;
    let runs = store.runs()?;
    let run = |run: &batt_store::StoredRun| {
        let progress = run.last.map(|(_, progress)| progress);
        json!({
            "run": run.id.0,
            "seed": run.seed,
            "configuration": serde_json::from_str(&run.configuration).unwrap_or(Json::String(run.configuration.clone())),
            "batt_version": run.batt_version,
            "table_hash": run.table_hash,
            "tasks": run.tasks,
            "generation": run.last.map(|(generation, _)| generation),
            "evaluations": progress.map(|progress| progress.evaluations),
            "fits": progress.map(|progress| progress.fits),
            "score": progress.map(|progress| progress.total_score),
        })
    };
    if write_json(args.json.json.as_ref(), || json!({"runs": runs.iter().map(run).collect::<Vec<_>>()}), out)? {
        return Ok(Status::Good);
    }
    let numbers = ["run", "seed", "tasks", "generation", "evaluations", "fits", "score"];
    let mut table = Table::new(numbers.map(|heading| (heading, Align::Right)));
    for run in &runs {
        let figures = run.last.map_or(Default::default(), |(generation, progress)| {
            [generation, progress.evaluations, progress.fits, progress.total_score].map(grouped)
        });
        let told = [run.id.0.to_string(), run.seed.to_string(), grouped(run.tasks.len() as u64)];
        table.plain_row(told.into_iter().chain(figures));
    }
    let look = out.look;
    table.print(out, look, 0)?;
    writeln!(out, "\n{}", count(runs.len(), "run"))?;
    Ok(Status::Good)
}

pub(super) fn show(args: &ShowProgramArgs, out: &mut Output) -> anyhow::Result<Status> {
    let store = Store::open(&args.store, Access::Read)?;
    let program = store.find(&args.program)?;
    let scores = store.scores_of(program.hash)?;
    let shown = || {
        let mut object = program_as_json(&program);
        object["text"] = program.named_text().into();
        object["order_sensitive"] = sensitive_calls(&program).into();
        object["scores"] = scores.iter().map(|score| score_as_json(score, true)).collect();
        object
    };
    if write_json(args.json.json.as_ref(), shown, out)? {
        return Ok(Status::Good);
    }
    write!(out, "{}", program.named_text())?;
    writeln!(out, "\n{}  {}", out.paint(Tone::Faint, program.hash), origin_in_words(&program.origin))?;
    let sensitive = sensitive_calls(&program);
    if !sensitive.is_empty() {
        writeln!(out, "may depend on the order of a set by {}", sensitive.join(", "))?;
    }
    if program.names.len() > 1 {
        let others: Vec<String> = program.names[1..].iter().map(|name| one_line(name, LONGEST)).collect();
        writeln!(out, "also called {}", others.join(", "))?;
    }
    if !scores.is_empty() {
        writeln!(out)?;
        let mut table = Table::new([&[("task", Align::Left)][..], &SCORE_COLUMNS].concat());
        for score in &scores {
            table.plain_row(std::iter::once(score.task.clone()).chain(score_cells(score)));
        }
        let look = out.look;
        table.print(out, look, 0)?;
    }
    Ok(Status::Good)
}

/// The primitives of a program whose values may depend on the order of a set.
fn sensitive_calls(program: &StoredProgram) -> Vec<&'static str> {
    let calls = program_of(program).map(|program| order_sensitive(&program, &infer(&program))).unwrap_or_default();
    calls.into_iter().map(|id| primitive(id).name).collect()
}

/// Lists the best programs of a task.
pub(super) fn best(args: &BestArgs, out: &mut Output) -> anyhow::Result<Status> {
    let store = Store::open(&args.store, Access::Read)?;
    let best = store.best(&args.task, args.n as usize)?;
    let ranked = |ranked: &RankedProgram| {
        let mut object = program_as_json(&ranked.program);
        object["text"] = ranked.program.named_text().into();
        object["score"] = ranked.score.as_ref().map(|score| score_as_json(score, false)).into();
        object
    };
    if write_json(args.json.json.as_ref(), || json!({"task": args.task, "programs": best.iter().map(ranked).collect::<Vec<_>>()}), out)? {
        return Ok(Status::Good);
    }
    let columns =
        [&[("rank", Align::Right), ("hash", Align::Left)][..], &SCORE_COLUMNS, &[("made by", Align::Left), ("name", Align::Left)]];
    let mut table = Table::new(columns.concat());
    for (rank, RankedProgram { program, score }) in best.iter().enumerate() {
        let Some(score) = score else { continue };
        let place = [(rank + 1).to_string(), short(program.hash)];
        let name = [program.origin.operator.clone(), program.names.first().cloned().unwrap_or_default()];
        table.plain_row(place.into_iter().chain(score_cells(score)).chain(name));
    }
    let look = out.look;
    table.print(out, look, 0)?;
    Ok(Status::Good)
}

/// Shows where a program came from.
pub(super) fn lineage(args: &LineageArgs, out: &mut Output) -> anyhow::Result<Status> {
    let store = Store::open(&args.store, Access::Read)?;
    let ancestors = store.lineage(store.find(&args.program)?.hash)?;
    let ancestor = |Ancestor { depth, program }: &Ancestor| {
        let mut object = program_as_json(program);
        object["depth"] = (*depth).into();
        object
    };
    if write_json(args.json.json.as_ref(), || json!({"lineage": ancestors.iter().map(ancestor).collect::<Vec<_>>()}), out)? {
        return Ok(Status::Good);
    }
    let mut table = Table::new([("back", Align::Right), ("hash", Align::Left), ("name", Align::Left), ("origin", Align::Left)]);
    for Ancestor { depth, program } in ancestors {
        let name = program.names.first().cloned().unwrap_or_default();
        table.plain_row([depth.to_string(), short(program.hash), name, origin_in_words(&program.origin)]);
    }
    let look = out.look;
    table.print(out, look, 0)?;
    Ok(Status::Good)
}

fn short(hash: ContentHash) -> String {
    hash.to_string()[..DIGITS].to_owned()
}

const SCORE_COLUMNS: [(&str, Align); 5] =
    [("demos", Align::Right), ("score", Align::Right), ("order", Align::Left), ("size", Align::Right), ("fuel", Align::Right)];

fn score_cells(score: &Score) -> [String; 5] {
    let demos = format!("{}/{}", score.demos_right, score.demos);
    let order = match score.order_dependent {
        Some(true) => "dependent",
        Some(false) => "",
        None => "unknown",
    };
    [demos, grouped(score.score), order.to_owned(), grouped(u64::from(score.size)), grouped(score.fuel)]
}

fn score_as_json(score: &Score, with_task: bool) -> Json {
    let mut object = json!({
        "demos_right": score.demos_right,
        "demos": score.demos,
        "score": score.score,
        "size": score.size,
        "fuel": score.fuel,
        "behaviour": score.behaviour.map(|bits| format!("{bits:032x}")),
        "order_dependent": score.order_dependent,
    });
    if with_task {
        object["task"] = score.task.clone().into();
    }
    object
}

fn program_as_json(program: &StoredProgram) -> Json {
    let StoredProgram { hash, names, origin, .. } = program;
    let parents: Vec<String> = origin.parents.iter().map(ToString::to_string).collect();
    json!({
        "hash": hash.to_string(),
        "names": names,
        "made_by": origin.operator,
        "run": origin.run.map(|run| run.0),
        "generation": origin.generation,
        "seed": origin.seed,
        "parents": parents,
        "parents_pruned": origin.parents_pruned,
        "source": origin.source,
    })
}

/// `swap of 3fa94c0d11e2 in generation 4 of run 1`, `import from mine.py`.
fn origin_in_words(origin: &Origin) -> String {
    let mut parents: Vec<String> = origin.parents.iter().copied().map(short).collect();
    if origin.parents_pruned > 0 {
        parents.push(count(origin.parents_pruned, "pruned program"));
    }
    let of = if parents.is_empty() { String::new() } else { format!(" of {}", parents.join(" and ")) };
    let when = match (origin.generation, origin.run) {
        (Some(generation), Some(run)) => format!(" in generation {generation} of run {}", run.0),
        _ => String::new(),
    };
    let from = origin.source.as_ref().map(|source| format!(" from {}", one_line(source, LONGEST))).unwrap_or_default();
    format!("{}{of}{when}{from}", one_line(&origin.operator, LONGEST))
}
