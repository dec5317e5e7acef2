//! Members on small tasks of our own, and programs with random parameters.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use batt_core::{Grid, Value};
use batt_engine::{Inputs, Limits, Outcome, ReferenceExecutor};
use batt_program::parse_file;
use batt_rules::{Budget, Family, propose, propose_family};
use proptest::prelude::*;

fn grid(rows: &[&str]) -> Grid {
    let rows: Vec<Vec<i8>> =
        rows.iter().map(|row| row.bytes().map(|byte| if byte == b'.' { 0 } else { (byte - b'0') as i8 }).collect()).collect();
    Grid::from_rows(&rows).unwrap()
}

fn run(program: &str, input: &Grid) -> Outcome {
    let program = parse_file(program).programs.pop().unwrap();
    let (input, demos) = (Value::Grid(input.clone()), Value::empty_tuple());
    ReferenceExecutor::new(Limits::default()).run_one(&program, Inputs { input: &input, demos: &demos, candidate: None }).outcome
}

/// The best proposal of a family gives the output on the test, and its program does the same.
fn check(family: Family, demos: &[(Grid, Grid)], test: &Grid, output: &Grid) {
    let proposals = propose_family(family, demos, std::slice::from_ref(test), Budget::default());
    let best = proposals.first().unwrap_or_else(|| panic!("{family:?} fits"));
    assert_eq!(&best.outputs, std::slice::from_ref(output), "{}", best.program);
    for (input, output) in demos.iter().chain([&(test.clone(), output.clone())]) {
        assert_eq!(run(&best.program, input), Outcome::Value(Value::Grid(output.clone())), "{}", best.program);
    }
}

#[test]
fn cells_below_a_marker_are_painted() {
    let demos = [
        (grid(&[".2..", "....", "....", "...."]), grid(&[".2..", ".7..", ".7..", ".7.."])),
        (grid(&["....", "2...", "...2", "...."]), grid(&["....", "2...", "7..2", "7..7"])),
    ];
    check(Family::Cells, &demos, &grid(&["..2.", "....", "2...", "...."]), &grid(&["..2.", "..7.", "2.7.", "7.7."]));
}

#[test]
fn the_largest_object_gets_a_colour() {
    let demos = [
        (grid(&["11..1", "11...", "....1"]), grid(&["33..1", "33...", "....1"])),
        (grid(&["1....", "..111", "..1.."]), grid(&["1....", "..333", "..3.."])),
    ];
    check(Family::Objects, &demos, &grid(&["11.11", "...11", "1...."]), &grid(&["11.33", "...33", "1...."]));
}

#[test]
fn the_object_with_a_hole_is_cut_out() {
    let demos = [
        (grid(&["222....", "2.2..44", "222...."]), grid(&["222", "2.2", "222"])),
        (grid(&["55.....", "55.3333", "...3..3", "...3333"]), grid(&["3333", "3..3", "3333"])),
    ];
    let test = grid(&["666.....", "6.6...11", "666.1111", "........"]);
    check(Family::Pick, &demos, &test, &grid(&["666", "6.6", "666"]));
}

#[test]
fn a_panel_becomes_a_cell() {
    let demos = [
        (grid(&["11511", ".1511", "55555", "..5..", "..5.."]), grid(&["11", ".."])),
        (grid(&["..511", "..5.1", "55555", "1.5..", "..5.."]), grid(&[".1", "1."])),
    ];
    check(Family::Panels, &demos, &grid(&["..5..", "..5..", "55555", "115..", ".15.."]), &grid(&["..", "1."]));
}

#[test]
fn a_zigzag_goes_on() {
    let demos = [
        (grid(&["...", "...", "...", "4.."]), grid(&[".4.", "4..", ".4.", "4.."])),
        (grid(&["...", "...", "...", ".4."]), grid(&["4..", ".4.", "4..", ".4."])),
    ];
    let all = propose(&demos, &[grid(&["...", "...", "4.."])], Budget::default());
    assert!(all.iter().any(|proposal| proposal.outputs == [grid(&["4..", ".4.", "4.."])]), "{all:?}");
}

#[test]
fn objects_fall_on_each_other() {
    let demos = [
        (grid(&["22..", "....", "....", "...."]), grid(&["....", "....", "....", "22.."])),
        (grid(&["3..1", "....", "2...", "...."]), grid(&["....", "....", "3...", "2..1"])),
    ];
    check(Family::Moves, &demos, &grid(&["..6.", ".66.", "....", "..5."]), &grid(&["....", "..6.", ".66.", "..5."]));
}

#[test]
fn partial_copies_are_completed() {
    let input = grid(&["........", ".123....", ".4......", "....12..", "........"]);
    let demos = [(input, grid(&["........", ".123....", ".4......", "....123.", "....4..."]))];
    let test = grid(&["...12...", "........", "123.....", "4......."]);
    check(Family::Stamps, &demos, &test, &grid(&["...123..", "...4....", "123.....", "4......."]));
}

