//! What numbers are used for that nothing more is said about.

use crate::{Range, Type};

impl Range {
    /// What a number of a type is used for, unless the row says more; `None` for a type that is no number, or numbers of any use.
    pub(crate) const fn of_type(ty: Type) -> Option<Self> {
        if ty.is(Type::BOOLEAN) {
            Some(Self::Boolean)
        } else if ty.is(Type::PAIR) {
            Some(Self::Pair)
        } else if ty.is(Type::INTEGER) {
            Some(Self::Small)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Prim, primitive};

    fn ranges(prim: Prim) -> Vec<Option<Range>> {
        let row = primitive(prim.into());
        (0..row.params.len()).map(|k| row.range(k)).collect()
    }

    #[test]
    fn parameters_have_the_range_that_they_are_used_for() {
        assert_eq!(ranges(Prim::replace), [None, Some(Range::Colour), Some(Range::Colour)]);
        assert_eq!(ranges(Prim::switch), [None, Some(Range::Colour), Some(Range::Colour)]);
        assert_eq!(ranges(Prim::objects), [None, Some(Range::Boolean), Some(Range::Boolean), Some(Range::Boolean)]);
        assert_eq!(ranges(Prim::greater), [Some(Range::Small), Some(Range::Small)]);
        assert_eq!(ranges(Prim::o_g), [None, Some(Range::KindOf8)]);
        assert_eq!(ranges(Prim::corner), [None, Some(Range::KindOf4)]);
        assert_eq!(ranges(Prim::mir_rot_t), [None, Some(Range::AngleOf8)]);
        assert_eq!(ranges(Prim::mir_rot_f), [None, Some(Range::AngleOf4)]);
        assert_eq!(ranges(Prim::get_nth), [None, Some(Range::Rank)]);
        assert_eq!(ranges(Prim::canvas), [Some(Range::Colour), Some(Range::Pair)]);
        assert_eq!(ranges(Prim::hsplit), [None, Some(Range::Small)]);
    }

    #[test]
    fn values_have_the_range_that_they_are_used_for() {
        let value = |prim: Prim| primitive(prim.into()).value_range();
        for prim in [Prim::mostcolor, Prim::leastcolor, Prim::color, Prim::index, Prim::get_color_rank, Prim::c_branch] {
            assert_eq!(value(prim), Some(Range::Colour), "{prim:?}");
        }
        for prim in [Prim::colorcount, Prim::numcolors, Prim::size, Prim::height] {
            assert_eq!(value(prim), Some(Range::Small), "{prim:?}");
        }
        assert_eq!(value(Prim::a_mr), Some(Range::AngleOf8));
        assert_eq!(value(Prim::shape), Some(Range::Pair));
        assert_eq!(value(Prim::first), None);
        let alias = crate::by_name("mostcolor_t").map(|id| primitive(id).value_range());
        assert_eq!(alias, Some(Some(Range::Colour)));
    }
}
