//! Tables and games in the JSON of Lichess.

use std::time::Duration;

use checkers_lib::protocol::{
    EndReason, GameResult, GameState, Offer, SeatInfo, TableInfo, WireColor,
};
use checkers_lib::{Color, MoveTiming, Position, TimeControl};
use serde_json::{Value, json};

use crate::bots::is_bot_name;
use crate::names;
use crate::table::{game_id, whole_millis};

/// What clients receive as the time of a side without a clock.
const NO_CLOCK: u64 = 2_147_483_647;

/// The moves a side makes in an average game, by which increments count for the speed.
const MOVES: u32 = 40;

/// A game of the bot, and how long the side to move has had.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameView<'a> {
    pub(super) info: &'a TableInfo,
    pub(super) game: &'a GameState,
    pub(super) created_at: Option<i64>,
    pub(super) elapsed: Duration,
}

impl GameView<'_> {
    /// The first line of a game's stream.
    pub(super) fn full(self) -> Value {
        let GameView { info, game, .. } = self;
        json!({
            "type": "gameFull",
            "id": game.id,
            "variant": variant(),
            "speed": speed(info),
            "perf": perf(),
            "rated": info.rated,
            "createdAt": self.created_at,
            "white": player(&game.white),
            "black": player(&game.black),
            "initialFen": initial_fen(&game.start_fen),
            "clock": control(info).map(|control| json!({
                "initial": whole_millis(control.base()),
                "increment": whole_millis(increment(control)),
            })),
            "state": self.state(),
        })
    }

    /// A further line of a game's stream.
    pub(super) fn state(self) -> Value {
        let game = self.game;
        let moves: Vec<String> = game
            .moves
            .iter()
            .map(|played| {
                played
                    .squares
                    .iter()
                    .map(|square| square.0.name())
                    .collect()
            })
            .collect();
        let offers = |offer: Offer, by: WireColor| {
            let mut open = game.offers.iter();
            open.any(|open| (open.offer, open.by) == (offer, by))
        };
        let mut state = json!({
            "type": "gameState",
            "moves": moves.join(" "),
            "fen": game.fen,
            "wtime": self.time(WireColor::White),
            "btime": self.time(WireColor::Black),
            "winc": self.increment(WireColor::White),
            "binc": self.increment(WireColor::Black),
            "wdraw": offers(Offer::Draw, WireColor::White),
            "bdraw": offers(Offer::Draw, WireColor::Black),
            "wtakeback": offers(Offer::Takeback, WireColor::White),
            "btakeback": offers(Offer::Takeback, WireColor::Black),
            "status": status(game).1,
        });
        if let Some(winner) = winner(game) {
            state["winner"] = json!(winner);
        }
        state
    }

    /// The beginning or the end of a game, for the stream of events.
    pub(super) fn event(self, own: WireColor) -> Value {
        let kind = match self.game.result {
            None => "gameStart",
            Some(_) => "gameFinish",
        };
        let mut game = self.playing(own);
        game["id"] = json!(self.game.id);
        game["compat"] = json!({"bot": true, "board": false});
        json!({"type": kind, "game": game})
    }

    /// An entry of the list of games.
    pub(super) fn playing(self, own: WireColor) -> Value {
        let GameView { info, game, .. } = self;
        let opponent = match own {
            WireColor::White => &game.black,
            WireColor::Black => &game.white,
        };
        let (id, name) = status(game);
        let last = game.moves.last();
        let last = last.map(|played| played.squares.iter().map(|square| square.0.name()));
        let mut entry = json!({
            "fullId": game.id,
            "gameId": game.id,
            "color": own,
            "fen": game.fen,
            "hasMoved": has_moved(game, own),
            "isMyTurn": game.result.is_none() && game.turn == own,
            "lastMove": last.map(Iterator::collect::<String>).unwrap_or_default(),
            "opponent": opponent_of(opponent),
            "perf": "russian",
            "rated": info.rated,
            "secondsLeft": game.clocks.map(|_| self.time(own) / 1000),
            "source": if info.opponent.is_some() { "friend" } else { "api" },
            "speed": speed(info),
            "status": {"id": id, "name": name},
            "variant": variant(),
        });
        if let Some(winner) = winner(game) {
            entry["winner"] = json!(winner);
        }
        entry
    }

    /// The time that a side has, in milliseconds.
    fn time(self, side: WireColor) -> u64 {
        let clock = self.game.clocks.and_then(|clocks| clocks.side(side.into()));
        let Some(clock) = clock else {
            return NO_CLOCK;
        };
        let runs = self.game.result.is_none() && self.game.turn == side;
        let spent = if runs { whole_millis(self.elapsed) } else { 0 };
        clock.remaining_ms.saturating_sub(spent)
    }

    fn increment(self, side: WireColor) -> u64 {
        let clock = self.game.clocks.and_then(|clocks| clocks.side(side.into()));
        clock.map_or(0, |clock| clock.increment_ms)
    }
}

