//! Roles of colours and numbers, and arguments that stand for them.

use batt_vision::{Frame, Ground, Image, NONE, Role, Scene, roles::colour};

fn values(height: usize, width: usize, cells: &[u8], ground: u8, roles: &[Role]) -> Vec<i16> {
    let scene = Scene::new(Image { frame: Frame::at_origin(height, width), cells }, Ground::Colour(ground));
    roles.iter().map(|&role| scene.role(role)).collect()
}

/// 2 is a ring around a hole with a 3 in it, and a whole column; 5 is one cell.
const RING: [u8; 15] = [2, 2, 2, 2, 0, 2, 0, 3, 2, 0, 2, 2, 2, 2, 5];

#[test]
fn roles_of_colours() {
    let roles = [Role::MostCommon, Role::LeastCommon, Role::Enclosed, Role::Separator, Role::Background, Role::LargestObject];
    assert_eq!(values(3, 5, &RING, 0, &roles), [2, NONE, 3, 2, 0, 2]);
    let shapes = [1, 1, 0, 4, 0, 3, 3, 0, 0, 0, 0, 0, 0, 2, 2];
    assert_eq!(values(3, 5, &shapes, 0, &[Role::OddObject, Role::Marker, Role::BeginsDown, Role::SmallestObject]), [4, 4, 2, 4]);
}

#[test]
fn roles_of_numbers() {
    let roles = [Role::Cells, Role::Colours, Role::Objects, Role::Rows, Role::Columns, Role::LargestCells, Role::SmallestCells];
    assert_eq!(values(3, 5, &RING, 0, &roles), [12, 3, 3, 3, 5, 10, 1]);
}

#[test]
fn arguments_are_colours_or_roles() {
    let image = Image { frame: Frame::at_origin(1, 3), cells: &[7, 7, 4] };
    let of = |number: u8| colour(number, image, Ground::Colour(0));
    assert_eq!(of(3), Some(3));
    assert_eq!(of(Role::LeastCommon.argument()), Some(4));
    assert_eq!(of(10), None);
    assert_eq!(of(Role::Objects.argument()), None);
}
