//! Pieces that are put together, on small tasks of our own.

#![expect(clippy::unwrap_used, reason = "tests may panic")]

use batt_core::{Grid, Value};
use batt_engine::Outcome;
use batt_rules::Family;

use crate::{grid, propose_family};

fn run(call: &str, input: &Grid) -> Outcome {
    crate::run(&format!("def f(I):\n    O = {call}\n    return O\n"), input)
}

/// A call of a primitive gives the output, and the family proposes it where it is all that is known.
#[track_caller]
fn check(call: &str, input: &[&str], output: &[&str]) {
    let (input, output) = (grid(input), grid(output));
    assert_eq!(run(call, &input), Outcome::Value(Value::Grid(output.clone())), "{call}");
    let proposals = propose_family(Family::Pieces, &[(input.clone(), output.clone())], std::slice::from_ref(&input));
    assert_eq!(proposals.first().unwrap().outputs, [output], "{call}");
}

#[test]
fn corners_become_a_frame() {
    let input = ["....4..", ".22.44.", ".2.....", "......3", "11...33", ".1....."];
    check("fitrule(I, 0, 0)", &input, &["2211", "2..1", "4..3", "4433"]);
}

#[test]
fn squares_that_touch_become_a_frame() {
    check("fitrule(I, 0, 4)", &["5115.", "5555.", ".5555", ".5325"], &["1551", "5555", "5555", "2553"]);
    let made = run("fitrule(I, 0, 4)", &grid(&["5115.", "5555.", ".5555", ".5335"]));
    assert!(!matches!(made, Outcome::Undefined { .. }), "colours do not matter");
    let made = run("fitrule(I, 0, 4)", &grid(&["1515.", "5555.", ".5555", ".5325"]));
    assert!(matches!(made, Outcome::Undefined { .. }), "two pieces belong to one corner");
}

#[test]
fn turned_pieces_fill_a_rectangle() {
    check("fitrule(I, 0, 15)", &["11....", ".1.22.", "....2.", "33...."], &["1223", "1123"]);
    assert!(matches!(run("fitrule(I, 0, 5)", &grid(&["11....", ".1.22.", "....2.", "33...."])), Outcome::Undefined { .. }));
}

#[test]
fn pieces_fill_the_holes_of_their_shape() {
    let input = [".......", "55555..", "5.5.5.2", "555.5.2", "55555..", ".......", "...3..."];
    let output = [".......", "55555..", "53525..", "55525..", "55555..", ".......", "......."];
    check("fitrule(I, 0, 7)", &input, &output);
    check("fitrule(I, 0, 6)", &input, &["55555", "53525", "55525", "55555"]);
}

#[test]
fn cells_of_the_hosts_colour_fill_holes_and_others_cover_it() {
    let input = ["55555.....", "55.55.....", "55555.353.", "55555....."];
    check("fitrule(I, 0, 9)", &input, &["55555", "53535", "55555", "55555"]);
}

#[test]
fn a_piece_is_mirrored_into_its_frame() {
    let input = ["12......", "1.2.....", "........", "...4..4.", "...2..1.", "...2..1.", "...4..4."];
    assert!(matches!(run("fitrule(I, 0, 23)", &grid(&input)), Outcome::Undefined { .. }), "a piece of three columns does not fill two");
    let input = ["12......", "11......", "........", "...4..4.", "...2..1.", "...2..1.", "...4..4."];
    check("fitrule(I, 0, 23)", &input, &["4..4", "2211", "2111", "4..4"]);
}

#[test]
fn a_piece_is_enlarged_as_its_cells_in_the_frame_are() {
    let input = ["4......4", "........", ".33.....", ".33.....", "........", "4......4", "........", "32......", ".1......"];
    check("fitrule(I, 0, 11)", &input, &["4......4", "........", ".3322...", ".3322...", "...11...", "4..11..4"]);
}

#[test]
fn objects_are_laid_over_each_other() {
    check("fitrule(I, 0, 25)", &["15...", ".....", "...52", "...2."], &["152", ".2."]);
    check("fitrule(I, 0, 26)", &["111..", "1.1..", "111..", "....7"], &["111", "171", "111"]);
}

#[test]
fn objects_become_copies_of_the_one_of_their_shape() {
    let input = ["12....", "11..8.", "...88.", "......", "88...."];
    check("copyrule(I, 0, 8, 4)", &["12...", "1..88", "...8."], &["12...", "1..12", "...1."]);
    check("copyrule(I, 0, 10, 5)", &["12...", "1..88", "...8."], &[".....", "...12", "...1."]);
    let made = run("copyrule(I, 0, 10, 4)", &grid(&input));
    assert!(matches!(made, Outcome::Undefined { .. }), "no object has the shape");
}

#[test]
fn patterns_are_replaced_wherever_they_are_turned() {
    let demos = [
        (grid(&["22....", "2.....", "....2.", "...22."]), grid(&["22....", "23....", "...32.", "...22."])),
        (grid(&[".22..", "..2..", ".....", "22...", "....."]), grid(&[".22..", ".32..", ".....", "22...", "....."])),
        (grid(&["2....", "22...", "...22", "...2.", "....."]), grid(&["23...", "22...", "...22", "...23", "....."])),
    ];
    let test = grid(&["....2", "...22", ".....", "2.2..", "....."]);
    let output = grid(&["...32", "...22", ".....", "2.2..", "....."]);
    let proposals = propose_family(Family::Pieces, &demos, std::slice::from_ref(&test));
    let best = proposals.first().unwrap();
    assert!(best.recipe.to_string().contains("replacerule(I, 1"), "{}", best.recipe);
    assert_eq!(best.outputs, [output], "{}", best.recipe);
    let call = "replacerule(I, 1, ((((2, 2), (2, 0)), ((10, 10), (10, 3))),))";
    assert_eq!(run(call, &test), Outcome::Value(Value::Grid(best.outputs[0].clone())));
    assert!(matches!(run("replacerule(I, 0, ((((2, 2), (2, 0)), ((10, 10), (10, 3))),))", &test), Outcome::Undefined { .. }));
}