/// A challenge to play a game at a table, and whether the bot has received it. `side` is the challenger's.
pub(super) fn challenge(
    info: &TableInfo,
    game: u64,
    (by, to): (&str, &str),
    side: Option<WireColor>,
    is_incoming: bool,
) -> Value {
    let control = control(info);
    json!({
        "id": game_id(&info.id, game),
        "status": "created",
        "direction": if is_incoming { "in" } else { "out" },
        "challenger": player(by),
        "destUser": player(to),
        "variant": variant(),
        "rated": info.rated,
        "speed": speed(info),
        "timeControl": match control {
            Some(control) => json!({
                "type": "clock",
                "limit": control.base().as_secs(),
                "increment": increment(control).as_secs(),
                "show": control.to_string(),
            }),
            None => json!({"type": "unlimited"}),
        },
        "color": side.map_or(json!("random"), |side| json!(side)),
        "finalColor": side,
        "perf": perf(),
        "initialFen": info.start_fen.as_deref().unwrap_or("startpos"),
    })
}

/// A line of the stream of events about a challenge.
pub(super) fn challenge_event(kind: &str, challenge: &Value) -> Value {
    json!({"type": kind, "challenge": challenge})
}

/// The side that a player has taken.
pub(super) fn side_of(info: &TableInfo, by: &str) -> Option<WireColor> {
    let is_there = |seat: &Option<SeatInfo>| seat.as_ref().is_some_and(|seat| seat.name == by);
    match (is_there(&info.seats.white), is_there(&info.seats.black)) {
        (true, _) => Some(WireColor::White),
        (_, true) => Some(WireColor::Black),
        _ => None,
    }
}

/// A player; `name` is unique on the server, and serves as the id.
fn player(name: &str) -> Value {
    let mut player = json!({"id": name, "name": name});
    if names::is_of_bot_account(name) {
        player["title"] = json!("BOT");
    }
    if let Some(level) = level(name) {
        player["aiLevel"] = json!(level);
    }
    player
}

fn opponent_of(name: &str) -> Value {
    let mut opponent = player(name);
    opponent["username"] = json!(name);
    opponent
}

/// The level of a computer opponent with this name: `Level 3`, or `Level 3 (2)`.
fn level(name: &str) -> Option<u8> {
    let rest = name.strip_prefix("Level ").filter(|_| is_bot_name(name))?;
    rest.split(' ').next()?.parse().ok()
}

fn variant() -> Value {
    json!({"key": "russian", "name": "Russian", "short": "Russian"})
}

fn perf() -> Value {
    json!({"name": "Russian"})
}

fn initial_fen(fen: &str) -> &str {
    let is_start = fen
        .parse::<Position>()
        .is_ok_and(|position| position == Position::start());
    if is_start { "startpos" } else { fen }
}

/// The clock of both sides, or of the only one that has one.
fn control(info: &TableInfo) -> Option<TimeControl> {
    let text = info.white_clock.as_ref().or(info.black_clock.as_ref());
    text?.parse().ok()
}

fn increment(control: TimeControl) -> Duration {
    match control.timing() {
        MoveTiming::Increment(increment) => increment,
        MoveTiming::Delay(_) | MoveTiming::PerMove(_) => Duration::ZERO,
    }
}

/// The class of the clock, with the limits of Lichess, which clients know.
fn speed(info: &TableInfo) -> &'static str {
    let Some(control) = control(info) else {
        return "correspondence";
    };
    let gain = match control.timing() {
        MoveTiming::Increment(time) | MoveTiming::Delay(time) | MoveTiming::PerMove(time) => time,
    };
    match control.base().saturating_add(gain * MOVES).as_secs() {
        0..30 => "ultraBullet",
        30..180 => "bullet",
        180..480 => "blitz",
        480..1500 => "rapid",
        _ => "classical",
    }
}

fn has_moved(game: &GameState, side: WireColor) -> bool {
    let mut moves = game.moves.iter().skip(game.opening_plies as usize);
    moves.any(|played| played.color == side)
}

/// The number and the name of a game's status.
fn status(game: &GameState) -> (u8, &'static str) {
    let Some(result) = game.result else {
        return (20, "started");
    };
    match (result, game.reason) {
        (GameResult::Interrupted, _) => (25, "aborted"),
        (GameResult::Draw, _) => (34, "draw"),
        (_, Some(EndReason::Resignation)) => (31, "resign"),
        (_, Some(EndReason::PlayerLeft | EndReason::Abandoned)) => (33, "timeout"),
        (_, Some(EndReason::Time)) => (35, "outoftime"),
        (_, Some(EndReason::NoPieces | EndReason::NoMoves)) => (30, "mate"),
        _ => (38, "unknownFinish"),
    }
}

fn winner(game: &GameState) -> Option<WireColor> {
    game.result.and_then(GameResult::winner).map(Color::into)
}
