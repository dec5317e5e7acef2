//! A family of rules as a row, and the primitives that it runs. Both stand in the family's file.

use batt_core::{Reason, Value};

use crate::examples::{Examples, Picture};
use crate::parameter::Parameter;
use crate::propose::{Candidate, FitOptions};

/// A family of rules: what is fitted to demos, and when.
pub struct FamilyRow {
    /// Its name in stores and JSON.
    pub name: &'static str,
    /// The primitives whose parameters it fits; the list of families names them too.
    pub rules: &'static [RuleRow],
    /// Its place in the order in which families are asked: those that solve most training tasks in their time come first, since time may end.
    pub place: u8,
    /// When it is asked.
    pub when: When,
    /// Use of the family on views.
    pub on_views: OnViews,
    /// Returns candidates that fit, and adds those that explain a part where none fits.
    pub(crate) fit: fn(&Examples, FitOptions, &mut Vec<Candidate>) -> Vec<Candidate>,
}

/// When a family is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// For each task.
    Early,
    /// For each task, and for what operations make of its inputs.
    EarlyAndAfter,
    /// Where nothing else fits.
    Late,
}

/// On which views of a task a family is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnViews {
    /// Where outputs are as large as what is seen.
    pub same_size: Turn,
    /// Where they are not.
    pub other_size: bool,
    /// Where outputs are cut out of what is made: most things are erased.
    pub cropped: bool,
}

impl OnViews {
    /// On none.
    pub(crate) const NEVER: Self = Self { same_size: Turn::Never, other_size: false, cropped: false };
}

/// Whether a family is asked on a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is not.
    Never,
    /// It is.
    First,
    /// On the first view, where no other family fits that. It must foretell all demos: with less, few of its rules are right.
    Last,
}

/// A primitive whose parameters are fitted.
#[derive(Debug)]
pub struct RuleRow {
    /// Its name.
    pub name: &'static str,
    /// Its parameters; the first one is the input.
    pub parameters: &'static [Column],
    /// A sentence for documents.
    pub sentence: &'static str,
    /// A call, and its value.
    pub example: (&'static str, &'static str),
    /// Its result in a few words, and the place in `docs/rules.md` that explains it.
    pub gives: (&'static str, &'static str),
    /// Its section of that page.
    pub page: &'static [Part],
    /// Implementation of the primitive.
    pub apply: fn(&[&Value]) -> Result<Picture, Reason>,
}

/// A parameter of a primitive.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
}

/// Type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A grid.
    Image,
    /// An integer.
    Number,
    /// Two integers.
    Pair,
    /// A tuple.
    Tuple,
}

/// Parameters by kind and name.
macro_rules! columns {
    ($($name:ident: $kind:ident),* $(,)?) => {
        &[$($crate::row::Column { name: stringify!($name), kind: $crate::row::Kind::$kind }),*]
    };
}
pub(crate) use columns;

/// A part of a section of `docs/rules.md`.
#[derive(Debug)]
pub enum Part {
    /// Text.
    Text(&'static str),
    /// A table.
    Table(fn() -> Table),
}

/// A table of what has a number: the names of the columns, and the rows.
pub struct Table {
    /// The name of the number's column.
    pub number: &'static str,
    /// Numbers with the other columns.
    pub rows: Vec<(usize, Vec<String>)>,
    /// The names of the other columns.
    pub columns: &'static [&'static str],
}

/// The table of an enum of numbered kinds.
macro_rules! listed {
    ($number:literal, $kind:ident) => {
        $crate::row::Part::Table(|| $crate::row::Table {
            number: $number,
            columns: &["name", "meaning"],
            rows: $kind::ALL.iter().map(|kind| (*kind as usize, vec![format!("{kind:?}"), kind.describe().to_owned()])).collect(),
        })
    };
}
pub(crate) use listed;

/// Parameters from arguments.
pub(crate) trait Given: Sized {
    fn given(arguments: &[&Value]) -> Result<Self, Reason>;
}

macro_rules! given {
    ($($($part:ident $name:ident),*;)*) => {$(
        impl<$($part: Parameter),*> Given for ($($part,)*) {
            fn given(arguments: &[&Value]) -> Result<Self, Reason> {
                let [$($name),*] = arguments else { return Err(Reason::WrongArity) };
                Ok(($(Parameter::from_value($name)?,)*))
            }
        }
    )*};
}
given! { A a, B b; A a, B b, C c; A a, B b, C c, D d; }
