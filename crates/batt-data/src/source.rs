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

/// A part of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
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
    /// A data set in the cache, or one part of it.
    Cached {
        /// Which data set.
        set: DataSet,
        /// Which part; all of it if `None`.
        part: Option<Part>,
    },
    /// A folder, a file or a wheel.
    Path {
        /// Where it is.
        path: PathBuf,
        /// Which data set of a wheel; all if `None`.
        set: Option<DataSet>,
        /// Which part of a file with parts; all if `None`.
        part: Option<Part>,
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

impl Part {
    /// All parts.
    pub const ALL: [Self; 2] = [Self::Training, Self::Evaluation];

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Training => "training",
            Self::Evaluation => "evaluation",
        }
    }

    /// The part of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}

impl Source {
    /// The names that are not paths, for messages.
    pub const NAMES: &'static str = "starter, arc1:training, arc1:evaluation, arc2:training, arc2:evaluation";

    /// Reads a name. What is not a known name is a path, so this cannot fail; a path that is not there is an
    /// error when it is loaded, and that error lists the known names.
    pub fn parse(text: &str) -> Self {
        if text == "starter" {
            return Self::Starter;
        }
        let (rest, part) = strip_suffix(text, Part::from_name);
        if let Some(set) = DataSet::from_name(rest) {
            return Self::Cached { set, part };
        }
        let (rest, set) = strip_suffix(rest, DataSet::from_name);
        Self::Path { path: rest.into(), set, part }
    }

    /// A path without a choice of data set or part, also one that is not text.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self::Path { path: path.into(), set: None, part: None }
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

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = match self {
            Self::Starter => return f.write_str("starter"),
            Self::Cached { set, part } => {
                write!(f, "{set}")?;
                part
            }
            Self::Path { path, set, part } => {
                write!(f, "{}", path.display())?;
                if let Some(set) = set {
                    write!(f, ":{set}")?;
                }
                part
            }
        };
        part.map_or(Ok(()), |part| write!(f, ":{part}"))
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
        let cached = |set, part| Source::Cached { set, part };
        let path = |path: &str, set, part| Source::Path { path: path.into(), set, part };
        let cases = [
            ("starter", Source::Starter),
            ("arc1:training", cached(DataSet::Arc1, Some(Part::Training))),
            ("arc1:evaluation", cached(DataSet::Arc1, Some(Part::Evaluation))),
            ("arc2:training", cached(DataSet::Arc2, Some(Part::Training))),
            ("arc2", cached(DataSet::Arc2, None)),
            ("./arc2", path("./arc2", None, None)),
            ("arc3:training", path("arc3", None, Some(Part::Training))),
            ("arc1:testing", path("arc1:testing", None, None)),
            ("a/b.json", path("a/b.json", None, None)),
            ("a/b.whl:arc1:training", path("a/b.whl", Some(DataSet::Arc1), Some(Part::Training))),
            ("a/b.whl:arc2", path("a/b.whl", Some(DataSet::Arc2), None)),
            ("a/b.json:evaluation", path("a/b.json", None, Some(Part::Evaluation))),
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
