//! Devices as the command line uses them: opened by number, their kernels kept on the disk, and given to an evolution.

use batt_core::Task;
use batt_engine::{Limits, OnUndefined};
use batt_evolve::{Accelerator, AcceleratorReport};

use crate::args::DeviceArg;
use crate::commands::UsageError;
use crate::output::{Output, count, grouped};

#[cfg(feature = "gpu")]
pub(crate) use cuda::open;

/// The devices that were asked for, which must be there.
pub(crate) fn accelerator(
    device: &DeviceArg,
    tasks: &[Task],
    limits: Limits,
    on_undefined: OnUndefined,
) -> anyhow::Result<Option<Box<dyn Accelerator>>> {
    match device {
        DeviceArg::Cpu => Ok(None),
        // Devices know of no stand-ins.
        DeviceArg::Cuda(_) if on_undefined == OnUndefined::Default => {
            Err(UsageError("--undefined default needs the CPU: leave out --device, or use --device cpu".to_owned()).into())
        }
        DeviceArg::Cuda(numbers) => open_all(numbers, tasks, limits).map(Some),
    }
}

#[cfg(not(feature = "gpu"))]
fn open_all(_: &[usize], _: &[Task], _: Limits) -> anyhow::Result<Box<dyn Accelerator>> {
    anyhow::bail!("{NO_GPU}")
}

/// Error of a build without the feature.
#[cfg(not(feature = "gpu"))]
pub(crate) const NO_GPU: &str =
    "this build of batt has no CUDA devices: install one that has with `cargo install --path crates/batt --locked --features gpu`";

#[cfg(feature = "gpu")]
fn open_all(numbers: &[usize], tasks: &[Task], limits: Limits) -> anyhow::Result<Box<dyn Accelerator>> {
    let list = numbers.to_vec();
    // A number that stands there more than once gets a context for each.
    let opener = Box::new(move |place: usize| open(list[place], list[..place].contains(&list[place])));
    let fleet = batt_gpu::Fleet::new(numbers, opener, tasks, limits);
    anyhow::ensure!(fleet.is_working(), "{}", fleet.report().faults.join("; "));
    Ok(Box::new(fleet))
}

#[cfg(feature = "gpu")]
mod cuda {
    use std::path::PathBuf;

    use batt_gpu::{Cuda, DeviceError, KernelCache};

    use crate::files::write_whole;
    use batt_session::cache_dir;

    /// Compiled kernels on the disk. Kernels that cannot be read or written are compiled again.
    struct KernelFiles(Option<PathBuf>);

    impl KernelCache for KernelFiles {
        fn get(&self, key: &str) -> Option<Vec<u8>> {
            std::fs::read(self.0.as_ref()?.join(key)).ok()
        }

        fn put(&self, key: &str, bytes: &[u8]) {
            if let Some(folder) = &self.0
                && std::fs::create_dir_all(folder).is_ok()
                && let Err(error) = write_whole(&folder.join(key), bytes)
            {
                tracing::debug!(%error, "compiled kernels were not kept");
            }
        }
    }

    /// Opens a CUDA device; `shared` if it is open already.
    pub(crate) fn open(ordinal: usize, shared: bool) -> Result<Cuda, DeviceError> {
        let files = KernelFiles(cache_dir(|name| std::env::var_os(name)).map(|folder| folder.join("kernels")));
        Cuda::open(ordinal, shared, &files)
    }
}

/// Reports what devices did.
pub(crate) fn tell(report: &AcceleratorReport, out: &mut Output) {
    let left: u64 = report.left.values().sum();
    if !report.devices.is_empty() {
        let devices = report.devices.join(", ");
        out.note(format_args!("{devices}: judged {}, left {} to the CPU", count(report.judged, "program"), grouped(left)));
    }
    let mut missing: Vec<(&&str, &u64)> = report.left.iter().collect();
    missing.sort_by_key(|(_, programs)| std::cmp::Reverse(**programs));
    if !missing.is_empty() {
        let most: Vec<String> = missing.iter().take(8).map(|(what, programs)| format!("{what} {}", grouped(**programs))).collect();
        out.note(format_args!("left to the CPU for: {}", most.join(", ")));
    }
    for fault in &report.faults {
        out.warn(fault);
    }
}
