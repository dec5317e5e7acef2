//! Each value has the form that the table in `value.rs` gives it, whichever way it was made.

use batt_core::{Nesting, Packed, SetBuilder, Value, tuple_of, two_of};
use proptest::prelude::*;

use crate::cases;
use crate::model::{Model, integer, model, order};

/// Enough cells to be sorted in a box, and not too many for Miri.
const MANY: usize = if cfg!(miri) { 32 } else { 80 };

fn form(value: &Value) -> &'static str {
    match value {
        Value::Nothing => "Nothing",
        Value::Int(_) | Value::Bool(_) => "Int",
        Value::Pair(..) => "Pair",
        Value::Cell(_) => "Cell",
        Value::Row(_) => "Row",
        Value::Grid(_) => "Grid",
        Value::Indices(_) => "Indices",
        Value::Object(_) => "Object",
        Value::Tuple(..) => "Tuple",
        Value::Set(..) => "Set",
        Value::Primitive(_) => "Primitive",
        Value::Closure(_) => "Closure",
    }
}

/// The table of `value.rs`, for a plain model.
fn expected_form(model: &Model) -> &'static str {
    let is_small = |n: &Model| matches!(n, Model::Int(-128..=127));
    let is_row = |row: &Model| matches!(row, Model::Tuple(cells) if !cells.is_empty() && cells.iter().all(is_small));
    let length = |row: &Model| if let Model::Tuple(cells) = row { cells.len() } else { 0 };
    let packs = |n: i64| (-2048..=2047).contains(&n);
    let is_location = |item: &Model| item.location().is_some_and(|(i, j)| packs(i) && packs(j));
    let is_cell = |item: &Model| item.cell().is_some_and(|(i, j, c)| packs(i) && packs(j) && (-128..=127).contains(&c));
    let fits_32 = |n: i64| i32::try_from(n).is_ok();
    match model {
        Model::Nothing => "Nothing",
        Model::Int(_) | Model::Bool(_) => "Int",
        Model::Primitive(_) => "Primitive",
        Model::Closure(..) => "Closure",
        Model::Tuple(_) if model.location().is_some_and(|(a, b)| fits_32(a) && fits_32(b)) => "Pair",
        Model::Tuple(_) if is_cell(model) => "Cell",
        Model::Tuple(items) if is_row(model) && items.len() != 2 => "Row",
        Model::Tuple(rows) if !rows.is_empty() && rows.iter().all(|row| is_row(row) && length(row) == length(&rows[0])) => "Grid",
        Model::Tuple(_) => "Tuple",
        Model::Set(items) if !items.is_empty() && items.iter().all(is_location) => "Indices",
        Model::Set(items) if !items.is_empty() && items.iter().all(is_cell) => "Object",
        Model::Set(_) => "Set",
    }
}

/// Asserts the form of a value and of everything in it.
fn check_forms(value: &Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(form(value), expected_form(&Model::of(value).plain()), "{:?}", value);
    for item in value.items().into_iter().flatten() {
        check_forms(&item)?;
    }
    Ok(())
}

