//! The order is total, and equality and hashing agree with it, whatever the forms.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use batt_core::Value;
use proptest::prelude::*;

use crate::cases;
use crate::model::{model, order, two};

fn hash_of(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(cases(4000))]

    /// The order of compact forms is that of the definition.
    #[test]
    fn order_is_the_definition((a, b) in two()) {
        let (x, y) = (a.build(), b.build());
        prop_assert_eq!(x.cmp(&y), order(&a.plain(), &b.plain()), "{:?} and {:?}", x, y);
    }

    #[test]
    fn equality_and_hash_agree_with_the_order((a, b) in two()) {
        let (x, y) = (a.build(), b.build());
        prop_assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
        prop_assert_eq!(x.partial_cmp(&y), Some(x.cmp(&y)));
        prop_assert_eq!(x == y, x.cmp(&y) == Ordering::Equal, "{:?} and {:?}", x, y);
        prop_assert_eq!(x == y, y == x);
        if x == y {
            prop_assert_eq!(hash_of(&x), hash_of(&y), "{:?} and {:?}", x, y);
        }
        prop_assert!(x == x.clone() && x == a.build());
        prop_assert_eq!(hash_of(&x), hash_of(&a.build()));
    }

    /// Any three values are in one sequence whichever way they are sorted.
    #[test]
    fn order_is_transitive((a, b) in two(), c in model()) {
        let mut all = [a.build(), b.build(), c.build()];
        all.sort();
        prop_assert!(all[0] <= all[1] && all[1] <= all[2] && all[0] <= all[2], "{:?}", all);
        if all[0] == all[1] && all[1] == all[2] {
            prop_assert!(all[0] == all[2]);
        }
    }

    /// Booleans are the integers that they equal, at every depth.
    #[test]
    fn booleans_are_integers(a in model()) {
        let (x, y) = (a.plain().build(), a.plain().with_booleans().build());
        prop_assert_eq!(&x, &y);
        prop_assert_eq!(x.cmp(&y), Ordering::Equal);
        prop_assert_eq!(hash_of(&x), hash_of(&y));
        prop_assert_eq!((x.depth(), x.weight(), x.count(), x.truth()), (y.depth(), y.weight(), y.count(), y.truth()));
    }
}

/// One line of the definition after the other, so that a model that is wrong in the same way is found out.
#[test]
fn written_out() {
    let pair = Value::pair;
    let tuple = batt_core::tuple_of;
    let cell = |c, i, j| tuple(vec![Value::Int(c), pair(i, j)]);
    let ascending = [
        Value::Nothing,
        Value::Int(i64::MIN),
        Value::Int(-1),
        Value::Bool(false),
        Value::Bool(true),
        Value::Int(i64::MAX),
        cell(9, i64::MIN, 0),
        cell(9, -2048, 0),
        cell(-200, 0, 0),
        cell(3, 0, 0),
        cell(300, 0, 0),
        cell(0, 0, 1),
        cell(0, 1, 0),
        cell(0, 3000, 0),
        Value::empty_tuple(),
        tuple(vec![Value::Int(5)]),
        tuple(vec![Value::Int(200)]),
        tuple(vec![cell(0, 0, 0)]),
        tuple(vec![tuple(vec![Value::Int(7), Value::Int(7), Value::Int(7)])]),
        pair(-1, 9),
        pair(0, i64::MIN),
        pair(0, 0),
        pair(i64::MAX, 0),
        tuple(vec![pair(0, 0), pair(0, 0)]),
        tuple(vec![pair(0, 0), pair(0, 200)]),
        tuple(vec![Value::Int(0), Value::Int(0), Value::Int(0)]),
        Value::empty_set(),
        Value::set_of([Value::Int(0)]),
        Value::set_of([Value::Int(0), Value::Int(1)]),
        Value::set_of([cell(0, 0, 0)]),
        Value::set_of([cell(0, 0, 0), cell(0, 9000, 0)]),
        Value::set_of([cell(0, 0, 0), pair(0, 0)]),
        Value::set_of([pair(0, 0)]),
        Value::set_of([pair(0, 0), pair(0, 1)]),
        Value::set_of([pair(0, 0), pair(0, 9000)]),
        Value::set_of([Value::empty_set()]),
        Value::Primitive(batt_core::PrimId(0)),
        Value::Primitive(batt_core::PrimId(1)),
    ];
    for (k, a) in ascending.iter().enumerate() {
        for (n, b) in ascending.iter().enumerate() {
            assert_eq!(a.cmp(b), k.cmp(&n), "{a:?} and {b:?}");
        }
    }
}
