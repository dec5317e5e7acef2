//! A coarse operation as a row: its kernel, what its last argument may be, and what is said about it. Each row stands above its kernel.

use std::ops::Range;

use crate::image::{COLOURS, Image, List, Work};
use crate::kernel::Kernel;
use crate::operations::inverses::Inverse;

/// A coarse operation on images.
#[derive(Clone, Copy, Debug)]
pub struct OperationRow {
    /// The name of its primitive: the list, [`crate::for_each_operation`], gives it.
    pub name: &'static str,
    /// Kernel of the operation.
    pub kernel: Kernel,
    /// The last argument.
    pub argument: Argument,
    /// The lowest number that the last argument may be, and the first that it may not be.
    numbers: (i32, i32),
    /// A sentence for documents.
    pub sentence: &'static str,
    /// A call of it by name, and its value.
    pub example: (&'static str, &'static str),
    /// How search calls it.
    pub search: SearchUse,
    /// Inverse: the argument, recovered from the result.
    pub undone: Undone,
    /// Its number as a feature of cells, and how many numbers its last argument may be there.
    pub(crate) feature: Option<(u8, i32)>,
}

/// The last argument of an operation, after its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// There is none: the kernel is given the one number that it takes.
    None,
    /// Which of several things it does.
    Which,
    /// A colour but background.
    Colour,
    /// So many rows and columns: a [`crate::Offset`] as a number.
    Offset,
}

/// How search calls an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchUse {
    /// At the usual cost.
    Common,
    /// Later than others: it makes many columns for each training task that it helps to solve.
    Rare,
    /// Not at all: it gained no task, or another operation stands for it.
    Never,
}

/// Inverse of an operation: its image, recovered from its result.
#[derive(Clone, Copy, Debug)]
pub enum Undone {
    /// Nothing is known.
    Unknown,
    /// The image equals the result.
    Same,
    /// This function gives the image.
    By(Inverse),
}

type OnImage<T> = fn(Image<'_>, i32, &mut Work) -> Option<T>;
type OnImages = fn(Image<'_>, Image<'_>, i32, &mut Work) -> Option<()>;
type OnList = fn(List<'_>, i32, &mut Work) -> Option<()>;

/// Rows by the shape of their kernel; a range has the numbers that the last argument may be.
impl OperationRow {
    const fn new(kernel: Kernel, argument: Argument, numbers: Range<i32>) -> Self {
        Self {
            name: "",
            kernel,
            argument,
            numbers: (numbers.start, numbers.end),
            sentence: "",
            example: ("", ""),
            search: SearchUse::Common,
            undone: Undone::Unknown,
            feature: None,
        }
    }

    const fn numbered(kernel: Kernel, numbers: Range<i32>) -> Self {
        let argument = if numbers.end - numbers.start > 1 { Argument::Which } else { Argument::None };
        Self::new(kernel, argument, numbers)
    }

    const fn tinted(kernel: Kernel) -> Self {
        Self::new(kernel, Argument::Colour, 1..COLOURS as i32)
    }

    pub(crate) const fn map(kernel: OnImage<()>, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Map(kernel), numbers)
    }

    pub(crate) const fn tint(kernel: OnImage<()>) -> Self {
        Self::tinted(Kernel::Map(kernel))
    }

    pub(crate) const fn step(kernel: OnImage<()>) -> Self {
        Self::new(Kernel::Map(kernel), Argument::Offset, 0..0)
    }

    pub(crate) const fn merge(kernel: OnImages, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Merge(kernel), numbers)
    }

    pub(crate) const fn split(kernel: OnImage<()>, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Split(kernel), numbers)
    }

    pub(crate) const fn pick(kernel: OnList, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Pick(kernel), numbers)
    }

    pub(crate) const fn pick_tint(kernel: OnList) -> Self {
        Self::tinted(Kernel::Pick(kernel))
    }

    pub(crate) const fn sift(kernel: OnList, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Sift(kernel), numbers)
    }

    pub(crate) const fn colour(kernel: OnImage<i32>, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Colour(kernel), numbers)
    }

    pub(crate) const fn count(kernel: OnImage<i32>, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Count(kernel), numbers)
    }

    pub(crate) const fn pair(kernel: OnImage<i32>, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Pair(kernel), numbers)
    }

    pub(crate) const fn test(kernel: OnImage<i32>, numbers: Range<i32>) -> Self {
        Self::numbered(Kernel::Test(kernel), numbers)
    }
}

/// Builder methods of a row.
impl OperationRow {
    /// The row with its name.
    #[must_use]
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    pub(crate) const fn says(self, sentence: &'static str, example: (&'static str, &'static str)) -> Self {
        Self { sentence, example, ..self }
    }

    /// Search calls it later than others.
    pub(crate) const fn rarely(self) -> Self {
        Self { search: SearchUse::Rare, ..self }
    }

    /// Search does not call it.
    pub(crate) const fn never(self) -> Self {
        Self { search: SearchUse::Never, ..self }
    }

    /// Its image is what it gives.
    pub(crate) const fn undone_by_nothing(self) -> Self {
        Self { undone: Undone::Same, ..self }
    }

    /// A function tells what its image was.
    pub(crate) const fn undone_by(self, inverse: Inverse) -> Self {
        Self { undone: Undone::By(inverse), ..self }
    }

    /// Rules ask for the colours that it gives cells, by this number: programs have it, so it stays.
    pub(crate) const fn feature(self, number: u8) -> Self {
        self.feature_up_to(number, self.numbers.1)
    }

    /// A feature with fewer numbers than the operation has.
    pub(crate) const fn feature_up_to(self, number: u8, numbers: i32) -> Self {
        Self { feature: Some((number, numbers)), ..self }
    }
}

impl OperationRow {
    /// The numbers that the last argument may be.
    pub const fn numbers(&self) -> Range<i32> {
        self.numbers.0..self.numbers.1
    }

    /// Whether it has an argument after its images.
    pub const fn has_argument(&self) -> bool {
        !matches!(self.argument, Argument::None)
    }

    /// Calls it on one image; what two images make, on the image and itself.
    pub fn on(&self, image: Image<'_>, number: i32, work: &mut Work) -> Option<()> {
        self.kernel.make([image.as_list(); 2], number, work)
    }

    /// Whether it gives several images.
    pub const fn gives_list(&self) -> bool {
        matches!(self.kernel, Kernel::Split(_) | Kernel::Sift(_))
    }
}

/// Declares the row of a kernel: its sentence, what runs it and with which numbers, further columns, and an example.
macro_rules! row {
    (
        $(#[doc = $sentence:literal])*
        $name:ident = $shape:ident($($given:expr),*) $(, $column:ident($($value:expr),*))*;
        $call:literal => $gives:literal
    ) => {
        $(#[doc = $sentence])*
        pub const $name: $crate::OperationRow = $crate::OperationRow::$shape($($given),*)
            $(.$column($($value),*))*
            .says(concat!($($sentence),*).trim_ascii(), ($call, $gives));
    };
}
pub(crate) use row;