#[test]
fn markers_get_a_patch_that_is_learnt() {
    let demos = [
        (grid(&[".....", "..2..", ".....", "....."]), grid(&["..5..", ".626.", "..7..", "....."])),
        (grid(&[".......", ".......", ".2...2.", "......."]), grid(&[".......", ".5...5.", "626.626", ".7...7."])),
    ];
    check(Family::Stamps, &demos, &grid(&[".....", ".....", "...2."]), &grid(&[".....", "...5.", "..626"]));
}

#[test]
fn a_hidden_part_is_what_the_symmetry_has() {
    let demos = [(grid(&["123321", "456654", "788..7", "199..1"]), grid(&["88", "99"]))];
    check(Family::Mending, &demos, &grid(&["..5562", "..7775", "893398"]), &grid(&["26", "57"]));
}

#[test]
fn what_no_rule_explains_is_left_alone() {
    let demos = [(grid(&["12", "34"]), grid(&["4315", "9261", "7777"])), (grid(&["1", "2"]), grid(&["86"]))];
    assert_eq!(propose(&demos, &[grid(&["5"])], Budget::default()), []);
}

#[test]
fn proposals_are_the_same_every_time() {
    let demos = [
        (grid(&[".2..", "....", "....", "...."]), grid(&[".2..", ".7..", ".7..", ".7.."])),
        (grid(&["....", "2...", "...2", "...."]), grid(&["....", "2...", "7..2", "7..7"])),
    ];
    let tests = [grid(&["..2.", "....", "2...", "...."])];
    let first = propose(&demos, &tests, Budget::default());
    assert!(!first.is_empty());
    assert_eq!(first, propose(&demos, &tests, Budget::default()));
}

fn any_grid() -> impl Strategy<Value = Grid> {
    (1..12usize, 1..12usize).prop_flat_map(|(height, width)| {
        proptest::collection::vec(0..4i8, height * width).prop_map(move |cells| Grid::new(height, width, &cells).unwrap())
    })
}

fn any_rules() -> impl Strategy<Value = String> {
    let test = (-1..7i32, 0..90i32, -9..12i32, -9..90i32, -2..12i32)
        .prop_map(|(operator, kind, a, b, value)| format!("({operator}, {kind}, {a}, {b}, {value})"));
    let paint = prop_oneof![
        (0..11i32).prop_map(|colour| colour.to_string()),
        (0..90i32, -9..12i32, -9..90i32).prop_map(|(kind, a, b)| format!("({kind}, {a}, {b})"))
    ];
    let rule = (proptest::collection::vec(test, 0..3), paint).prop_map(|(tests, paint)| {
        let tests = tests.into_iter().fold(String::new(), |all, test| all + &test + ", ");
        format!("(({tests}), {paint})")
    });
    proptest::collection::vec(rule, 1..4).prop_map(|rules| rules.into_iter().fold(String::new(), |all, rule| all + &rule + ", "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Whatever the parameters, a call gives a grid or is undefined.
    #[test]
    fn primitives_never_panic(input in any_grid(), rules in any_rules(), ground in -1..12i32, mode in -1..31i32, which in 0..10usize) {
        let call = match which {
            0 => format!("cellrule(I, {ground}, ({rules}))"),
            1 => format!("objectrule(I, {ground}, {}, ({rules}))", mode % 10),
            2 => format!("panelrule(I, {ground}, {}, ({rules}))", mode % 10),
            3 => format!("pickrule(I, {ground}, {mode}, ({rules}))"),
            4 => format!("sweeprule(I, {ground}, {}, ({rules}))", mode % 6),
            5 => format!("copyrule(I, {ground}, {}, {})", mode % 11, mode % 5),
            6 => format!("templaterule(I, {ground}, {mode})"),
            7 => format!("mendrule(I, {ground}, {}, {mode})", mode % 12),
            8 => format!("stamprule(I, {ground}, {}, (({}, (({mode}, -1, 3), (0, {ground}, 10))),))", mode % 2, mode % 12),
            _ => format!("moverule(I, {ground}, {}, ({rules}))", mode % 10),
        };
        let outcome = run(&format!("def f(I):\n    O = {call}\n    return O\n"), &input);
        prop_assert!(!matches!(outcome, Outcome::Value(value) if !matches!(value, Value::Grid(_))));
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Members on random demos: they propose what their programs give.
    #[test]
    fn proposals_hold(first in any_grid(), second in any_grid(), test in any_grid()) {
        for proposal in propose(&[(first.clone(), second.clone())], std::slice::from_ref(&test), Budget { proposals: 2, cells: 400, deadline: None }) {
            prop_assert_eq!(run(&proposal.program, &first), Outcome::Value(Value::Grid(second.clone())));
            prop_assert_eq!(run(&proposal.program, &test), Outcome::Value(Value::Grid(proposal.outputs[0].clone())));
        }
    }
}
