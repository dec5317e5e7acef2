//! Families on small tasks of our own, and programs with random parameters.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::time::{Duration, Instant};

use batt_core::{Deadline, Grid, Value};
use batt_engine::Outcome;
use batt_rules::{Family, FitOptions, propose, propose_with_parts};
use proptest::prelude::*;

use crate::{grid, propose_family, puzzle, run};

/// The best proposal of a family gives the output on the test, and its program does the same.
fn check(family: Family, demos: &[(Grid, Grid)], test: &Grid, output: &Grid) {
    let proposals = propose_family(family, demos, std::slice::from_ref(test));
    let best = proposals.first().unwrap_or_else(|| panic!("{family:?} fits"));
    assert_eq!(&best.outputs, std::slice::from_ref(output), "{}", best.recipe);
    for (input, output) in demos.iter().chain([&(test.clone(), output.clone())]) {
        assert_eq!(run(&best.recipe.to_string(), input), Outcome::Value(Value::Grid(output.clone())), "{}", best.recipe);
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
fn background_of_any_colour_is_painted() {
    let demos = [
        (grid(&["1112", "3111", "1112"]), grid(&["4442", "3444", "4442"])),
        (grid(&["3333", "3133", "2333"]), grid(&["4444", "4144", "2444"])),
        (grid(&["2232", "2222", "1222"]), grid(&["4434", "4444", "1444"])),
    ];
    check(Family::Cells, &demos, &grid(&["7717", "7777", "7377"]), &grid(&["4414", "4444", "4344"]));
}

#[test]
fn markers_of_any_colour_become_patches() {
    // The markers are the rarest colour, and what is put beside them has the most common one.
    let demos = [
        (grid(&["111...", "111.2.", "......", ".....2"]), grid(&["111.1.", "111.2.", ".....1", ".....2"])),
        (grid(&["......", "..3...", "44444.", "......", "3....."]), grid(&["..4...", "..3...", "44444.", "4.....", "3....."])),
        (grid(&["......", ".8..8.", "2222.."]), grid(&[".2..2.", ".8..8.", "2222.."])),
    ];
    check(Family::Stamps, &demos, &grid(&["......", "5..666", "....66"]), &grid(&["6.....", "5..666", "....66"]));
}

#[test]
fn lines_join_cells_of_one_colour() {
    let demos = [
        (grid(&["....", "2..2", "....", "3..."]), grid(&["....", "2112", "....", "3..."])),
        (grid(&[".2..", "....", ".2..", "...4"]), grid(&[".2..", ".1..", ".2..", "...4"])),
        (grid(&["5.2.", "....", "..2.", "2..."]), grid(&["5.2.", "..1.", "..2.", "2..."])),
    ];
    check(Family::Lines, &demos, &grid(&["2.2.", "....", "2...", "5..."]), &grid(&["212.", "1...", "2...", "5..."]));
}

#[test]
fn cells_move_to_a_wall_and_take_its_colour() {
    let demos = [
        (grid(&["2..3.", ".2.3.", "...3.", "...32"]), grid(&["..33.", "..33.", "...3.", "...33"])),
        (grid(&["..444", ".....", "2....", "..2.."]), grid(&["..444", "..4..", ".....", "....."])),
        (grid(&["2...5", ".22.5", "....5", "2...5"]), grid(&["...55", "..555", "....5", "...55"])),
    ];
    check(Family::Lines, &demos, &grid(&["..6..", "2.6.2", "..6..", "..6.2"]), &grid(&["..6..", ".666.", "..6..", "..66."]));
}

#[test]
fn objects_fall_and_stack() {
    let demos = [
        (grid(&["22..", "2...", "....", ".3.."]), grid(&["....", "....", "22..", "23.."])),
        (grid(&["4..5", "...5", ".66.", "...."]), grid(&["....", "....", "...5", "4665"])),
        (grid(&[".7.", "77.", "...", "..."]), grid(&["...", "...", ".7.", "77."])),
    ];
    check(Family::Lines, &demos, &grid(&[".111", ".1..", "....", "8..9"]), &grid(&["....", "....", ".111", "81.9"]));
}

#[test]
fn lines_repeat_the_colours_behind_them() {
    let demos = [
        (grid(&["23.....", ".......", "45....."]), grid(&["2323232", ".......", "4545454"])),
        (grid(&["......", ".16...", "......"]), grid(&["......", ".16161", "......"])),
        (grid(&["73......", "........"]), grid(&["73737373", "........"])),
    ];
    check(Family::Lines, &demos, &grid(&["........", "123.....", "........"]), &grid(&["........", "12312312", "........"]));
}

#[test]
fn lines_go_from_small_things_to_the_largest() {
    let demos = [
        (grid(&["22...3", ".....3", "2....3", "......"]), grid(&["222223", ".....3", "222223", "......"])),
        (grid(&["44444.", "......", "......", ".3..3."]), grid(&["44444.", ".3..3.", ".3..3.", ".3..3."])),
        (grid(&["6.....", "6...2.", "6...2.", "......"]), grid(&["6.....", "62222.", "62222.", "......"])),
    ];
    let test = grid(&["..8...", "..8..3", "..8..3", "1.8..."]);
    check(Family::Lines, &demos, &test, &grid(&["..8...", "..8333", "..8333", "118..."]));
}

#[test]
fn rules_that_explain_a_part_are_proposed_apart() {
    // Cells under a 2 become 7; the 3 changes for no reason.
    let demos = [
        (grid(&[".2..", "....", "...3", "...."]), grid(&[".2..", ".7..", ".7.8", ".7.."])),
        (grid(&["....", "2...", "...2", "3..."]), grid(&["....", "2...", "7..2", "9..7"])),
    ];
    let test = grid(&["..2.", "....", "3...", "...."]);
    let (whole, parts) = propose_with_parts(&puzzle(&demos, std::slice::from_ref(&test)), FitOptions::default());
    assert!(whole.iter().all(|proposal| !proposal.recipe.calls().is_empty()));
    let wanted = grid(&["..2.", "..7.", "3.7.", "..7."]);
    let part = parts.iter().find(|part| part.outputs == [wanted.clone()]).unwrap();
    assert_eq!(run(&part.recipe.to_string(), &test), Outcome::Value(Value::Grid(wanted)), "{}", part.recipe);
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
fn cells_of_panels_are_mirrored() {
    let demos = [
        (grid(&["11522", "11522", "55555", "33511", "33511"]), grid(&["21", "13"])),
        (grid(&["44544522", "44544522", "55555555", "11533544", "11533544"]), grid(&["244", "431"])),
    ];
    let test = grid(&["66533", "66533", "55555", "22511", "22511"]);
    check(Family::Panels, &demos, &test, &grid(&["36", "12"]));
}

#[test]
fn cells_of_panels_are_blocks_from_above_to_below() {
    let demos = [
        (grid(&["11522", "11522", "11522"]), grid(&["111", "222"])),
        (grid(&["335445115", "335445115", "335445115"]), grid(&["333", "444", "111"])),
        (grid(&["115225335", "115225335", "115225335"]), grid(&["111", "222", "333"])),
    ];
    let test = grid(&["44511", "44511", "44511"]);
    check(Family::Panels, &demos, &test, &grid(&["444", "111"]));
}

#[test]
fn the_square_of_most_cells_is_cut_out() {
    let demos = [
        (grid(&["1..11.1..", "...1.....", "..1.111.."]), grid(&["11.", "1..", ".11"])),
        (grid(&["2..", ".2.", "...", "22.", "2.2", "..2"]), grid(&["22.", "2.2", "..2"])),
    ];
    check(Family::Pick, &demos, &grid(&["3.3.3.", "33....", "..3..3"]), &grid(&["3.3", "33.", "..3"]));
}

#[test]
fn the_object_with_a_hole_is_cut_out_and_enlarged() {
    let demos = [
        (grid(&["222....", "2.2..44", "222...."]), grid(&["222222", "222222", "22..22", "22..22", "222222", "222222"])),
        (
            grid(&["55.....", "55.3333", "...3..3", "...3333"]),
            grid(&["33333333", "33333333", "33....33", "33....33", "33333333", "33333333"]),
        ),
    ];
    let test = grid(&["777.....", "7.7...11", "777.1111", "........"]);
    let output = grid(&["777777", "777777", "77..77", "77..77", "777777", "777777"]);
    check(Family::Pick, &demos, &test, &output);
}

#[test]
fn a_zigzag_goes_on() {
    let demos = [
        (grid(&["...", "...", "...", "4.."]), grid(&[".4.", "4..", ".4.", "4.."])),
        (grid(&["...", "...", "...", ".4."]), grid(&["4..", ".4.", "4..", ".4."])),
    ];
    let all = propose(&puzzle(&demos, &[grid(&["...", "...", "4.."])]), FitOptions::default());
    assert!(all.iter().any(|proposal| proposal.outputs == [grid(&["4..", ".4.", "4.."])]), "{all:?}");
}

#[test]
fn a_count_chooses_a_grid() {
    let demos = [
        (grid(&["3..", "..."]), grid(&["3..", ".3."])),
        (grid(&["4.4", "..."]), grid(&["4.4"])),
        (grid(&["...", "..5"]), grid(&["5..", ".5."])),
        (grid(&["66.", "..."]), grid(&["6.6"])),
        (grid(&[".7.", "..."]), grid(&["7..", ".7."])),
    ];
    check(Family::Layouts, &demos, &grid(&["...", "8.8"]), &grid(&["8.8"]));
}

#[test]
fn the_odd_one_out_is_cut_out_and_mirrored() {
    // All others have as many holes.
    let demos = [
        (grid(&["111..22.", "1.1..2..", "111..222", "........", "444.....", "4.4.....", "444....."]), grid(&[".22", "..2", "222"])),
        (grid(&["33.55555", "3..5.5.5", "33.55555", "........", "77777...", "7.7.7...", "77777..."]), grid(&["33", ".3", "33"])),
    ];
    let test = grid(&["888.999.", "8.8.9.9.", "888.999.", "........", "6666....", "6......."]);
    check(Family::Pick, &demos, &test, &grid(&["6666", "...6"]));
}

#[test]
fn partial_copies_are_completed() {
    let input = grid(&["........", ".123....", ".4......", "....12..", "........"]);
    let demos = [(input, grid(&["........", ".123....", ".4......", "....123.", "....4..."]))];
    let test = grid(&["...12...", "........", "123.....", "4......."]);
    check(Family::Stamps, &demos, &test, &grid(&["...123..", "...4....", "123.....", "4......."]));
}

#[test]
fn copies_in_other_colours_are_completed() {
    let demos = [
        (grid(&["33233", ".....", "884..", "....."]), grid(&["33233", ".....", "88488", "....."])),
        (grid(&["61...", ".....", ".....", "23232"]), grid(&["61616", ".....", ".....", "23232"])),
    ];
    check(Family::Stamps, &demos, &grid(&["5115.", ".....", "866..", "....."]), &grid(&["5115.", ".....", "8668.", "....."]));
}

#[test]
fn rings_are_reversed() {
    let demos = [
        (grid(&["1111", "1221", "1221", "1111"]), grid(&["2222", "2112", "2112", "2222"])),
        (grid(&["33333", "34443", "34543", "34443", "33333"]), grid(&["55555", "54445", "54345", "54445", "55555"])),
    ];
    check(Family::Periods, &demos, &grid(&["6666", "6886", "6666"]), &grid(&["8888", "8668", "8888"]));
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
    check(Family::Periods, &demos, &grid(&["..5562", "..7775", "893398"]), &grid(&["26", "57"]));
}

#[test]
fn a_sheared_period_fills_the_grid() {
    let demos = [
        (grid(&["124...", "24....", "4.....", "......"]), grid(&["124124", "241241", "412412", "124124"])),
        (grid(&[".....", ".....", "8....", "38...", "538.."]), grid(&["38538", "53853", "85385", "38538", "53853"])),
    ];
    check(Family::Periods, &demos, &grid(&["679.", "79..", "...."]), &grid(&["6796", "7967", "9679"]));
    // Two of the classes were never seen.
    assert_eq!(propose_family(Family::Periods, &demos, &[grid(&["6...", "....", "...."])]), []);
}

#[test]
fn a_pattern_goes_on_over_a_larger_canvas() {
    let demos = [
        (grid(&["11..", ".1..", ".11."]), grid(&["11..", ".1..", ".11.", "..1.", "..11"])),
        (grid(&["2...", ".2..", "..2."]), grid(&["2...", ".2..", "..2.", "...2", "...."])),
    ];
    check(Family::Periods, &demos, &grid(&[".3..", "3...", ".3.."]), &grid(&[".3..", "3...", ".3..", "3...", ".3.."]));
}

#[test]
fn rings_go_on_to_the_edge_and_change_colour() {
    let demos = [
        (grid(&["3.3..", "..3..", "333..", ".....", "....."]), grid(&["37373", "77373", "33373", "77773", "33333"])),
        (grid(&["....", "....", "..44", "..4."]), grid(&["4444", "4777", "4744", "4747"])),
    ];
    let test = grid(&["......", "......", "555...", "..5...", "..5..."]);
    check(Family::Periods, &demos, &test, &grid(&["777775", "777775", "555775", "775775", "775775"]));
}

#[test]
fn blocks_are_symmetries_of_the_input() {
    let demos =
        [(grid(&["12", "34"]), grid(&["1221", "3443", "3443", "1221"])), (grid(&["56", "71"]), grid(&["5665", "7117", "7117", "5665"]))];
    check(Family::Layouts, &demos, &grid(&["12", "13"]), &grid(&["1221", "1331", "1331", "1221"]));
    let other = [demos[0].clone(), (grid(&["56", "71"]), grid(&["5665", "7117", "7117", "5655"]))];
    assert_eq!(propose_family(Family::Layouts, &other, &[grid(&["12", "13"])]), []);
}

#[test]
fn blocks_are_drawn_where_the_input_has_a_colour() {
    let demos = [
        (grid(&["2.", "12"]), grid(&["2.5..", "125..", "55555", "..52.", "..512"])),
        (grid(&[".2", "21"]), grid(&["..5.2", "..521", "55555", ".25..", "215.."])),
    ];
    check(Family::Layouts, &demos, &grid(&["22", "31"]), &grid(&["22522", "31531", "55555", "..5..", "..5.."]));
}

#[test]
fn parts_are_in_the_colours_of_a_small_panel() {
    let demos = [
        (grid(&["248..", "138..", "88888", "..877", "..87."]), grid(&["24", "1."])),
        (grid(&["568....", "728....", "8888888", "..8.77.", "..87..7", "..87777", "..8..7."]), grid(&[".56.", "5..6", "7722", "..2."])),
    ];
    let test = grid(&["318....", "468....", "8888888", "..8..7.", "..87..7", "..87.7.", "..87.77"]);
    check(Family::Layouts, &demos[1..], &test, &grid(&["..1.", "3..1", "4.6.", "4.66"]));
    assert_eq!(propose_family(Family::Layouts, &demos[..1], &[grid(&["1", "2"])]), []);
}

#[test]
fn cells_become_blocks_as_large_as_a_count() {
    let demos = [
        (grid(&["12", ".1"]), grid(&["1122", "1122", "..11", "..11"])),
        (grid(&["12", "43"]), grid(&["11112222", "11112222", "11112222", "11112222", "44443333", "44443333", "44443333", "44443333"])),
    ];
    check(Family::Layouts, &demos, &grid(&["4", "5", "."]), &grid(&["44", "44", "55", "55", "..", ".."]));
}

#[test]
fn counts_of_colours_become_bars() {
    let demos = [
        (grid(&["22.3", "...3", "4..3"]), grid(&["333", "22.", "4.."])),
        (grid(&["6..5", "6..5", "6..5", "1.15"]), grid(&["5555", "666.", "11.."])),
    ];
    check(Family::Layouts, &demos, &grid(&["77.", "7.8"]), &grid(&["777", "8.."]));
    // The bars of the second are in no order.
    let other = [demos[0].clone(), (demos[1].0.clone(), grid(&["11..", "5555", "666."]))];
    assert_eq!(propose_family(Family::Layouts, &other, &[grid(&["77.", "7.8"])]), []);
}

#[test]
fn objects_are_read_from_left_to_right() {
    let demos = [
        (grid(&[".1...", "...2.", "3...."]), grid(&["312"])),
        (grid(&["4....", "..5..", ".6..."]), grid(&["465"])),
        (grid(&["..8..", "....1", "...2."]), grid(&["821"])),
    ];
    check(Family::Layouts, &demos, &grid(&["...7.", "8....", ".9..."]), &grid(&["897"]));
}

#[test]
fn objects_are_stacked_by_size() {
    let demos = [
        (grid(&["22...", "2...3", "..333"]), grid(&["..3", "333", "22.", "2.."])),
        (grid(&["....1", ".44..", ".44..", ".44.."]), grid(&["44", "44", "44", "1."])),
    ];
    check(Family::Layouts, &demos, &grid(&["5.6", "..6"]), &grid(&["6", "6", "5"]));
}

#[test]
fn the_part_that_was_hidden_follows_from_a_period() {
    let demos = [
        (grid(&["123123", "231231", "388312", "188123"]), grid(&["12", "23"])),
        (grid(&["4645464", "5464546", "4546888"]), grid(&["454"])),
    ];
    check(Family::Periods, &demos, &grid(&["88121", "88212", "12121"]), &grid(&["12", "21"]));
}

#[test]
fn a_period_is_seen_whatever_colour_hides_it() {
    let demos = [
        (grid(&["123123", "231831", "388812", "123123"]), grid(&["123123", "231231", "312312", "123123"])),
        (grid(&["454545", "444454", "444545", "545454"]), grid(&["454545", "545454", "454545", "545454"])),
    ];
    // Both hidden parts have another colour, and 4 is a colour of the second pattern.
    assert_eq!(propose_family(Family::Periods, &demos, &[grid(&["6767", "7997", "6767"])]), []);
    let demos = [demos[0].clone(), (grid(&["454545", "999454", "999545", "545454"]), demos[1].1.clone())];
    let test = grid(&["67676", "72267", "67676", "76767"]);
    check(Family::Periods, &demos, &test, &grid(&["67676", "76767", "67676", "76767"]));
}

#[test]
fn a_test_that_no_object_of_the_input_meets_is_avoided() {
    // The largest object, and the one in colour 3: but there is no 3 in the test.
    let demos = [
        (grid(&["33..1", "33...", "....1"]), grid(&["55..1", "55...", "....1"])),
        (grid(&["1....", "..333", "..3.."]), grid(&["1....", "..555", "..5.."])),
    ];
    check(Family::Objects, &demos, &grid(&["11.22", "...22", "1...."]), &grid(&["11.55", "...55", "1...."]));
}

#[test]
fn what_no_rule_explains_is_left_alone() {
    let demos = [(grid(&["12", "34"]), grid(&["4315", "9261", "7777"])), (grid(&["1", "2"]), grid(&["86"]))];
    assert_eq!(propose(&puzzle(&demos, &[grid(&["5"])]), FitOptions::default()), []);
}

#[test]
fn proposals_are_the_same_every_time() {
    let demos = [
        (grid(&[".2..", "....", "....", "...."]), grid(&[".2..", ".7..", ".7..", ".7.."])),
        (grid(&["....", "2...", "...2", "...."]), grid(&["....", "2...", "7..2", "7..7"])),
    ];
    let tests = [grid(&["..2.", "....", "2...", "...."])];
    let first = propose(&puzzle(&demos, &tests), FitOptions::default());
    assert!(!first.is_empty());
    assert_eq!(first, propose(&puzzle(&demos, &tests), FitOptions::default()));
}

#[test]
fn time_ends_families_and_changes_nothing_else() {
    let demos = [
        (grid(&[".2..", "....", "....", "...."]), grid(&[".2..", ".7..", ".7..", ".7.."])),
        (grid(&["....", "2...", "...2", "...."]), grid(&["....", "2...", "7..2", "7..7"])),
    ];
    let tests = [grid(&["..2.", "....", "2...", "...."])];
    let until = |deadline: Option<Deadline>| propose(&puzzle(&demos, &tests), FitOptions { deadline, ..FitOptions::default() });
    assert_eq!(until(Deadline::after(Duration::ZERO, Instant::now)), []);
    assert_eq!(until(Deadline::after(Duration::from_secs(86_400), Instant::now)), until(None));
}

fn any_grid() -> impl Strategy<Value = Grid> {
    (1..12usize, 1..12usize).prop_flat_map(|(height, width)| {
        proptest::collection::vec(0..4i8, height * width).prop_map(move |cells| Grid::new(height, width, &cells).unwrap())
    })
}

fn any_rules() -> impl Strategy<Value = String> {
    let test = (-1..9i32, 0..90i32, -9..45i32, -9..90i32, prop_oneof![-2..12i32, -2..50i32])
        .prop_map(|(operator, kind, a, b, value)| format!("({operator}, {kind}, {a}, {b}, {value})"));
    let paint = prop_oneof![
        prop_oneof![0..11i32, 10..70i32].prop_map(|colour| colour.to_string()),
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
    fn primitives_never_panic(input in any_grid(), rules in any_rules(), ground in -1..12i32, mode in -1..31i32, which in 0..17usize, role in 0..70i32) {
        let colour = if role < 35 { mode % 12 } else { role };
        let call = match which {
            0 => format!("cellrule(I, {ground}, ({rules}))"),
            1 => format!("objectrule(I, {ground}, {}, ({rules}))", mode % 10),
            2 => format!("panelrule(I, {ground}, {}, ({rules}))", mode % 10),
            3 => format!("pickrule(I, {ground}, {mode}, ({rules}))"),
            4 => format!("sweeprule(I, {ground}, {}, ({rules}))", mode % 6),
            5 => format!("copyrule(I, {ground}, {colour}, {})", mode % 13),
            6 => format!("templaterule(I, {ground}, {})", mode + 10 * (ground % 3)),
            7 => format!("chooserule(I, {ground}, ({rules}), (((1, 10), (0, 2)), ((3,),)))"),
            8 => format!("stamprule(I, {ground}, {}, (({colour}, (({mode}, -1, 3), (0, {ground}, {role}))),))", mode % 2),
            9 => format!("periodrule(I, {}, ({}, {}), ({}, {ground}, {mode}, {}))", mode % 14, mode / 2, ground, mode % 7, ground % 9),
            10 => format!("layoutrule(I, ((0, {}), (8, 9)), {ground}, ({}, {}, {}, {}))", mode % 11, mode % 4, ground % 4, mode % 2, mode % 11),
            11 => format!("drawrule(I, {ground}, ({mode}, {}, {}, {}, {}), ({}, {}, {}, {}, {}))", mode % 12, mode % 14, ground % 9, mode % 3, ground % 7, mode % 13, mode / 4, ground, mode % 12),
            12 => {
                let (ways, stop, turn, mark) = ((mode * 37 + 1) % 256, ground % 5, mode % 9, (ground + mode) % 8);
                format!("linerule(I, {}, (({}, {}, {ways}, {stop}, {turn}, {mark}, {}),))", ground % 4, mode + 10, mode % 9, 3 * ground)
            }
            13 => format!("fitrule(I, {ground}, {mode})"),
            14 => format!("replacerule(I, {}, ((((1, {}), (10, 2)), ((3, {}), (1, 10))),))", mode % 3, mode % 12, ground % 11),
            15 => format!("moverule(I, {ground}, {}, ((((0, 0, 0, 0, 3),), ({}, {mode}, {})), ((), (2, {}, 0))))", mode % 12, ground % 7, ground % 9, mode % 14),
            _ => format!("moverule(I, {ground}, {}, ({rules}))", mode % 12),
        };
        let outcome = run(&format!("def f(I):\n    O = {call}\n    return O\n"), &input);
        prop_assert!(!matches!(outcome, Outcome::Value(value) if !matches!(value, Value::Grid(_))));
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Families on random demos: they propose what their programs give.
    #[test]
    fn proposals_hold(first in any_grid(), second in any_grid(), test in any_grid()) {
        for proposal in propose(&puzzle(&[(first.clone(), second.clone())], std::slice::from_ref(&test)), FitOptions { proposals: 2, cells: 400, ..FitOptions::default() }) {
            prop_assert_eq!(run(&proposal.recipe.to_string(), &first), Outcome::Value(Value::Grid(second.clone())));
            prop_assert_eq!(run(&proposal.recipe.to_string(), &test), Outcome::Value(Value::Grid(proposal.outputs[0].clone())));
        }
    }
}

#[test]
fn whatever_recipes_call_is_a_primitive() {
    let rules = Family::ALL.iter().flat_map(|family| family.row().rules).map(|rule| rule.name);
    let names: Vec<&str> = rules.chain(batt_rules::OTHERS.iter().copied()).collect();
    for name in names.into_iter().chain(batt_vision::OPERATIONS.iter().map(|operation| operation.name)) {
        assert!(batt_dsl::by_name(name).is_some(), "{name}");
    }
}
