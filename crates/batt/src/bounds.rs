//! Limits of the system on this process: how much memory may be mapped, and the end if there is no more.
//!
//! Memory that cannot be had ends a process, wherever it asks for it. So what is known beforehand is looked at beforehand, and the end has a
//! status like that of other errors.

use std::fs;

/// Memory mapped by the program and its first thread, and by each further thread: its stack and an arena of the allocator.
const FIRST: u64 = 256 << 20;
const EACH: u64 = 112 << 20;

/// The bytes that this process may map, if there is a limit and the system tells.
fn address_space() -> Option<u64> {
    limit_in(&fs::read_to_string("/proc/self/limits").ok()?)
}

/// The limit in what Linux tells about limits.
fn limit_in(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("Max address space"))?.split_whitespace().next()?.parse().ok()
}

/// Complains if there is no use in beginning, and sees to it that memory that cannot be had is an error like any other.
pub(crate) fn begin() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        // The allocation that failed is named on stderr before the signal comes. Without the handler the process ends all the same.
        let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 1, always);
    }
    match address_space() {
        Some(limit) if limit < FIRST => anyhow::bail!(
            "this process may map {} MB of memory, and batt needs {}: raise the limit (`ulimit -v`)",
            limit >> 20,
            FIRST >> 20
        ),
        _ => Ok(()),
    }
}

/// Number of threads that there is memory for, at most `wanted`; 0 is one for each core.
pub(crate) fn threads(wanted: usize) -> usize {
    threads_within(address_space(), wanted)
}

fn threads_within(limit: Option<u64>, wanted: usize) -> usize {
    let Some(limit) = limit else { return wanted };
    let most = 1 + (limit.saturating_sub(FIRST) / EACH) as usize;
    let all = if wanted == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { wanted };
    if all <= most {
        return wanted;
    }
    tracing::warn!(threads = most, megabytes = limit >> 20, "memory is limited, so there are fewer threads");
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let text =
            |limit: &str| format!("Limit   Soft Limit   Hard Limit   Units\nMax address space         {limit}   unlimited   bytes\n");
        assert_eq!(limit_in(&text("204800000")), Some(204_800_000));
        assert_eq!(limit_in(&text("unlimited")), None);
        assert_eq!(limit_in("Max file locks unlimited"), None);
    }

    #[test]
    fn there_are_as_many_threads_as_memory_allows() {
        assert_eq!([0, 1, 64].map(|wanted| threads_within(None, wanted)), [0, 1, 64]);
        assert_eq!([1, 2, 64].map(|wanted| threads_within(Some(FIRST), wanted)), [1, 1, 1]);
        assert_eq!([1, 2, 64].map(|wanted| threads_within(Some(FIRST + 2 * EACH), wanted)), [1, 2, 3]);
        assert_eq!(threads_within(Some(1 << 40), 0), 0);
    }
}
