//! All that a process has started, directly or by others.

use std::collections::BTreeMap;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, kill_process};

/// How often to check for remaining descendants, and how long to wait each time.
const ROUNDS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(2);

/// Makes this process adopt descendants that become orphans, where the system can.
pub(super) fn adopt() {
    #[cfg(target_os = "linux")]
    // Without it, those that leave the group are lost, as everywhere else.
    let _ = rustix::process::set_child_subreaper(Some(getpid()));
}

/// Kills all descendants of this process, those that they start meanwhile too.
pub(super) fn kill_all() {
    for _ in 0..ROUNDS {
        let living = living();
        if living.is_empty() {
            return;
        }
        for pid in living {
            // The only error is that it has ended by itself.
            let _ = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(PAUSE);
    }
}

/// The living descendants of this process. Empty where the system does not list them.
fn living() -> Vec<Pid> {
    let parents = parents();
    let own = getpid().as_raw_nonzero().get();
    let descends = |pid: i32| {
        let ancestors = std::iter::successors(parents.get(&pid), |parent| parents.get(parent));
        // A chain of parents is no longer than there are processes.
        ancestors.take(parents.len()).any(|&parent| parent == own)
    };
    (parents.keys().filter(|&&pid| descends(pid)))
        .filter_map(|&pid| Pid::from_raw(pid))
        .collect()
}

/// The parent of every process that lives.
///
/// CITE: proc_pid_stat(5): the state and the parent follow the name in parentheses, which may have
/// any characters.
fn parents() -> BTreeMap<i32, i32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| {
            let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let (_, rest) = stat.rsplit_once(") ")?;
            let mut fields = rest.split(' ');
            let is_dead = matches!(fields.next()?, "Z" | "X");
            let parent = fields.next()?.parse().ok()?;
            (!is_dead).then_some((pid, parent))
        })
        .collect()
}
