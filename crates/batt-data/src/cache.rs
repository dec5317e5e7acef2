//! Where the cache is, and what its files are called.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::DataSet;

/// The folder that data sets are kept in: `$BATT_DATA`, else `$XDG_DATA_HOME/batt`, else `$HOME/.local/share/batt`;
/// `None` if the environment, which is asked through `lookup`, has none of them. A variable that is empty counts as not set.
pub fn data_dir(lookup: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let get = |name| lookup(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    get("BATT_DATA")
        // The XDG specification says that a relative path is to be ignored.
        .or_else(|| get("XDG_DATA_HOME").filter(|dir| dir.is_absolute()).map(|dir| dir.join("batt")))
        .or_else(|| get("HOME").map(|home| home.join(".local/share/batt")))
}

/// The file of a data set in the cache folder `dir`.
pub fn cache_path(dir: &Path, set: DataSet) -> PathBuf {
    dir.join(format!("{set}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let dir =
            |pairs: &[(&str, &str)]| data_dir(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)));
        let home = ("HOME", "/h");
        assert_eq!(dir(&[("BATT_DATA", "/b"), ("XDG_DATA_HOME", "/x"), home]), Some("/b".into()));
        assert_eq!(dir(&[("BATT_DATA", ""), ("XDG_DATA_HOME", "/x"), home]), Some("/x/batt".into()));
        assert_eq!(dir(&[("XDG_DATA_HOME", "relative"), home]), Some("/h/.local/share/batt".into()));
        assert_eq!(dir(&[home]), Some("/h/.local/share/batt".into()));
        assert_eq!(dir(&[]), None);
    }
}
