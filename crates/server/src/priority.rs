//! Which threads go first.

/// What a thread that gives way has of a core, beside one that does not, is about a tenth: little, and
/// enough not to keep what others wait for too.
const NICE: i32 = 10;

/// Has the present thread let those go first that somebody waits for: on a busy core it would hold
/// them up for milliseconds at a time.
pub(crate) fn give_way() {
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), NICE) {
        tracing::debug!(%error, "the priority of a thread stays");
    }
}
