//! What the numbers that a primitive takes and gives are used for.
//!
//! The types of the table do not tell a colour from a count: the reference has one integer for both. The names of the parameters do.

use crate::{Family, Prim, Primitive, Range, Type};

impl Primitive {
    /// What the number at parameter `k` is used for; `None` if it takes no number, or numbers of any use.
    pub fn range(&self, k: usize) -> Option<Range> {
        let param = self.params.get(k)?;
        match param.takes {
            Type::BOOLEAN => Some(Range::Boolean),
            Type::PAIR => Some(Range::Pair),
            Type::INTEGER => Some(match param.name {
                "value" | "replacee" | "replacer" | "fallback" | "c" => Range::Colour,
                "a" | "b" if matches!(self.family, Family::Grid | Family::Colour) => Range::Colour,
                "kind" => Range::KindOf4,
                "r" => Range::KindOf8,
                "angle" if self.family == Family::Patch => Range::AngleOf4,
                "angle" => Range::AngleOf8,
                "n" if self.family == Family::Rank => Range::Rank,
                _ => Range::Small,
            }),
            _ => None,
        }
    }

    /// What the number that it gives is used for; `None` if it gives no number, or numbers of any use.
    pub fn value_range(&self) -> Option<Range> {
        let is = |prims: &[Prim]| {
            prims.iter().any(|&prim| self.alias.map_or(self.name == crate::primitive(prim.into()).name, |alias| alias.base == prim))
        };
        match self.returns {
            crate::Returns::Always(Type::BOOLEAN) => Some(Range::Boolean),
            crate::Returns::Always(Type::PAIR) => Some(Range::Pair),
            crate::Returns::Always(Type::INTEGER) => Some(match self.family {
                Family::Colour if !is(&[Prim::colorcount, Prim::numcolors]) => Range::Colour,
                _ if is(&[Prim::index, Prim::get_color_rank]) => Range::Colour,
                _ if is(&[Prim::a_mr]) => Range::AngleOf8,
                _ => Range::Small,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive;

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
