//! Writing tasks as JSON files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use batt_core::{Grid, Task};

use crate::get::write_atomically;
use crate::read::read_file;

/// Counts of [`write_folder`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteReport {
    /// Files that were written.
    pub written: usize,
    /// Files that were there already with the same content.
    pub unchanged: usize,
}

/// Why tasks were not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The id cannot be the name of a file.
    #[error("the task id {id:?} cannot be a file name")]
    BadId {
        /// The id.
        id: String,
    },
    /// Two tasks of one call have the same id.
    #[error("two different tasks have the id {id}")]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// A different file is there already.
    #[error("{} exists and is different; nothing was written (force would overwrite it)", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
}

/// A task in the public format, one row of a grid a line. Test outputs are written where the task has them.
pub fn write_task_json(task: &Task) -> String {
    let demos = task.demos.iter().map(|pair| (&pair.input, Some(&pair.output)));
    let tests = task.tests.iter().map(|test| (&test.input, test.output.as_ref()));
    let mut text = String::from("{\n");
    write_samples(&mut text, "train", demos);
    text.push_str(",\n");
    write_samples(&mut text, "test", tests);
    text.push_str("\n}\n");
    text
}

/// Writes each task to `ID.json` in a folder, which is made if need be. Each file is there whole or not at all. Unless
/// `force` is set, a different file of the same name is an error, and then nothing is written.
pub fn write_folder(tasks: &[Task], dir: &Path, force: bool) -> Result<WriteReport, WriteError> {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for task in tasks {
        if !is_file_name(&task.id) {
            return Err(WriteError::BadId { id: task.id.clone() });
        }
        let text = write_task_json(task);
        if files.get(&*task.id).is_some_and(|other| *other != text) {
            return Err(WriteError::DuplicateId { id: task.id.clone() });
        }
        files.insert(&task.id, text);
    }
    std::fs::create_dir_all(dir).map_err(|source| WriteError::Io { path: dir.to_owned(), source })?;
    let mut written = WriteReport::default();
    let mut to_write = Vec::new();
    for (id, text) in &files {
        let path = dir.join(format!("{id}.json"));
        let exists = path.symlink_metadata().is_ok();
        if exists && read_file(&path, text.len() as u64).is_ok_and(|bytes| bytes == text.as_bytes()) {
            written.unchanged += 1;
        } else if exists && !force {
            return Err(WriteError::Exists { path });
        } else {
            to_write.push((path, text));
        }
    }
    for (path, text) in to_write {
        write_atomically(&path, text.as_bytes(), force).map_err(|source| match source.kind() {
            std::io::ErrorKind::AlreadyExists => WriteError::Exists { path },
            _ => WriteError::Io { path, source },
        })?;
        written.written += 1;
    }
    Ok(written)
}

fn is_file_name(id: &str) -> bool {
    !id.is_empty() && id.len() <= 200 && !id.starts_with('.') && !id.contains(['/', '\\', ':']) && !id.contains(char::is_control)
}

fn write_samples<'a>(text: &mut String, key: &str, samples: impl Iterator<Item = (&'a Grid, Option<&'a Grid>)>) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\"{key}\": [");
    for (k, (input, output)) in samples.enumerate() {
        text.push_str(if k == 0 { "\n{\"input\": [" } else { ",\n{\"input\": [" });
        write_rows(text, input);
        if let Some(output) = output {
            text.push_str(",\n\"output\": [");
            write_rows(text, output);
        }
        text.push('}');
    }
    text.push(']');
}

fn write_rows(text: &mut String, grid: &Grid) {
    for (i, row) in grid.rows().enumerate() {
        text.push_str(if i == 0 { "\n[" } else { ",\n[" });
        for (j, cell) in row.iter().enumerate() {
            let _ = write!(text, "{}{cell}", if j == 0 { "" } else { "," });
        }
        text.push(']');
    }
    text.push(']');
}
