//! The ways to change a program. Options and reports are made from this one list.

use std::fmt;
use std::str::FromStr;

/// A way to change a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operator {
    /// Another constant of the same range.
    Constant,
    /// Another primitive with a compatible signature.
    Primitive,
    /// An earlier value of a compatible type.
    Variable,
    /// A call between a value and one of its uses.
    Insert,
    /// One of its arguments in the place of a call.
    Delete,
    /// A call around a call, for all its uses.
    Wrap,
    /// A value of another program of the task, with the calls that make it, at equal types.
    Crossover,
    /// A colour that the demos' inputs have and the outputs lack, or the reverse.
    Colour,
    /// The mirror or rotation that the demos show.
    Angle,
    /// A part of a program that fits another task, called on a value of this program.
    Graft,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Constant,
        Self::Primitive,
        Self::Variable,
        Self::Insert,
        Self::Delete,
        Self::Wrap,
        Self::Crossover,
        Self::Colour,
        Self::Angle,
        Self::Graft,
    ];

    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// Its name, as options and reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Primitive => "primitive",
            Self::Variable => "variable",
            Self::Insert => "insert",
            Self::Delete => "delete",
            Self::Wrap => "wrap",
            Self::Crossover => "crossover",
            Self::Colour => "colour",
            Self::Angle => "angle",
            Self::Graft => "graft",
        }
    }

    /// Its effect, in one sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Constant => "A constant becomes another one of its range.",
            Self::Primitive => "A primitive becomes one with a compatible signature.",
            Self::Variable => "A variable becomes an earlier value of a compatible type.",
            Self::Insert => "A call comes between a value and one of its uses.",
            Self::Delete => "A call gives way to one of its arguments.",
            Self::Wrap => "A call comes around a call.",
            Self::Crossover => "A value becomes one of the same type from another program of the task.",
            Self::Colour => "A colour becomes one that inputs have and outputs lack, or the reverse.",
            Self::Angle => "A mirror or rotation becomes the one that the demos show.",
            Self::Graft => "A part of a program that fits another task is called on a value.",
        }
    }

    /// Its position in [`Operator::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// How often it is chosen to begin with, in parts of the sum over all operators.
    pub fn default_rate(self) -> u32 {
        match self {
            Self::Constant => 30,
            Self::Primitive => 20,
            Self::Variable => 12,
            Self::Insert | Self::Delete | Self::Wrap | Self::Colour => 8,
            Self::Crossover | Self::Graft => 6,
            Self::Angle => 4,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no operator has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no operator; there are {}", Operator::ALL.map(Operator::name).join(", "))]
pub struct UnknownOperator {
    /// The name.
    pub name: String,
}

impl FromStr for Operator {
    type Err = UnknownOperator;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|operator| operator.name() == name).ok_or_else(|| UnknownOperator { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_and_positions_are_those_of_the_list() {
        for (k, operator) in Operator::ALL.into_iter().enumerate() {
            assert_eq!(operator.index(), k);
            assert_eq!(operator.to_string().parse(), Ok(operator));
            assert!(operator.default_rate() > 0);
            assert!(operator.about().ends_with('.'));
        }
        let unknown = "colors".parse::<Operator>().map_err(|error| error.to_string());
        assert_eq!(
            unknown,
            Err("`colors` is no operator; there are constant, primitive, variable, insert, delete, wrap, crossover, colour, angle, graft"
                .to_owned())
        );
    }
}
