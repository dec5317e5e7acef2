//! Stores that are full, damaged, foreign or cannot be written, as a user meets them.

use crate::cli::support::{Ran, Sandbox, two_tasks};

fn imported() -> Sandbox {
    let sandbox = two_tasks();
    sandbox.batt(&["lib", "import", "my.store", "programs.py"]).ends_with(0);
    sandbox
}

/// Runs commands that read and commands that write, and checks that each fails with the same words.
#[track_caller]
fn all_fail(sandbox: &Sandbox, store: &str, what: &str) {
    let commands: [&[&str]; 8] = [
        &["import", store, "programs.py"],
        &["export", store, "out"],
        &["list", store],
        &["show", store, "solve_flip"],
        &["best", store, "flip"],
        &["lineage", store, "solve_flip"],
        &["prune", store, "--keep", "1"],
        &["merge", store, "good.store"],
    ];
    sandbox.batt(&["lib", "import", "good.store", "programs.py"]).ends_with(0);
    let before = std::fs::read(sandbox.path(store)).ok();
    for command in commands {
        let ran = sandbox.batt(&[&["lib"], command].concat()).ends_with(1);
        assert!(ran.stderr.contains(what) && ran.stderr.contains(store), "{command:?}: {}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{command:?}: {}", ran.stdout);
    }
    assert!(std::fs::read(sandbox.path(store)).ok() == before, "the file was changed");
}

#[test]
fn what_is_no_store_is_named() {
    let sandbox = imported();
    all_fail(&sandbox, "programs.py", "not a store of batt: the file is no SQLite database");
    sandbox.write("empty", "");
    all_fail(&sandbox, "empty", "not a store of batt: the file is empty");
    let whole = std::fs::read(sandbox.path("my.store")).unwrap();
    sandbox.write("cut.store", &whole[..whole.len() / 2]);
    all_fail(&sandbox, "cut.store", "is damaged");
    let mut newer = whole.clone();
    newer[60..64].copy_from_slice(&77_u32.to_be_bytes());
    sandbox.write("newer.store", &newer);
    all_fail(&sandbox, "newer.store", "is a store of version 77, and this batt knows versions up to ");
    let mut older = whole.clone();
    older[60..64].copy_from_slice(&7_u32.to_be_bytes());
    sandbox.write("older.store", &older);
    all_fail(&sandbox, "older.store", "(`batt lib export older.store FOLDER`) and import them here (`batt lib import NEW.store FOLDER`)");
    let mut foreign = whole;
    foreign[68..72].copy_from_slice(b"none");
    sandbox.write("foreign.db", &foreign);
    all_fail(&sandbox, "foreign.db", "a SQLite database of another program");
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_looking() {
    let sandbox = two_tasks();
    for command in ["list", "export"] {
        let ran = sandbox.batt(&["lib", command, "no.store", "out"][..if command == "list" { 3 } else { 4 }]).ends_with(1);
        assert!(ran.stderr.contains("there is no store at no.store; `batt lib import` makes one"), "{}", ran.stderr);
    }
    assert!(!sandbox.path("no.store").exists() && !sandbox.path("out").exists());
    let ran = sandbox.batt(&["lib", "import", "no/folder.store", "programs.py"]).ends_with(1);
    assert!(ran.stderr.contains("cannot make the store: no/folder.store"), "{}", ran.stderr);
}

/// A limit on the size of files is the fault that a test can have without a disk of its own.
#[cfg(unix)]
#[test]
fn a_store_that_cannot_grow_keeps_what_it_has() {
    let sandbox = imported();
    let many: Vec<String> = (1..3_000).map(|k| format!("def f{k}(I):\n    return upscale(I, {k})\n\n")).collect();
    sandbox.write("many.py", many.concat());
    let limited = |store: &str, blocks: u32| {
        // The signal would end the process; without it, writing fails as it does on a full disk.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_batt"), "lib", "import", store, "many.py"]).current_dir(sandbox.path(""));
        Ran::of(&command.output().unwrap())
    };
    let before = sandbox.batt(&["lib", "list", "my.store"]).ends_with(0).stdout;
    let ran = limited("my.store", 400).ends_with(1);
    assert!(ran.stderr.contains("error: cannot import programs: my.store"), "{}", ran.stderr);
    assert!(ran.stderr.contains("check the disk, its free space and the limits of the process"), "{}", ran.stderr);
    assert_eq!(sandbox.batt(&["lib", "list", "my.store"]).ends_with(0).stdout, before);
    let ran = limited("new.store", 16).ends_with(1);
    assert!(ran.stderr.contains("cannot make the store"), "{}", ran.stderr);
    let left: Vec<String> = sandbox.files("").into_iter().filter(|name| name.contains("new.store") || name.contains(".batt-")).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(sandbox.batt(&["lib", "import", "my.store", "many.py"]).ends_with(0).stdout, "my.store: 2,999 programs new, 0 known\n");
}

/// A store and a folder that the user may read but not write; also for those who may write anywhere, who are somebody else for it.
#[cfg(unix)]
#[test]
fn a_store_that_cannot_be_written_can_be_read() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65_534;
    let sandbox = imported();
    let batt = sandbox.path("batt");
    std::fs::copy(env!("CARGO_BIN_EXE_batt"), &batt).unwrap();
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0);
    let run = |args: &[&str]| {
        let mut command = std::process::Command::new(&batt);
        command.args(args).current_dir(sandbox.path(""));
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        Ran::of(&command.output().unwrap())
    };
    let expected = sandbox.batt(&["lib", "list", "my.store"]).ends_with(0).stdout;
    // The folder cannot be written, then the file neither.
    for (folder, file) in [(0o555, 0o666), (0o555, 0o444), (0o777, 0o444)] {
        set_permissions(sandbox.path("my.store"), Permissions::from_mode(file)).unwrap();
        set_permissions(sandbox.path(""), Permissions::from_mode(folder)).unwrap();
        let read = run(&["lib", "list", "my.store"]);
        let written = run(&["lib", "import", "my.store", "programs.py"]);
        let made = run(&["lib", "import", "new.store", "programs.py"]);
        set_permissions(sandbox.path(""), Permissions::from_mode(0o777)).unwrap();
        assert_eq!(read.ends_with(0).stdout, expected, "{folder:o} {file:o}");
        let written = written.ends_with(1);
        assert!(written.stderr.contains("my.store can only be read; check its permissions"), "{folder:o} {file:o}: {}", written.stderr);
        if folder == 0o555 {
            let made = made.ends_with(1);
            assert!(made.stderr.contains("new.store can only be read"), "{folder:o} {file:o}: {}", made.stderr);
        }
    }
}
