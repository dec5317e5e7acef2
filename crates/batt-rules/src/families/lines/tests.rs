//! Parameters of lines and moves, on small images.

use batt_vision::{Feature, Frame, Ground, Image, ItemKind, Mode, Role};

use super::moves::{Heading, Move, move_rule};
use super::trace::{Line, line_rule};
use crate::rules::{Operator, Rule, Test};

fn drawn(width: usize, cells: &[u8], numbers: [i64; 7]) -> Vec<u8> {
    let image = Image { frame: Frame::at_origin(cells.len() / width, width), cells };
    line_rule(image, Ground::Colour(0), &Line::from_numbers(numbers).into_iter().collect::<Vec<_>>())
}

#[test]
fn lines_stop_turn_and_bounce() {
    // To the right until something is there.
    assert_eq!(drawn(4, &[1, 0, 0, 5], [1, 0, 8, 0, 0, 0, 10]), [1, 1, 1, 5]);
    // Behind it and over it.
    assert_eq!(drawn(4, &[1, 0, 5, 0], [1, 0, 8, 1, 0, 0, 3]), [1, 3, 5, 3]);
    assert_eq!(drawn(4, &[1, 0, 5, 0], [1, 0, 8, 2, 0, 0, 3]), [1, 3, 3, 3]);
    // Every second cell.
    assert_eq!(drawn(5, &[1, 0, 0, 0, 0], [1, 0, 8, 1, 0, 1, 3]), [1, 0, 3, 0, 3]);
    // Only to its own colour, and only to the edge.
    assert_eq!(drawn(6, &[0, 1, 0, 1, 0, 5], [1, 0, 12, 0, 5, 0, 3]), [0, 1, 3, 1, 0, 5]);
    assert_eq!(drawn(6, &[0, 1, 0, 1, 0, 5], [1, 0, 12, 0, 6, 0, 3]), [3, 1, 0, 1, 0, 5]);
    // It continues what is there.
    assert_eq!(drawn(5, &[0, 1, 1, 0, 0], [1, 1, 8, 0, 0, 0, 10]), [0, 1, 1, 1, 1]);
    // It turns right at an obstacle, and goes down to the edge.
    assert_eq!(drawn(3, &[1, 0, 5, 0, 0, 0], [1, 0, 8, 0, 1, 0, 2]), [1, 2, 5, 0, 2, 0]);
    // A diagonal is reflected by the edge.
    assert_eq!(drawn(2, &[0, 0, 0, 0, 1, 0], [1, 0, 64, 0, 3, 0, 2]), [2, 0, 0, 2, 1, 0]);
}

#[test]
fn lines_begin_at_ends_and_notches() {
    // Only the end of the tail goes on.
    let tailed = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let made = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0];
    assert_eq!(drawn(5, &tailed, [1, 4, 240, 0, 0, 0, 10]), made);
    // From the elbow at the lower left through the notch, which stays free.
    let elbow = [0, 0, 0, 1, 0, 0, 1, 1, 0];
    assert_eq!(drawn(3, &elbow, [1, 5, 240, 0, 0, 0, 10]), [0, 0, 1, 1, 0, 0, 1, 1, 0]);
    // Two cells are no part of the largest object.
    assert_eq!(drawn(8, &[2, 2, 0, 5, 5, 5, 0, 0], [10, 6, 12, 0, 7, 0, 10]), [2, 2, 2, 5, 5, 5, 0, 0]);
}

#[test]
fn lines_are_stopped_by_colours() {
    // Behind another colour to its own.
    assert_eq!(drawn(6, &[1, 0, 5, 0, 1, 0], [1, 0, 8, 3, 4, 0, 3]), [1, 3, 5, 3, 1, 0]);
    // Only to what is no source.
    assert_eq!(drawn(8, &[1, 0, 2, 0, 5, 5, 0, 1], [10, 2, 12, 0, 7, 0, 10]), [1, 0, 2, 2, 5, 5, 1, 1]);
    // In the colour that stopped it.
    assert_eq!(drawn(4, &[1, 0, 0, 5], [1, 0, 8, 0, 4, 0, 11]), [1, 5, 5, 5]);
    assert_eq!(drawn(4, &[1, 0, 0, 0], [1, 0, 8, 0, 0, 0, 11]), [1, 0, 0, 0]);
}

#[test]
fn some_cells_of_lines_are_painted() {
    assert_eq!(drawn(5, &[1, 0, 0, 5, 0], [1, 0, 8, 0, 4, 2, 10]), [1, 0, 0, 1, 0]);
    assert_eq!(drawn(5, &[1, 0, 0, 0, 1], [1, 0, 8, 0, 5, 3, 2]), [1, 0, 2, 0, 1]);
    assert_eq!(drawn(4, &[1, 0, 0, 1], [1, 0, 8, 0, 5, 3, 2]), [1, 0, 0, 1]);
    assert_eq!(drawn(4, &[1, 0, 0, 5], [1, 0, 8, 0, 0, 4, 2]), [1, 2, 0, 5]);
}

#[test]
fn lines_repeat_their_tail() {
    // Two colours in turn, also where the tail ends within the second turn.
    assert_eq!(drawn(7, &[0, 2, 3, 0, 0, 0, 5], [10, 3, 8, 0, 0, 0, 12]), [0, 2, 3, 2, 3, 2, 5]);
    assert_eq!(drawn(7, &[2, 3, 2, 0, 0, 0, 0], [2, 3, 8, 0, 0, 0, 12]), [2, 3, 2, 3, 2, 3, 2]);
    // A tail of one cell is its own colour.
    assert_eq!(drawn(4, &[0, 2, 0, 0], [2, 0, 8, 0, 0, 0, 12]), [0, 2, 2, 2]);
}

