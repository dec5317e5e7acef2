//! Nothing that a command reads is overwritten, and a place where nothing can be written is told before the work.
//!
//! Inputs and outputs follow from the types of the arguments (`args/paths.rs`), so that commands need no code for it. Inputs that are known
//! only later, such as the tasks of a store, are declared by [`reads_tasks_of`]. Files are the same if their paths are, without links, or
//! if the file system says so.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use batt_data::{ProgramSource, Source, program_paths, source_paths};
use clap::{Arg, ArgMatches, Command};

use crate::args::{InFile, OutFile, OutFolder, StoreFile, TaskSource};
use crate::commands::UsageError;
use crate::interrupt::uninterrupted;
use crate::tasks;

/// Files beside a store that belong to it.
const OF_STORES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Files that this process reads and writes.
static GUARD: Mutex<Option<Guard>> = Mutex::new(None);

/// Files that are read, by who reads them, and files that are written.
#[derive(Default)]
struct Guard {
    inputs: HashMap<Identity, String>,
    outputs: Vec<(String, PathBuf)>,
    folders: Vec<(String, PathBuf)>,
}

/// Key by which files are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Identity {
    /// Its path without links; of a file that is not there, that of its folder, and its name.
    Path(PathBuf),
    /// Its device and its number there.
    #[cfg(unix)]
    Inode(u64, u64),
}

impl Identity {
    fn all_of(path: &Path) -> Vec<Self> {
        let mut all = vec![Self::Path(canonical(path))];
        #[cfg(unix)]
        if let Ok(metadata) = std::fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            all.push(Self::Inode(metadata.dev(), metadata.ino()));
        }
        all
    }
}

