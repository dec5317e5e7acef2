//! Parameters of rules to and from values, once for each type. Those of one family stand in its file.

use batt_core::{Reason, Value, tuple_of};
use batt_vision::roles::is_role;
use batt_vision::{COLOURS, FIRST_ROLE, Feature, Ground, Images, MAX_SIDE, Mode, Role, add_grid};

use crate::examples::Picture;
use crate::rules::{Operator, Paint, Rule, Test};

/// A type of parameters.
pub trait Parameter: Sized {
    /// The value that stands for it in programs.
    fn to_value(&self) -> Value;

    /// From such a value.
    fn from_value(value: &Value) -> Result<Self, Reason>;
}

/// Enums with `from_number` whose numbers are their places.
macro_rules! numbered {
    ($($kind:ty),* $(,)?) => {$(
        impl $crate::parameter::Parameter for $kind {
            fn to_value(&self) -> batt_core::Value {
                batt_core::Value::Int(*self as i64)
            }

            fn from_value(value: &batt_core::Value) -> Result<Self, batt_core::Reason> {
                Self::from_number(<i64 as $crate::parameter::Parameter>::from_value(value)?).ok_or(batt_core::Reason::OutOfRange)
            }
        }
    )*};
}
pub(crate) use numbered;

/// Types with `from_number` and `number`.
macro_rules! by_number {
    ($($kind:ty),* $(,)?) => {$(
        impl $crate::parameter::Parameter for $kind {
            fn to_value(&self) -> batt_core::Value {
                batt_core::Value::Int(i64::from(self.number()))
            }

            fn from_value(value: &batt_core::Value) -> Result<Self, batt_core::Reason> {
                Self::from_number(<i64 as $crate::parameter::Parameter>::from_value(value)?).ok_or(batt_core::Reason::OutOfRange)
            }
        }
    )*};
}
pub(crate) use by_number;

/// Types with `from_numbers` and `numbers`.
macro_rules! by_numbers {
    ($($kind:ty),* $(,)?) => {$(
        impl $crate::parameter::Parameter for $kind {
            fn to_value(&self) -> batt_core::Value {
                $crate::parameter::Parameter::to_value(&self.numbers())
            }

            fn from_value(value: &batt_core::Value) -> Result<Self, batt_core::Reason> {
                Self::from_numbers($crate::parameter::Parameter::from_value(value)?).ok_or(batt_core::Reason::OutOfRange)
            }
        }
    )*};
}
pub(crate) use by_numbers;

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Parameter for $integer {
            fn to_value(&self) -> Value {
                Value::Int(*self as i64)
            }

            fn from_value(value: &Value) -> Result<Self, Reason> {
                Self::try_from(value.as_int().ok_or(Reason::WrongType)?).map_err(|_| Reason::OutOfRange)
            }
        }
    )*};
}
integers!(u8, i8, u16, i16, i32, i64, usize);

impl Parameter for bool {
    fn to_value(&self) -> Value {
        Value::Int(i64::from(*self))
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        match i64::from_value(value)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Reason::OutOfRange),
        }
    }
}

/// Whether a number stands for a colour: itself, 10 for what its rule says, or a role.
pub(crate) fn is_colour(number: u8) -> bool {
    usize::from(number) <= COLOURS || is_role(number)
}

/// The items of a container.
fn list(value: &Value) -> Result<Vec<Value>, Reason> {
    Ok(value.items().ok_or(Reason::WrongType)?.map(batt_core::ItemRef::into_value).collect())
}

impl<T: Parameter> Parameter for Vec<T> {
    fn to_value(&self) -> Value {
        tuple_of(self.iter().map(T::to_value).collect())
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        list(value)?.iter().map(T::from_value).collect()
    }
}

impl<T: Parameter, const N: usize> Parameter for [T; N] {
    fn to_value(&self) -> Value {
        tuple_of(self.iter().map(T::to_value).collect())
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        Vec::from_value(value)?.try_into().map_err(|_| Reason::WrongType)
    }
}

macro_rules! tuples {
    ($($($part:ident $name:ident),*;)*) => {$(
        impl<$($part: Parameter),*> Parameter for ($($part,)*) {
            fn to_value(&self) -> Value {
                let ($($name,)*) = self;
                tuple_of(vec![$($name.to_value()),*])
            }

            fn from_value(value: &Value) -> Result<Self, Reason> {
                let parts = list(value)?;
                let [$($name),*] = parts.as_slice() else { return Err(Reason::WrongType) };
                Ok(($(Parameter::from_value($name)?,)*))
            }
        }
    )*};
}
tuples! { A a, B b; A a, B b, C c; A a, B b, C c, D d; A a, B b, C c, D d, E e; }

by_number!(Ground);
numbered!(Mode, Operator);

impl Parameter for Feature {
    fn to_value(&self) -> Value {
        (self.kind, self.a, self.b).to_value()
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let (kind, a, b) = Parameter::from_value(value)?;
        Ok(Self { kind, a, b })
    }
}

impl Parameter for Test {
    fn to_value(&self) -> Value {
        let Feature { kind, a, b } = self.feature;
        (self.operator, kind, a, b, self.value).to_value()
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let (operator, kind, a, b, value) = Parameter::from_value(value)?;
        Ok(Self { operator, feature: Feature { kind, a, b }, value })
    }
}

impl Parameter for Paint {
    fn to_value(&self) -> Value {
        match self {
            Self::Colour(colour) => colour.to_value(),
            Self::Ground => 10u8.to_value(),
            Self::Role(role) => role.argument().to_value(),
            Self::Feature(feature) => feature.to_value(),
        }
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let paint = match value.as_int() {
            None => return Feature::from_value(value).map(Self::Feature),
            Some(10) => Some(Self::Ground),
            Some(number) if number >= i64::from(FIRST_ROLE) => Role::of_argument(number).filter(|role| role.is_colour()).map(Self::Role),
            Some(colour) => u8::try_from(colour).ok().filter(|&colour| usize::from(colour) < COLOURS).map(Self::Colour),
        };
        paint.ok_or(Reason::OutOfRange)
    }
}

impl Parameter for Rule {
    fn to_value(&self) -> Value {
        tuple_of(vec![self.tests.to_value(), self.paint.to_value()])
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let (tests, paint) = Parameter::from_value(value)?;
        Ok(Self { tests, paint })
    }
}

/// An image of colours.
impl Parameter for Picture {
    fn to_value(&self) -> Value {
        self.grid().map_or_else(Value::empty_tuple, Value::Grid)
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let Value::Grid(grid) = value else { return Err(Reason::WrongType) };
        if grid.height() > MAX_SIDE || grid.width() > MAX_SIDE {
            return Err(Reason::TooLarge);
        }
        let mut images = Images::default();
        add_grid(&mut images, grid).ok_or(Reason::OutOfRange)?;
        images.iter().next().map(Self::of).ok_or(Reason::OutOfRange)
    }
}

/// A grid of colours and of 10, which means what its rule says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern(pub Picture);

impl Parameter for Pattern {
    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    fn from_value(value: &Value) -> Result<Self, Reason> {
        let Value::Grid(grid) = value else { return Err(Reason::WrongType) };
        if !grid.has_only(0, COLOURS as i8) {
            return Err(Reason::OutOfRange);
        }
        Ok(Self(Picture { height: grid.height(), width: grid.width(), cells: grid.cells().iter().map(|&cell| cell as u8).collect() }))
    }
}
