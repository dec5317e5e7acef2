//! Invariants of every row of the table, and the ranges of parameters and values.

use batt_dsl::{Guard, InPython, Origin, Prim, Range, Undo, by_name, primitive, primitives};

#[test]
fn names_are_unique_and_in_order() {
    assert!(primitives().is_sorted_by(|(_, a), (_, b)| a.name < b.name));
}

#[test]
fn every_row_is_documented_and_has_an_example_of_itself() {
    for (_, row) in primitives() {
        assert!(row.doc.ends_with('.') && row.doc.len() > 8, "{}: the doc line is a sentence", row.name);
        assert!(row.example.call.contains(&format!("{}(", row.name)), "{}: the example calls it", row.name);
        assert!(!row.example.gives.is_empty(), "{}: the example has a value", row.name);
    }
}

#[test]
fn parameters_have_names_that_python_and_cpp_allow() {
    let reserved = [
        "and", "as", "class", "def", "del", "for", "from", "if", "import", "in", "is", "lambda", "not", "or", "pass", "return", "while",
        "with", "int", "auto", "case", "char", "new", "this", "switch", "template", "union", "delete", "operator", "default", "register",
    ];
    for (_, row) in primitives() {
        assert!((1..=4).contains(&row.params.len()), "{}: takes one to four arguments", row.name);
        for (k, param) in row.params.iter().enumerate() {
            assert!(!reserved.contains(&param.name), "{}: {} is a keyword", row.name, param.name);
            assert!(row.params[..k].iter().all(|other| other.name != param.name), "{}: {} twice", row.name, param.name);
        }
    }
}

#[test]
fn commutative_rows_take_two_arguments_of_one_type() {
    for (_, row) in primitives().filter(|(_, row)| row.flags.commutative) {
        assert!(matches!(row.params, [a, b] if a.takes == b.takes), "{}", row.name);
    }
}

#[test]
fn the_inverse_of_a_row_takes_the_value_and_the_other_arguments() {
    for (_, row) in primitives() {
        if let Undo::By(inverse) = row.undo {
            let inverse = primitive(inverse.into());
            assert_eq!(inverse.params.len(), row.params.len(), "{} and {}", row.name, inverse.name);
        }
    }
}

#[test]
fn python_is_told_only_about_primitives_of_arc_dsl() {
    for (_, row) in primitives().filter(|(_, row)| row.origin != Origin::ArcDsl) {
        assert_eq!(row.python, InPython::Plain, "{}: its function is in the engine anyway", row.name);
    }
}

#[test]
fn makers_have_the_names_of_their_rows() {
    for (_, row) in primitives().filter(|(_, row)| row.alias.is_none()) {
        assert!(row.maker().is_none_or(|maker| maker.name() == row.name), "{}", row.name);
    }
}

#[test]
fn an_alias_stands_for_a_row_with_the_same_parameters() {
    for (_, row) in primitives() {
        if let Some(alias) = row.alias {
            let base = primitive(alias.base.into());
            assert!(base.alias.is_none(), "{}", row.name);
            assert_eq!(base.params.len(), row.params.len(), "{}", row.name);
            let guarded = row.params.iter().filter(|param| param.takes.is_container()).count();
            assert!(guarded > 0 || alias.guard == Guard::None, "{}: the guard has nothing to look at", row.name);
            let only_checks = matches!(alias.guard, Guard::None | Guard::Tuple | Guard::Set);
            assert!(guarded == 1 || only_checks, "{}: one container is taken for another", row.name);
        }
    }
}

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
    assert_eq!(ranges(Prim::hsplit), [None, Some(Range::Count)]);
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
    let alias = by_name("mostcolor_t").map(|id| primitive(id).value_range());
    assert_eq!(alias, Some(Some(Range::Colour)));
}
