//! `batt lib export`: programs as files that Python with arc-dsl runs.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use batt_engine::NotInArcDsl;
use batt_program::{rename, with_cells_comment};
use batt_session::program_of;
use batt_store::{Access, Store, StoreError, StoredProgram};
use rayon::prelude::*;

use super::super::Status;
use crate::args::ExportArgs;
use crate::files::{make_folder, write_whole};
use crate::output::{Output, count, grouped, one_line, progress};

/// Names of files have limits too.
const LONGEST_NAME: usize = 100;

/// Writes all programs of a store to a folder, or to one file.
pub(super) fn export(args: &ExportArgs, out: &mut Output) -> anyhow::Result<Status> {
    let store = Store::open(&args.store, Access::Read)?;
    let mut programs = Vec::new();
    store.for_each_program(|program| -> Result<(), StoreError> {
        programs.push(program);
        Ok(())
    })?;
    anyhow::ensure!(!programs.is_empty(), "{}: there is no program to export", args.store.display());
    match (&args.folder, &args.one_file) {
        (Some(folder), _) => to_folder(&programs, folder, args.force, out)?,
        (None, Some(file)) => to_file(&programs, file, args.force, out)?,
        (None, None) => {}
    }
    Ok(Status::Good)
}

fn to_file(programs: &[StoredProgram], file: &Path, force: bool, out: &mut Output) -> anyhow::Result<()> {
    let mut uses: HashMap<String, usize> = HashMap::new();
    programs.iter().flat_map(StoredProgram::function_names).for_each(|name| *uses.entry(name).or_default() += 1);
    let bar = progress(programs.len() as u64, "export");
    let one = |program: &StoredProgram| {
        let names = program.function_names().into_iter().map(|name| match uses.get(&name) {
            Some(1) => name,
            _ => format!("{name}_{}", &program.hash.to_string()[..12]),
        });
        let text = program_text(program, names);
        bar.inc(1);
        text
    };
    let texts: Vec<String> = programs.par_iter().map(one).collect();
    bar.finish_and_clear();
    let text = format!("{IMPORTS}\n{}", texts.join("\n\n"));
    if file.exists() && !force && std::fs::read(file).is_ok_and(|bytes| bytes != text.as_bytes()) {
        anyhow::bail!("{} exists and is different; nothing was written (--force overwrites it)", file.display());
    }
    write_whole(file, text.as_bytes())?;
    writeln!(out, "wrote {} to {}", count(programs.len(), "program"), file.display())?;
    Ok(())
}

fn to_folder(programs: &[StoredProgram], folder: &Path, force: bool, out: &mut Output) -> anyhow::Result<()> {
    make_folder(folder)?;
    let (mut to_write, mut unchanged): (Vec<(PathBuf, String)>, usize) = (Vec::new(), 0);
    for (program, name) in programs.iter().zip(file_names(programs)) {
        let (path, text) = (folder.join(name), format!("{IMPORTS}\n{}", program_text(program, program.function_names().into_iter())));
        let exists = path.symlink_metadata().is_ok();
        if exists && std::fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) {
            unchanged += 1;
        } else if exists && !force {
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
    writeln!(out, "wrote {}{unchanged} to {}", count(programs.len(), "program"), folder.display())?;
    Ok(())
}

/// A name for each file: that of the program, with digits of its hash where several are called the same.
fn file_names(programs: &[StoredProgram]) -> Vec<String> {
    let stem = |program: &StoredProgram| -> String { program.name().chars().take(LONGEST_NAME).collect() };
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

/// Imports that Python needs to run programs.
const IMPORTS: &str = "from dsl import *\nfrom constants import *\n";

/// A program under each of these names, with a word on what arc-dsl lacks.
fn program_text(program: &StoredProgram, names: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    let StoredProgram { hash, origin, .. } = program;
    // Writing to a string cannot fail.
    let _ = match &origin.source {
        Some(source) => writeln!(text, "# {hash}: from {}", one_line(source, 200)),
        None => writeln!(text, "# {hash}: made by {}", one_line(&origin.operator, 200)),
    };
    let (lacking, program_text) = match program_of(program) {
        Ok(read) => (NotInArcDsl::of(&read), with_cells_comment(&program.text, &read)),
        Err(_) => (NotInArcDsl::default(), program.text.clone()),
    };
    let mut note = |what: &str, names: Vec<&str>| {
        if !names.is_empty() {
            let _ = writeln!(text, "# {what}: {}.", names.join(", "));
        }
    };
    note("arc-dsl does not have", lacking.primitives.iter().copied().collect());
    note("Written out, since arc-dsl does not have them", lacking.constants.keys().copied().collect());
    let body = with_values(&program_text, &lacking.constants);
    for name in names {
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
