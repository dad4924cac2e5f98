//! Thread priorities.

/// At nice 10, a thread gets about a tenth of a contended core.
const NICE: i32 = 10;

/// Lowers the priority of the current thread: at normal priority, searches would delay connections
/// by milliseconds on a busy core.
pub(crate) fn lower() {
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), NICE) {
        tracing::debug!(%error, "the priority of a thread stays");
    }
}
