//! The members: each fits one kind of rule.

pub(crate) mod cells;
pub(crate) mod moves;
pub(crate) mod objects;
pub(crate) mod panels;
pub(crate) mod picks;
pub(crate) mod stamps;
pub(crate) mod sweeps;
