//! The programs that search found: all can be read, each says how it was found, and none is for a task that is only counted.

use std::collections::BTreeSet;

use batt_program::parse_file;
use batt_session::FOUND;
use sha2::{Digest, Sha256};

#[test]
fn found_programs_are_whole_and_of_tasks_that_may_be_looked_at() {
    let parsed = parse_file(FOUND);
    assert!(parsed.errors.is_empty() && parsed.programs.len() > 100, "{:?}", parsed.errors);
    let names: BTreeSet<&str> = parsed.programs.iter().map(batt_program::Program::name).collect();
    assert_eq!(names.len(), parsed.programs.len());
    let origins = FOUND.lines().filter(|line| line.starts_with("# search-") || line.starts_with("# rule-")).count();
    assert_eq!(origins, names.len());
    for name in names {
        let id = name.trim_start_matches("solve_");
        let last = Sha256::digest(id.as_bytes())[31] & 15;
        assert!(last > 3, "{name} is for a task that is only counted");
    }
}
