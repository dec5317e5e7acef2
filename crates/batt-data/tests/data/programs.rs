//! Finding files of programs, and choosing tasks.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use batt_core::Task;
use batt_data::{BuiltIn, DataError, PathScore, ProgramContent, ProgramFiles, ProgramSource, Selection, Source, read_program_files};

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn read(paths: &[PathBuf]) -> ProgramFiles {
    let sources: Vec<ProgramSource> = paths.iter().map(|path| ProgramSource::parse(path.as_os_str())).collect();
    read_program_files(&sources, BuiltIn { starter: "the starter library", found: "what was found" }, &mut &b"from a pipe"[..])
}

/// Paths without the folder that they are in.
fn names(files: &ProgramFiles, folder: &Path) -> Vec<String> {
    let name = |path: &str| Path::new(path).strip_prefix(folder).map_or(path.to_owned(), |path| path.display().to_string());
    files.files.iter().map(|file| name(&file.name)).collect()
}

#[test]
fn folders_are_searched_to_the_bottom() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path();
    for name in ["b.py", "a/deep/er/x.py", "a/c.MD", "notes.txt", "a/.git/no.py", "__pycache__/no.py", ".hidden.py", "a/deep/y.markdown"] {
        write(folder, name, "");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder, folder.join("a/up")).unwrap();
    let files = read(&[folder.to_owned()]);
    assert_eq!(names(&files, folder), ["a/c.MD", "a/deep/er/x.py", "a/deep/y.markdown", "b.py"]);
    assert!(files.skipped.is_empty(), "{:?}", files.skipped);
    assert!(files.files.iter().all(|file| !file.is_named));
    assert_eq!(files.files[0].content, ProgramContent::Markdown(Vec::new()));
    let twice = read(&[folder.join("b.py"), folder.to_owned(), folder.join("a/../b.py")]);
    assert_eq!(names(&twice, folder), ["b.py", "a/c.MD", "a/deep/er/x.py", "a/deep/y.markdown"]);
    assert!(twice.files[0].is_named);
    write(folder, "empty/readme.txt", "");
    let files = read(&[folder.join("empty"), folder.join("none.py")]);
    let why: Vec<&str> = files.skipped.iter().map(|one| &*one.why).collect();
    assert_eq!(why, ["the folder has no .py or .md file", "no such file or folder"]);
}

#[test]
fn names_and_first_bytes_tell_what_a_file_is() {
    let temp = tempfile::tempdir().unwrap();
    write(temp.path(), "a.store", b"SQLite format 3\0 and so on");
    write(temp.path(), "b.txt", "def f(I):");
    let read = |stdin: &str| {
        let sources = [OsStr::new("starter"), OsStr::new("-"), OsStr::new("-")].map(ProgramSource::parse);
        let files = [temp.path().join("a.store"), temp.path().join("b.txt")].map(|path| ProgramSource::parse(path.as_os_str()));
        read_program_files(&[&sources[..], &files].concat(), BuiltIn { starter: "library", found: "" }, &mut stdin.as_bytes())
    };
    let files = read("def g(I):");
    let content: Vec<&ProgramContent> = files.files.iter().map(|file| &file.content).collect();
    let python = |text: &str| ProgramContent::Python(text.into());
    let store = ProgramContent::Store(temp.path().join("a.store"));
    assert_eq!(content, [&python("library"), &python("def g(I):"), &store, &python("def f(I):")]);
    assert_eq!(files.files[1].name, "<stdin>");
    let files = read("words\n  ```python\ndef g(I):\n```\n");
    assert!(matches!(&files.files[1].content, ProgramContent::Markdown(text) if text.starts_with(b"words")));
}

#[test]
fn paths_of_solvers_tell_task_and_score() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("solver_dir");
    for name in
        ["solve_b/2/11/aa.py", "solve_a/2/9/bb.py", "solve_a/10/3/cc.py", "solve_a/2/11/dd.py", "other/1/2/ee.py", "solve_/1/1/f.py"]
    {
        write(&folder, name, "");
    }
    write(temp.path(), "solver_md5/gg.py", "");
    #[cfg(unix)]
    for task in ["solve_a/0/1", "solve_b/0/1"] {
        fs::create_dir_all(folder.join(task)).unwrap();
        std::os::unix::fs::symlink(temp.path().join("solver_md5/gg.py"), folder.join(task).join("gg.py")).unwrap();
    }
    let files = read(std::slice::from_ref(&folder));
    let mut expected = vec!["other/1/2/ee.py", "solve_/1/1/f.py", "solve_a/10/3/cc.py", "solve_a/2/11/dd.py", "solve_a/2/9/bb.py"];
    // One file stands for two tasks.
    expected.extend(cfg!(unix).then_some("solve_a/0/1/gg.py"));
    expected.push("solve_b/2/11/aa.py");
    expected.extend(cfg!(unix).then_some("solve_b/0/1/gg.py"));
    assert_eq!(names(&files, &folder), expected);
    let recorded = |task: &str, score, speed| Some(PathScore { task: task.to_owned(), score, speed });
    assert_eq!(files.files[2].recorded, recorded("a", 10, 3));
    assert_eq!(files.files[0].recorded, None);
    assert_eq!(read(&[folder.join("solve_b/2/11/aa.py")]).files[0].recorded, recorded("b", 2, 11));
}

#[test]
fn tasks_are_chosen_by_id_and_by_place() {
    let task = |id: &str| batt_testing::task(id, &[], &[]);
    let tasks: Vec<Task> = ["a", "b", "c", "d"].map(task).into();
    let choose = |ids: &[&str], start, number| {
        let selection = Selection { ids: ids.iter().map(|&id| id.to_owned()).collect(), start, number };
        let chosen = selection.choose(tasks.clone(), &Source::Starter);
        chosen.map(|tasks| tasks.into_iter().map(|task| task.id).collect::<String>()).map_err(|error: DataError| error.to_string())
    };
    assert_eq!(choose(&[], 0, None).unwrap(), "abcd");
    assert_eq!(choose(&[], 1, Some(2)).unwrap(), "bc");
    assert_eq!(choose(&["d", "a"], 0, None).unwrap(), "ad", "in the order of the source");
    assert_eq!(choose(&["d", "a", "b"], 1, Some(9)).unwrap(), "bd");
    assert_eq!(choose(&["a", "x"], 0, None).unwrap_err(), "there is no task \"x\" in starter (4 tasks)");
    assert_eq!(choose(&[], 4, None).unwrap_err(), "there is no task 4: starter has 4, counted from 0");
    assert!(Selection::default().is_all());
}
