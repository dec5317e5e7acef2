//! CUDA devices as the command line uses them: opened by number, their kernels kept on the disk, and lent to an evolution.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use batt_core::Task;
use batt_engine::Limits;
use batt_gpu::{Choice, Cuda, DeviceError, Fleet, FleetReport, KernelCache, Open};
use batt_search::evolve::{Accelerator, Job, Judgement};

use crate::args::DeviceArg;
use crate::card_cache::cache_dir;
use crate::files::write_whole;
use crate::output::{Output, count, grouped};

/// How long a run lasts before `auto` looks for devices: opening them takes up to a second, which a short run would not get back.
const BEFORE_DEVICES: Duration = Duration::from_secs(20);

/// Compiled kernels on the disk. What cannot be read or written is compiled again, and nobody hears of it.
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

/// Devices that are being opened, or are open, and judge for an evolution.
#[derive(Clone, Default)]
pub(crate) struct Lent(Arc<Mutex<Option<Fleet<Cuda>>>>);

impl Lent {
    /// The devices that were asked for. With `auto` they are opened beside the run, when it has lasted for a while, and used where that is
    /// faster; those that were named must be there.
    pub(crate) fn ask(device: &DeviceArg, tasks: &[Task], limits: Limits) -> anyhow::Result<Option<Self>> {
        match device {
            DeviceArg::Cpu => Ok(None),
            DeviceArg::Auto => {
                let lent = Self::default();
                let (place, tasks) = (Arc::clone(&lent.0), tasks.to_vec());
                std::thread::spawn(move || {
                    std::thread::sleep(BEFORE_DEVICES);
                    let count = batt_gpu::cuda_devices().map_or(0, |devices| devices.len());
                    if count == 0 {
                        return;
                    }
                    let fleet = Fleet::new(count, opener((0..count).collect()), &tasks, limits, Choice::WhatPays);
                    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(fleet);
                });
                Ok(Some(lent))
            }
            DeviceArg::Cuda(numbers) => {
                let fleet = Fleet::new(numbers.len(), opener(numbers.clone()), tasks, limits, Choice::Always);
                anyhow::ensure!(fleet.is_alive(), "{}", fleet.report().faults.join("; "));
                Ok(Some(Self(Arc::new(Mutex::new(Some(fleet))))))
            }
        }
    }

    /// What they did; nothing if they were not ready in time.
    pub(crate) fn report(&self) -> Option<FleetReport> {
        self.with(|fleet| fleet.report().clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Fleet<Cuda>) -> T) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(act)
    }
}

/// Opens devices by their place in a list; one that stands there more than once gets a context for each.
fn opener(numbers: Vec<usize>) -> Open<Cuda> {
    Box::new(move |place| {
        let number = numbers.get(place).copied().unwrap_or(place);
        open(number, numbers[..place.min(numbers.len())].contains(&number))
    })
}

impl Accelerator for Lent {
    fn wants(&mut self, programs: usize) -> bool {
        self.with(|fleet| fleet.wants(programs)).unwrap_or(false)
    }

    fn start(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<bool>> {
        self.with(|fleet| fleet.start(jobs)).unwrap_or_default()
    }

    fn finish(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<Option<Judgement>>> {
        self.with(|fleet| fleet.finish(jobs)).unwrap_or_else(|| jobs.iter().map(|job| vec![None; job.programs.len()]).collect())
    }

    fn took(&mut self, programs: usize, given: bool, time: Duration) {
        self.with(|fleet| fleet.took(programs, given, time));
    }
}

/// Says what devices did.
pub(crate) fn tell(report: &FleetReport, out: &mut Output) {
    let left: u64 = report.left.values().sum();
    if !report.devices.is_empty() {
        out.note(format_args!(
            "{}: judged {}, left {} to the processor; had a part in {} of {}",
            report.devices.join(", "),
            count(report.judged, "program"),
            grouped(left),
            grouped(report.generations.0),
            count(report.generations.0 + report.generations.1, "generation")
        ));
    }
    let mut missing: Vec<(&&str, &u64)> = report.left.iter().collect();
    missing.sort_by_key(|(_, programs)| std::cmp::Reverse(**programs));
    if !missing.is_empty() {
        let most: Vec<String> = missing.iter().take(8).map(|(what, programs)| format!("{what} {}", grouped(**programs))).collect();
        out.note(format_args!("left to the processor for: {}", most.join(", ")));
    }
    for fault in &report.faults {
        out.warn(fault);
    }
}
