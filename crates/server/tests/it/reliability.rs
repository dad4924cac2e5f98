//! Nothing acknowledged is lost: clients play while the server is killed, frozen, disconnected or
//! without disk space. At the end the archive is compared with what they received.
//!
//! These runs are short. `scripts/reliability.sh` makes them long through the environment variables
//! of `scale.rs`, and prints a table for docs/benchmarks.md.

mod audit;
mod club;
pub(crate) mod cluster;
mod games;
mod http_bots;
mod ledger;
mod link;
mod lobby_move;
mod partition;
mod peer;
mod player;
pub(crate) mod process;
mod proxy;
mod scale;
mod troubles;
mod versions;

use club::Club;
use process::{Disk, ServerProcess};
use scale::Scale;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_lose_nothing() {
    let scale = Scale::of("kills", 6, 4);
    let mut club = Club::open(&scale, ServerProcess::on(Disk::temporary())).await;
    troubles::kill(&mut club, &scale).await;
    club.close_and_audit(&scale).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frozen_server_loses_nothing() {
    let scale = Scale::of("freezes", 4, 2);
    let mut club = Club::open(&scale, ServerProcess::on(Disk::temporary())).await;
    troubles::freeze(&mut club, &scale).await;
    club.close_and_audit(&scale).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_cut_in_mid_frame_lose_nothing() {
    let scale = Scale::of("cuts", 4, 20);
    let mut club = Club::open(&scale, ServerProcess::on(Disk::temporary())).await;
    troubles::cut(&mut club, &scale).await;
    club.close_and_audit(&scale).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_loses_nothing() {
    let small = Disk::small();
    let trouble = match small {
        Some(_) => "full file systems",
        None => "full disks",
    };
    let scale = Scale::of(trouble, 4, 2);
    let disk = small.unwrap_or_else(Disk::temporary);
    let mut club = Club::open(&scale, ServerProcess::on(disk)).await;
    troubles::fill_disk(&mut club, &scale).await;
    club.close_and_audit(&scale).await;
}

/// The same on a separate file system, where it can be mounted without root.
#[test]
fn a_full_file_system_loses_nothing() {
    let mount = tempfile::tempdir().expect("a directory");
    let Some(mut itself) = process::on_small_file_system(mount.path()) else {
        return Scale::of("full file systems", 4, 2).skip("nothing can be mounted");
    };
    itself.args(["--exact", "reliability::a_full_disk_loses_nothing"]);
    let output = itself.output().expect("a program");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_loses_nothing() {
    let scale = Scale::of("clock jumps", 4, 4);
    let Some(server) = ServerProcess::with_false_clock() else {
        return scale.skip("libfaketime is not installed");
    };
    let mut club = Club::open(&scale, server).await;
    troubles::jump(&mut club, &scale).await;
    club.close_and_audit(&scale).await;
}
