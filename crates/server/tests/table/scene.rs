//! A table, its clock, and what it said.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, GameState, Meant, Offer, Player, Role, ServerMessage,
};
use checkers_lib::{ByColor, Color, DrawRules};
use checkers_server::DirectorToken;
use checkers_server::table::{
    ClientId, Command, DirectorRuling, Effect, GameSetup, JoinRequest, MoveRequest, Record, Table,
};

pub(crate) const ANNA: ClientId = ClientId(1);
pub(crate) const BORIS: ClientId = ClientId(2);
pub(crate) const CLARA: ClientId = ClientId(3);

/// Whatever game there is.
pub(crate) const ANY: Meant = Meant { game: None };
/// A game that there is not.
pub(crate) const ANOTHER: Meant = Meant { game: Some(99) };

/// A table and its clock.
pub(crate) struct Scene {
    pub(crate) table: Table,
    pub(crate) now: Instant,
    /// What is to be remembered, in order.
    pub(crate) records: Vec<Record>,
}

impl Scene {
    pub(crate) fn new(rules: DrawRules) -> Scene {
        Scene {
            table: Table::new("main", rules),
            now: Instant::now(),
            records: Vec::new(),
        }
    }

    /// Anna with White, Boris with Black, the game just begun.
    pub(crate) fn playing(rules: DrawRules) -> Scene {
        let mut scene = Scene::new(rules);
        scene.enter(ANNA, "anna");
        scene.enter(BORIS, "boris");
        scene.does(ANNA, Command::TakeSeat(Color::White));
        scene.does(BORIS, Command::TakeSeat(Color::Black));
        scene
    }

    /// Anna and Boris, and Clara who directs.
    pub(crate) fn directed() -> Scene {
        let mut scene = Scene::new(DrawRules::Fmjd64);
        scene.table = scene.table.directed_by(token());
        scene.enter(ANNA, "anna");
        scene.enter(BORIS, "boris");
        scene.enter(CLARA, "clara");
        scene
    }

    pub(crate) fn arranges(&mut self, arrangement: GameSetup) -> Vec<Effect> {
        self.does(CLARA, Command::ArrangeGame(token(), arrangement))
    }

    pub(crate) fn judges(&mut self, judgement: DirectorRuling) -> Vec<Effect> {
        self.does(CLARA, Command::EndGame(token(), judgement))
    }

    /// What follows from a command, but for what is to be remembered of it.
    pub(crate) fn does(&mut self, who: ClientId, command: Command) -> Vec<Effect> {
        let effects = self.table.handle(who, command, self.now);
        self.without_records(effects)
    }

    /// What follows when so much time has passed, likewise.
    pub(crate) fn waits(&mut self, time: Duration) -> Vec<Effect> {
        self.now += time;
        let effects = self.table.handle_timeout(self.now);
        self.without_records(effects)
    }

    /// Takes what is to be remembered out of effects.
    pub(crate) fn without_records(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut told = Vec::new();
        for effect in effects {
            match effect {
                Effect::Record(record) => self.records.push(record),
                effect => told.push(effect),
            }
        }
        told
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

    /// Plays moves from the start: White's first, Black's, and so on.
    pub(crate) fn play_all(&mut self, moves: &[&str]) {
        for (ply, text) in (0..).zip(moves) {
            let mover = if ply % 2 == 0 { ANNA } else { BORIS };
            let effects = self.plays(mover, ply, text);
            assert!(effects.len() > 1, "{effects:?}");
        }
    }

    /// Checks that a command is refused with `code`, to the sender alone.
    pub(crate) fn refuses(&mut self, who: ClientId, command: Command, code: ErrorCode) {
        match &self.does(who, command)[..] {
            [Effect::Send(to, ServerMessage::Error { code: told, .. })] => {
                assert_eq!((*to, *told), (who, code));
            }
            other => panic!("expected {code:?}, got {other:?}"),
        }
    }
}

pub(crate) fn token() -> DirectorToken {
    DirectorToken::new("secret")
}

/// A game from the start without clocks: Anna has White, Boris Black.
pub(crate) fn arrangement(game: u64) -> GameSetup {
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

/// What is told of offers, in order: what became of them, which, and the colour that is told.
pub(crate) fn news(effects: &[Effect]) -> Vec<(&'static str, Offer, Color)> {
    let news = |effect: &Effect| match *effect {
        Effect::Broadcast(ServerMessage::Offered { offer, by, .. }) => Some(("offered", offer, by)),
        Effect::Broadcast(ServerMessage::Declined { offer, by, .. }) => {
            Some(("declined", offer, by))
        }
        Effect::Broadcast(ServerMessage::Lapsed { offer, by, .. }) => Some(("lapsed", offer, by)),
        _ => None,
    };
    let news = effects.iter().filter_map(news);
    news.map(|(what, offer, by)| (what, offer, by.into()))
        .collect()
}

/// The game that starts among the effects.
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
        .expect("the players are told")
        .into_iter()
        .map(role)
        .collect()
}

pub(crate) fn told(effects: &[Effect], to: ClientId) -> Vec<&ServerMessage> {
    let message = |effect| match effect {
        &Effect::Send(who, ref message) if who == to => Some(message),
        _ => None,
    };
    effects.iter().filter_map(message).collect()
}

/// How a game ended: result, reason, article, plies.
pub(crate) type End = (GameResult, EndReason, Option<String>, u32);

/// The end of a game among the effects.
pub(crate) fn end(effects: &[Effect]) -> Option<End> {
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

/// Who was asked for a move, at which ply, and the moves offered.
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
    request.expect("somebody is asked")
}
