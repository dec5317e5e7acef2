//! Locations and cells in 32 bits.

use batt_core::{PATCH_COLOURS, PATCH_COORDINATES, Packed};
use proptest::prelude::*;

use crate::cases;
use crate::model::integer;

fn coordinate() -> impl Strategy<Value = i64> {
    prop_oneof![PATCH_COORDINATES, integer(), any::<i64>()]
}

fn inside() -> impl Strategy<Value = (i64, i64, i64)> {
    (PATCH_COORDINATES, PATCH_COORDINATES, PATCH_COLOURS)
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn what_is_in_range_round_trips(i in coordinate(), j in coordinate(), c in prop_oneof![PATCH_COLOURS, integer(), any::<i64>()]) {
        let fits = PATCH_COORDINATES.contains(&i) && PATCH_COORDINATES.contains(&j);
        let read = |p: Packed| (i64::from(p.i()), i64::from(p.j()));
        prop_assert_eq!(Packed::location(i, j).map(read), fits.then_some((i, j)));
        let cell = Packed::cell(c, i, j);
        prop_assert_eq!(cell.map(read), (fits && PATCH_COLOURS.contains(&c)).then_some((i, j)));
        prop_assert_eq!(cell.map(|p| i64::from(p.colour())), cell.map(|_| c));
        if let (Some(location), Some(cell)) = (Packed::location(i, j), cell) {
            prop_assert_eq!(cell.without_colour(), location);
            prop_assert_eq!(location.without_colour(), location);
            prop_assert_eq!(location.with_colour(c as i8), cell);
            prop_assert_eq!(Packed::location_unchecked(i as i32, j as i32), location);
        }
    }

    /// The order of the integers is that of row, column and colour.
    #[test]
    fn order_is_reading_order(a in inside(), b in inside(), shared in 0..3u8) {
        // Often in the same row, or at the same place.
        let b = (if shared > 0 { a.0 } else { b.0 }, if shared > 1 { a.1 } else { b.1 }, b.2);
        let pack = |(i, j, c)| Packed::cell(c, i, j).unwrap();
        prop_assert_eq!(pack(a).cmp(&pack(b)), a.cmp(&b));
        prop_assert_eq!(pack(a) == pack(b), a == b);
        prop_assert_eq!(pack(a).without_colour().cmp(&pack(b).without_colour()), (a.0, a.1).cmp(&(b.0, b.1)));
    }

    /// Every word is a cell, and only one.
    #[test]
    fn every_word_is_a_cell(word in any::<u32>()) {
        let p = Packed(word);
        prop_assert_eq!(Packed::cell(i64::from(p.colour()), i64::from(p.i()), i64::from(p.j())), Some(p));
    }

    #[test]
    fn displacement_moves(from in inside(), to in inside()) {
        let offset = Packed::displacement((to.0 - from.0) as i32, (to.1 - from.1) as i32);
        let moved = Packed(Packed::cell(from.2, from.0, from.1).unwrap().0.wrapping_add(offset));
        prop_assert_eq!(Some(moved), Packed::cell(from.2, to.0, to.1));
    }
}

#[test]
fn ends_of_the_ranges() {
    assert_eq!(Packed::cell(-128, -2048, -2048), Some(Packed(0)));
    assert_eq!(Packed::cell(127, 2047, 2047), Some(Packed(u32::MAX)));
    assert_eq!(Packed::location(-2048, -2048), Some(Packed(0)));
    assert_eq!(Packed::location(2047, 2047), Some(Packed(0xFFFF_FF00)));
    for outside in [-2049, 2048, i64::from(u32::MAX) + 1, i64::MIN, i64::MAX] {
        assert_eq!((Packed::location(outside, 0), Packed::location(0, outside)), (None, None), "{outside}");
    }
    for outside in [-129, 128, 256, i64::MIN, i64::MAX] {
        assert_eq!(Packed::cell(outside, 0, 0), None, "{outside}");
    }
}
