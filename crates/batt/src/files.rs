//! Writing results: a file is there whole or not at all, and nothing that is read is overwritten.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use serde_json::Value as Json;

use crate::args::OutFile;
use crate::guard;
use crate::interrupt::uninterrupted;
use crate::output::Output;

/// Writes a file in the place of any that is there. A link stays, and what it leads to is replaced; what is no regular file,
/// such as a pipe, is written to.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    guard::check(path)?;
    uninterrupted(|| try_write(path, bytes, true)).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes results as JSON to the place of `--json`, if there is one. Returns whether it is stdout, where nothing else is written then.
pub(crate) fn write_json(place: Option<&OutFile>, results: impl FnOnce() -> Json, out: &mut Output) -> anyhow::Result<bool> {
    let Some(place) = place else { return Ok(false) };
    let text = serde_json::to_string_pretty(&results())? + "\n";
    if place.is_stdout() {
        out.data(&text)?;
    } else {
        write_whole(place, text.as_bytes())?;
    }
    Ok(place.is_stdout())
}

/// Writes a file whole, without waiting for the disk: for files that are easily made again, and must not take long.
pub(crate) fn write_whole_soon(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    guard::check(path)?;
    uninterrupted(|| try_write(path, bytes, false)).with_context(|| format!("cannot write {}", path.display()))
}

/// Makes a folder, and those above it, if need be.
pub(crate) fn make_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

fn try_write(path: &Path, bytes: &[u8], waits_for_disk: bool) -> std::io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return std::fs::write(path, bytes);
    }
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".batt-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if waits_for_disk {
        file.as_file().sync_all()?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
