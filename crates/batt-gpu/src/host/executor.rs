//! A device as an [`Executor`]: for tests. Evolutions use [`Fleet`](crate::Fleet), which keeps samples on the device.

use batt_core::Value;
use batt_dsl::Limits;
use batt_engine::{Executor, ExecutorError, Inputs, RunEnd};
use batt_program::Program;

use super::compile::Folding;
use super::device::Device;
use super::run::{ItemRun, run_items};

/// Runs on a device at a time: each has memory of its own.
const BATCH: usize = 64;

/// Runs programs on a device, and refuses those that the device leaves to the host.
pub struct DeviceExecutor<D> {
    device: D,
    limits: Limits,
}

impl<D: Device> DeviceExecutor<D> {
    /// An executor on a device. It refuses everything if limits other than fuel are not the default, which kernels are compiled with.
    pub fn new(device: D, limits: Limits) -> Self {
        Self { device, limits }
    }
}

impl<D: Device> Executor for DeviceExecutor<D> {
    fn run_all(&mut self, programs: &[&Program], samples: &[Inputs<'_>]) -> Result<Vec<RunEnd>, ExecutorError> {
        if self.limits != (Limits { fuel: self.limits.fuel, ..Limits::default() }) {
            return Ok(vec![RunEnd::Deferred; programs.len() * samples.len()]);
        }
        let items: Vec<(&Program, &Value)> =
            programs.iter().flat_map(|&program| samples.iter().map(move |inputs| (program, inputs.input))).collect();
        let mut all = Vec::with_capacity(items.len());
        for batch in items.chunks(BATCH) {
            let ran = run_items(&mut self.device, batch, &self.limits, Folding::LeaveAll);
            for run in ran.map_err(|error| ExecutorError(error.to_string()))? {
                all.push(match run {
                    ItemRun::Done(evaluation) => RunEnd::Done(evaluation),
                    ItemRun::Unsupported(_) | ItemRun::Refused(_) => RunEnd::Deferred,
                    ItemRun::Bad(bad) => return Err(ExecutorError(bad.to_string())),
                });
            }
        }
        Ok(all)
    }
}