#[test]
fn lines_paint_what_they_cross() {
    assert_eq!(drawn(6, &[1, 0, 5, 1, 6, 0], [1, 2, 8, 2, 0, 5, 3]), [1, 0, 3, 1, 3, 0]);
    // Where a row and a column cross, not where two rows do.
    assert_eq!(drawn(3, &[0, 1, 0, 1, 0, 0, 0, 0, 0], [1, 0, 15, 2, 0, 6, 3]), [3, 1, 0, 1, 3, 0, 0, 0, 0]);
    assert_eq!(drawn(4, &[1, 0, 0, 1], [1, 0, 15, 2, 0, 6, 3]), [1, 0, 0, 1]);
}

#[test]
fn lines_leave_from_corners() {
    let square = [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0];
    assert_eq!(drawn(4, &square, [1, 7, 16 | 32, 0, 0, 0, 3]), [3, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 3]);
    assert_eq!(drawn(4, &square, [1, 7, 8, 0, 0, 0, 3]), [0, 0, 0, 0, 0, 1, 1, 3, 0, 1, 1, 3, 0, 0, 0, 0]);
    // The middle of a side is no corner.
    let three = [1, 1, 0, 1, 1, 0, 1, 1, 0];
    assert_eq!(drawn(3, &three, [1, 7, 8, 0, 0, 0, 3]), [1, 1, 3, 1, 1, 0, 1, 1, 3]);
}

#[test]
fn colours_of_lines_lead_in_measures() {
    // From the most common colour, in the one on the border.
    assert_eq!(drawn(5, &[7, 0, 0, 0, 7], [20, 0, 8, 0, 5, 0, 20]), [7, 7, 7, 7, 7]);
    // An image without colours has none that leads.
    assert_eq!(drawn(3, &[0, 0, 0], [20, 0, 8, 0, 0, 0, 20]), [0, 0, 0]);
}

/// All items of a mode moved in the same way.
fn all_moved(width: usize, cells: &[u8], mode: Mode, by: Move) -> Option<Vec<u8>> {
    let image = Image { frame: Frame::at_origin(cells.len() / width, width), cells };
    move_rule(image, Ground::Colour(0), mode, &[Rule { tests: Vec::new(), paint: by.paint() }])
}

#[test]
fn items_move_to_contact() {
    let to_right = Move::Slide(Heading(3));
    // The nearest to the edge arrives first and stops the next one; each keeps its colour.
    assert_eq!(all_moved(7, &[1, 0, 2, 0, 0, 0, 0], Mode::Cells, to_right), Some(vec![0, 0, 0, 0, 0, 1, 2]));
    // Cells that touch are items of their own, or one.
    let tower = [1, 0, 1, 1, 0, 0];
    assert_eq!(all_moved(2, &tower, Mode::Cells, to_right), Some(vec![0, 1, 1, 1, 0, 0]));
    assert_eq!(all_moved(2, &tower, Mode::Sides, to_right), Some(tower.to_vec()));
    // Towards the nearest edge; nowhere where two are as near.
    let wide = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(all_moved(5, &wide, Mode::Sides, Move::Slide(Heading(8))), Some(wide.to_vec()));
    assert_eq!(all_moved(5, &[0, 1, 0, 0, 0], Mode::Colours, Move::Slide(Heading(8))), Some(vec![0, 1, 0, 0, 0]));
    // To where its other colour lies, and away from there.
    let arrow = [0, 0, 1, 2, 0, 0];
    assert_eq!(all_moved(6, &arrow, Mode::AnySides, Move::Slide(Heading(11))), Some(vec![0, 0, 0, 0, 1, 2]));
    assert_eq!(all_moved(6, &arrow, Mode::AnySides, Move::Slide(Heading(12))), Some(vec![1, 2, 0, 0, 0, 0]));
}

#[test]
fn a_test_of_a_role_decides_a_move() {
    let image = [1, 0, 2, 2, 0];
    let colour =
        Test { operator: Operator::Role, feature: Feature { kind: ItemKind::Colour as u8, a: 0, b: 0 }, value: Role::MostCommon as i16 };
    let rules = [Rule { tests: vec![colour], paint: Move::Slide(Heading(3)).paint() }];
    let frame = Frame::at_origin(1, 5);
    let made = move_rule(Image { frame, cells: &image }, Ground::Colour(0), Mode::Sides, &rules);
    assert_eq!(made, Some(vec![1, 0, 0, 2, 2]));
}

#[test]
fn items_move_to_walls() {
    let moved = |cells: &[u8], by: Move| {
        let image = Image { frame: Frame::at_origin(1, cells.len()), cells };
        let ones = Test { operator: Operator::Equal, feature: Feature { kind: 0, a: 0, b: 0 }, value: 1 };
        move_rule(image, Ground::Colour(0), Mode::Corners, &[Rule { tests: vec![ones], paint: by.paint() }])
    };
    assert_eq!(moved(&[1, 0, 1, 0, 0, 5, 0], Move::Towards(5)), Some(vec![0, 0, 0, 1, 1, 5, 0]));
    // What is moved gets the colour of what stops it.
    assert_eq!(moved(&[1, 0, 1, 0, 0, 5, 0], Move::Into(5)), Some(vec![0, 0, 0, 5, 5, 5, 0]));
    // Whatever is between; what touches it stays, and what finds none is gone.
    assert_eq!(moved(&[1, 0, 2, 0, 5, 0], Move::Through(5)), Some(vec![0, 0, 2, 1, 5, 0]));
    assert_eq!(moved(&[0, 1, 5], Move::Towards(5)), Some(vec![0, 1, 5]));
    assert_eq!(moved(&[0, 1, 0, 6], Move::Towards(5)), Some(vec![0, 0, 0, 6]));
}
