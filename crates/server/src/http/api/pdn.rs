//! A finished game as PDN.

use std::time::{Duration, UNIX_EPOCH};

use checkers_lib::pdn::{Comment, PdnGame, PdnResult, Tags};
use checkers_lib::protocol::{EndReason, GameRecord, GameResult, PlayedMove};
use checkers_lib::{ByColor, Clocks, Color, Position, TimeControl};
use tracing::warn;

use super::problem::{Problem, ProblemCode};
use crate::names;

/// The game as PDN; `host` is the name of the server for the tag `Site`. Every move has the remaining time
/// of its side, if the side had a clock, computed from the recorded times. Where moves were taken back, the
/// clock may have been a little lower.
pub(super) fn text(record: &GameRecord, host: Option<&str>) -> Result<String, Problem> {
    game(record, host)
        .map(|game| game.to_string())
        .ok_or_else(|| {
            warn!(game = record.id, "the game on record cannot be played");
            let message = format!("the stored game {} cannot be replayed", record.id);
            Problem::new(ProblemCode::Damaged, message)
        })
}

fn game(record: &GameRecord, host: Option<&str>) -> Option<PdnGame> {
    let start: Position = record.start_fen.parse().ok()?;
    let mut game = PdnGame::new(start);
    game.tags = tags(record, host)?;
    game.result = result(record.result);
    let mut clocks = clocks(record)?;
    for (ply, played) in (0..).zip(&record.moves) {
        let m = game.position().parse_move(&played.text).ok()?;
        let comment = if ply < record.opening_plies {
            Comment::new("opening")
        } else {
            comment(record, ply, played, &mut clocks)
        };
        game.push(m).ok()?.comment = comment;
    }
    Some(game)
}

fn clocks(record: &GameRecord) -> Option<Clocks> {
    Some(Clocks::new(ByColor {
        white: parse_clock(&record.white_clock)?,
        black: parse_clock(&record.black_clock)?,
    }))
}

fn parse_clock(clock: &Option<String>) -> Option<Option<TimeControl>> {
    clock.as_deref().map(str::parse).transpose().ok()
}

/// The remaining time after the move, and whether another server took the game over before it.
fn comment(record: &GameRecord, ply: u32, played: &PlayedMove, clocks: &mut Clocks) -> Comment {
    let side = Color::from(played.color);
    // A clock that ran out has no remaining time, so the error adds nothing.
    let _ = clocks.spend(side, Duration::from_millis(played.elapsed_ms));
    let is_taken_over = record.taken_over.iter().any(|taken| taken.ply == ply);
    let comment = if is_taken_over {
        Comment::new("another server took the game over before this move")
    } else {
        Comment::default()
    };
    match clocks.side(side) {
        Some(clock) => comment.with_clock(clock.remaining),
        None => comment,
    }
}

fn tags(record: &GameRecord, host: Option<&str>) -> Option<Tags> {
    let mut tags = Tags::default();
    let round = record.number.to_string();
    let date = date(record.started_ms);
    let mut set = |name: &str, value: &str| tags.set(name, value).ok();
    match &record.event {
        Some(event) => set("Event", event)?,
        None => set("Event", &format!("table {}", record.table))?,
    }
    if let Some(host) = host {
        set("Site", &format!("{host}/g/{}", record.id))?;
    }
    set("Date", &date)?;
    set("Round", &round)?;
    set("White", &record.white.name)?;
    set("Black", &record.black.name)?;
    for (name, player) in [("White", &record.white), ("Black", &record.black)] {
        if player.bot.is_some() || names::is_of_bot_account(&player.name) {
            set(&format!("{name}Type"), "program")?;
        }
        if let Some(bot) = &player.bot {
            set(&format!("{name}Bot"), bot)?;
        }
    }
    let clocks = [
        ("White", &record.white_clock),
        ("Black", &record.black_clock),
    ];
    for (name, clock) in clocks {
        if let Some(clock) = clock {
            set(&format!("{name}Clock"), clock)?;
        }
    }
    tags.set_time_control(
        parse_clock(&record.white_clock)?,
        parse_clock(&record.black_clock)?,
    );
    let mut set = |name: &str, value: &str| tags.set(name, value).ok();
    set("DrawRules", &record.draw_rules)?;
    set("GameId", &record.id)?;
    if record.reason == EndReason::Time {
        set("Termination", "time forfeit")?;
    }
    Some(tags)
}

fn result(result: GameResult) -> PdnResult {
    match result {
        GameResult::WhiteWon => PdnResult::WhiteWins,
        GameResult::BlackWon => PdnResult::BlackWins,
        GameResult::Draw => PdnResult::Draw,
        GameResult::Interrupted => PdnResult::Unfinished,
    }
}

/// The day as PDN writes it.
fn date(unix_ms: i64) -> String {
    let since = Duration::from_millis(u64::try_from(unix_ms).unwrap_or_default());
    // A date beyond the range of the format stays open.
    let known = (since.as_secs() < 253_402_300_800).then(|| UNIX_EPOCH.checked_add(since));
    match known.flatten() {
        Some(time) => {
            let time = humantime::format_rfc3339_seconds(time).to_string();
            time.split('T').next().unwrap_or_default().replace('-', ".")
        }
        None => "????.??.??".to_owned(),
    }
}
