//! Values as Python has them, with one tuple and one set, and the canonical order written down as its definition says. The tests compare
//! `Value`, which has compact forms, with it.

use std::cmp::Ordering;
use std::sync::Arc;

use batt_core::{Closure, Maker, PrimId, Value, tuple_of};
use proptest::prelude::*;

/// An abstract value. A set may name an item twice, and in any order: it is what `Value` is built from.
#[derive(Clone, Debug)]
pub(crate) enum Model {
    Nothing,
    Int(i64),
    Bool(bool),
    Tuple(Vec<Model>),
    Set(Vec<Model>),
    Primitive(u16),
    Closure(Maker, u8, Vec<Model>),
}

impl Model {
    /// The value, through the constructors that choose its form.
    pub(crate) fn build(&self) -> Value {
        match self {
            Self::Nothing => Value::Nothing,
            Self::Int(n) => Value::Int(*n),
            Self::Bool(b) => Value::Bool(*b),
            Self::Tuple(items) => tuple_of(items.iter().map(Self::build).collect()),
            Self::Set(items) => Value::set_of(items.iter().map(Self::build)),
            Self::Primitive(id) => Value::Primitive(PrimId(*id)),
            Self::Closure(maker, arity, parts) => {
                Value::Closure(Arc::new(Closure::new(*maker, *arity, parts.iter().map(Self::build).collect()).expect("not too deep")))
            }
        }
    }

    /// The abstract value of a value, through the interface that hides the forms.
    pub(crate) fn of(value: &Value) -> Self {
        let items = || value.items().into_iter().flatten().map(|item| Self::of(&item)).collect();
        match value {
            Value::Nothing => Self::Nothing,
            Value::Int(n) => Self::Int(*n),
            Value::Bool(b) => Self::Bool(*b),
            Value::Primitive(id) => Self::Primitive(id.0),
            Value::Closure(closure) => Self::Closure(closure.maker(), closure.arity(), closure.parts().iter().map(Self::of).collect()),
            _ if value.is_set() => Self::Set(items()),
            _ => Self::Tuple(items()),
        }
    }

    /// A copy with booleans as the integers that they equal, and with each set sorted and without duplicates.
    pub(crate) fn plain(&self) -> Self {
        let each = |items: &[Self]| items.iter().map(Self::plain).collect::<Vec<_>>();
        match self {
            Self::Bool(b) => Self::Int(i64::from(*b)),
            Self::Tuple(items) => Self::Tuple(each(items)),
            Self::Set(items) => {
                let mut items = each(items);
                items.sort_by(order);
                items.dedup_by(|a, b| order(a, b).is_eq());
                Self::Set(items)
            }
            Self::Closure(maker, arity, parts) => Self::Closure(*maker, *arity, each(parts)),
            other => other.clone(),
        }
    }

    /// The integers 0 and 1 as the booleans that they equal.
    pub(crate) fn with_booleans(&self) -> Self {
        let each = |items: &[Self]| items.iter().map(Self::with_booleans).collect::<Vec<_>>();
        match self {
            Self::Int(n @ 0..=1) => Self::Bool(*n == 1),
            Self::Tuple(items) => Self::Tuple(each(items)),
            Self::Set(items) => Self::Set(each(items)),
            Self::Closure(maker, arity, parts) => Self::Closure(*maker, *arity, each(parts)),
            other => other.clone(),
        }
    }

