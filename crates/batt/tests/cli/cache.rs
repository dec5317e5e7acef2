//! Cards on the disk: whatever is there, results are those without it.

use std::fs;
use std::path::PathBuf;

use crate::cli::support::{Ran, Sandbox, json_of, two_tasks, untimed};
use serde_json::Value as Json;

const RUN: [&str; 6] = ["run", "--tasks", "tasks", "--programs", "lib", "--json"];

fn function(name: &str, primitive: &str) -> String {
    format!("def {name}(I):\n    x1 = rot90(I)\n    O = {primitive}(x1)\n    return O\n\n")
}

/// Two tasks and a library of two files.
fn library() -> Sandbox {
    let sandbox = two_tasks();
    sandbox.write("lib/a.py", sandbox.read("programs.py"));
    sandbox.write("lib/b.py", function("one", "hmirror") + &function("two", "vmirror") + &function("three", "rot180"));
    sandbox
}

fn run(sandbox: &Sandbox, more: &[&str]) -> (i32, Json) {
    let ran = sandbox.batt(&[&RUN[..], &["-", "--differs"], more].concat());
    (ran.status, untimed(json_of(&ran)))
}

fn emitted(sandbox: &Sandbox, emit: &str, more: &[&str]) -> String {
    sandbox.batt(&[&["card", "--programs", "lib", "--emit", emit][..], more].concat()).stdout
}

/// Compares results with and without the cache, and with it once more.
#[track_caller]
fn check(sandbox: &Sandbox, what: &str) {
    let expected = run(sandbox, &["--no-cache"]);
    assert_eq!(run(sandbox, &[]), expected, "{what}");
    assert_eq!(run(sandbox, &[]), expected, "{what}, warm");
    for emit in ["stats", "py", "json"] {
        let expected = emitted(sandbox, emit, &["--no-cache"]);
        for _ in 0..2 {
            assert!(emitted(sandbox, emit, &[]) == expected, "{what}: {emit}");
        }
    }
    assert_eq!(run(sandbox, &[]), expected, "{what}, once more");
}

fn kept(sandbox: &Sandbox) -> PathBuf {
    let files = sandbox.files("made");
    assert_eq!(files.len(), 1, "{files:?}");
    sandbox.path(&format!("made/{}", files[0]))
}

#[test]
fn an_unchanged_library_is_taken_as_it_was() {
    let sandbox = library();
    run(&sandbox, &["--no-cache"]);
    assert!(!sandbox.path("made").exists());
    check(&sandbox, "cold");
    let path = kept(&sandbox);
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    check(&sandbox, "warm");
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written, "there was nothing to write");
    // From another folder and under another name it is the same library.
    let lib = sandbox.path("lib");
    let args = ["card", "--programs", lib.to_str().unwrap()];
    let ran = sandbox.batt(&args).ends_with(0);
    assert_eq!(ran.stdout, emitted(&sandbox, "stats", &[]));
    assert_eq!(kept(&sandbox), path);
}

#[test]
fn a_library_may_change_in_any_way() {
    let sandbox = library();
    check(&sandbox, "cold");
    let (one, two, three, four) =
        (function("one", "hmirror"), function("two", "vmirror"), function("three", "rot180"), function("four", "rot270"));
    let versions = [
        ("changed", one.clone() + &function("two", "cmirror") + &three),
        ("changed back", one.clone() + &two + &three),
        ("added at the end", one.clone() + &two + &three + &four),
        ("removed from the middle", one.clone() + &three + &four),
        ("added in the middle", one.clone() + &two + &three + &four),
        ("in another order", four.clone() + &two + &one + &three),
        ("renamed", four.clone() + &two.replace("two", "zwei") + &one + &three),
        ("a comment more", format!("# Hello.\n{four}{two}")),
        ("a bad function", format!("{four}{two}def bad(I):\n    return hmirorr(I)\n\n{one}")),
        ("the bad one moved", format!("# Hello.\n{four}{two}def bad(I):\n    return hmirorr(I)\n\n{one}")),
        ("the same name twice in two files", one.clone() + &function("solve_flip", "hmirror")),
        ("nothing", String::new()),
        ("everything", one.clone() + &two + &three + &four),
    ];
    for (what, text) in versions {
        sandbox.write("lib/b.py", text);
        check(&sandbox, what);
    }
    sandbox.write("lib/c.py", function("five", "dmirror"));
    check(&sandbox, "a file more");
    sandbox.write("lib/a.py", function("five", "dmirror") + &four);
    check(&sandbox, "a function moved and copied");
    fs::remove_file(sandbox.path("lib/a.py")).unwrap();
    check(&sandbox, "a file gone");
    fs::rename(sandbox.path("lib/b.py"), sandbox.path("lib/d.py")).unwrap();
    check(&sandbox, "a file renamed");
    kept(&sandbox);
}

