//! A table with a clock for tests, and helpers to inspect effects.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, GameState, Meant, Offer, Player, Role, ServerMessage,
};
use checkers_lib::{ByColor, Color, DrawRules};
use checkers_server::DirectorToken;
use checkers_server::table::{
    ClientId, Command, DirectorRuling, Effect, EventRecord, GameSetup, JoinRequest, MoveRequest,
    Table,
};

pub(crate) const ANNA: ClientId = ClientId(1);
pub(crate) const BORIS: ClientId = ClientId(2);
pub(crate) const CLARA: ClientId = ClientId(3);

/// The running game.
pub(crate) const ANY: Meant = Meant { game: None };
/// A game that does not exist.
pub(crate) const ANOTHER: Meant = Meant { game: Some(99) };

/// A table and its clock.
pub(crate) struct TableScene {
    pub(crate) table: Table,
    pub(crate) now: Instant,
    /// The recorded events, in order.
    pub(crate) records: Vec<EventRecord>,
}

impl TableScene {
    pub(crate) fn new(rules: DrawRules) -> TableScene {
        TableScene {
            table: Table::new("main", rules),
            now: Instant::now(),
            records: Vec::new(),
        }
    }

    /// A game of Anna with White and Boris with Black.
    pub(crate) fn playing(rules: DrawRules) -> TableScene {
        let mut scene = TableScene::new(rules);
        scene.enter(ANNA, "anna");
        scene.enter(BORIS, "boris");
        scene.does(ANNA, Command::TakeSeat(Color::White));
        scene.does(BORIS, Command::TakeSeat(Color::Black));
        scene
    }

    /// A directed table: Anna, Boris and the director Clara.
    pub(crate) fn directed() -> TableScene {
        let mut scene = TableScene::new(DrawRules::Fmjd64);
        scene.table = scene.table.directed_by(token());
        scene.enter(ANNA, "anna");
        scene.enter(BORIS, "boris");
        scene.enter(CLARA, "clara");
        scene
    }

    pub(crate) fn arranges(&mut self, setup: GameSetup) -> Vec<Effect> {
        self.does(CLARA, Command::ArrangeGame(token(), setup))
    }

    pub(crate) fn ends_game(&mut self, ruling: DirectorRuling) -> Vec<Effect> {
        self.does(CLARA, Command::EndGame(token(), ruling))
    }

    /// The effects of a command, without records.
    pub(crate) fn does(&mut self, who: ClientId, command: Command) -> Vec<Effect> {
        let effects = self.table.handle(who, command, self.now);
        self.without_records(effects)
    }

    /// The effects of waiting, without records.
    pub(crate) fn waits(&mut self, time: Duration) -> Vec<Effect> {
        self.now += time;
        let effects = self.table.handle_timeout(self.now);
        self.without_records(effects)
    }

    /// Moves the records out of effects.
    pub(crate) fn without_records(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut others = Vec::new();
        for effect in effects {
            match effect {
                Effect::Record(record) => self.records.push(record),
                effect => others.push(effect),
            }
        }
        others
    }

    pub(crate) fn enter(&mut self, who: ClientId, name: &str) -> Vec<Effect> {
        self.does(who, Command::Enter(JoinRequest::named(name)))
    }

    pub(crate) fn plays(&mut self, who: ClientId, ply: u32, text: &str) -> Vec<Effect> {
        self.does(
            who,
            Command::Move(MoveRequest {
                ply,
                text: text.into(),
                ..MoveRequest::default()
            }),
        )
    }

    pub(crate) fn offers(&mut self, who: ClientId, offer: Offer) -> Vec<Effect> {
        self.does(who, Command::Offer(offer, ANY))
    }

    pub(crate) fn accepts(&mut self, who: ClientId, offer: Offer) -> Vec<Effect> {
        self.does(who, Command::Accept(offer, ANY))
    }

    pub(crate) fn declines(&mut self, who: ClientId, offer: Offer) -> Vec<Effect> {
        self.does(who, Command::Decline(offer, ANY))
    }

