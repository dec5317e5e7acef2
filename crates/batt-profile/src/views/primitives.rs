//! `batt profile task`: primitives and everything else, by the time that they take.

use std::collections::BTreeMap;

use crate::advice::{Advice, GpuBench, Priority, gain_of_all};
use crate::collect::Mode;
use crate::robust::interval;
use crate::sheet::{Sheet, between, count, grouped, number, percent, time, words};
use crate::{Profile, Repeat, Row, Sampling};

/// Rows below this share are summed up in one line.
const LEAST_SHARE: f64 = 0.001;
/// Time without a processor is told of from this part of the other time on.
const LEAST_LOST: f64 = 0.01;

/// Tasks, programs, time and noise of a profile: lines to put above any view.
pub fn summary(profile: &Profile) -> Vec<String> {
    let run = &profile.run;
    let whole = format!(
        "{}, {}, {}, {}: {} wall time, {} {} at work",
        count(run.tasks, "task"),
        count(run.samples, "sample"),
        count(run.programs, "program"),
        count(run.threads, "thread"),
        time(profile.wall_s),
        time(profile.thread_s),
        if run.threads == 1 { "of it" } else { "of threads" },
    );
    let taken = match profile.mode {
        Mode::Exact => "every call timed, and the cost of that taken away".to_owned(),
        Mode::Sampled => {
            let Sampling { runs, counted, timed, .. } = profile.sampling;
            let counts = if counted < runs { "" } else { ", the calls of all counted" };
            format!("{} of {} timed{counts}", grouped(timed), count(runs, "run"))
        }
    };
    let mut lines = vec![
        whole,
        format!("{}: {taken}; profiling overhead {} ({})", profile.mode.name(), percent(profile.overhead_share), time(profile.overhead_s)),
        format!("shares are of {}; {} is not attributed", profile.share_of, percent(profile.not_attributed_share)),
    ];
    if profile.lost_s > LEAST_LOST * profile.thread_s {
        lines.push(format!("threads waited another {} for a processor or a disk; that is in no share", time(profile.lost_s)));
    }
    lines
}

/// Whether figures are medians, and of what: a remark to put below tables.
pub(super) fn note_of_runs(profile: &Profile) -> String {
    match profile.repeats.len() {
        0 | 1 => "Run once: how much of this is noise is not known, so that nothing has a priority (--repeat 5).".to_owned(),
        runs => {
            let walls: Vec<f64> = profile.repeats.iter().map(|repeat| repeat.thread_s).collect();
            format!(
                "Medians of {runs} runs, and what they lie between; all together {}. A priority is by the least part of the time on tasks that a \
                 primitive takes.",
                between(interval(&walls))
            )
        }
    }
}

/// Primitives and everything else, by the time that they take, then families.
pub fn primitives(profile: &Profile, bench: Option<&GpuBench>) -> Vec<Sheet> {
    let mut columns = vec![words("name"), words("family"), number("calls"), number("self"), number("between"), number("total")];
    columns.extend([number("a call"), number("share"), words("priority"), number("undefined")]);
    columns.extend(bench.map(|_| words("on a GPU")));
    let width = columns.len();
    let mut sheet = Sheet::new("Where the time went", columns);
    let (mut small, mut small_share, mut small_s, mut unknown) = (0u64, 0.0, 0.0, 0u64);
    for row in &profile.rows {
        if row.share < LEAST_SHARE {
            (small, small_share, small_s) = (small + 1, small_share + row.share, small_s + row.self_s);
            continue;
        }
        let mut cells = vec![
            row.name.clone(),
            row.family.clone(),
            grouped(row.calls),
            with_error(row.self_s, row.error_s),
            between(row.interval_s),
            time(row.total_s),
            time(if row.calls > 0 { row.total_s / row.calls as f64 } else { 0.0 }),
            percent(row.share),
            row.priority.clone(),
            grouped(row.undefined),
        ];
        if bench.is_some() {
            let advice = Advice::of(row, bench);
            unknown += u64::from(advice == Advice::Unknown);
            cells.push(advice.words());
        }
        sheet.row(cells);
    }
    let last = |name: &str, self_s: f64, share: f64| {
        let mut cells = vec![String::new(); width];
        name.clone_into(&mut cells[0]);
        cells[3] = time(self_s);
        cells[7] = percent(share);
        cells
    };
    if small > 0 {
        sheet.row(last(&format!("{small} more, each under {}", percent(LEAST_SHARE)), small_s, small_share));
    }
    sheet.row(last("not attributed", profile.not_attributed_share * profile.thread_s, profile.not_attributed_share));
    sheet.row(last("all", profile.thread_s, profile.sum_of_shares()));
    sheet.note(note_of_runs(profile));
    if profile.mode == Mode::Sampled {
        sheet.note("Calls that primitives make are in the time of the primitive that programs call; `--mode exact` tells them apart.");
    }
    add_gpu_notes(&mut sheet, profile, bench, unknown);
    vec![sheet, families(profile), phases(profile)]
}

