//! The named constants of arc-dsl and of the typed dialect, with the ranges that mutation respects.

use batt_core::Value;

/// Use of a number: mutation replaces a constant only by another of the same range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Range {
    /// A colour, 0 to 9.
    Colour,
    /// A rank from the first (0, 1, ..) or the last (-1, -2, ..).
    Rank,
    /// One of four kinds, such as a corner.
    KindOf4,
    /// One of eight kinds, such as the switches of `o_g`.
    KindOf8,
    /// One of four mirrors.
    AngleOf4,
    /// One of eight mirrors and rotations.
    AngleOf8,
    /// True or false.
    Boolean,
    /// A small integer.
    Small,
    /// How many or how often: a small integer above zero.
    Count,
    /// A pair of integers: a direction or dimensions.
    Pair,
    /// A large factor.
    Scale,
}

/// A named constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(pub u8);

enum Number {
    One(i64),
    Truth(bool),
    Two(i32, i32),
}

struct Row {
    name: &'static str,
    number: Number,
    range: Range,
}

const fn row(name: &'static str, number: Number, range: Range) -> Row {
    Row { name, number, range }
}

use Number::{One, Truth, Two};
use Range::{AngleOf4, AngleOf8, Boolean, Colour, KindOf4, KindOf8, Rank, Scale, Small};

/// Numbers that are colours too have the range `Small`: arc-dsl writes both with the same names.
static ROWS: [Row; 88] = [
    row("F", Truth(false), Boolean),
    row("T", Truth(true), Boolean),
    row("ZERO", One(0), Small),
    row("ONE", One(1), Small),
    row("TWO", One(2), Small),
    row("THREE", One(3), Small),
    row("FOUR", One(4), Small),
    row("FIVE", One(5), Small),
    row("SIX", One(6), Small),
    row("SEVEN", One(7), Small),
    row("EIGHT", One(8), Small),
    row("NINE", One(9), Small),
    row("TEN", One(10), Small),
    row("NEG_ONE", One(-1), Small),
    row("NEG_TWO", One(-2), Small),
    row("DOWN", Two(1, 0), Range::Pair),
    row("RIGHT", Two(0, 1), Range::Pair),
    row("UP", Two(-1, 0), Range::Pair),
    row("LEFT", Two(0, -1), Range::Pair),
    row("ORIGIN", Two(0, 0), Range::Pair),
    row("UNITY", Two(1, 1), Range::Pair),
    row("NEG_UNITY", Two(-1, -1), Range::Pair),
    row("UP_RIGHT", Two(-1, 1), Range::Pair),
    row("DOWN_LEFT", Two(1, -1), Range::Pair),
    row("ZERO_BY_TWO", Two(0, 2), Range::Pair),
    row("TWO_BY_ZERO", Two(2, 0), Range::Pair),
    row("TWO_BY_TWO", Two(2, 2), Range::Pair),
    row("THREE_BY_THREE", Two(3, 3), Range::Pair),
    row("NEG_THREE", One(-3), Small),
    row("NEG_FOUR", One(-4), Small),
    row("NEG_FIVE", One(-5), Small),
    row("NEG_SIX", One(-6), Small),
    row("NEG_SEVEN", One(-7), Small),
    row("NEG_EIGHT", One(-8), Small),
    row("NEG_NINE", One(-9), Small),
    row("NEG_TEN", One(-10), Small),
    row("HUNDRED", One(100), Scale),
    row("THOUSAND", One(1000), Scale),
    row("F0", One(0), Rank),
    row("F1", One(1), Rank),
    row("F2", One(2), Rank),
    row("F3", One(3), Rank),
    row("F4", One(4), Rank),
    row("F5", One(5), Rank),
    row("F6", One(6), Rank),
    row("F7", One(7), Rank),
    row("F8", One(8), Rank),
    row("F9", One(9), Rank),
    row("L1", One(-1), Rank),
    row("L2", One(-2), Rank),
    row("L3", One(-3), Rank),
    row("L4", One(-4), Rank),
    row("L5", One(-5), Rank),
    row("L6", One(-6), Rank),
    row("L7", One(-7), Rank),
    row("L8", One(-8), Rank),
    row("L9", One(-9), Rank),
    row("L10", One(-10), Rank),
    row("R0", One(0), KindOf4),
    row("R1", One(1), KindOf4),
    row("R2", One(2), KindOf4),
    row("R3", One(3), KindOf4),
    row("R4", One(4), KindOf8),
    row("R5", One(5), KindOf8),
    row("R6", One(6), KindOf8),
    row("R7", One(7), KindOf8),
    row("R8", One(8), KindOf8),
    row("R9", One(9), KindOf8),
    row("A0", One(0), AngleOf4),
    row("A1", One(1), AngleOf4),
    row("A2", One(2), AngleOf4),
    row("A3", One(3), AngleOf4),
    row("A4", One(4), AngleOf8),
    row("A5", One(5), AngleOf8),
    row("A6", One(6), AngleOf8),
    row("A7", One(7), AngleOf8),
    row("A8", One(8), AngleOf8),
    row("A9", One(9), AngleOf8),
    row("BLACK", One(0), Colour),
    row("BLUE", One(1), Colour),
    row("RED", One(2), Colour),
    row("GREEN", One(3), Colour),
    row("YELLOW", One(4), Colour),
    row("GRAY", One(5), Colour),
    row("MAGENTA", One(6), Colour),
    row("ORANGE", One(7), Colour),
    row("CYAN", One(8), Colour),
    row("BURGUNDY", One(9), Colour),
];

impl ConstId {
    /// All constants.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ROWS.len() as u8).map(Self)
    }

    /// The constant of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        crate::lookup::constant(name)
    }

    fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its value.
    pub fn value(self) -> Value {
        match self.row().number {
            One(n) => Value::Int(n),
            Truth(b) => Value::Bool(b),
            Two(a, b) => Value::Pair(a, b),
        }
    }

    /// Its use.
    pub fn range(self) -> Range {
        self.row().range
    }
}
