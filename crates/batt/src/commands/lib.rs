//! `batt lib check`: what is wrong with program files, and where.

use std::io::Write;
use std::path::PathBuf;

use batt_program::{Diagnostic, check_in};

use super::Status;
use crate::output::{Output, Tone, count};
use crate::programs::{ProgramFile, read_files};

/// Parses and types programs, and reports what is wrong with them.
pub(super) fn check(paths: &[PathBuf], out: &mut Output) -> anyhow::Result<Status> {
    let (files, skipped) = read_files(paths);
    let (mut functions, mut errors, mut warnings) = (0, 0, 0);
    for file in &files {
        for finding in findings(file) {
            *(if finding.is_error { &mut errors } else { &mut warnings }) += 1;
            // The first line is the message; what follows is the source.
            let text = finding.diagnostic.render(&file.name, &file.text);
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            let place = first.strip_suffix(&finding.diagnostic.message).unwrap_or_default();
            let message =
                if finding.is_error { String::new() } else { out.paint(Tone::Warning, "warning: ") } + &finding.diagnostic.message;
            write!(out, "{}{message}\n{rest}", out.paint(Tone::Strong, place))?;
        }
        functions += file.parsed.programs.len();
    }
    for one in &skipped {
        out.error(format_args!("{}: {}", one.what, one.why));
    }
    let problems = errors + skipped.len();
    let verdict = out.paint(if problems == 0 { Tone::Good } else { Tone::Bad }, count(errors, "error"));
    let not_read = if skipped.is_empty() { String::new() } else { format!("; {} not read", count(skipped.len(), "path")) };
    let (functions, files, warnings) = (count(functions, "function"), count(files.len(), "file"), count(warnings, "warning"));
    writeln!(out, "{functions} in {files}: {verdict}, {warnings}{not_read}")?;
    Ok(Status::good_if(problems == 0))
}

struct Finding {
    diagnostic: Diagnostic,
    is_error: bool,
}

/// What is wrong in a file, in the order of the text.
fn findings(file: &ProgramFile) -> Vec<Finding> {
    let error = |diagnostic| Finding { diagnostic, is_error: true };
    let mut findings: Vec<Finding> = file.parsed.errors.iter().cloned().map(error).collect();
    for program in &file.parsed.programs {
        let typing = check_in(program, &file.text);
        findings.extend(typing.errors.into_iter().map(error));
        findings.extend(typing.warnings.into_iter().map(|diagnostic| Finding { diagnostic, is_error: false }));
    }
    findings.sort_by_key(|finding| finding.diagnostic.span.offset);
    findings
}
