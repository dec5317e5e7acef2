//! Pages to look at: made by the program, as a user would.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use batt_profile::{Phase, Profile, Row, Stack};
use batt_store::{Access, Generation, NewFit, NewRun, OperatorUse, Progress, Score, Store};

/// A folder of its own, and pages in it.
pub(crate) struct Pages {
    folder: tempfile::TempDir,
}

/// Text that would do something, were it read as HTML.
pub(crate) const EVIL: &str = "<img src=x onerror=window.pwned=1><script>window.pwned=1";

impl Pages {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs batt in the folder.
    pub(crate) fn batt(&self, args: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_batt"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        command
            .env("BATT_DATA", self.path("data"))
            .env("BATT_CACHE", self.path("made"))
            .env("SOURCE_DATE_EPOCH", "1000000000")
            .env_remove("RUST_LOG");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// A page of the starter pack.
    pub(crate) fn starter(&self) -> PathBuf {
        self.batt(&["report", "--out", "starter.html"]);
        self.path("starter.html")
    }

    /// A page with a task of each kind, a run, and a profile.
    pub(crate) fn mixed(&self) -> PathBuf {
        for (id, task) in TASKS {
            self.write(&format!("tasks/{id}.json"), task);
        }
        self.write("programs.py", PROGRAMS);
        self.write("profile.json", &json(profile()));
        self.batt(&["lib", "import", "my.store", "programs.py"]);
        self.run_of_generations();
        let sources = ["--tasks", "tasks", "--programs", "programs.py", "--store", "my.store", "--profile", "profile.json"];
        self.batt(&[&["report", "--out", "mixed.html"], &sources[..]].concat());
        self.path("mixed.html")
    }

    /// A page whose every text is evil.
    pub(crate) fn evil(&self) -> PathBuf {
        self.write(&format!("tasks/{EVIL}.json"), TASKS[0].1);
        self.write(&format!("programs/{EVIL}.py"), PROGRAMS);
        let rows = vec![row(EVIL, EVIL, 1, 1.0, 0.03); 30];
        let stacks = vec![stack(&[EVIL, "inner</script>"], 5.0), stack(&[&format!("{EVIL}</svg>")], 5.0)];
        let phases = vec![phase(EVIL, 1.0)];
        let profile = Profile { wall_s: 1.0, not_attributed_share: 0.1, rows, stacks, phases, ..Profile::default() };
        self.write("evil.json", &json(profile));
        self.batt(&[
            "report",
            "--out",
            "evil.html",
            "--tasks",
            "tasks",
            "--programs",
            "programs",
            "--profile",
            "evil.json",
            "--title",
            EVIL,
        ]);
        self.path("evil.html")
    }

    fn run_of_generations(&self) {
        let mut store = Store::open(&self.path("my.store"), Access::Write).unwrap();
        let flip = store.find("solve_flip").unwrap().hash;
        let tasks = vec!["flip".to_owned(), "open".to_owned()];
        let run =
            store.begin_run(&NewRun { seed: 7, tasks, batt_version: "0.1.0".to_owned(), unix_ms: 1_000, ..NewRun::default() }).unwrap();
        for number in 0..20u64 {
            let score = Score {
                program: flip,
                task: "flip".to_owned(),
                demos_right: 2,
                demos: 2,
                score: 2_000,
                size: 1,
                fuel: 8,
                behaviour: Some(1),
                order_dependent: Some(false),
            };
            let used = |name: &str, improved| OperatorUse { operator: name.to_owned(), tried: 50, duplicates: 10, improved, fits: 0 };
            let generation = Generation {
                number,
                scores: vec![score],
                fits: vec![NewFit { task: "flip".to_owned(), program: flip }],
                operators: vec![used("swap", 3), used("insert", 1)],
                progress: Progress {
                    evaluations: 100 * (number + 1),
                    fits: number / 10,
                    total_score: 500 + 60 * number,
                    mean_size_milli: 3_000 + 100 * number,
                    distinct_behaviours: 10 + number,
                },
                checkpoint: "{}".to_owned(),
                unix_ms: 1_000 + 2_000 * number as i64,
                ..Generation::default()
            };
            store.save_generation(run, &generation).unwrap();
        }
    }
}

/// One that is solved, one that is right on the demos and whose answer is not known, one that is right on half of the demos, one where
/// nothing is right, and one that is right on the demos alone.
pub(crate) const TASKS: [(&str, &str); 5] = [
    (
        "flip",
        r#"{"train": [{"input": [[1, 0], [2, 3]], "output": [[2, 3], [1, 0]]}, {"input": [[3], [0]], "output": [[0], [3]]}], "test": [{"input": [[5], [6]], "output": [[6], [5]]}]}"#,
    ),
    ("open", r#"{"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[5, 6]]}]}"#),
    (
        "half",
        r#"{"train": [{"input": [[1], [2]], "output": [[2], [1]]}, {"input": [[1, 2], [3, 4]], "output": [[3, 4], [1, 9]]}], "test": [{"input": [[5, 6], [7, 8]], "output": [[7, 8], [5, 6]]}]}"#,
    ),
    (
        "none",
        r#"{"train": [{"input": [[1, 0, 1], [0, 0, 0], [1, 1, 1]], "output": [[7, 1, 7], [0, 0, 0], [1, 1, 1]]}], "test": [{"input": [[5]], "output": [[5]]}]}"#,
    ),
    ("late", r#"{"train": [{"input": [[4], [2]], "output": [[2], [4]]}], "test": [{"input": [[5], [6]], "output": [[5], [6]]}]}"#),
];

pub(crate) const PROGRAMS: &str = "\
def solve_flip(I):
    O = hmirror(I)
    return O

def solve_open(I):
    O = vmirror(I)
    return O

def solve_twice(I):
    x1 = objects(I, T, F, T)
    x2 = vmirror(I)
    x3 = vmirror(x2)
    x4 = size(x1)
    x5 = hmirror(x3)
    O = upscale(x5, ONE)
    return O

def solve_nothing(I):
    x1 = palette(I)
    x2 = difference(x1, x1)
    x3 = first(x2)
    O = canvas(x3, UNITY)
    return O
";

pub(crate) fn profile() -> Profile {
    Profile {
        wall_s: 2.0,
        thread_s: 3.9,
        not_attributed_share: 0.004,
        overhead_share: 0.012,
        rows: vec![
            row("objects", "objects", 5120, 1.2, 0.6),
            row("fill", "patches", 2210, 0.5, 0.25),
            row("merge", "containers", 900, 0.292, 0.146),
        ],
        phases: vec![phase("load", 0.1), phase("card", 0.15), phase("execute", 1.7), phase("validate", 0.05)],
        stacks: vec![
            stack(&["batt", "execute", "objects"], 60.0),
            stack(&["batt", "execute", "fill"], 25.0),
            stack(&["batt", "load"], 15.0),
        ],
        ..Profile::default()
    }
}

fn row(name: &str, family: &str, calls: u64, self_s: f64, share: f64) -> Row {
    Row { name: name.to_owned(), family: family.to_owned(), calls, self_s, total_s: self_s, share, ..Row::default() }
}

fn phase(name: &str, time_s: f64) -> Phase {
    Phase { name: name.to_owned(), time_s, ..Phase::default() }
}

fn stack(frames: &[&str], self_s: f64) -> Stack {
    Stack { frames: frames.iter().map(|&frame| frame.to_owned()).collect(), self_s, ..Stack::default() }
}

pub(crate) fn json(profile: Profile) -> String {
    Profile { schema: batt_profile::SCHEMA.to_owned(), ..profile }.to_json(true).unwrap()
}
