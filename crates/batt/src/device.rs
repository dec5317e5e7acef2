//! CUDA devices as the command line uses them: opened by number, their kernels kept on the disk.

use std::path::PathBuf;

use batt_core::{Task, Value};
use batt_gpu::{Cuda, DeviceError, KernelCache, Puzzle};

use crate::card_cache::cache_dir;
use crate::files::write_whole;

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

/// The samples of tasks as values, without the outputs of tests.
pub(crate) struct Samples(Vec<Vec<(Value, Option<Value>)>>);

impl Samples {
    /// Those of tasks.
    pub(crate) fn of(tasks: &[Task]) -> Self {
        let samples = |task: &Task| {
            let demos = task.demos.iter().map(|demo| (Value::Grid(demo.input.clone()), Some(Value::Grid(demo.output.clone()))));
            demos.chain(task.tests.iter().map(|test| (Value::Grid(test.input.clone()), None))).collect()
        };
        Self(tasks.iter().map(samples).collect())
    }

    /// As the device takes them.
    pub(crate) fn puzzles(&self) -> Vec<Puzzle<'_>> {
        self.0
            .iter()
            .map(|samples| Puzzle {
                demos: samples.iter().filter_map(|(input, output)| Some((input, output.as_ref()?))).collect(),
                tests: samples.iter().filter(|(_, output)| output.is_none()).map(|(input, _)| input).collect(),
            })
            .collect()
    }
}
