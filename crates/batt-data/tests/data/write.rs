//! Writing tasks.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;

use batt_core::Task;
use batt_data::{WriteError, WriteReport, write_folder, write_task_json};
use tempfile::tempdir;

fn task(id: &str, colour: i8) -> Task {
    let (demo, test) = (format!("{colour}0 09 -> {colour}0 09"), format!("{colour} -> {colour}"));
    batt_testing::task(id, &[&demo], &[&colour.to_string(), &test])
}

#[test]
fn a_row_a_line() {
    let expected = r#"{
"train": [
{"input": [
[3,0],
[0,9]],
"output": [
[3,0],
[0,9]]}],
"test": [
{"input": [
[3]]},
{"input": [
[3]],
"output": [
[3]]}]
}
"#;
    assert_eq!(write_task_json(&task("a", 3)), expected);
}

#[test]
fn a_different_file_is_kept_unless_forced() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("new/folder");
    let tasks = [task("a", 1), task("b", 2)];
    assert_eq!(write_folder(&tasks, &dir, false).unwrap(), WriteReport { written: 2, unchanged: 0 });
    assert_eq!(write_folder(&tasks, &dir, false).unwrap(), WriteReport { written: 0, unchanged: 2 });
    // One conflict, and nothing is written, not even what comes before it.
    let changed = [task("0", 1), task("b", 5)];
    assert!(matches!(write_folder(&changed, &dir, false), Err(WriteError::Exists { path }) if path.ends_with("b.json")));
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 2);
    assert_eq!(fs::read_to_string(dir.join("b.json")).unwrap(), write_task_json(&tasks[1]));
    assert_eq!(write_folder(&changed, &dir, true).unwrap(), WriteReport { written: 2, unchanged: 0 });
    assert_eq!(fs::read_to_string(dir.join("b.json")).unwrap(), write_task_json(&changed[1]));
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 3);
}

#[test]
fn ids_that_cannot_be_names_are_refused() {
    let temp = tempdir().unwrap();
    for id in ["", "..", "../x", "a/b", ".hidden", "a\\b", "a\0b", "C:x"] {
        assert!(matches!(write_folder(&[task(id, 1)], temp.path(), true), Err(WriteError::BadId { .. })), "{id:?}");
    }
    let twice = [task("a", 1), task("a", 2)];
    assert!(matches!(write_folder(&twice, temp.path(), true), Err(WriteError::DuplicateId { .. })));
    assert_eq!(write_folder(&[task("a", 1), task("a", 1)], temp.path(), false).unwrap().written, 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let temp = tempdir().unwrap();
    fs::write(temp.path().join("file"), "").unwrap();
    assert!(matches!(write_folder(&[task("a", 1)], &temp.path().join("file/folder"), false), Err(WriteError::Io { .. })));
}
