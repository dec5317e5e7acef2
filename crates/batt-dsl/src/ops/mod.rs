//! The primitives, one plain function each: small, obvious, and right for every form that a value can have.
//!
//! These are the truth. The reference executor runs nothing else; [`crate::kernels`] has faster versions for the compact
//! forms, which are compared with these. Where the reference DSL (Python) raises an exception, the call is undefined here.

#![expect(clippy::unnecessary_wraps, reason = "all primitives have one signature, so that the table can hold them")]

mod containers;
mod dialect;
mod drawing;
mod functions;
mod grids;
mod image;
mod lines;
mod numbers;
mod objects;
mod patches;
mod ranks;
mod rules;
pub(crate) mod support;

pub(crate) use containers::*;
pub(crate) use dialect::*;
pub(crate) use drawing::*;
pub(crate) use functions::*;
pub(crate) use grids::*;
pub(crate) use image::*;
pub(crate) use lines::*;
pub(crate) use numbers::*;
pub(crate) use objects::*;
pub(crate) use patches::*;
pub(crate) use ranks::*;
pub(crate) use rules::*;
