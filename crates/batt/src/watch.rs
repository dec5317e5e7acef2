//! `--profile` of a command: what is said and written about where its time went.

use std::io::Write;

use batt_core::Task;
use batt_profile::{Profile, ProfilingTime, RunFacts, Watch, views};

use crate::args::ProfileRequest;
use crate::files::write_whole_soon;
use crate::output::{Output, one_line, short_time};

/// How much of a name is shown.
const LONGEST: usize = 60;
/// Rows in the short report of a command.
const SAID: usize = 8;

/// Says where the time went: what it was about is known by now. With `aside`, stdout belongs to something else.
pub(crate) fn tell(watch: Watch, asked: ProfileRequest<'_>, about: RunFacts, aside: bool, out: &mut Output) -> anyhow::Result<()> {
    let Some((mut profile, mut besides)) = watch.finish(about) else { return Ok(()) };
    keep(asked, &mut profile, &mut besides)?;
    say(&profile, &besides, aside, out)
}

/// Finds out before the work what watching costs here and now.
pub(crate) fn get_ready(asked: ProfileRequest<'_>) -> ProfilingTime {
    if asked.is_asked() { ProfilingTime::begin() } else { ProfilingTime::default() }
}

/// Writes a profile where it was asked for. What it took besides is said in it, but for the writing.
pub(crate) fn keep(asked: ProfileRequest<'_>, profile: &mut Profile, besides: &mut ProfilingTime) -> anyhow::Result<()> {
    profile.making_s = besides.time().as_secs_f64();
    match asked {
        ProfileRequest::InFile(path) => besides.take(|| write_whole_soon(path, profile.to_json(true)?.as_bytes())),
        _ => Ok(()),
    }
}

/// Says the most important of a profile, and what it took besides. With `aside`, stdout belongs to something else.
pub(crate) fn say(profile: &Profile, besides: &ProfilingTime, aside: bool, out: &mut Output) -> anyhow::Result<()> {
    let rows = profile.rows.iter().take(SAID).map(|row| format!("  {:5.1}%  {}", row.share * 100.0, one_line(&row.name, LONGEST)));
    let took = format!("the profile itself took {} more: calibrating, assembling and writing it", short_time(besides.time()));
    for line in views::summary(profile).into_iter().chain([took]).chain(rows) {
        if aside { out.note(line) } else { writeln!(out, "{line}")? }
    }
    Ok(())
}

/// Facts about a command, for its profile. Without places, the programs are those of the starter library.
pub(crate) fn about(source: &impl ToString, places: &[impl ToString], tasks: &[Task], programs: usize) -> RunFacts {
    let places: Vec<String> = places.iter().map(ToString::to_string).collect();
    RunFacts {
        source: source.to_string(),
        library: if places.is_empty() { "starter".to_owned() } else { places.join(" ") },
        tasks: tasks.len() as u64,
        samples: tasks.iter().map(|task| task.samples() as u64).sum(),
        programs: programs as u64,
        ..RunFacts::default()
    }
}
