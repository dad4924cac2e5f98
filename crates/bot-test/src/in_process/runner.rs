//! The thread of a worker that plays.

use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use checkers_engine::{Choice, Limits, on_clock};
use checkers_lib::ByColor;
use checkers_lib::protocol::WireLine;

use super::bots::{Bots, Thought};
use super::current_game::{CurrentGame, InPlay};
use super::turns::Phase;
use super::{Gone, SharedState};
use crate::failure::milliseconds;
use crate::open_game::{GameEnd, OpenGame};
use crate::{BotLimits, Fault, GameOrder, MoveRecord, PairRecord, SearchRecord, Timekeeper};

/// Plays pairings until there are no more, the worker is stopped, or it is given up by the watcher.
pub(super) struct Runner {
    shared: Arc<SharedState>,
    current: Arc<CurrentGame>,
    bots: Bots,
}

impl Runner {
    /// Starts the thread. It begins with a pairing of which some games are over, if there is one.
    pub(super) fn start(
        shared: Arc<SharedState>,
        current: Arc<CurrentGame>,
        unfinished: Option<PairRecord>,
    ) -> io::Result<()> {
        let name = "worker".to_owned();
        let runner = Runner {
            shared,
            current,
            bots: Bots::default(),
        };
        let thread = thread::Builder::new().name(name);
        thread.spawn(move || runner.run(unfinished)).map(drop)
    }

    fn run(mut self, mut unfinished: Option<PairRecord>) {
        while let Some(pair) = unfinished.take().or_else(|| self.next_pair()) {
            let played = self.play_pair(pair);
            if (played.and_then(|pair| self.shared.report(pair))).is_err() {
                return;
            }
        }
    }

    fn next_pair(&self) -> Option<PairRecord> {
        let pairing = self.shared.next_pairing()?;
        Some(PairRecord {
            pairing,
            games: Vec::with_capacity(pairing.games.into()),
        })
    }

    fn play_pair(&mut self, mut pair: PairRecord) -> Result<PairRecord, Gone> {
        self.bots.seat(pair.pairing.bots);
        let shared = self.shared.clone();
        let orders = shared.plan.orders(&pair.pairing);
        for order in orders.iter().skip(pair.games.len()) {
            let open = OpenGame::begin(&shared.plan, order);
            let ended = open.ended();
            self.current.begin(InPlay { pair, open });
            let ended = match ended {
                Some(ended) => ended,
                None => self.play_game(order)?,
            };
            pair = self.current.clear().ok_or(Gone)?.close(ended);
        }
        Ok(pair)
    }

    fn play_game(&mut self, order: &GameOrder) -> Result<GameEnd, Gone> {
        let stop = self.current.fresh_stop();
        let limits = ByColor::new_with(|side| Limits {
            stop: stop.clone(),
            ..limits(self.shared.plan.limits(order.seats.player(side)))
        });
        loop {
            if self.shared.is_stopped() {
                return Err(Gone);
            }
            let (thought, phase) = self.think(&limits)?;
            if let Some(ended) = self.judge(thought, phase)? {
                return Ok(ended);
            }
        }
    }

    /// Gives the turn to the bot that is to move.
    fn think(&mut self, limits: &ByColor<Limits>) -> Result<(Thought, Phase), Gone> {
        let play = self.current.read();
        let open = &play.as_ref().ok_or(Gone)?.open;
        let side = open.game().turn();
        let limits = limits[side].clone();
        let limits = match open.clocks().side(side) {
            Some(clock) => on_clock(limits, clock, Duration::ZERO),
            None => limits,
        };
        let bot = self.bots.get(open.to_move()).ok_or(Gone)?;
        self.current.turns.begin();
        let thought = bot.think(open, &limits, &*self.shared.build);
        match self.current.turns.end() {
            Phase::GivenUp => Err(Gone),
            phase @ (Phase::Idle | Phase::Thinking | Phase::Late) => Ok((thought, phase)),
        }
    }

    /// Finds out what becomes of the game after a turn.
    fn judge(&self, thought: Thought, phase: Phase) -> Result<Option<GameEnd>, Gone> {
        let mut play = self.current.change();
        let open = &mut play.as_mut().ok_or(Gone)?.open;
        if self.shared.is_stopped() {
            return Err(Gone);
        }
        if self.current.is_too_long(open.number()) {
            return Ok(Some(too_long(&self.shared)));
        }
        let (choice, elapsed) = match thought {
            Thought::Choice { choice, elapsed } => (choice, elapsed),
            Thought::Panic(message) => {
                return Ok(Some(forfeit(open, Fault::Panicked { message })));
            }
        };
        let flag_fell = open.spend(elapsed);
        Ok(flag_fell.or_else(|| match phase {
            Phase::Late => Some(timed_out(&self.shared, open)),
            Phase::Idle | Phase::Thinking | Phase::GivenUp => play_choice(open, &choice),
        }))
    }
}

fn limits(of_bot: BotLimits) -> Limits {
    Limits {
        depth: of_bot.depth,
        nodes: of_bot.nodes,
        movetime: of_bot.movetime,
        ..Limits::default()
    }
}

/// Plays what a bot chose; the game ends if that is no legal move.
fn play_choice(open: &mut OpenGame, choice: &Choice) -> Option<GameEnd> {
    let Some(m) = choice.best else {
        return Some(illegal(open, "no move at all".to_owned()));
    };
    let pv = match open.keeps_lines() {
        true => WireLine::new(open.game().position(), &choice.pv),
        false => WireLine::default(),
    };
    let played = MoveRecord {
        m,
        time_us: u64::try_from(choice.time.as_micros()).unwrap_or(u64::MAX),
        clock: Timekeeper::Bot,
        search: Some(SearchRecord {
            score: choice.score.value(),
            depth: choice.depth,
            nodes: choice.nodes,
            pv,
        }),
    };
    (open.play(played)).unwrap_or_else(|_| Some(illegal(open, format!("{m:?}"))))
}

fn illegal(open: &OpenGame, message: String) -> GameEnd {
    let fen = open.game().position().to_string();
    forfeit(open, Fault::IllegalMove { fen, message })
}

fn forfeit(open: &OpenGame, fault: Fault) -> GameEnd {
    OpenGame::forfeit(open.to_move(), fault, Vec::new())
}

/// The end of a game in which the side to move exceeded its time for a move.
pub(super) fn timed_out(shared: &SharedState, open: &OpenGame) -> GameEnd {
    let fault = Fault::TimeOut {
        waited_ms: milliseconds(shared.timeouts.per_move),
        fen: open.game().position().to_string(),
    };
    forfeit(open, fault)
}

/// The end of a game that took too long.
pub(super) fn too_long(shared: &SharedState) -> GameEnd {
    GameEnd::TooLong {
        limit_ms: milliseconds(shared.timeouts.per_game),
    }
}
