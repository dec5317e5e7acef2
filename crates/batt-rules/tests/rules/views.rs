//! Rules on views: what a view shows goes back, and a program through a view gives what the fit predicted.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use batt_core::{Grid, Value};
use batt_engine::Outcome;
use batt_rules::{Family, FitOptions, propose_late};
use proptest::prelude::*;

use crate::{grid, propose_family, puzzle, run};

/// A proposal of a family that calls a primitive gives the output on the test, and its program does the same.
fn check(family: Family, primitive: &str, demos: &[(Grid, Grid)], test: &Grid, output: &Grid) {
    let proposals = propose_family(family, demos, std::slice::from_ref(test));
    let such = |proposal: &&batt_rules::FittedRule| proposal.recipe.to_string().contains(primitive) && &proposal.outputs[0] == output;
    let Some(found) = proposals.iter().find(such) else {
        let programs: Vec<String> = proposals.iter().map(|proposal| proposal.recipe.to_string()).collect();
        panic!("{family:?} does not fit with {primitive}:\n{}", programs.join("\n"))
    };
    for (input, output) in demos.iter().chain([&(test.clone(), output.clone())]) {
        assert_eq!(run(&found.recipe.to_string(), input), Outcome::Value(Value::Grid(output.clone())), "{}", found.recipe);
    }
}

#[test]
fn a_part_as_large_as_the_output() {
    let demos = [
        (grid(&["........", ".2122...", ".1211...", ".1112...", "........", "........"]), grid(&["3133", "1311", "1113"])),
        (grid(&[".......", ".......", "...112.", "...221.", "...212."]), grid(&["113", "331", "313"])),
        (grid(&["......", "1221..", "2112..", "......"]), grid(&["1331", "3113"])),
    ];
    let test = grid(&["......", "..21..", "..22..", "..12..", "......"]);
    check(Family::Views, "to_origin(v0)", &demos, &test, &grid(&["31", "33", "13"]));
}

#[test]
fn colours_by_what_they_do() {
    // The rarest colour shoots to the right, whatever it is.
    let demos = [
        (grid(&["3.....", "44....", "44...."]), grid(&["333333", "44....", "44...."])),
        (grid(&["......", ".5..66", "....66"]), grid(&["......", ".55566", "....66"])),
        (grid(&["77....", "77....", "..8..."]), grid(&["77....", "77....", "..8888"])),
    ];
    let test = grid(&["....99", ".1..99", "......"]);
    check(Family::Views, "restored(", &demos, &test, &grid(&["....99", ".11199", "......"]));
}

#[test]
fn images_in_a_canonical_orientation() {
    // A cell goes one step towards the wall, wherever the wall is.
    let demos = [
        (grid(&["5555", "....", ".2..", "...."]), grid(&["5555", ".2..", "....", "...."])),
        (grid(&["...5", "...5", ".2.5", "...5"]), grid(&["...5", "...5", "..25", "...5"])),
        (grid(&["....", "..2.", "....", "5555"]), grid(&["....", "....", "..2.", "5555"])),
    ];
    check(Family::Lifts, "unoriented(", &demos, &grid(&["5...", "5.2.", "5...", "5..."]), &grid(&["5...", "52..", "5...", "5..."]));
}

#[test]
fn images_without_noise() {
    // Single cells of any colour go away, and 2 becomes 3.
    let demos = [
        (grid(&["22222..", "22222..", ".......", "4....6."]), grid(&["33333..", "33333..", ".......", "......."])),
        (grid(&[".7.....", "...2222", "9..2222", "......."]), grid(&[".......", "...3333", "...3333", "......."])),
        (grid(&["222...4", "222....", ".......", "1...9.."]), grid(&["333....", "333....", ".......", "......."])),
    ];
    let test = grid(&["2222...", "2222.8.", ".......", "5.6...."]);
    check(Family::Lifts, "sized(I", &demos, &test, &grid(&["3333...", "3333...", ".......", "......."]));
}

#[test]
fn the_most_common_colour_as_background() {
    let demos = [
        (grid(&["77777", "70177", "77777", "77777"]), grid(&["77777", "70133", "77777", "77777"])),
        (grid(&["88888", "88808", "01888", "80888"]), grid(&["88888", "88808", "01333", "80888"])),
        (grid(&["50555", "15555", "55055", "55015"]), grid(&["50555", "13333", "55055", "55013"])),
    ];
    let (test, wanted) = (grid(&["99999", "01999", "99909", "90919"]), grid(&["99999", "01333", "99909", "90913"]));
    check(Family::Lifts, "grounded_as(", &demos, &test, &wanted);
}

#[test]
fn colours_by_what_they_do_on_backgrounds_that_differ() {
    // The rarest colour shoots to the right. 0 is the background of one demo and a block of another.
    let demos = [
        (grid(&["255555", "445555", "445555"]), grid(&["222222", "445555", "445555"])),
        (grid(&["......", ".5..66", "....66"]), grid(&["......", ".55566", "....66"])),
        (grid(&["..1111", "..1111", "118111"]), grid(&["..1111", "..1111", "118888"])),
    ];
    let test = grid(&["999911", "939911", "999999"]);
    check(Family::Views, "grounded(", &demos, &test, &grid(&["999911", "933311", "999999"]));
}

