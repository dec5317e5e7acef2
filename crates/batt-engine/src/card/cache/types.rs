//! Types as numbers.

use batt_core::Value;
use batt_dsl::Type;

/// How many kinds there are.
const KINDS: usize = 10;

/// Writes and reads types by their kinds and by the kinds of their items, ten bits each.
pub(super) struct TypeCode {
    kinds: [Type; KINDS],
    items: [Type; KINDS],
}

impl TypeCode {
    pub(super) fn new() -> Self {
        let kinds = [
            Type::BOOLEAN,
            Type::of_value(&Value::Int(0)),
            Type::PAIR,
            Type::CELL,
            Type::SURE_GRID,
            Type::NEVER.in_tuple(),
            Type::INDICES,
            Type::OBJECT,
            Type::NEVER.in_set(),
            Type::FUNCTION,
        ];
        // No kind of tuple is a kind of set: what both have in common is the kinds of their items.
        Self { kinds, items: kinds.map(|kind| kind.in_tuple().and(Type::SET)) }
    }

    /// The number of a type.
    pub(super) fn write(&self, ty: Type) -> u32 {
        let all = self.kinds.iter().chain(&self.items);
        all.enumerate().filter(|&(_, &part)| ty.and(part) == part).fold(0, |code, (k, _)| code | 1 << k)
    }

    /// The type of a number; none if no type has it.
    pub(super) fn read(&self, code: u32) -> Option<Type> {
        let all = self.kinds.iter().chain(&self.items);
        let ty = all.enumerate().filter(|(k, _)| code & 1 << k != 0).fold(Type::NEVER, |ty, (_, &part)| ty.or(part));
        (code >> (2 * KINDS) == 0).then_some(ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_read_back() {
        let code = TypeCode::new();
        for number in 0..1 << (2 * KINDS) {
            assert_eq!(code.read(number).map(|ty| code.write(ty)), Some(number));
        }
        let grids = Type::SURE_GRID.in_tuple();
        for ty in [Type::ANY, Type::NEVER, Type::OBJECTS, Type::PATCH, Type::CONTAINERS, Type::NUMERICAL, grids, grids.in_set()] {
            assert_eq!(code.read(code.write(ty)), Some(ty));
        }
        assert_eq!(code.read(1 << (2 * KINDS)), None);
    }
}