/// Looks at the arguments: an output that is an input, or another output, is refused, and so is a place where nothing can be written.
pub(crate) fn begin(command: &Command, matches: &ArgMatches) -> anyhow::Result<()> {
    let mut guard = Guard::default();
    guard.collect_outputs(command, matches);
    if !guard.outputs.is_empty() || !guard.folders.is_empty() {
        guard.collect_inputs(command, matches);
        guard.check_outputs()?;
    }
    for (_, path) in &guard.outputs {
        uninterrupted(|| try_file(path)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    for (_, path) in &guard.folders {
        uninterrupted(|| try_folder(path)).with_context(|| format!("cannot write to the folder {}", path.display()))?;
    }
    *GUARD.lock().unwrap_or_else(PoisonError::into_inner) = Some(guard);
    Ok(())
}

/// A command that finds out only now where its tasks come from says so, before the work.
pub(crate) fn reads_tasks_of(source: &Source, who: &str) -> Result<(), UsageError> {
    let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(guard) = guard.as_mut() else { return Ok(()) };
    guard.add_inputs(who, &source_paths(source, tasks::data_dir().as_deref()));
    guard.check_outputs()
}

/// A command says which file it writes in a folder, before the work: no other output may be that file.
pub(crate) fn writes(path: &Path, who: &str) -> Result<(), UsageError> {
    let guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    let own = Identity::all_of(path);
    let is_same = |(_, other): &&(String, PathBuf)| Identity::all_of(other).iter().any(|identity| own.contains(identity));
    match guard.as_ref().and_then(|guard| guard.outputs.iter().find(is_same)) {
        Some((label, _)) => Err(UsageError(format!("{who} and {label} would both write {}: name two files", path.display()))),
        None => Ok(()),
    }
}

/// Refuses to write a file that is read.
pub(crate) fn check(path: &Path) -> Result<(), UsageError> {
    let guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    guard.as_ref().map_or(Ok(()), |guard| guard.check_output("it", path))
}

impl Guard {
    fn collect_outputs(&mut self, command: &Command, matches: &ArgMatches) {
        for_each_argument(command, matches, &mut |arg, id, matches| {
            let label = label(arg);
            let files = values::<OutFile>(matches, id).filter(|file| !file.is_stdout());
            self.outputs.extend(files.map(|file| (label.clone(), file.to_path_buf())));
            self.folders.extend(values::<OutFolder>(matches, id).map(|folder| (label.clone(), folder.to_path_buf())));
        });
    }

    fn collect_inputs(&mut self, command: &Command, matches: &ArgMatches) {
        for_each_argument(command, matches, &mut |arg, id, matches| {
            let mut paths: Vec<PathBuf> = values::<InFile>(matches, id).map(|file| file.to_path_buf()).collect();
            paths.extend(values::<StoreFile>(matches, id).flat_map(|file| files_of_store(file)));
            let sources: Vec<ProgramSource> = values::<ProgramSource>(matches, id).cloned().collect();
            paths.extend(program_paths(&sources).iter().flat_map(|path| files_of_store(path)));
            for named in values::<TaskSource>(matches, id).filter(|named| named.number().is_none()) {
                paths.extend(source_paths(&tasks::source(named.text()), tasks::data_dir().as_deref()));
            }
            self.add_inputs(&label(arg), &paths);
        });
    }

    fn add_inputs(&mut self, who: &str, paths: &[PathBuf]) {
        for identity in paths.iter().flat_map(|path| Identity::all_of(path)) {
            self.inputs.entry(identity).or_insert_with(|| who.to_owned());
        }
    }

    fn check_outputs(&self) -> Result<(), UsageError> {
        let mut known: HashMap<Identity, &str> = HashMap::new();
        for (label, path) in &self.outputs {
            self.check_output(label, path)?;
            let identities = if is_special(path) { Vec::new() } else { Identity::all_of(path) };
            if let Some(other) = identities.iter().find_map(|identity| known.get(identity)) {
                let path = path.display();
                return Err(UsageError(format!("{other} and {label} would both write {path}: name two files")));
            }
            known.extend(identities.into_iter().map(|identity| (identity, &**label)));
        }
        Ok(())
    }

    fn check_output(&self, label: &str, path: &Path) -> Result<(), UsageError> {
        if is_special(path) {
            return Ok(());
        }
        match Identity::all_of(path).iter().find_map(|identity| self.inputs.get(identity)) {
            Some(who) => {
                let path = path.display();
                Err(UsageError(format!("{label} would overwrite {path}, which {who} reads: name another file")))
            }
            None => Ok(()),
        }
    }
}

/// A pipe or a device: nothing of it is overwritten.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn files_of_store(path: &Path) -> impl Iterator<Item = PathBuf> {
    OF_STORES.into_iter().map(move |end| {
        let mut name: OsString = path.as_os_str().to_owned();
        name.push(end);
        name.into()
    })
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| match (folder_of(path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    })
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Finds out whether a file could be written: a new one is made beside it, and then takes its place.
fn try_file(path: &Path) -> anyhow::Result<()> {
    if is_special(path) {
        return Ok(());
    }
    anyhow::ensure!(!path.is_dir(), "it is a folder");
    let path = canonical(path);
    let folder = folder_of(&path);
    anyhow::ensure!(folder.is_dir(), "there is no folder {}", folder.display());
    tempfile::Builder::new().prefix(".batt-").tempfile_in(folder)?;
    Ok(())
}

/// Finds out whether a folder could be written to; it is made if need be.
fn try_folder(path: &Path) -> anyhow::Result<()> {
    let there =
        path.ancestors().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).find(|path| path.exists());
    let folder = there.unwrap_or(Path::new("."));
    anyhow::ensure!(folder.is_dir(), "{} is no folder", folder.display());
    tempfile::Builder::new().prefix(".batt-").tempfile_in(folder)?;
    Ok(())
}

/// Goes through the arguments of a command and of the command in it that was called.
fn for_each_argument(command: &Command, matches: &ArgMatches, visit: &mut dyn FnMut(&Arg, &str, &ArgMatches)) {
    let given: HashSet<&str> = matches.ids().map(clap::Id::as_str).collect();
    for arg in command.get_arguments().filter(|arg| given.contains(arg.get_id().as_str())) {
        visit(arg, arg.get_id().as_str(), matches);
    }
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        for_each_argument(command, matches, visit);
    }
}

/// The values of an argument, if they are of this type.
fn values<'m, T: Clone + Send + Sync + 'static>(matches: &'m ArgMatches, id: &str) -> impl Iterator<Item = &'m T> {
    matches.try_get_many::<T>(id).ok().flatten().into_iter().flatten()
}

fn label(arg: &Arg) -> String {
    match (arg.get_long(), arg.get_value_names()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some([name, ..])) => format!("<{name}>"),
        _ => arg.get_id().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;
    use clap::builder::ValueParser;

    /// A path without a type that says what is done with it would not be guarded.
    #[test]
    fn every_path_says_whether_it_is_read_or_written() {
        fn look(command: &Command, name: &str, checked: &mut usize) {
            for arg in command.get_arguments() {
                let kind = arg.get_value_parser().type_id();
                let plain = [ValueParser::path_buf().type_id(), ValueParser::os_string().type_id()];
                assert!(!plain.contains(&kind), "{name} {}", arg.get_id());
                *checked += usize::from(kind == std::any::TypeId::of::<OutFile>());
            }
            command.get_subcommands().for_each(|command| look(command, &format!("{name} {}", command.get_name()), checked));
        }
        let mut checked = 0;
        let mut command = Cli::command();
        command.build();
        look(&command, "batt", &mut checked);
        assert!(checked > 40, "{checked}");
    }
}
