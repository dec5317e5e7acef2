//! The most memory that this process has used, as far as the system tells.

use std::fs;

/// Forgets the most so far. Says whether the system can.
pub(super) fn reset_peak() -> bool {
    // Linux: 5 resets the peak of the resident set to what it is now.
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The most bytes that were resident, since the last reset.
pub(super) fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_memory() {
        assert!(peak_bytes().is_some_and(|bytes| bytes > 1 << 16));
    }
}