    /// Levels of tuples, sets and closures.
    pub(crate) fn depth(&self) -> u16 {
        match self {
            Self::Tuple(items) | Self::Set(items) | Self::Closure(_, _, items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// `(row, column, colour)` of `(colour, (row, column))`.
    pub(crate) fn cell(&self) -> Option<(i64, i64, i64)> {
        match self {
            Self::Tuple(items) => match &items[..] {
                [Self::Int(colour), ij] => ij.location().map(|(i, j)| (i, j, *colour)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A tuple of two integers.
    pub(crate) fn location(&self) -> Option<(i64, i64)> {
        match self {
            Self::Tuple(items) => match items[..] {
                [Self::Int(i), Self::Int(j)] => Some((i, j)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The canonical order of plain models, as the definition has it: nothing; integers; cells by row, column and colour; other tuples by length,
/// then item by item; sets as sequences, a prefix first; primitives; closures.
pub(crate) fn order(a: &Model, b: &Model) -> Ordering {
    fn class(model: &Model) -> u8 {
        match model {
            Model::Nothing => 0,
            Model::Int(_) | Model::Bool(_) => 1,
            Model::Tuple(_) if model.cell().is_some() => 2,
            Model::Tuple(_) => 3,
            Model::Set(_) => 4,
            Model::Primitive(_) => 5,
            Model::Closure(..) => 6,
        }
    }
    fn sequences(a: &[Model], b: &[Model]) -> Ordering {
        let unequal = a.iter().zip(b).map(|(x, y)| order(x, y)).find(|found| found.is_ne());
        unequal.unwrap_or(a.len().cmp(&b.len()))
    }
    class(a).cmp(&class(b)).then_with(|| match (a, b) {
        (Model::Int(a), Model::Int(b)) => a.cmp(b),
        (Model::Tuple(x), Model::Tuple(y)) => match (a.cell(), b.cell()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => x.len().cmp(&y.len()).then_with(|| sequences(x, y)),
        },
        (Model::Set(a), Model::Set(b)) => sequences(a, b),
        (Model::Primitive(a), Model::Primitive(b)) => a.cmp(b),
        (Model::Closure(m, n, a), Model::Closure(o, p, b)) => m.cmp(o).then_with(|| sequences(a, b)).then(n.cmp(p)),
        _ => Ordering::Equal,
    })
}

/// Integers around every border between two forms, mostly small ones so that values collide.
pub(crate) fn integer() -> impl Strategy<Value = i64> {
    let borders = [i64::from(i8::MIN), i64::from(i8::MAX), -2048, 2047, i64::from(i32::MIN), i64::from(i32::MAX)];
    let around = borders.iter().flat_map(|&n| [n - 1, n, n + 1]).chain([i64::MIN, i64::MAX]).collect::<Vec<_>>();
    prop_oneof![6 => 0..3i64, 1 => -3..12i64, 2 => prop::sample::select(around)]
}

fn location() -> impl Strategy<Value = Model> {
    (integer(), integer()).prop_map(|(i, j)| Model::Tuple(vec![Model::Int(i), Model::Int(j)]))
}

fn cell() -> impl Strategy<Value = Model> {
    (integer(), location()).prop_map(|(colour, location)| Model::Tuple(vec![Model::Int(colour), location]))
}

/// Tables with and without an integer that does not fit, some of them not rectangular.
fn table() -> impl Strategy<Value = Model> {
    (1..4usize, 1..4usize, prop::collection::vec(integer(), 16), any::<bool>()).prop_map(|(height, width, numbers, is_ragged)| {
        let mut rows: Vec<Vec<Model>> = (0..height).map(|i| (0..width).map(|j| Model::Int(numbers[i * width + j])).collect()).collect();
        if is_ragged && numbers[15] == 0 {
            rows[height - 1].push(Model::Int(1));
        }
        Model::Tuple(rows.into_iter().map(Model::Tuple).collect())
    })
}

fn maker() -> impl Strategy<Value = Maker> {
    use Maker::{Chain, Compose, Fork, Lbind, Matcher, Power, Rbind};
    prop::sample::select(vec![Chain, Compose, Fork, Lbind, Matcher, Power, Rbind])
}

/// Any value: every form, nested.
pub(crate) fn model() -> impl Strategy<Value = Model> {
    let leaf = prop_oneof![
        1 => Just(Model::Nothing),
        4 => integer().prop_map(Model::Int),
        1 => any::<bool>().prop_map(Model::Bool),
        1 => (0..3u16).prop_map(Model::Primitive),
        3 => location(),
        3 => cell(),
        2 => table(),
        2 => prop::collection::vec(location(), 0..5).prop_map(Model::Set),
        2 => prop::collection::vec(cell(), 0..5).prop_map(Model::Set),
        1 => prop::collection::vec(integer().prop_map(Model::Int), 0..5).prop_map(Model::Tuple),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Model::Tuple),
            3 => prop::collection::vec(inner.clone(), 0..5).prop_map(Model::Set),
            1 => (maker(), 1..3u8, prop::collection::vec(inner, 1..3)).prop_map(|(maker, arity, parts)| Model::Closure(maker, arity, parts)),
        ]
    })
}

/// Two containers of one kind with few and small items, so that they differ in length or in one item.
fn two_small() -> impl Strategy<Value = (Model, Model)> {
    let number = || (-1..2i64).prop_map(Model::Int);
    let location = move || prop::collection::vec(number(), 2).prop_map(Model::Tuple);
    let cell = move || (number(), location()).prop_map(|(colour, location)| Model::Tuple(vec![colour, location]));
    let row = move || prop::collection::vec(number(), 1..4).prop_map(Model::Tuple);
    let table = move || {
        let rows = (1..4usize).prop_flat_map(move |width| prop::collection::vec(prop::collection::vec(number(), width), 1..4));
        rows.prop_map(|rows| Model::Tuple(rows.into_iter().map(Model::Tuple).collect()))
    };
    let indices = move || prop::collection::vec(location(), 0..4).prop_map(Model::Set);
    let object = move || prop::collection::vec(cell(), 0..4).prop_map(Model::Set);
    prop_oneof![(row(), row()), (table(), table()), (cell(), cell()), (indices(), indices()), (object(), object())]
}

/// Two values, often equal but written differently, or nearly equal.
pub(crate) fn two() -> impl Strategy<Value = (Model, Model)> {
    prop_oneof![
        (model(), model()),
        two_small(),
        model().prop_map(|a| (a.clone(), a.with_booleans())),
        (model(), model()).prop_map(|(a, b)| (Model::Set(vec![a.clone(), b.clone()]), Model::Set(vec![b, a.clone(), a]))),
        (model(), model(), model()).prop_map(|(a, b, c)| (Model::Tuple(vec![a.clone(), b]), Model::Tuple(vec![a, c]))),
        (model(), 1..3u8, 1..3u8).prop_map(|(a, m, n)| {
            let closure = |arity| Model::Closure(Maker::Rbind, arity, vec![a.clone()]);
            (closure(m), closure(n))
        }),
    ]
}
