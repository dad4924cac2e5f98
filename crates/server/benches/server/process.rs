//! What the system knows of processes.

use std::fs;
use std::process::Command;
use std::time::Duration;

use crate::AnyError;

/// Keeps this process on one core.
pub(crate) fn pin_this(core: usize) -> Result<(), AnyError> {
    let process = std::process::id().to_string();
    let core = core.to_string();
    let pinned = Command::new("taskset")
        .args(["-c", "-p", &core, &process])
        .output()?;
    if pinned.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&pinned.stderr).into())
    }
}

/// The processor time a process has had, in and outside the kernel, in whole hundredths of a
/// second.
pub(crate) fn cpu_time(process: u32) -> Result<Duration, AnyError> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, fields) = stat.rsplit_once(") ").ok_or("no such line")?;
    let ticks: u64 = fields
        .split(' ')
        .skip(11)
        .take(2)
        .map(str::parse::<u64>)
        .sum::<Result<u64, _>>()?;
    // Linux counts in hundredths of a second for programs, whatever the kernel does.
    Ok(Duration::from_millis(ticks * 10))
}

/// The memory that a process holds, in bytes.
pub(crate) fn memory(process: u32) -> Result<u64, AnyError> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .ok_or("no memory")?;
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kibibytes * 1024)
}
