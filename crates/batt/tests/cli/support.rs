//! Running the program in a folder of its own, away from the user's data and terminal.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

/// A scratch folder with an empty cache.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
}

/// Status and output of a run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program, to be run in the scratch folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_batt"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        command
            .env("BATT_DATA", self.path("cache"))
            .env("BATT_CACHE", self.path("made"))
            .env_remove("NO_COLOR")
            .env_remove("RUST_LOG")
            .env("TERM", "xterm-256color");
        command
    }

    pub(crate) fn batt(&self, args: &[&str]) -> Ran {
        Ran::of(&self.command(args).output().unwrap())
    }

    /// The names of the files below a folder, sorted.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let mut files = Vec::new();
        collect(&self.path(folder), "", &mut files);
        files.sort();
        files
    }
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// Checks the exit status.
    #[track_caller]
    pub(crate) fn ends_with(self, status: i32) -> Self {
        assert_eq!(self.status, status, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// The object that went to stdout.
#[track_caller]
pub(crate) fn json_of(ran: &Ran) -> Json {
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Results without their times.
pub(crate) fn untimed(mut json: Json) -> Json {
    json.as_object_mut().unwrap().retain(|key, _| key != "phases" && key != "wall_s");
    for task in json["by_task"].as_array_mut().unwrap() {
        task.as_object_mut().unwrap().remove("time_s");
    }
    json
}

/// A sandbox with two tasks and a file of programs.
pub(crate) fn two_tasks() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("tasks/flip.json", FLIP_TASK);
    sandbox.write("tasks/open.json", OPEN_TASK);
    sandbox.write("programs.py", PROGRAMS);
    sandbox
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    // A folder that nobody made has none.
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() { collect(&path, &format!("{name}/"), files) } else { files.push(name) }
    }
}

/// A small task file: turn the grid upside down; the second demo has two colours in a row.
pub(crate) const FLIP_TASK: &str = r#"{"train": [{"input": [[1], [2]], "output": [[2], [1]]}, {"input": [[3, 0], [0, 0]], "output": [[0, 0], [3, 0]]}],
"test": [{"input": [[5], [6], [7]], "output": [[7], [6], [5]]}]}"#;

/// A task whose test output is not known.
pub(crate) const OPEN_TASK: &str = r#"{"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[5, 6]]}]}"#;

/// Programs for both, one that is wrong, and one that is undefined.
pub(crate) const PROGRAMS: &str = "\
def solve_flip(I):
    O = hmirror(I)
    return O

def solve_open(I):
    O = vmirror(I)
    return O

def solve_nothing(I):
    x1 = palette(I)
    x2 = difference(x1, x1)
    x3 = first(x2)
    O = canvas(x3, UNITY)
    return O
";
