//! One case: a command and its files, with changes. It depends on the corpus, a seed and a number alone.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use batt_core::Random;
use batt_testing::bytes;

use super::corpus::{SCENARIOS, SLOW, Scenario};
use super::{json, options, sql};

/// One case in so many has the command that takes a second.
const SLOW_EVERY: u64 = 10_000;
/// One case in so many starts the program as a process of its own.
const PROCESS_EVERY: u64 = 250;

/// A command with its files.
pub(crate) struct Case {
    pub(crate) scenario: Scenario,
    pub(crate) args: Vec<OsString>,
    pub(crate) files: Vec<(PathBuf, Vec<u8>)>,
    /// Kinds of changes: `bytes`, `json`, `sql`, `name`, `options`.
    pub(crate) kinds: Vec<&'static str>,
    /// Whether a process of its own is started for it.
    pub(crate) process: bool,
}

impl Case {
    /// The case of a number. `scratch` is a file that may be overwritten.
    pub(crate) fn new(corpus: &[(String, Vec<u8>)], seed: u64, number: u64, scratch: &Path) -> Self {
        let mut random = Random::new(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        random.next_u64();
        let scenario = if number % SLOW_EVERY == SLOW_EVERY / 2 { SLOW } else { choose(&mut random) };
        let files = corpus.iter().filter(|(name, _)| scenario.reads(name));
        let files = files.map(|(name, data)| (PathBuf::from(name), data.clone())).collect();
        let process = number % PROCESS_EVERY == PROCESS_EVERY / 2;
        let mut case = Self { scenario, args: scenario.arguments(), files, kinds: Vec::new(), process };
        // Most often one change, so that what is wrong is reached and not hidden behind something else.
        let changes = *random.pick(&[1, 1, 1, 2, 2, 3]);
        for _ in 0..changes {
            case.change(corpus, scratch, &mut random);
        }
        // What cannot be done leaves everything as it was.
        while case.is_unchanged(corpus) {
            case.change(corpus, scratch, &mut random);
        }
        if process && random.one_in(3) {
            case.args.push(["-v", "-vv", "--log-json"][random.below(3)].into());
        }
        case
    }

    fn change(&mut self, corpus: &[(String, Vec<u8>)], scratch: &Path, random: &mut Random) {
        if self.files.is_empty() || random.one_in(4) {
            options::change(&mut self.args, random);
            self.kinds.push("options");
            return;
        }
        let at = random.below(self.files.len());
        if random.one_in(25) {
            self.rename(at, random);
            self.kinds.push("name");
            return;
        }
        let (name, data) = &mut self.files[at];
        let extension = name.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let kind = match extension {
            // What a process that was killed leaves beside its store.
            "store" if random.one_in(30) => {
                let mut beside = name.clone().into_os_string();
                beside.push(random.pick(&["-wal", "-shm", "-journal"]));
                let (_, other) = random.pick(corpus);
                let data = other[bytes::part_of(other.len(), random)].to_vec();
                self.files.push((beside.into(), data));
                "bytes"
            }
            "store" if !random.one_in(4) => {
                sql::change(data, scratch, random);
                "sql"
            }
            "json" if !random.one_in(3) => {
                json::change(data, random);
                "json"
            }
            _ => {
                let others: Vec<&[u8]> = corpus.iter().map(|(_, data)| &**data).collect();
                bytes::change(data, &others, random);
                "bytes"
            }
        };
        self.kinds.push(kind);
    }

    fn is_unchanged(&self, corpus: &[(String, Vec<u8>)]) -> bool {
        let is_there = |(path, data): &(PathBuf, Vec<u8>)| corpus.iter().any(|(name, before)| path == Path::new(name) && data == before);
        self.args == self.scenario.arguments() && self.files.iter().all(is_there)
    }

    /// Gives a file another name, which the arguments say too.
    fn rename(&mut self, at: usize, random: &mut Random) {
        let path = &mut self.files[at].0;
        let old = path.clone();
        let stem = match random.below(6) {
            0 => OsString::from_vec(vec![b'a', 0xff, 0xc0]),
            1 => "n".repeat(240).into(),
            2 => "a\nerror: b".into(),
            3 => "-x".into(),
            4 => "e\u{1b}[2Jv\u{202e}il\r".into(),
            _ => " ".into(),
        };
        let mut name = stem;
        if let Some(extension) = old.extension() {
            name.push(".");
            name.push(extension);
        }
        path.set_file_name(name);
        for arg in self.args.iter_mut().filter(|arg| Path::new(arg) == old) {
            *arg = path.clone().into_os_string();
        }
    }
}

fn choose(random: &mut Random) -> Scenario {
    let all: usize = SCENARIOS.iter().map(|scenario| scenario.weight).sum();
    let mut left = random.below(all);
    for scenario in SCENARIOS {
        if left < scenario.weight {
            return *scenario;
        }
        left -= scenario.weight;
    }
    SLOW
}
