//! What the referee makes of the server's messages and of silence, without a socket or a clock.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

use std::time::{Duration, Instant};

use checkers_bot_test::{BotId, Event, Failure, Fault, Referee, Seats, ServerFault, Timeouts};
use checkers_lib::protocol::{
    EndReason, GameResult, GameState, PlayedMove, Player, Role, ServerMessage,
};
use checkers_lib::{DrawRules, Game};

const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(10),
    per_move: Duration::from_secs(60),
    per_game: Duration::from_secs(100),
};

/// A match seen by a referee, its time told in seconds.
struct Seen {
    begin: Instant,
    referee: Referee,
}

impl Seen {
    fn games(wanted: u64) -> Seen {
        let begin = Instant::now();
        let referee = Referee::new(wanted, DrawRules::Fmjd64, TIMEOUTS, begin);
        Seen { begin, referee }
    }

    fn at(&self, seconds: u64) -> Instant {
        self.begin + Duration::from_secs(seconds)
    }

    fn hear(
        &mut self,
        seconds: u64,
        message: &ServerMessage,
    ) -> Result<Option<Event>, ServerFault> {
        let now = self.at(seconds);
        self.referee.handle(message, now)
    }

    /// The failure at a time, which is the first moment it is one.
    fn fails_at(&self, seconds: u64) -> Failure {
        let deadline = self.referee.poll_timeout().unwrap();
        assert_eq!(deadline, self.at(seconds));
        let just_before = deadline - Duration::from_nanos(1);
        assert_eq!(self.referee.handle_timeout(just_before), None);
        self.referee.handle_timeout(deadline).unwrap()
    }

    fn fault_at(&self, seconds: u64) -> (BotId, Fault) {
        match self.fails_at(seconds) {
            Failure::Bot { bot, fault, .. } => (bot, fault),
            failure => panic!("{failure:?}"),
        }
    }
}

fn players(roles: &[(&str, Role)]) -> ServerMessage {
    let player = |&(name, role): &(&str, Role)| Player {
        name: name.to_owned(),
        role,
    };
    ServerMessage::Players {
        players: roles.iter().map(player).collect(),
    }
}

fn started(game: u64, white: &str, black: &str) -> ServerMessage {
    let start = Game::new(DrawRules::Fmjd64);
    ServerMessage::GameStarted(GameState {
        game,
        white: white.to_owned(),
        black: black.to_owned(),
        start_fen: start.position().to_string(),
        moves: Vec::new(),
        fen: start.position().to_string(),
        ply: 0,
        turn: start.turn().into(),
        clocks: None,
    })
}

/// White's first move.
fn moved(game: u64, text: &str) -> ServerMessage {
    let start = Game::new(DrawRules::Fmjd64);
    let (m, route) = start.position().parse_route("c3-d4").unwrap();
    let played = PlayedMove {
        text: text.to_owned(),
        ..PlayedMove::new(&start, m, &route, 17)
    };
    let after = start.position().clone().play(m).unwrap();
    ServerMessage::Moved {
        game,
        played,
        fen: after.to_string(),
        turn: after.turn().into(),
        clocks: None,
    }
}

fn over(game: u64, result: GameResult, reason: EndReason) -> ServerMessage {
    let fen = String::new();
    ServerMessage::GameOver {
        game,
        result,
        reason,
        article: None,
        left: None,
        ply: 1,
        fen,
    }
}

const HERE: [(&str, Role); 2] = [("bot-1", Role::Spectator), ("bot-2", Role::Black)];

#[test]
fn a_game_becomes_a_record() {
    let mut seen = Seen::games(1);
    assert_eq!(
        seen.hear(1, &started(1, "bot-2", "bot-1")),
        Ok(Some(Event::Started))
    );
    assert_eq!(seen.hear(2, &moved(1, "c3-d4")), Ok(Some(Event::Moved)));
    let resigned = over(1, GameResult::WhiteWon, EndReason::Resignation);
    assert_eq!(seen.hear(3, &resigned), Ok(Some(Event::Over)));
    assert!(seen.referee.is_finished());
    assert_eq!(seen.referee.poll_timeout(), None);
    let [game] = seen.referee.games() else {
        panic!("one game")
    };
    assert_eq!(
        game.seats,
        Seats {
            white: BotId::SECOND,
            black: BotId::FIRST
        }
    );
    assert_eq!(game.winner(), Some(BotId::SECOND));
    assert_eq!((game.moves.len(), game.moves[0].time_us), (1, 17_000));
}

