//! `batt profile task`: primitives and everything else, by the time that they take.

use crate::advice::{Advice, GpuBench, Priority, gain_of_all};
use crate::collect::Mode;
use crate::sheet::{Sheet, count, grouped, number, percent, time, words};
use crate::{Profile, Sampling};

/// Rows below this share are summed up in one line.
const LEAST_SHARE: f64 = 0.001;

/// What a profile is of, and how far it can be trusted: lines to put above any view.
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
    vec![
        whole,
        format!("{}: {taken}; watching cost {} ({})", profile.mode.name(), percent(profile.overhead_share), time(profile.overhead_s)),
        format!("shares are of {}; {} is not attributed", profile.share_of, percent(profile.not_attributed_share)),
    ]
}

/// Primitives and everything else, by the time that they take, then families.
pub fn primitives(profile: &Profile, bench: Option<&GpuBench>) -> Vec<Sheet> {
    let mut sheet = Sheet::new(
        "Where the time went",
        [
            words("name"),
            words("family"),
            number("calls"),
            number("self"),
            number("total"),
            number("a call"),
            number("share"),
            words("priority"),
            number("undefined"),
            words("on a GPU"),
        ],
    );
    let (mut small, mut small_share, mut small_s) = (0u64, 0.0, 0.0);
    for row in &profile.rows {
        if row.share < LEAST_SHARE {
            (small, small_share, small_s) = (small + 1, small_share + row.share, small_s + row.self_s);
            continue;
        }
        sheet.row([
            row.name.clone(),
            row.family.clone(),
            grouped(row.calls),
            with_error(row.self_s, row.error_s),
            time(row.total_s),
            time(if row.calls > 0 { row.total_s / row.calls as f64 } else { 0.0 }),
            percent(row.share),
            row.priority.clone(),
            grouped(row.undefined),
            Advice::of(row, bench).words(),
        ]);
    }
    let last = |name: &str, self_s: f64, share: f64| {
        let mut cells = vec![String::new(); 10];
        name.clone_into(&mut cells[0]);
        cells[3] = time(self_s);
        cells[6] = percent(share);
        cells
    };
    if small > 0 {
        sheet.row(last(&format!("{small} more, each under {}", percent(LEAST_SHARE)), small_s, small_share));
    }
    sheet.row(last("not attributed", profile.not_attributed_share * profile.thread_s, profile.not_attributed_share));
    sheet.row(last("all", profile.thread_s, profile.sum_of_shares()));
    if profile.mode == Mode::Sampled {
        sheet.note("Calls that primitives make are in the time of the primitive that programs call; `--mode exact` tells them apart.");
    }
    add_gpu_notes(&mut sheet, profile, bench);
    vec![sheet, families(profile), phases(profile)]
}

fn add_gpu_notes(sheet: &mut Sheet, profile: &Profile, bench: Option<&GpuBench>) {
    match bench {
        None => sheet.note("What a GPU would gain is unknown: `batt gpu bench` has measured no primitive yet (--gpu-bench FILE)."),
        Some(bench) => {
            sheet.note(format!("GPU ratios were measured on {}; starting a kernel costs {}.", bench.device, time(bench.launch_s)));
            if let Some(gain) = gain_of_all(profile, Some(bench)) {
                sheet.note(format!("With all of them there, everything would be {gain:.2} times as fast."));
            }
        }
    }
    let gpu = &profile.gpu;
    sheet.note(format!(
        "Transfers: {}, {} bytes, {}; in kernels: {}.",
        grouped(gpu.transfers),
        grouped(gpu.bytes),
        time(gpu.transfer_s),
        time(gpu.kernel_s)
    ));
}

/// The same by family.
fn families(profile: &Profile) -> Sheet {
    let mut by_family: std::collections::BTreeMap<&str, (u64, f64, u64)> = std::collections::BTreeMap::new();
    for row in &profile.rows {
        let family = by_family.entry(&row.family).or_default();
        *family = (family.0 + row.calls, family.1 + row.self_s, family.2 + row.bytes);
    }
    let mut families: Vec<_> = by_family.into_iter().collect();
    families.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    let columns = [words("family"), number("calls"), number("self"), number("share"), words("priority"), number("bytes made")];
    let mut sheet = Sheet::new("By family", columns);
    let whole = profile.thread_s.max(f64::MIN_POSITIVE);
    for (name, (calls, self_s, bytes)) in families {
        let share = self_s / whole;
        let priority = Priority::of(share).name().to_owned();
        sheet.row([name.to_owned(), grouped(calls), time(self_s), percent(share), priority, grouped(bytes)]);
    }
    sheet
}

/// The same by phase, and executing by class.
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