fn add_gpu_notes(sheet: &mut Sheet, profile: &Profile, bench: Option<&GpuBench>, unknown: u64) {
    match bench {
        None => sheet.note("What a GPU would gain is unknown: no primitive was measured on one (`batt gpu bench`, then --gpu-bench FILE)."),
        Some(bench) => {
            sheet.note(format!("GPU ratios were measured on {}; starting a kernel costs {}.", bench.device, time(bench.launch_s)));
            if unknown > 0 {
                sheet.note(format!("Not measured there: {} of these.", count(unknown, "primitive")));
            }
            if let Some(gain) = gain_of_all(profile, Some(bench)) {
                sheet.note(format!("With all of them there, everything would be {gain:.2} times as fast."));
            }
        }
    }
    let gpu = &profile.gpu;
    if gpu.transfers > 0 {
        sheet.note(format!(
            "Transfers: {}, {} bytes, {}; in kernels: {}.",
            grouped(gpu.transfers),
            grouped(gpu.bytes),
            time(gpu.transfer_s),
            time(gpu.kernel_s)
        ));
    }
}

/// Time by family.
fn families(profile: &Profile) -> Sheet {
    let mut by_family: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, row) in profile.rows.iter().enumerate() {
        by_family.entry(&row.family).or_default().push(place);
    }
    let mut families: Vec<Row> = by_family.into_iter().map(|(family, places)| family_of(profile, family, &places)).collect();
    families.sort_by(|a, b| b.self_s.total_cmp(&a.self_s));
    let columns =
        [words("family"), number("calls"), number("self"), number("between"), number("share"), words("priority"), number("bytes made")];
    let mut sheet = Sheet::new("By family", columns);
    let whole = profile.thread_s.max(f64::MIN_POSITIVE);
    for row in families {
        let (share, priority) = (percent(row.self_s / whole), Priority::of_row(&row, profile.on_tasks_s()).name().to_owned());
        sheet.row([row.family, grouped(row.calls), time(row.self_s), between(row.interval_s), share, priority, grouped(row.bytes)]);
    }
    sheet
}

/// All rows of a family in one.
fn family_of(profile: &Profile, family: &str, places: &[usize]) -> Row {
    let rows = places.iter().map(|&place| &profile.rows[place]);
    let of_run = |repeat: &Repeat| places.iter().filter_map(|&place| repeat.self_s.get(place)).sum();
    let mut all = Row { family: family.to_owned(), ..Row::default() };
    for row in rows {
        all.calls += row.calls;
        all.self_s += row.self_s;
        all.bytes += row.bytes;
        all.error_s = all.error_s.hypot(row.error_s);
    }
    all.interval_s = interval(&profile.repeats.iter().map(of_run).collect::<Vec<f64>>());
    all
}

/// Time by phase, and of executing by class.
fn phases(profile: &Profile) -> Sheet {
    let mut sheet = Sheet::new("By phase", [words("phase"), number("time"), number("share"), words("grows with")]);
    for phase in &profile.phases {
        sheet.row([phase.name.clone(), time(phase.time_s), percent(phase.share), phase.grows_with.clone()]);
        if phase.name == "execute" {
            for class in &profile.classes {
                let depends = format!("{} nodes", grouped(class.calls));
                sheet.row([format!("  {}", class.name), time(class.time_s), percent(class.time_s / profile.thread_s), depends]);
            }
        }
    }
    if profile.run.threads > 1 {
        sheet.note(format!("Threads waited {} for others.", time(profile.idle_s)));
    }
    sheet
}

fn with_error(value: f64, error: f64) -> String {
    if error > 0.0 && value > 0.0 { format!("{} ±{:.0}%", time(value), (100.0 * error / value).ceil()) } else { time(value) }
}