#[test]
fn bots_that_do_not_come_are_told_apart() {
    let mut seen = Seen::games(1);
    let waited_ms = 10_000;
    assert_eq!(
        seen.fault_at(10),
        (BotId::FIRST, Fault::NeverConnected { waited_ms })
    );
    seen.hear(1, &players(&HERE)).unwrap();
    assert_eq!(
        seen.fault_at(10),
        (BotId::FIRST, Fault::NeverSeated { waited_ms })
    );
    seen.hear(2, &players(&HERE[1..])).unwrap();
    assert_eq!(
        seen.fault_at(10),
        (BotId::FIRST, Fault::Disconnected { waited_ms })
    );
    seen.hear(3, &players(&[("bot-1", Role::White)])).unwrap();
    assert_eq!(
        seen.fault_at(10),
        (BotId::SECOND, Fault::Disconnected { waited_ms })
    );
}

#[test]
fn a_server_that_begins_no_game_is_to_blame_itself() {
    let mut seen = Seen::games(1);
    seen.hear(
        1,
        &players(&[("bot-1", Role::White), ("bot-2", Role::Black)]),
    )
    .unwrap();
    let failure = seen.fails_at(10);
    assert!(matches!(
        failure,
        Failure::Server {
            fault: ServerFault::NoGame { .. },
            ..
        }
    ));
}

#[test]
fn each_move_has_its_time() {
    let mut seen = Seen::games(1);
    seen.hear(5, &started(1, "bot-1", "bot-2")).unwrap();
    let (bot, fault) = seen.fault_at(65);
    assert!(
        matches!(
            fault,
            Fault::Hung {
                waited_ms: 60_000,
                ..
            }
        ) && bot == BotId::FIRST
    );
    seen.hear(40, &moved(1, "c3-d4")).unwrap();
    let (bot, _) = seen.fault_at(100);
    assert_eq!(bot, BotId::SECOND);
}

#[test]
fn each_game_has_its_time() {
    let mut seen = Seen::games(1);
    seen.hear(5, &started(1, "bot-1", "bot-2")).unwrap();
    seen.hear(50, &moved(1, "c3-d4")).unwrap();
    assert_eq!(
        seen.fails_at(105),
        Failure::GameTooLong {
            game: 1,
            limit_ms: 100_000
        }
    );
}

#[test]
fn the_next_game_has_to_begin() {
    let mut seen = Seen::games(2);
    seen.hear(1, &players(&HERE)).unwrap();
    seen.hear(5, &started(1, "bot-1", "bot-2")).unwrap();
    seen.hear(20, &over(1, GameResult::BlackWon, EndReason::Resignation))
        .unwrap();
    assert!(!seen.referee.is_finished());
    assert_eq!(seen.fault_at(30).0, BotId::FIRST);
}

#[test]
fn a_game_that_was_left_ends_the_match() {
    let mut seen = Seen::games(1);
    seen.hear(1, &started(1, "bot-1", "bot-2")).unwrap();
    seen.hear(2, &over(1, GameResult::Interrupted, EndReason::PlayerLeft))
        .unwrap();
    assert!(!seen.referee.is_finished());
    assert_eq!(seen.referee.broken_game(), Some(1));
    // Nothing that still happens matters.
    assert_eq!(seen.hear(3, &started(2, "bot-1", "bot-2")), Ok(None));
    assert_eq!(seen.referee.into_games().len(), 1);
}

#[test]
fn a_game_that_runs_at_the_end_is_broken_off() {
    let mut seen = Seen::games(1);
    seen.hear(1, &started(1, "bot-1", "bot-2")).unwrap();
    seen.hear(2, &moved(1, "c3-d4")).unwrap();
    let games = seen.referee.into_games();
    assert!(games[0].is_interrupted());
    assert_eq!(games[0].moves.len(), 1);
}

#[test]
fn nonsense_is_the_servers_fault() {
    let joined = |protocol, draw_rules: &str| ServerMessage::Joined {
        name: "referee".to_owned(),
        protocol,
        table: "main".to_owned(),
        draw_rules: draw_rules.to_owned(),
    };
    let begun = started(1, "bot-1", "bot-2");
    let nonsense: [&[ServerMessage]; 8] = [
        &[joined(2, "fmjd64")],
        &[joined(1, "study")],
        &[started(1, "bot-1", "somebody")],
        &[moved(1, "c3-d4")],
        &[begun.clone(), moved(2, "c3-d4")],
        &[begun.clone(), moved(1, "c3-e5")],
        &[begun.clone(), begun.clone()],
        &[over(1, GameResult::Draw, EndReason::Agreement)],
    ];
    for messages in nonsense {
        let mut seen = Seen::games(1);
        let told: Result<Vec<_>, _> = messages
            .iter()
            .map(|message| seen.hear(1, message))
            .collect();
        assert!(
            matches!(told, Err(ServerFault::Nonsense { .. })),
            "{messages:?}: {told:?}"
        );
    }
}
