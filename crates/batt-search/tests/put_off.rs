//! Programs that are put off because they spend much: what they give counts as if they had not been.

#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::{Grid, Pair, Task, TestCase};
use batt_program::parse_file;
use batt_search::{RunOptions, built_in_differs, run};

const HEAVY: &str = "x1 = asindices(I); x2 = product(x1, x1); x3 = size(x2); x4 = greater(x3, ZERO)";

#[test]
fn candidates_of_programs_that_were_put_off_are_compared_with_the_others() {
    let grid = || Grid::filled(20, 20, 3).unwrap();
    let task = Task {
        id: "a".to_owned(),
        demos: vec![Pair { input: grid(), output: grid() }; 2],
        tests: vec![TestCase { input: grid(), output: None }],
    };
    let lines = [
        "O = identity(I)".to_owned(),
        format!("{HEAVY}; O = branch(x4, I, x1)"),
        format!("{HEAVY}; x5 = hmirror(I); O = branch(x4, x5, x1)"),
        format!("{HEAVY}; x5 = replace(I, THREE, FOUR); O = branch(x4, x5, x1)"),
    ];
    let function = |(k, lines): (usize, &String)| format!("def f{k}(I):\n    {}\n    return O\n", lines.replace("; ", "\n    "));
    let text = lines.iter().enumerate().map(function).collect::<Vec<_>>().concat();
    let parsed = parse_file(&text);
    assert!(parsed.errors.is_empty(), "{text}");
    let options = RunOptions { differs: built_in_differs(), ..RunOptions::default() };
    for (programs, distinct) in [(0..4, 2), (0..1, 1), (1..2, 1), (1..3, 1), (1..4, 2)] {
        let chosen = &parsed.programs[programs.clone()];
        let report = run(std::slice::from_ref(&task), chosen, &options, &|_| {}).unwrap();
        assert_eq!(report.out_of_fuel, 0);
        assert_eq!(report.candidates, 3 * chosen.len() as u64, "{programs:?}");
        assert_eq!(report.distinct, 3 * distinct, "{programs:?}");
    }
    let heavy = run(&[task], &parsed.programs[1..2], &RunOptions::default(), &|_| {}).unwrap();
    assert!(heavy.fuel > 3 * 200_000, "it is put off");
}
