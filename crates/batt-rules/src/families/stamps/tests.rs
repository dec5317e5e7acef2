//! Parameters of templates, on small images.

use batt_vision::{Frame, Ground, Image, Mode};

use super::templates::{Copies, Template, template_rule};

fn completed(width: usize, cells: &[u8], copies: Copies, turned: bool, scale: u8) -> Option<Vec<u8>> {
    let image = Image { frame: Frame::at_origin(cells.len() / width, width), cells };
    let template = Template { mode: Mode::AnySides, turned, scale, keeps: true, all: false, copies };
    assert!(Template::all().contains(&template));
    template_rule(image, Ground::Colour(0), template)
}

#[test]
fn parts_of_either_colour_are_completed() {
    let cells = [4, 8, 4, 0, 0, 8, 0, 0, 4, 0, 4];
    assert_eq!(completed(11, &cells, Copies::Parts, false, 1), Some(vec![4, 8, 4, 0, 4, 8, 4, 0, 4, 8, 4]));
    // With both colours open, neither is a copy.
    assert_eq!(completed(11, &cells, Copies::Colours, false, 1), None);
}

#[test]
fn colours_are_exchanged() {
    let cells = [3, 3, 2, 3, 0, 0, 0, 0, 8, 8, 3, 0];
    assert_eq!(completed(4, &cells, Copies::Exchanged, false, 1), Some(vec![3, 3, 2, 3, 0, 0, 0, 0, 8, 8, 3, 8]));
    // Twice as large, one colour as it is.
    let cells = [3, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 1, 1, 0, 0, 4, 4, 1, 1, 0, 0];
    let twice = [3, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 1, 1, 4, 4, 4, 4, 1, 1, 4, 4];
    assert_eq!(completed(6, &cells, Copies::Exchanged, false, 4), Some(twice.to_vec()));
}
