//! What happens to the server while the players play.

use std::time::Duration;

use rand_pcg::rand_core::Rng;
use tokio::time::sleep;

use crate::club::Club;
use crate::scale::Scale;

/// Kills the server at random moments and starts it again.
pub(crate) async fn kill(club: &mut Club, scale: &Scale) {
    for _ in 0..scale.times {
        pause(club, scale).await;
        club.server.kill();
        club.server.start();
    }
    club.wait_for_moves(scale.games, scale).await;
}

/// Stops the process for a while, as when the machine sleeps.
pub(crate) async fn freeze(club: &mut Club, scale: &Scale) {
    for time in 0..scale.times {
        pause(club, scale).await;
        club.server.signal("-STOP");
        // Players have more patience than that, mostly.
        let is_long = time % 10 == 9;
        sleep(Duration::from_secs(if is_long { 25 } else { 1 })).await;
        club.server.signal("-CONT");
    }
    club.wait_for_moves(scale.games, scale).await;
}

/// Cuts connections after a part of what was sent.
pub(crate) async fn cut(club: &mut Club, scale: &Scale) {
    for _ in 0..scale.times {
        pause(club, scale).await;
        let which = club.random.next_u64();
        club.proxy.cut_one(which).await;
    }
    club.wait_for_moves(scale.games, scale).await;
}

/// Leaves the server no room to write, then gives it back.
pub(crate) async fn fill_disk(club: &mut Club, scale: &Scale) {
    for _ in 0..scale.times {
        pause(club, scale).await;
        club.server.fill_disk(true);
        sleep(Duration::from_millis(1500)).await;
        club.server.fill_disk(false);
        club.wait_for_moves(scale.games, scale).await;
    }
}

/// Lets the time of day jump forward and back by up to a day.
pub(crate) async fn jump(club: &mut Club, scale: &Scale) {
    for time in 0..scale.times {
        pause(club, scale).await;
        let seconds = i64::from(club.random.next_u32() % 86_400);
        club.server
            .set_clock(if time % 2 == 0 { seconds } else { -seconds });
    }
    club.wait_for_moves(scale.games, scale).await;
}

/// Waits until the server is at work, and then for a random while.
async fn pause(club: &mut Club, scale: &Scale) {
    let moves = scale.games / 4 + club.random.next_u32() as usize % scale.games;
    club.wait_for_moves(moves.max(1), scale).await;
    let pause = club.random.next_u64() % 100;
    sleep(Duration::from_millis(pause)).await;
}
