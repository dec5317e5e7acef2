//! Random values that need no other: constants, literals, and what is easily had from the input.

use std::sync::LazyLock;

use batt_core::{Grid, Packed, Value, tuple_of};
use batt_dsl::{ConstId, Prim, Primitive, Range, Type};

use super::{Draft, Drawn};
use crate::{Abstract, Operand};

/// A kind of value that can be had from nothing.
#[derive(Clone, Copy)]
enum Leaf {
    Integer,
    Boolean,
    Pair,
    Cell,
    Grid,
    Indices,
    Object,
    Objects,
    Integers,
    IntegerSet,
    Tuples,
    Function,
}

const LEAVES: [(Leaf, Type); 12] = [
    (Leaf::Integer, Type::INTEGER),
    (Leaf::Boolean, Type::BOOLEAN),
    (Leaf::Pair, Type::PAIR),
    (Leaf::Cell, Type::CELL),
    (Leaf::Grid, Type::SURE_GRID),
    (Leaf::Indices, Type::INDICES),
    (Leaf::Object, Type::OBJECT),
    (Leaf::Objects, Type::OBJECTS),
    (Leaf::Integers, Type::INTEGERS),
    (Leaf::IntegerSet, Type::INTEGER_SET),
    (Leaf::Tuples, Type::OBJECT.in_tuple()),
    (Leaf::Function, Type::FUNCTION),
];

struct Constants {
    small: Vec<ConstId>,
    any_integer: Vec<ConstId>,
    pairs: Vec<ConstId>,
    ranks: Vec<ConstId>,
    kinds: Vec<ConstId>,
    angles: Vec<ConstId>,
    booleans: Vec<ConstId>,
}

static CONSTANTS: LazyLock<Constants> = LazyLock::new(|| {
    let of = |keep: &dyn Fn(ConstId) -> bool| ConstId::all().filter(|&id| keep(id)).collect();
    Constants {
        small: of(&|id| matches!(id.range(), Range::Small | Range::Colour) && matches!(id.value(), Value::Int(0..=9))),
        any_integer: of(&|id| matches!(id.value(), Value::Int(_))),
        pairs: of(&|id| id.range() == Range::Pair),
        ranks: of(&|id| id.range() == Range::Rank),
        kinds: of(&|id| matches!(id.range(), Range::KindOf4 | Range::KindOf8)),
        angles: of(&|id| matches!(id.range(), Range::AngleOf4 | Range::AngleOf8)),
        booleans: of(&|id| id.range() == Range::Boolean),
    }
});

