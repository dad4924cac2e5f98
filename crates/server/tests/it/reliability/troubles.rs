//! Faults injected during the games.

use std::time::Duration;

use rand_pcg::rand_core::Rng;
use tokio::time::sleep;

use crate::reliability::club::Club;
use crate::reliability::scale::Scale;

/// Kills and restarts the server at random moments.
pub(crate) async fn kill(club: &mut Club, scale: &Scale) {
    for _ in 0..scale.times {
        pause(club, scale).await;
        club.server.kill();
        club.server.start();
    }
    club.games.wait_for_moves(scale.games, scale).await;
}

/// Freezes the process for a while, as during suspend.
pub(crate) async fn freeze(club: &mut Club, scale: &Scale) {
    for time in 0..scale.times {
        pause(club, scale).await;
        club.server.signal("-STOP");
        // Most players wait longer than this.
        let is_long = time % 10 == 9;
        sleep(Duration::from_secs(if is_long { 25 } else { 1 })).await;
        club.server.signal("-CONT");
    }
    club.games.wait_for_moves(scale.games, scale).await;
}

/// Cuts connections in mid-frame.
pub(crate) async fn cut(club: &mut Club, scale: &Scale) {
    for _ in 0..scale.times {
        pause(club, scale).await;
        let which = club.games.random.next_u64();
        club.proxy.cut_one(which).await;
    }
    club.games.wait_for_moves(scale.games, scale).await;
}

/// Fills the disk, then frees it.
pub(crate) async fn fill_disk(club: &mut Club, scale: &Scale) {
    for _ in 0..scale.times {
        pause(club, scale).await;
        club.server.fill_disk(true);
        sleep(Duration::from_millis(1500)).await;
        club.server.fill_disk(false);
        club.games.wait_for_moves(scale.games, scale).await;
    }
}

/// Changes the time of day by up to a day in both directions.
pub(crate) async fn jump(club: &mut Club, scale: &Scale) {
    for time in 0..scale.times {
        pause(club, scale).await;
        let seconds = i64::from(club.games.random.next_u32() % 86_400);
        club.server
            .set_clock(if time % 2 == 0 { seconds } else { -seconds });
    }
    club.games.wait_for_moves(scale.games, scale).await;
}

/// Waits for progress, and then for a random time.
async fn pause(club: &mut Club, scale: &Scale) {
    let moves = scale.games / 4 + club.games.random.next_u32() as usize % scale.games;
    club.games.wait_for_moves(moves.max(1), scale).await;
    let pause = club.games.random.next_u64() % 100;
    sleep(Duration::from_millis(pause)).await;
}