fn nesting(value: &Value) -> Option<Nesting> {
    if let Value::Tuple(_, nesting) | Value::Set(_, nesting) = value { Some(*nesting) } else { None }
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn forms_are_those_of_the_table(a in model()) {
        check_forms(&a.build())?;
        check_forms(&a.with_booleans().build())?;
    }

    /// Taking a value apart and putting it together gives the value, in its form, with its depth and weight.
    #[test]
    fn every_form_round_trips(a in model()) {
        let value = a.build();
        let seen = Model::of(&value);
        prop_assert!(order(&seen.plain(), &a.plain()).is_eq(), "{:?} became {:?}", a, value);
        let again = seen.build();
        prop_assert_eq!(&again, &value);
        prop_assert_eq!(form(&again), form(&value));
        prop_assert_eq!(nesting(&again), nesting(&value));
        prop_assert_eq!(value.depth(), seen.depth());
    }

    /// A set does not depend on the order in which its items come, nor on how often, nor on when it was compacted.
    #[test]
    fn sets_do_not_depend_on_how_they_are_made(items in prop::collection::vec(model(), 0..8), more in prop::collection::vec(any::<prop::sample::Index>(), 0..8)) {
        let values: Vec<Value> = items.iter().map(Model::build).collect();
        let set = Value::set_of(values.iter().cloned());
        prop_assert_eq!(form(&Value::set_of(values.iter().rev().cloned())), form(&set));
        prop_assert_eq!(&Value::set_of(values.iter().rev().cloned()), &set);
        let mut builder = SetBuilder::new();
        for value in &values {
            builder.push(value.clone());
            let distinct = builder.compact();
            prop_assert_eq!(distinct, builder.len());
            prop_assert_eq!(distinct == 0, builder.is_empty());
        }
        if !values.is_empty() {
            builder.extend(more.iter().map(|index| index.get(&values).clone()));
        }
        prop_assert_eq!(builder.compact(), set.count().unwrap());
        let again = builder.finish();
        prop_assert_eq!(form(&again), form(&set));
        prop_assert_eq!(&again, &set);
        let ascending: Vec<Value> = set.items().unwrap().map(batt_core::ItemRef::into_value).collect();
        prop_assert!(ascending.is_sorted_by(|a, b| a < b), "{:?}", ascending);
    }

    /// The constructors for packed cells give what single values give.
    #[test]
    fn packed_sets_are_sets(places in prop::collection::vec((0..6i64, 0..6i64, 0..3i64), 0..MANY), far in prop::option::of((-2048..2048i64, -2048..2048i64))) {
        let places = places.into_iter().chain(far.map(|(i, j)| (i, j, 1)));
        let cells: Vec<Packed> = places.map(|(i, j, c)| Packed::cell(c, i, j).unwrap()).collect();
        let locations: Vec<Packed> = cells.iter().map(|cell| cell.without_colour()).collect();
        let object = Value::set_of(cells.iter().map(|&cell| Value::Cell(cell)));
        let indices = Value::set_of(locations.iter().map(|place| Value::Pair(place.i(), place.j())));
        check_forms(&object)?;
        check_forms(&indices)?;
        // The reference for both is the sort of the standard library, which knows no boxes.
        let sorted = |packed: &[Packed]| packed.iter().copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>();
        let (all, all_locations) = (sorted(&cells), sorted(&locations));
        for made in [Value::object_from(cells.clone()), Value::object_from_sorted(&all)] {
            prop_assert_eq!(form(&made), form(&object));
            prop_assert_eq!(&made, &object);
        }
        for made in [Value::indices_from(locations.clone()), Value::indices_from_sorted(&all_locations)] {
            prop_assert_eq!(form(&made), form(&indices));
            prop_assert_eq!(&made, &indices);
        }
        prop_assert_eq!(object.count(), Some(all.len()));
        prop_assert_eq!(indices.count(), Some(all_locations.len()));
        // Cells after cells, locations after cells, and cells after a value that is neither.
        let (half, rest) = cells.split_at(cells.len() / 2);
        let mut builder = SetBuilder::new();
        builder.push_cells(half);
        builder.push_cells(rest);
        prop_assert_eq!(&builder.finish(), &object);
        let mut builder = SetBuilder::new();
        builder.push_locations(&locations);
        builder.push_cells(&cells);
        let both = builder.finish();
        check_forms(&both)?;
        prop_assert_eq!(both.count(), Some(all.len() + all_locations.len()));
        let mut builder = SetBuilder::new();
        builder.push(Value::Int(5));
        builder.push_locations(&locations);
        prop_assert_eq!(builder.finish().count(), Some(1 + all_locations.len()));
    }

    #[test]
    fn pairs_have_one_form(a in integer(), b in integer()) {
        let (x, y) = (Value::Int(a), Value::Int(b));
        let pair = Value::pair(a, b);
        for made in [two_of(&x, &y), tuple_of(vec![x.clone(), y.clone()])] {
            prop_assert_eq!(form(&made), form(&pair));
            prop_assert_eq!(nesting(&made), nesting(&pair));
            prop_assert_eq!(&made, &pair);
        }
        prop_assert_eq!(pair.as_pair(), Some((a, b)));
        check_forms(&pair)?;
    }

    #[test]
    fn two_of_is_tuple_of(a in model(), b in model()) {
        let (x, y) = (a.build(), b.build());
        let made = two_of(&x, &y);
        check_forms(&made)?;
        prop_assert_eq!(&made, &tuple_of(vec![x, y]));
    }

    /// The questions that a value answers without being taken apart.
    #[test]
    fn questions_agree_with_the_items(a in model()) {
        let (value, plain) = (a.build(), a.plain());
        let items = if let Model::Tuple(items) | Model::Set(items) = &plain { Some(items) } else { None };
        prop_assert_eq!(value.count(), items.map(Vec::len));
        prop_assert_eq!(value.is_tuple(), matches!(plain, Model::Tuple(_)));
        prop_assert_eq!(value.is_set(), matches!(plain, Model::Set(_)));
        prop_assert_eq!(value.is_function(), matches!(plain, Model::Primitive(_) | Model::Closure(..)));
        prop_assert_eq!(value.as_int(), if let Model::Int(n) = plain { Some(n) } else { None });
        prop_assert_eq!(value.as_pair(), plain.location());
        prop_assert_eq!(value.as_cell(), plain.cell().map(|(i, j, c)| (c, i, j)));
        let truth = match &plain {
            Model::Nothing => false,
            Model::Int(n) => *n != 0,
            Model::Tuple(items) | Model::Set(items) => !items.is_empty(),
            _ => true,
        };
        prop_assert_eq!(value.truth(), truth);
        if let Some(count) = value.count() {
            let forth: Vec<Value> = value.items().unwrap().map(batt_core::ItemRef::into_value).collect();
            let mut back: Vec<Value> = value.items().unwrap().rev().map(batt_core::ItemRef::into_value).collect();
            back.reverse();
            prop_assert_eq!(&forth, &back);
            prop_assert_eq!(value.items().unwrap().len(), count);
            for (k, item) in forth.iter().enumerate() {
                prop_assert_eq!(&*value.item(k).unwrap(), item);
            }
            prop_assert!(value.item(count).is_none() && value.item(usize::MAX).is_none());
        } else {
            prop_assert!(value.items().is_none() && value.item(0).is_none());
        }
    }
}

/// Values that share their parts weigh as much as they would without sharing, and counting stops at an end instead of starting anew.
#[test]
fn weight_and_depth_stop_at_their_ends() {
    let mut value = tuple_of(vec![Value::Nothing, Value::Nothing]);
    for level in 2..=300u32 {
        value = tuple_of(vec![value.clone(), value]);
        let weight = if level < 24 { 1 << level } else { (1 << 24) - 1 };
        assert_eq!(value.weight(), weight, "level {level}");
        assert_eq!(u32::from(value.depth()), level.min(255), "level {level}");
    }
    // Dropping and comparing go by shared parts too.
    assert_eq!(value, value.clone());
}

/// A table with a side that no grid can have is a general tuple. It has too many rows for Miri.
#[test]
#[cfg(not(miri))]
fn longest_grids() {
    let row = tuple_of(vec![Value::Int(1)]);
    let longest = tuple_of(vec![row.clone(); batt_core::Grid::MAX_SIDE]);
    let longer = tuple_of(vec![row; batt_core::Grid::MAX_SIDE + 1]);
    assert_eq!((form(&longest), form(&longer)), ("Grid", "Tuple"));
    assert!(longest < longer && longest != longer);
    assert_eq!(longer.count(), Some(65_536));
}
