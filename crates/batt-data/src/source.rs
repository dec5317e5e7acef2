//! The names of sources: `starter`, `arc1:training`, ..., or a path. Nothing here looks at the disk.

use std::fmt;
use std::path::PathBuf;

/// A public data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DataSet {
    /// ARC-AGI-1.
    Arc1,
    /// ARC-AGI-2.
    Arc2,
}

/// The two splits of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Split {
    /// The public training tasks.
    Training,
    /// The public evaluation tasks.
    Evaluation,
}

/// Where tasks come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The starter pack.
    Starter,
    /// A data set in the cache, or one split of it.
    Cached {
        /// Which data set.
        set: DataSet,
        /// Which split; all of it if `None`.
        split: Option<Split>,
    },
    /// A folder, a file or a wheel.
    Path {
        /// Where it is.
        path: PathBuf,
        /// Which data set of a wheel; all if `None`.
        set: Option<DataSet>,
        /// Which split of a file with splits; all if `None`.
        split: Option<Split>,
    },
}

impl DataSet {
    /// All data sets.
    pub const ALL: [Self; 2] = [Self::Arc1, Self::Arc2];

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arc1 => "arc1",
            Self::Arc2 => "arc2",
        }
    }

    /// The data set of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }
}

impl Split {
    /// All splits.
    pub const ALL: [Self; 2] = [Self::Training, Self::Evaluation];

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Training => "training",
            Self::Evaluation => "evaluation",
        }
    }

    /// The split of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|split| split.name() == name)
    }
}

impl Source {
    /// The names that are not paths, for messages.
    pub const NAMES: &'static str = "starter, arc1:training, arc1:evaluation, arc2:training, arc2:evaluation";

    /// Reads a name. Any other text is a path, so this cannot fail. Loading a missing path is an error that lists the known names.
    pub fn parse(text: &str) -> Self {
        if text == "starter" {
            return Self::Starter;
        }
        let (rest, split) = strip_suffix(text, Split::from_name);
        if let Some(set) = DataSet::from_name(rest) {
            return Self::Cached { set, split };
        }
        let (rest, set) = strip_suffix(rest, DataSet::from_name);
        Self::Path { path: rest.into(), set, split }
    }

    /// A path without a choice of data set or split, also one that is not text.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self::Path { path: path.into(), set: None, split: None }
    }
}

impl From<&str> for Source {
    fn from(text: &str) -> Self {
        Self::parse(text)
    }
}

impl fmt::Display for DataSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let split = match self {
            Self::Starter => return f.write_str("starter"),
            Self::Cached { set, split } => {
                write!(f, "{set}")?;
                split
            }
            Self::Path { path, set, split } => {
                write!(f, "{}", path.display())?;
                if let Some(set) = set {
                    write!(f, ":{set}")?;
                }
                split
            }
        };
        split.map_or(Ok(()), |split| write!(f, ":{split}"))
    }
}

fn strip_suffix<T>(text: &str, from_name: impl Fn(&str) -> Option<T>) -> (&str, Option<T>) {
    match text.rsplit_once(':').map(|(rest, last)| (rest, from_name(last))) {
        Some((rest, Some(found))) if !rest.is_empty() => (rest, Some(found)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed_back() {
        let cached = |set, split| Source::Cached { set, split };
        let path = |path: &str, set, split| Source::Path { path: path.into(), set, split };
        let cases = [
            ("starter", Source::Starter),
            ("arc1:training", cached(DataSet::Arc1, Some(Split::Training))),
            ("arc1:evaluation", cached(DataSet::Arc1, Some(Split::Evaluation))),
            ("arc2:training", cached(DataSet::Arc2, Some(Split::Training))),
            ("arc2", cached(DataSet::Arc2, None)),
            ("./arc2", path("./arc2", None, None)),
            ("arc3:training", path("arc3", None, Some(Split::Training))),
            ("arc1:testing", path("arc1:testing", None, None)),
            ("a/b.json", path("a/b.json", None, None)),
            ("a/b.whl:arc1:training", path("a/b.whl", Some(DataSet::Arc1), Some(Split::Training))),
            ("a/b.whl:arc2", path("a/b.whl", Some(DataSet::Arc2), None)),
            ("a/b.json:evaluation", path("a/b.json", None, Some(Split::Evaluation))),
            ("c:folder", path("c:folder", None, None)),
            (":training", path(":training", None, None)),
            ("", path("", None, None)),
        ];
        for (text, source) in cases {
            assert_eq!(Source::parse(text), source, "{text}");
            assert_eq!(source.to_string(), text);
        }
    }
}
