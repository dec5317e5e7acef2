//! The executors by the names that test files use.

use batt_engine::{CardExecutor, Executor, Limits, ReferenceExecutor};
use batt_gpu::DeviceExecutor;
use batt_gpu_emulator::Emulator;

/// All of them; the first is right.
pub const ALL: [&str; 3] = ["reference", "card", "emulator"];
/// Those that refuse nothing.
pub const HOST: [&str; 2] = ["reference", "card"];

/// The executor of a name.
pub fn executor(name: &str, limits: Limits) -> Option<Box<dyn Executor>> {
    Some(match name {
        "reference" => Box::new(ReferenceExecutor::new(limits)),
        "card" => Box::new(CardExecutor::with_limits(limits)),
        "emulator" => Box::new(DeviceExecutor::new(Emulator::new(false), limits)),
        _ => return None,
    })
}
