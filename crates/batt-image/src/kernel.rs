//! The shapes that operations have.

use crate::image::{Image, List, Work};

/// The code of an operation by what it takes and gives.
#[derive(Clone, Copy, Debug)]
pub enum Kernel {
    /// From an image to an image.
    Map(fn(Image<'_>, i32, &mut Work) -> Option<()>),
    /// From two images to one.
    Merge(fn(Image<'_>, Image<'_>, i32, &mut Work) -> Option<()>),
    /// From an image to a list.
    Split(fn(Image<'_>, i32, &mut Work) -> Option<()>),
    /// From a list to an image.
    Pick(fn(List<'_>, i32, &mut Work) -> Option<()>),
    /// From a list to a list.
    Sift(fn(List<'_>, i32, &mut Work) -> Option<()>),
    /// From an image to a colour.
    Colour(fn(Image<'_>, i32, &mut Work) -> Option<i32>),
    /// From an image to an integer.
    Count(fn(Image<'_>, i32, &mut Work) -> Option<i32>),
}
