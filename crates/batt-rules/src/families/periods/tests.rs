//! Parameters of patterns, on small images.

use batt_vision::{Frame, Image};

use super::patterns::{Mask, Period, period_rule};

fn carried_on(width: usize, cells: &[u8], mask: Mask, numbers: [i64; 4]) -> Option<Vec<u8>> {
    let image = Image { frame: Frame::at_origin(cells.len() / width, width), cells };
    Some(period_rule(image, mask, (0, 0), Period::from_numbers(numbers)?)?.2)
}

#[test]
fn shells_change_places() {
    let shells = [3, 3, 3, 3, 3, 3, 2, 2, 2, 3, 3, 2, 8, 2, 3, 3, 2, 2, 2, 3, 3, 3, 3, 3, 3];
    let mapped = |to: [u8; 3]| -> Vec<u8> {
        shells.iter().map(|&cell| to[[3, 2, 8].iter().position(|&other| other == cell).unwrap_or(0)]).collect()
    };
    assert_eq!(carried_on(5, &shells, Mask::None, [5, 0, 0, 0]), Some(mapped([8, 2, 3])));
    assert_eq!(carried_on(5, &shells, Mask::None, [5, 1, 0, 0]), Some(mapped([8, 3, 2])));
    // Rings of the same colour.
    let column = [3, 3, 3, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3, 2, 3, 3, 3, 3];
    assert_eq!(carried_on(3, &column, Mask::None, [5, 0, 0, 0]), None);
    assert_eq!(carried_on(5, &[8; 25], Mask::None, [5, 0, 0, 0]), Some(vec![8; 25]));
    // Two colours at once have no order.
    assert_eq!(carried_on(2, &[1, 2, 1, 2], Mask::None, [5, 1, 0, 0]), None);
}

#[test]
fn a_whole_colour_is_the_centre() {
    // Three ones are nearer to the middle, but none of their centres leaves a colour whole.
    let row = |ones: &[usize], twos: &[usize]| -> Vec<u8> {
        (0..21).map(|column| u8::from(ones.contains(&column)) + 2 * u8::from(twos.contains(&column))).collect()
    };
    let cells = row(&[9, 11, 12], &[5, 7]);
    assert_eq!(carried_on(21, &cells, Mask::Colour(0), [4, 0, 1, 0]), Some(row(&[8, 9, 11, 12], &[5, 7, 13, 15])));
    assert_eq!(carried_on(21, &cells, Mask::Colour(0), [4, 0, 2, 0]), Some(row(&[0, 1, 3, 9, 11, 12], &[5, 7])));
}