#[test]
fn what_is_kept_is_cut_out() {
    // Cells alone go away.
    let demos = [
        (grid(&["1......", "...22..", ".......", ".11...2", "......."]), grid(&["..22", "....", "11.."])),
        (grid(&["..3..4.", ".......", "44...3.", "4....3.", ".4....."]), grid(&["44...3", "4....3", ".4...."])),
        (grid(&["55....", "....66", "......", "6....."]), grid(&["55....", "....66"])),
    ];
    let test = grid(&["......7", ".77....", "....88.", "7...8..", "......."]);
    check(Family::Views, "trimmed(", &demos, &test, &grid(&["77...", "...88", "...8."]));
}

#[test]
fn one_object_in_its_place() {
    // The left side of the largest object becomes 2; single cells lie on any side.
    let demos = [
        (
            grid(&["111.....", "111.....", "111.....", "......1.", "........"]),
            grid(&["211.....", "211.....", "211.....", "......1.", "........"]),
        ),
        (
            grid(&["1.......", "........", "....111.", "....111.", "....111."]),
            grid(&["1.......", "........", "....211.", "....211.", "....211."]),
        ),
        (
            grid(&["....1...", "........", "........", "..111...", "..111..."]),
            grid(&["....1...", "........", "........", "..211...", "..211..."]),
        ),
    ];
    let test = grid(&["........", "1..111..", "...111..", "........", "1......."]);
    let wanted = grid(&["........", "1..211..", "...211..", "........", "1......."]);
    check(Family::Lifts, "reinserted(", &demos, &test, &wanted);
}

fn any_grid() -> impl Strategy<Value = Grid> {
    (2..9usize, 2..9usize).prop_flat_map(|(height, width)| {
        proptest::collection::vec(prop_oneof![Just(0i8), Just(0i8), 0..5i8], height * width)
            .prop_map(move |cells| Grid::new(height, width, &cells).unwrap())
    })
}

fn any_view() -> impl Strategy<Value = (String, String)> {
    prop_oneof![
        (0..1024u16, 0..19u8, 0..19u8)
            .prop_map(|(kept, a, b)| (format!("v = renamed(I, {kept}, ({a}, {b}))"), format!("restored(w, I, {kept}, ({a}, {b}))"))),
        (0..10u8).prop_map(|which| (format!("v = oriented(I, {which})"), format!("unoriented(w, I, {which})"))),
        Just(("v = grounded(I)".to_owned(), "grounded_as(w, I)".to_owned())),
        (0..5u8).prop_map(|which| (format!("v = sized(I, {which})"), "reinserted(w, v, I)".to_owned())),
        Just(("v = mirror_repaired(I)".to_owned(), "reinserted(w, v, I)".to_owned())),
        (0..6u8, 0..26u8).prop_map(|(split, pick)| (
            format!("a = components_of(I, {split})\n    b = pick(a, {pick})\n    v = to_origin(b)"),
            "reinserted(w, b, I)".to_owned()
        )),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Restoring a view gives the original input.
    #[test]
    fn a_view_and_back_is_the_identity(input in any_grid(), (before, after) in any_view()) {
        let program = format!("def f(I):\n    {before}\n    w = to_origin(v)\n    O = {after}\n    return O\n");
        match run(&program, &input) {
            Outcome::Value(made) => prop_assert_eq!(made, Value::Grid(input), "{}", program),
            outcome => prop_assert!(before.contains("pick") || before.contains("repaired"), "{}: {:?}", program, outcome),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Proposals through views give what was predicted.
    #[test]
    fn proposals_through_views_hold(inputs in proptest::collection::vec(any_grid(), 3), (before, after) in any_view(), colour in 1..5u8) {
        let rule = format!("w = linerule(v, 0, (({colour}, 0, 8, 0, 0, 0, 10),))");
        let program = format!("def f(I):\n    {before}\n    {rule}\n    O = {after}\n    return O\n");
        let output = |input: &Grid| match run(&program, input) {
            Outcome::Value(Value::Grid(output)) => Some(output),
            _ => None,
        };
        let Some(demos) = inputs[..2].iter().map(|input| Some((input.clone(), output(input)?))).collect::<Option<Vec<_>>>() else { return Ok(()) };
        for proposal in propose_late(&puzzle(&demos, &inputs[2..]), FitOptions::default()) {
            for (input, output) in demos.iter().map(|(input, output)| (input, output)).chain([(&inputs[2], &proposal.outputs[0])]) {
                prop_assert_eq!(run(&proposal.recipe.to_string(), input), Outcome::Value(Value::Grid(output.clone())), "{}", proposal.recipe);
            }
        }
    }
}

#[test]
fn cells_that_an_operation_moves_are_fitted_to_views() {
    // Cells of any colours fall to the ground: no feature of a cell but the operation says where they come to lie.
    let demos = [
        (grid(&["2.3.", "3...", "..3.", "...."]), grid(&["....", "....", "2.3.", "3.3."])),
        (grid(&["6...4", ".....", "6.4..", "....."]), grid(&[".....", ".....", "6....", "6.4.4"])),
        (grid(&[".8.", "7..", ".7.", "8..", "..."]), grid(&["...", "...", "...", "78.", "87."])),
    ];
    let test = grid(&["1..9", "9.1.", "....", "...."]);
    check(Family::Views, "restored(", &demos, &test, &grid(&["....", "....", "1...", "9.19"]));
}

#[test]
fn lists_are_drawn_on_views() {
    let demos = [
        (grid(&["22.3", "...3", "4..3"]), grid(&["333", "22.", "4.."])),
        (grid(&["6..5", "6..5", "6..5", "1.15"]), grid(&["5555", "666.", "11.."])),
        (grid(&["88.7", "8...", "8..."]), grid(&["8888", "7..."])),
    ];
    check(Family::Lifts, "drawrule(v", &demos, &grid(&["77.", "7.8"]), &grid(&["777", "8.."]));
}
