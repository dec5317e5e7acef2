//! The executors of the host, by the names that test files use. Tests add a device's.

use batt_engine::{CardExecutor, Executor, Limits, ReferenceExecutor};

/// An executor that tests compare with others.
#[derive(Clone, Copy)]
pub struct Contender {
    pub name: &'static str,
    /// A device may refuse programs, and does not note the order of sets.
    pub is_device: bool,
    pub make: fn(Limits) -> Box<dyn Executor>,
}

/// The first is right.
pub const HOST: [Contender; 2] = [
    Contender { name: "reference", is_device: false, make: |limits| Box::new(ReferenceExecutor::new(limits)) },
    Contender { name: "card", is_device: false, make: |limits| Box::new(CardExecutor::with_limits(limits)) },
];
