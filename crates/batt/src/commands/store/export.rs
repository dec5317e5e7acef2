//! `batt lib export`: programs as files that Python with arc-dsl runs.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use batt_card::NotInArcDsl;
use batt_program::{parse_file, rename};
use batt_store::{Access, Store, StoreError, StoredProgram};

use super::super::Status;
use crate::args::ExportArgs;
use crate::files::{make_folder, write_whole};
use crate::output::{Output, count, grouped, one_line, progress};

/// Names of files have limits too.
const LONGEST_NAME: usize = 100;

/// Writes all programs of a store to a folder.
pub(super) fn export(args: &ExportArgs, out: &mut Output) -> anyhow::Result<Status> {
    let store = Store::open(&args.store, Access::Read)?;
    let mut programs = Vec::new();
    store.for_each_program(|program| -> Result<(), StoreError> {
        programs.push(program);
        Ok(())
    })?;
    anyhow::ensure!(!programs.is_empty(), "{}: there is no program to export", args.store.display());
    make_folder(&args.folder)?;
    let (mut to_write, mut unchanged): (Vec<(PathBuf, String)>, usize) = (Vec::new(), 0);
    for (program, name) in programs.iter().zip(file_names(&programs)) {
        let (path, text) = (args.folder.join(name), file_text(program));
        let exists = path.symlink_metadata().is_ok();
        if exists && std::fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) {
            unchanged += 1;
        } else if exists && !args.force {
            anyhow::bail!("{} exists and is different; nothing was written (--force overwrites it)", path.display());
        } else {
            to_write.push((path, text));
        }
    }
    let bar = progress(to_write.len() as u64, "export");
    for (path, text) in &to_write {
        write_whole(path, text.as_bytes())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let unchanged = if unchanged == 0 { String::new() } else { format!(" ({} unchanged)", grouped(unchanged as u64)) };
    writeln!(out, "wrote {}{unchanged} to {}", count(programs.len(), "program"), args.folder.display())?;
    Ok(Status::Good)
}

/// A name for each file: that of the program, with digits of its hash where several are called the same.
fn file_names(programs: &[StoredProgram]) -> Vec<String> {
    let stem = |program: &StoredProgram| -> String { function_names(program).swap_remove(0).chars().take(LONGEST_NAME).collect() };
    // Not every file system tells capitals from other letters.
    let mut uses: HashMap<String, usize> = HashMap::new();
    for program in programs {
        *uses.entry(stem(program).to_lowercase()).or_default() += 1;
    }
    let name = |program: &StoredProgram| {
        let stem = stem(program);
        match uses.get(&stem.to_lowercase()) {
            Some(1) => format!("{stem}.py"),
            _ => format!("{stem}_{}.py", &program.hash.to_string()[..12]),
        }
    };
    programs.iter().map(name).collect()
}

/// What a program is called, or is to be called.
fn function_names(program: &StoredProgram) -> Vec<String> {
    let is_name = |name: &&String| {
        let mut letters = name.chars();
        letters.next().is_some_and(|first| first == '_' || first.is_alphabetic()) && letters.all(|c| c == '_' || c.is_alphanumeric())
    };
    let names: Vec<String> = program.names.iter().filter(is_name).cloned().collect();
    if names.is_empty() { vec![StoredProgram { names, ..program.clone() }.name()] } else { names }
}

/// A program under each of its names, with all that Python needs to run it and a word on what arc-dsl lacks.
fn file_text(program: &StoredProgram) -> String {
    let mut text = String::from("from dsl import *\nfrom constants import *\n\n");
    let StoredProgram { hash, origin, .. } = program;
    // Writing to a string cannot fail.
    let _ = match &origin.source {
        Some(source) => writeln!(text, "# {hash}: from {}", one_line(source, 200)),
        None => writeln!(text, "# {hash}: made by {}", one_line(&origin.operator, 200)),
    };
    let lacking = match &parse_file(&program.text).programs[..] {
        [parsed] => NotInArcDsl::of(parsed),
        _ => NotInArcDsl::default(),
    };
    let mut note = |what: &str, names: Vec<&str>| {
        if !names.is_empty() {
            let _ = writeln!(text, "# {what}: {}.", names.join(", "));
        }
    };
    note("arc-dsl does not have", lacking.primitives.iter().copied().collect());
    note("Written out, since arc-dsl does not have them", lacking.constants.keys().copied().collect());
    let body = with_values(&program.text, &lacking.constants);
    for name in function_names(program) {
        let _ = write!(text, "\n\n{}", rename(&body, &name));
    }
    text
}

/// A text with the values of constants in the place of their names.
fn with_values(text: &str, constants: &BTreeMap<&str, String>) -> String {
    let is_of_name = |c: char| c == '_' || c.is_alphanumeric();
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let other = rest.find(is_of_name).unwrap_or(rest.len());
        let name = rest[other..].find(|c| !is_of_name(c)).map_or(rest.len(), |length| other + length);
        written.push_str(&rest[..other]);
        written.push_str(constants.get(&rest[other..name]).map_or(&rest[other..name], |value| value));
        rest = &rest[name..];
    }
    written
}
