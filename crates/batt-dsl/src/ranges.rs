//! Default ranges of numbers, by their type.

use crate::{Range, Type};

impl Range {
    /// Default range of a type; `None` for a type that is no number, or numbers of any use.
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
