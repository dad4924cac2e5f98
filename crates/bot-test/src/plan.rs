//! What a tournament plays, and how.

use std::path::PathBuf;
use std::time::Duration;

use checkers_engine::tablebase::Tablebases;
use checkers_lib::openings::Opening;
use checkers_lib::{ByColor, Clocks, DrawRules, Position};
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::format::Format;
use crate::{BotId, BotLimits, Pairing, Participant, Seats};

/// Everything that decides which games a tournament has and what they count.
///
/// Bots whose moves depend on the game alone play the same tournament from the same plan, however
/// often it is interrupted and resumed.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    pub format: Format,
    /// The participants; a [`BotId`] is an index into them.
    pub participants: Vec<Participant>,
    /// Whether each pairing is played twice with sides swapped.
    pub swap: bool,
    /// What the games begin from.
    pub openings: Openings,
    /// When games are drawn.
    pub draw_rules: DrawRules,
    /// When games are ended by judgement.
    pub adjudication: Adjudication,
    /// What a forfeited game counts.
    pub forfeits: Forfeits,
    /// Whether the games are played without processes and sockets.
    pub in_process: bool,
    /// Whether the line that a bot expects is kept with each of its moves.
    pub keep_lines: bool,
}

/// What games begin from, in the order in which every two bots meet them.
#[derive(Clone, Debug)]
pub struct Openings {
    /// Where they come from, for people: `suite`, `the start`, a file.
    pub source: String,
    /// By what seed they were shuffled, if they were.
    pub seed: Option<u64>,
    /// The openings; none is the start alone.
    pub list: Vec<Opening>,
}

/// What a game counts that a bot could not or did not finish.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Forfeits {
    /// The bot has lost it.
    #[default]
    Loss,
    /// Nothing.
    Void,
}

/// A game to be played.
#[derive(Clone, Debug)]
pub struct GameOrder {
    /// Its number in the tournament, from 1.
    pub number: u64,
    /// The bot of each side.
    pub seats: Seats,
    /// What it begins from.
    pub opening: Opening,
}

impl TournamentPlan {
    /// What plays as `bot`, and what bounds it.
    pub fn participant(&self, bot: BotId) -> &Participant {
        &self.participants[bot.0]
    }

    /// What bounds `bot`.
    pub fn limits(&self, bot: BotId) -> BotLimits {
        self.participant(bot).limits
    }

    /// The number of pieces up to which each bot has tablebases, as far as this process can know; 0
    /// without any.
    pub fn table_pieces(&self) -> Vec<u32> {
        let pieces = |participant: &Participant| match participant.player.spec() {
            Some(spec) if spec.asks_tables() => Tablebases::shared().most_pieces().into(),
            Some(_) | None => 0,
        };
        self.participants.iter().map(pieces).collect()
    }

    /// Whether all bots play the same game whenever they meet from the same opening.
    pub fn repeats_itself(&self) -> bool {
        self.participants.iter().all(|participant| {
            let is_timed =
                participant.limits.movetime.is_some() || participant.limits.clock.is_some();
            let spec = participant.player.spec();
            spec.is_some_and(|spec| spec.is_deterministic() && !is_timed)
        })
    }

    /// The clocks of a game at its beginning.
    pub fn clocks(&self, seats: Seats) -> Clocks {
        Clocks::new(ByColor::new_with(|side| {
            self.limits(seats.player(side)).clock
        }))
    }

    /// How many games a pairing has, unless a format says otherwise.
    pub fn games_per_pairing(&self) -> u8 {
        if self.swap { 2 } else { 1 }
    }

    /// The games of a pairing. Their numbers follow from its number alone.
    pub fn orders(&self, pairing: &Pairing) -> Vec<GameOrder> {
        let [first, second] = pairing.bots;
        let seats = [(first, second), (second, first)].map(|(white, black)| Seats { white, black });
        let before = pairing.id * u64::from(self.games_per_pairing());
        let opening = self.openings.get(pairing.opening);
        (before + 1..)
            .zip(seats)
            .take(pairing.games.into())
            .map(|(number, seats)| GameOrder {
                number,
                seats,
                opening: opening.clone(),
            })
            .collect()
    }
}

impl Openings {
    /// The opening of an index; where there are fewer, they begin again.
    pub fn get(&self, index: u64) -> Opening {
        let count = (self.list.len() as u64).max(1);
        let opening = self.list.get((index % count) as usize).cloned();
        opening.unwrap_or_else(|| Opening::new(Position::start()))
    }

    /// How many different ones there are, one or more.
    pub fn count(&self) -> u64 {
        (self.list.len() as u64).max(1)
    }
}

/// How a tournament is conducted. Nothing here changes what its games count.
#[derive(Clone, Debug)]
pub struct RunConfig {
    /// How long each step may take.
    pub timeouts: Timeouts,
    /// How many pairings are played at the same time, one or more.
    pub concurrency: usize,
    /// After this many forfeited games of one bot in a row, the tournament stops.
    pub patience: u32,
    /// This program, which is started again as each server and bot.
    pub program: PathBuf,
    /// The directory for what engines of other programs were sent and wrote, a file per process.
    pub transcripts: Option<PathBuf>,
    /// Whether nothing is recorded that differs from run to run: no times, and pairings only in the order of the
    /// schedule.
    pub reproducible: bool,
}

impl RunConfig {
    /// For games within this process, of bots that are expected to finish each.
    pub fn in_process(concurrency: usize) -> RunConfig {
        RunConfig {
            timeouts: Timeouts::default(),
            concurrency,
            patience: 1,
            program: PathBuf::new(),
            transcripts: None,
            reproducible: false,
        }
    }
}

/// Limits for each step of a tournament, in addition to the bots' own limits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Timeouts {
    /// For a bot to connect; for a server to come up and to begin a game.
    pub connect: Duration,
    pub per_move: Duration,
    pub per_game: Duration,
    /// For everything.
    pub per_run: Option<Duration>,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            connect: Duration::from_secs(10),
            per_move: Duration::from_secs(5 * 60),
            per_game: Duration::from_secs(4 * 60 * 60),
            per_run: None,
        }
    }
}