impl<R: FnMut() -> u64> Draft<'_, R> {
    /// A value for a parameter, from nothing.
    pub(super) fn leaf(&mut self, takes: Type, row: &Primitive, k: usize) -> Option<Drawn> {
        let start = self.below(LEAVES.len());
        let intended = row.params.get(k).map_or(Type::ANY, |param| param.takes.intended());
        let mut order = (start..LEAVES.len()).chain(0..start).map(|place| LEAVES[place]);
        let best = order.clone().find(|(_, ty)| ty.within(takes) && ty.fits_filled(intended));
        let (leaf, _) = best.or_else(|| order.find(|(_, ty)| ty.fits_filled(takes)))?;
        match leaf {
            Leaf::Integer => self.integer(row, k),
            Leaf::Boolean => Some(self.constant(&CONSTANTS.booleans)),
            Leaf::Pair if self.one_in(3) => {
                let (i, j) = (self.coordinate(), self.coordinate());
                self.literal(Value::pair(i, j))
            }
            Leaf::Pair => Some(self.constant(&CONSTANTS.pairs)),
            Leaf::Function => {
                let domain = self.domain();
                self.function(domain, 1)
            }
            Leaf::Grid if self.one_in(2) => Some((Operand::Input, Abstract::of(Type::SURE_GRID))),
            Leaf::Indices if self.room(2) && !self.one_in(3) => self.indices_of_input(),
            Leaf::Object if self.room(3) && !self.one_in(3) => self.object_of_input(),
            Leaf::Objects if self.room(2) && !self.one_in(4) => self.objects_of_input(),
            _ => {
                let value = self.literal_of(leaf);
                self.literal(value)
            }
        }
    }

    fn constant(&mut self, list: &[ConstId]) -> Drawn {
        let id = self.choose(list);
        (Operand::Constant(id), self.inference.value(&id.value()))
    }

    pub(super) fn literal(&mut self, value: Value) -> Option<Drawn> {
        let known = self.inference.value(&value);
        Some((self.builder.literal(value).ok()?, known))
    }

    /// An integer of the range of a parameter.
    fn integer(&mut self, row: &Primitive, k: usize) -> Option<Drawn> {
        if self.one_in(10) {
            return Some(self.constant(&CONSTANTS.any_integer));
        }
        if self.one_in(5) {
            let n = self.coordinate();
            return self.literal(Value::Int(n));
        }
        if let Some(operation) = row.image.filter(|operation| operation.has_argument() && k + 1 == row.params.len()) {
            let numbers = operation.numbers();
            let n = i64::from(numbers.start) + self.below(numbers.len()) as i64;
            return self.literal(Value::Int(n));
        }
        match row.range(k) {
            Some(Range::KindOf4 | Range::KindOf8) => Some(self.constant(&CONSTANTS.kinds)),
            Some(Range::AngleOf4 | Range::AngleOf8) => Some(self.constant(&CONSTANTS.angles)),
            Some(Range::Rank) => Some(self.constant(&CONSTANTS.ranks)),
            Some(Range::Count) => {
                let n = 1 + self.below(4) as i64;
                self.literal(Value::Int(n))
            }
            _ => Some(self.constant(&CONSTANTS.small)),
        }
    }

    fn input(&mut self) -> Drawn {
        self.some_value(Type::GRID).unwrap_or((Operand::Input, Abstract::of(Type::SURE_GRID)))
    }

    fn indices_of_input(&mut self) -> Option<Drawn> {
        let grid = self.input();
        if self.one_in(3) {
            return self.call_primitive(Prim::asindices, &[grid]);
        }
        let colour = self.constant(&CONSTANTS.small);
        self.call_primitive(Prim::ofcolor, &[grid, colour])
    }

    fn object_of_input(&mut self) -> Option<Drawn> {
        if self.one_in(2) {
            let grid = self.input();
            return self.call_primitive(Prim::asobject, &[grid]);
        }
        let objects = self.objects_of_input()?;
        self.call_primitive(Prim::first, &[objects])
    }

    fn objects_of_input(&mut self) -> Option<Drawn> {
        let grid = self.input();
        match self.below(4) {
            0 => self.call_primitive(Prim::partition, &[grid]),
            1 => {
                let kind = self.constant(&CONSTANTS.kinds);
                self.call_primitive(Prim::o_g, &[grid, kind])
            }
            _ => {
                let mut args = [grid; 4];
                for arg in &mut args[1..] {
                    *arg = self.constant(&CONSTANTS.booleans);
                }
                self.call_primitive(Prim::objects, &args)
            }
        }
    }

    fn coordinate(&mut self) -> i64 {
        self.below(12) as i64 - 3
    }

    fn colour(&mut self) -> i64 {
        self.below(10) as i64
    }

    fn integers(&mut self) -> Vec<Value> {
        let count = self.below(5);
        (0..count).map(|_| Value::Int(self.coordinate())).collect()
    }

    fn object(&mut self) -> Value {
        let count = 1 + self.below(5);
        let cells = (0..count).filter_map(|_| Packed::cell(self.colour(), self.coordinate(), self.coordinate())).collect();
        Value::object_from(cells)
    }

    fn literal_of(&mut self, leaf: Leaf) -> Value {
        match leaf {
            Leaf::Cell => tuple_of(vec![Value::Int(self.colour()), Value::pair(self.coordinate(), self.coordinate())]),
            Leaf::Grid => {
                let (height, width) = (1 + self.below(4), 1 + self.below(4));
                let grid = Grid::build(height, width, |cells| cells.fill_with(|| self.colour() as i8));
                grid.map_or_else(Value::empty_tuple, Value::Grid)
            }
            Leaf::Indices => {
                let count = self.below(6);
                let cells = (0..count).filter_map(|_| Packed::location(self.coordinate(), self.coordinate())).collect();
                Value::indices_from(cells)
            }
            Leaf::Object => self.object(),
            Leaf::Objects => {
                let count = self.below(4);
                Value::set_of((0..count).map(|_| self.object()).collect::<Vec<_>>())
            }
            Leaf::Tuples => {
                let count = self.below(4);
                tuple_of((0..count).map(|_| self.object()).collect())
            }
            Leaf::IntegerSet => Value::set_of(self.integers()),
            _ => tuple_of(self.integers()),
        }
    }
}