    /// Plays moves alternately, White first.
    pub(crate) fn play_all(&mut self, moves: &[&str]) {
        for (ply, text) in (0..).zip(moves) {
            let mover = if ply % 2 == 0 { ANNA } else { BORIS };
            let effects = self.plays(mover, ply, text);
            assert!(effects.len() > 1, "{effects:?}");
        }
    }

    /// Checks that a command is refused with `code`, with no other effect.
    pub(crate) fn refuses(&mut self, who: ClientId, command: Command, code: ErrorCode) {
        match &self.does(who, command)[..] {
            [Effect::Send(to, ServerMessage::Error { code: actual, .. })] => {
                assert_eq!((*to, *actual), (who, code));
            }
            other => panic!("expected {code:?}, got {other:?}"),
        }
    }
}

pub(crate) fn token() -> DirectorToken {
    DirectorToken::new("secret")
}

/// A game without clocks from the initial position: Anna has White, Boris Black.
pub(crate) fn setup(game: u64) -> GameSetup {
    GameSetup {
        game,
        players: ByColor {
            white: "anna".to_owned(),
            black: "boris".to_owned(),
        },
        start_fen: None,
        moves: Vec::new(),
        clocks: ByColor {
            white: None,
            black: None,
        },
    }
}

/// The messages about offers, in order: kind, offer and side.
pub(crate) fn offer_messages(effects: &[Effect]) -> Vec<(&'static str, Offer, Color)> {
    let messages = |effect: &Effect| match *effect {
        Effect::Broadcast(ServerMessage::Offered { offer, by, .. }) => Some(("offered", offer, by)),
        Effect::Broadcast(ServerMessage::Declined { offer, by, .. }) => {
            Some(("declined", offer, by))
        }
        Effect::Broadcast(ServerMessage::Lapsed { offer, by, .. }) => Some(("lapsed", offer, by)),
        _ => None,
    };
    let messages = effects.iter().filter_map(messages);
    messages
        .map(|(what, offer, by)| (what, offer, by.into()))
        .collect()
}

/// The started game among the effects.
pub(crate) fn started(effects: &[Effect]) -> GameState {
    let game = effects.iter().find_map(|effect| match effect {
        Effect::Broadcast(ServerMessage::GameStarted(game)) => Some(game.clone()),
        _ => None,
    });
    game.expect("a game starts")
}

pub(crate) fn roles(effects: &[Effect]) -> Vec<(String, Role)> {
    let players = effects.iter().rev().find_map(|effect| match effect {
        Effect::Broadcast(ServerMessage::Players { players, .. }) => Some(players.clone()),
        _ => None,
    });
    let role = |player: Player| (player.name, player.role);
    players
        .expect("the list of players is sent")
        .into_iter()
        .map(role)
        .collect()
}

pub(crate) fn sent_to(effects: &[Effect], to: ClientId) -> Vec<&ServerMessage> {
    let message = |effect| match effect {
        &Effect::Send(who, ref message) if who == to => Some(message),
        _ => None,
    };
    effects.iter().filter_map(message).collect()
}

/// The end of a game: result, reason, article, plies.
pub(crate) type ScriptedEnd = (GameResult, EndReason, Option<String>, u32);

/// The end of a game among the effects.
pub(crate) fn end(effects: &[Effect]) -> Option<ScriptedEnd> {
    effects.iter().find_map(|effect| match effect {
        Effect::Broadcast(ServerMessage::GameOver {
            result,
            reason,
            article,
            ply,
            ..
        }) => Some((*result, *reason, article.clone(), *ply)),
        _ => None,
    })
}

/// The client asked for a move, the ply, and the legal moves.
pub(crate) fn asked(effects: &[Effect]) -> (ClientId, u32, Vec<String>) {
    let request = effects.iter().find_map(|effect| match effect {
        Effect::Send(
            who,
            ServerMessage::YourTurn {
                ply, legal_moves, ..
            },
        ) => Some((
            *who,
            *ply,
            legal_moves.iter().map(|legal| legal.text.clone()).collect(),
        )),
        _ => None,
    });
    request.expect("a move is requested")
}
