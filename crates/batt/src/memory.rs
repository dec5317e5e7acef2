//! Memory that a search may use, of the memory that the process is given.

/// Bytes that a search takes besides columns, whatever it is given: what rules are fitted with, and what freed memory leaves.
const BESIDE: usize = 40 << 20;
/// Bytes of each thread besides columns.
const THREAD: usize = 40 << 20;
/// The least for the columns of a thread.
const COLUMNS: usize = 16 << 20;
/// Bytes of the process where the system does not report them.
const UNKNOWN: usize = 48 << 20;

/// The bytes for columns and what is made of them, of so many for the whole process. An error says the least that is needed.
pub(crate) fn for_columns(asked: usize, threads: usize) -> anyhow::Result<usize> {
    let beside = resident().unwrap_or(UNKNOWN) + BESIDE + threads * THREAD;
    let least = beside + threads * COLUMNS;
    let megabytes = |bytes: usize| bytes.div_ceil(1_000_000);
    anyhow::ensure!(
        asked >= least,
        "--memory {}MB is too little: with {}, this search needs {}MB or more",
        megabytes(asked),
        crate::output::count(threads as u64, "thread"),
        megabytes(least)
    );
    Ok(asked - beside)
}

/// The bytes of memory that the process has now.
fn resident() -> Option<usize> {
    kilobytes_in("/proc/self/status", "VmRSS:")
}

/// The bytes of memory that are free, where the system says so.
pub(crate) fn available() -> Option<usize> {
    kilobytes_in("/proc/meminfo", "MemAvailable:")
}

/// The bytes that a line of a file of the system has in kilobytes.
fn kilobytes_in(path: &str, name: &str) -> Option<usize> {
    let status = std::fs::read_to_string(path).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_what_is_left() {
        let error = for_columns(10_000_000, 2).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(error.starts_with("--memory 10MB is too little: with 2 threads, this search needs "), "{error}");
        let [one, more] = [1 << 30, 2 << 30].map(|asked| for_columns(asked, 1).unwrap_or_default());
        assert!(one > 500 << 20 && one < 1 << 30 && more > one + (900 << 20));
    }
}
