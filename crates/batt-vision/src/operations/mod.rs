//! Coarse operations on images, in flat memory: what a person would call one step.
//!
//! Operations take 0 for background. They panic on nothing: what has no answer is `None`.

pub mod boxes;
pub mod colours;
pub mod drawing;
pub mod inverses;
pub mod lines;
pub mod measures;
pub mod merges;
pub mod objects;
pub mod patterns;
pub mod picks;
pub mod placing;
pub mod shapes;
pub mod splits;
