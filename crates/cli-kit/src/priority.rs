//! Thread priorities.

/// At nice 10, a thread gets about a tenth of a contended core.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Lowers the priority of the current thread. At normal priority, searches would delay the connections of a server by
/// milliseconds on a busy core.
#[cfg(target_os = "linux")]
pub fn lower() {
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), NICE) {
        tracing::debug!(%error, "the priority of a thread stays");
    }
}

/// Elsewhere, the priority of a single thread stays.
#[cfg(not(target_os = "linux"))]
pub fn lower() {}
