//! `batt doctor`: what this build and this machine offer.

use std::io::Write as _;

use batt_data::{DataSet, cache_path};
use batt_program::table_hash;
use clap::Args;
use serde_json::{Value as Json, json};

use super::Status;
use crate::args::{DEFAULT_MEMORY, JsonArgs, memory as size};
use crate::files::write_json;
use crate::memory;
use crate::output::{Output, Tone, grouped};
use crate::table::{Align, Table};
use crate::tasks::data_dir;

/// Show what this build and this machine offer: cores, memory, data sets, cache and devices.
///
/// Nothing is fetched or written. Add the output to reports of bugs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  batt doctor\n  batt doctor --json - | jq .cores")]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    json: JsonArgs,
}

/// A line of the table.
struct Finding {
    name: &'static str,
    value: Json,
    shown: String,
    /// Advice to the user; none if there is none to give.
    advice: Option<String>,
}

/// Shows the findings.
pub(super) fn doctor(args: &DoctorArgs, out: &mut Output) -> anyhow::Result<Status> {
    let findings = findings();
    let as_json = || findings.iter().map(|finding| (finding.name.to_owned(), finding.value.clone())).collect::<serde_json::Map<_, _>>();
    if write_json(args.json.json.as_ref(), || Json::Object(as_json()), out)? {
        return Ok(Status::Good);
    }
    let mut table = Table::new([("name", Align::Left), ("value", Align::Left)]);
    for finding in &findings {
        let tone = if finding.advice.is_some() { Tone::Faint } else { Tone::Good };
        table.row([(finding.name.to_owned(), Tone::Strong), (finding.shown.clone(), tone)]);
    }
    let look = out.look;
    table.print(out, look, 0)?;
    for advice in findings.iter().filter_map(|finding| finding.advice.as_ref()) {
        writeln!(out, "{}", out.paint(Tone::Faint, advice))?;
    }
    Ok(Status::Good)
}

fn findings() -> Vec<Finding> {
    let plain = |name, value: String| Finding { name, value: json!(value), shown: value, advice: None };
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let mut findings = vec![
        plain("version", env!("CARGO_PKG_VERSION").to_owned()),
        plain("build", format!("{build}, {}-{}", std::env::consts::ARCH, std::env::consts::OS)),
        plain("primitives", table_hash().to_string()),
        cores(),
        memory_left(),
        cache(),
    ];
    findings.extend(DataSet::ALL.map(data_set));
    findings.push(devices());
    findings
}

/// The cores that a run uses by default.
fn cores() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Finding { name: "cores", value: json!(cores), shown: cores.to_string(), advice: None }
}

fn memory_left() -> Finding {
    let left = memory::available();
    let megabytes = |bytes: usize| bytes / 1_000_000;
    Finding {
        name: "memory",
        value: json!(left),
        shown: left.map_or_else(|| "unknown".to_owned(), |left| format!("{}MB free", grouped(megabytes(left) as u64))),
        advice: left
            .filter(|&left| size(DEFAULT_MEMORY).is_ok_and(|default| left < default))
            .map(|left| format!("`batt search` may take more than there is: give it --memory {}MB", megabytes(left / 10 * 8))),
    }
}

fn cache() -> Finding {
    let folder = batt_session::cache_dir(|name| std::env::var_os(name)).map(|folder| folder.display().to_string());
    Finding {
        name: "cache",
        value: json!(folder),
        advice: folder.is_none().then(|| "there is no cache folder: set BATT_CACHE or HOME".to_owned()),
        shown: folder.unwrap_or_else(|| "none".to_owned()),
    }
}

fn data_set(set: DataSet) -> Finding {
    let is_cached = data_dir().is_some_and(|folder| cache_path(&folder, set).exists());
    Finding {
        name: set.name(),
        value: json!(is_cached),
        shown: if is_cached { "cached" } else { "not cached" }.to_owned(),
        advice: (!is_cached).then(|| format!("`batt data get {0}` fetches {0}", set.name())),
    }
}

#[cfg(feature = "gpu")]
fn devices() -> Finding {
    let found = batt_gpu::cuda_devices();
    let names: Vec<String> = found.iter().flatten().map(|device| device.name.clone()).collect();
    Finding {
        name: "devices",
        value: json!(names),
        shown: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
        advice: found.err().map(|error| format!("no CUDA device: {error}")),
    }
}

#[cfg(not(feature = "gpu"))]
fn devices() -> Finding {
    Finding { name: "devices", value: json!([]), shown: "none".to_owned(), advice: Some(crate::device::NO_GPU.to_owned()) }
}
