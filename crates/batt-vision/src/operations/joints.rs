//! Where lines of one colour end, turn and cross.

use crate::image::{Image, Work};
use crate::operation::row;

row! {
    /// Cells by their neighbours of the same colour by side: ends, with one (0), corners, with two at a right angle (1), crossings, with more (2).
    JOINTS = map(joints, 0..3), never();
    "joints(((1, 1, 1), (0, 0, 1)), 1)" => "((0, 0, 1), (0, 0, 0))"
}

fn joints(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let width = image.width();
    let out = work.out.add(image.frame)?;
    for (place, &cell) in image.cells.iter().enumerate().filter(|(_, cell)| **cell != 0) {
        let (row, column) = ((place / width) as i32, (place % width) as i32);
        let joins = |down: i32, right: i32| u8::from(image.at_or_blank(row + down, column + right) == cell);
        let (along, across) = (joins(-1, 0) + joins(1, 0), joins(0, -1) + joins(0, 1));
        let is_chosen = match which {
            0 => along + across == 1,
            1 => (along, across) == (1, 1),
            _ => along + across > 2,
        };
        if is_chosen {
            out[place] = cell;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Frame;

    #[test]
    fn a_line_has_ends_a_corner_and_a_crossing() {
        let cells = [4, 4, 4, 7, 4, 7, 4, 4, 4];
        let image = Image { frame: Frame::at_origin(3, 3), cells: &cells };
        let made = |which| {
            let mut work = Work::default();
            JOINTS.on(image, which, &mut work).map(|()| work.out.cells().to_vec())
        };
        assert_eq!(made(0), Some(vec![4, 0, 4, 0, 0, 0, 4, 0, 4]));
        assert_eq!(made(1), Some(vec![0; 9]));
        assert_eq!(made(2), Some(vec![0, 4, 0, 0, 0, 0, 0, 4, 0]));
    }
}