#[test]
fn a_cache_that_is_damaged_is_made_again() {
    let sandbox = library();
    let expected = run(&sandbox, &[]);
    let path = kept(&sandbox);
    let good = fs::read(&path).unwrap();
    let again = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).unwrap();
        assert_eq!(run(&sandbox, &[]), expected, "{what}");
        assert!(fs::read(&path).unwrap() == good, "{what}: the next run has a good one");
    };
    for k in (0..good.len()).step_by(good.len() / 25).chain([7, 8, 24, 28]) {
        let mut bytes = good.clone();
        bytes[k] ^= 1;
        again(&bytes, &format!("byte {k}"));
        again(&good[..k], &format!("{k} bytes"));
    }
    again(&[&good[..], b"more"].concat(), "longer");
    again(b"something else", "something else");
}

#[test]
fn a_cache_of_another_build_is_made_again() {
    let sandbox = library();
    let expected = run(&sandbox, &[]);
    let path = kept(&sandbox);
    let ours = fs::read(&path).unwrap();
    let other = sandbox.path("batt-of-another-day");
    fs::copy(env!("CARGO_BIN_EXE_batt"), &other).unwrap();
    let file = fs::File::options().append(true).open(&other).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1)).unwrap();
    drop(file);
    let mut command = std::process::Command::new(&other);
    command.args(RUN).args(["-", "--differs"]).current_dir(sandbox.path("")).env("BATT_CACHE", sandbox.path("made"));
    let ran = Ran::of(&command.output().unwrap()).ends_with(0);
    assert_eq!((0, untimed(json_of(&ran))), expected);
    assert_ne!(fs::read(&path).unwrap(), ours);
    assert_eq!(run(&sandbox, &[]), expected);
    assert!(fs::read(&path).unwrap() == ours);
}

#[test]
fn no_place_for_a_cache_is_no_error() {
    let sandbox = library();
    let expected = run(&sandbox, &["--no-cache"]);
    sandbox.write("file", "");
    fs::create_dir_all(sandbox.path("fixed/cards")).unwrap();
    let mut permissions = fs::metadata(sandbox.path("fixed/cards")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(sandbox.path("fixed/cards"), permissions).unwrap();
    // Below a file there is no folder, not even for those who may write anywhere.
    for place in ["file", "file/below", "fixed"] {
        for _ in 0..2 {
            let mut command = sandbox.command(&[&RUN[..], &["-", "--differs"]].concat());
            let ran = Ran::of(&command.env("BATT_CACHE", sandbox.path(place)).output().unwrap()).ends_with(0);
            assert_eq!(untimed(json_of(&ran)), expected.1, "{place}");
            assert!(!ran.stderr.contains("warning") && !ran.stderr.contains("error"), "{}", ran.stderr);
        }
    }
    let mut command = sandbox.command(&[&RUN[..], &["-", "--differs"]].concat());
    command.env_remove("BATT_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME");
    assert_eq!(untimed(json_of(&Ran::of(&command.output().unwrap()).ends_with(0))), expected.1);
}

#[test]
fn many_at_once_do_not_disturb_each_other() {
    let sandbox = library();
    let expected = run(&sandbox, &["--no-cache"]).1;
    for _ in 0..3 {
        let args = [&RUN[..], &["-", "--differs"]].concat();
        let start = |_| sandbox.command(&args).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let children: Vec<_> = (0..4).map(start).collect();
        for child in children {
            let ran = Ran::of(&child.wait_with_output().unwrap()).ends_with(0);
            assert_eq!(untimed(json_of(&ran)), expected);
        }
        fs::remove_file(kept(&sandbox)).unwrap();
    }
}
