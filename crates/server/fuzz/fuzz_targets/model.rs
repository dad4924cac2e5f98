//! A model of a table that predicts seats, turns and legal moves, and copies the rest.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{EndReason, GameResult, Meant, Offer, ServerMessage};
use checkers_lib::{ByColor, Color, DrawRules, Game};
use checkers_server::table::{ClientId, Command, Effect, JoinRequest, MoveRequest, Table};
use event_store::TokenHash;

/// A random step: an action of a client, or a timeout.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(fuzzing, derive(arbitrary::Arbitrary))]
pub(crate) enum Step {
    /// Joins, possibly replacing an earlier connection.
    Enter(u8),
    Disconnect(u8),
    Exit(u8),
    TakeSeat(u8, bool),
    LeaveSeat(u8),
    /// Plays a legal or an illegal move.
    Move(u8, u8),
    Resign(u8),
    Abort(u8),
    Offer(u8, FuzzAction),
    Accept(u8, FuzzAction),
    Decline(u8, FuzzAction),
    Sync(u8),
    Wait(u16),
}

#[derive(Clone, Copy, Debug)]
#[cfg_attr(fuzzing, derive(arbitrary::Arbitrary))]
pub(crate) enum FuzzAction {
    Draw,
    Takeback,
    Rematch,
}

impl From<FuzzAction> for Offer {
    fn from(action: FuzzAction) -> Offer {
        match action {
            FuzzAction::Draw => Offer::Draw,
            FuzzAction::Takeback => Offer::Takeback,
            FuzzAction::Rematch => Offer::Rematch,
        }
    }
}

/// The number of clients.
const CLIENTS: u8 = 4;

/// Steps are short, so that no timeout occurs.
const LONGEST: Duration = Duration::from_secs(50);

pub(crate) struct Model {
    table: Table,
    began: Instant,
    now: Instant,
    /// The number of connections so far.
    connections: u64,
    /// The current connection of each client.
    inside: [Option<ClientId>; CLIENTS as usize],
    seats: ByColor<Option<usize>>,
    game: Option<Game>,
    /// The last game and its players, until the next one starts.
    over: Option<(Game, ByColor<Option<usize>>)>,
    /// The side with an open draw offer.
    draw_offers: ByColor<bool>,
    /// The game and number of the last recorded event.
    remembered: (u64, u32),
}

impl Model {
    pub(crate) fn new() -> Model {
        let now = Instant::now();
        Model {
            table: Table::new("main", DrawRules::Fmjd64),
            began: now,
            now,
            connections: 0,
            inside: [None; CLIENTS as usize],
            seats: ByColor::default(),
            game: None,
            over: None,
            draw_offers: ByColor::default(),
            remembered: (0, 0),
        }
    }

    /// Performs a step and checks its effects.
    pub(crate) fn take(&mut self, step: Step) {
        match step {
            Step::Enter(client) => self.enter(client),
            Step::Disconnect(client) => self.disconnect(client),
            Step::Exit(client) => self.exit(client),
            Step::TakeSeat(client, is_white) => self.take_seat(client, is_white),
            Step::LeaveSeat(client) => self.leave_seat(client),
            Step::Move(client, choice) => self.play(client, choice),
            Step::Resign(client) => self.resign(client),
            Step::Abort(client) => self.abort(client),
            Step::Offer(client, action) => self.offer(client, action.into()),
            Step::Accept(client, action) => self.accept(client, action.into()),
            Step::Decline(client, action) => self.decline(client, action.into()),
            Step::Sync(client) => self.sync(client),
            Step::Wait(milliseconds) => self.wait(milliseconds),
        }
    }

    fn enter(&mut self, client: u8) {
        let client = usize::from(client % CLIENTS);
        self.connections += 1;
        let who = ClientId(self.connections);
        let key = TokenHash([client as u8; 32]);
        let join_request =
            JoinRequest::named(["anna", "boris", "clara", "dora"][client]).with_key(key);
        let effects = self
            .table
            .handle(who, Command::Enter(join_request), self.now);
        let releases = effects.iter().find_map(|effect| match effect {
            Effect::Detach(earlier) => Some(*earlier),
            _ => None,
        });
        assert_eq!(releases, self.inside[client], "the earlier connection goes");
        self.inside[client] = Some(who);
        self.follow(&effects, who, Some(true));
        assert!(self.table.has(who));
    }

    fn disconnect(&mut self, client: u8) {
        let (client, who) = self.client(client);
        self.inside[client] = None;
        let seats = self.seats;
        self.does(who, Command::Disconnect, None);
        assert_eq!(self.seats, seats, "a seat is kept");
    }

    fn exit(&mut self, client: u8) {
        let (client, who) = self.client(client);
        let was_inside = self.inside[client].take().is_some();
        self.does(who, Command::Exit, None);
        if was_inside {
            self.gets_up(client);
        }
    }

    fn take_seat(&mut self, client: u8, is_white: bool) {
        let (client, who) = self.client(client);
        let color = if is_white { Color::White } else { Color::Black };
        let may = self.inside[client].is_some()
            && self.game.is_none()
            && self.seat_of(client).is_none()
            && self.seats[color].is_none();
        if may {
            self.seats[color] = Some(client);
        }
        let begins = may && Color::ALL.iter().all(|&side| self.seats[side].is_some());
        self.does(who, Command::TakeSeat(color), Some(may));
        assert_eq!(self.game.is_some(), begins || (self.game.is_some() && !may));
    }

    fn leave_seat(&mut self, client: u8) {
        let (client, who) = self.client(client);
        let may = self.inside[client].is_some() && self.seat_of(client).is_some();
        self.does(who, Command::LeaveSeat, Some(may));
        if may {
            self.gets_up(client);
        }
    }

    fn play(&mut self, client: u8, choice: u8) {
        let (client, who) = self.client(client);
        let Some(game) = &self.game else {
            return self.play_again(client, who);
        };
        let legal = game.legal_moves();
        // The last choice is an illegal move.
        let chosen = legal.get(usize::from(choice) % (legal.len() + 1)).copied();
        let text = chosen.map_or("a1-a1".to_owned(), |m| game.position().full_notation(m));
        let ply = game.ply() as u32;
        let is_on_turn = self.seat_of(client) == Some(game.turn());
        let may = self.inside[client].is_some() && is_on_turn && chosen.is_some();
        let mut expected = game.clone();
        if let Some(m) = chosen.filter(|_| may) {
            expected.play(m).expect("legal");
        }
        let move_request = MoveRequest {
            ply,
            text,
            ..MoveRequest::default()
        };
        self.does(who, Command::Move(move_request), Some(may));
        match expected.outcome() {
            Some(_) => assert!(self.game.is_none(), "the rules end the game"),
            None => {
                let played = self.game.as_ref().map(Game::position);
                assert_eq!(played, Some(expected.position()));
            }
        }
    }

    /// Resends White's usual first move while no game runs; acknowledged if it was played.
    fn play_again(&mut self, client: usize, who: ClientId) {
        let move_request = MoveRequest {
            text: "c3-d4".to_owned(),
            ..MoveRequest::default()
        };
        let is_known = self.over.as_ref().is_some_and(|(game, players)| {
            let start = Game::new(DrawRules::Fmjd64);
            let it = start
                .position()
                .parse_move(&move_request.text)
                .expect("legal");
            game.moves().first() == Some(&it)
                && players[Color::White] == Some(client)
                && self.inside[client].is_some()
        });
        self.does(who, Command::Move(move_request), Some(is_known));
    }

    fn resign(&mut self, client: u8) {
        let (client, who) = self.client(client);
        let may = self.is_playing(client);
        self.does(who, Command::Resign(Meant::default()), Some(may));
        assert!(!may || self.game.is_none());
    }

    fn abort(&mut self, client: u8) {
        let (client, who) = self.client(client);
        let may = self.is_playing(client) && self.game.as_ref().is_some_and(|game| game.ply() < 2);
        self.does(who, Command::Abort(Meant::default()), Some(may));
        assert!(!may || self.game.is_none());
    }

    fn offer(&mut self, client: u8, offer: Offer) {
        let (client, who) = self.client(client);
        let is_of_game = matches!(offer, Offer::Draw | Offer::Takeback);
        // The limits of offers are not modelled, so that a refusal is allowed.
        let outcome = (is_of_game && !self.is_playing(client)).then_some(false);
        self.does(who, Command::Offer(offer, Meant::default()), outcome);
    }

    fn accept(&mut self, client: u8, offer: Offer) {
        let (client, who) = self.client(client);
        let mut outcome = None;
        if offer == Offer::Draw {
            let opponent = self.seat_of(client).map(|side| !side);
            let is_offered = opponent.is_some_and(|side| self.draw_offers[side]);
            outcome = Some(self.is_playing(client) && is_offered);
        }
        self.does(who, Command::Accept(offer, Meant::default()), outcome);
        assert!(outcome != Some(true) || self.game.is_none());
    }

    fn decline(&mut self, client: u8, offer: Offer) {
        let (_, who) = self.client(client);
        self.does(who, Command::Decline(offer, Meant::default()), None);
    }

    fn sync(&mut self, client: u8) {
        let (client, who) = self.client(client);
        let may = self.inside[client].is_some();
        self.does(who, Command::Sync(None), Some(may));
    }

    fn wait(&mut self, milliseconds: u16) {
        let now = self.now + Duration::from_millis(milliseconds.into());
        if now - self.began > LONGEST {
            return;
        }
        self.now = now;
        let effects = self.table.handle_timeout(now);
        self.follow(&effects, ClientId(0), None);
    }

    /// A client and its connection, or an unknown connection.
    fn client(&self, client: u8) -> (usize, ClientId) {
        let client = usize::from(client % CLIENTS);
        (client, self.inside[client].unwrap_or(ClientId(u64::MAX)))
    }

    fn seat_of(&self, client: usize) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&side| self.seats[side] == Some(client))
    }

    fn is_playing(&self, client: usize) -> bool {
        self.inside[client].is_some() && self.game.is_some() && self.seat_of(client).is_some()
    }

    fn gets_up(&mut self, client: usize) {
        if let Some(side) = self.seat_of(client) {
            self.seats[side] = None;
        }
    }

    fn does(&mut self, who: ClientId, command: Command, is_taken: Option<bool>) {
        let effects = self.table.handle(who, command, self.now);
        self.follow(&effects, who, is_taken);
    }

    /// Handles the effects, and checks whether the command was accepted as predicted.
    fn follow(&mut self, effects: &[Effect], who: ClientId, is_taken: Option<bool>) {
        let is_refused = matches!(
            effects,
            [Effect::Send(to, ServerMessage::Error { .. })] if *to == who
        );
        if let Some(is_taken) = is_taken {
            assert_eq!(!is_refused, is_taken, "{effects:?}");
        }
        let mut records = 0;
        for effect in effects {
            match effect {
                Effect::Record(record) => {
                    let (game, seq) = self.remembered;
                    let next = if record.game == game { seq + 1 } else { 1 };
                    assert!(record.game >= game, "games are numbered upwards");
                    assert_eq!(record.seq, next, "events are numbered one by one");
                    self.remembered = (record.game, record.seq);
                    records += 1;
                }
                Effect::Broadcast(message) => {
                    assert!(
                        !is_event(message) || records > 0,
                        "told and not remembered: {message:?}"
                    );
                    self.hear(message);
                }
                _ => {}
            }
        }
    }

    fn hear(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::GameStarted(state) => {
                assert!(self.game.is_none(), "one game at a time");
                assert_eq!((state.game, state.ply), (self.remembered.0, 0));
                self.game = Some(Game::new(DrawRules::Fmjd64));
                self.over = None;
                self.seats = self.seats_of([&state.white, &state.black]);
                self.draw_offers = ByColor::default();
            }
            ServerMessage::Moved { played, fen, .. } => {
                let game = self.game.as_mut().expect("moves are of a game");
                let m = game.position().parse_move(&played.text).expect("a move");
                assert_eq!(u32::try_from(game.ply()), Ok(played.ply));
                game.play(m).expect("legal");
                assert_eq!(&game.position().to_string(), fen);
            }
            ServerMessage::TookBack { ply, fen, .. } => {
                let game = self.game.as_ref().expect("moves are of a game");
                let mut shorter = Game::new(DrawRules::Fmjd64);
                for &m in &game.moves()[..*ply as usize] {
                    shorter.play(m).expect("legal");
                }
                assert_eq!(&shorter.position().to_string(), fen);
                self.game = Some(shorter);
            }
            ServerMessage::Offered {
                offer: Offer::Draw,
                by,
                ..
            } => {
                self.draw_offers[Color::from(*by)] = true;
            }
            ServerMessage::Declined {
                offer: Offer::Draw,
                by,
                ..
            } => self.draw_offers[!Color::from(*by)] = false,
            ServerMessage::Lapsed {
                offer: Offer::Draw,
                by,
                ..
            } => self.draw_offers[Color::from(*by)] = false,
            ServerMessage::GameOver { result, reason, .. } => {
                let game = self.game.take().expect("ends are of a game");
                if let Some(outcome) = game.outcome() {
                    assert_eq!((*result, *reason), (outcome.into(), outcome.into()));
                } else {
                    assert!(!reason.is_on_board(), "{reason:?}");
                }
                let is_draw = *result == GameResult::Draw;
                assert_eq!(
                    *reason == EndReason::Agreement,
                    is_draw && !reason.is_on_board()
                );
                self.over = Some((game, std::mem::take(&mut self.seats)));
            }
            _ => {}
        }
    }

    /// The players, by name.
    fn seats_of(&self, names: [&String; 2]) -> ByColor<Option<usize>> {
        let [white, black] = names.map(|name| {
            let known = ["anna", "boris", "clara", "dora"];
            known.iter().position(|known| known == name)
        });
        ByColor { white, black }
    }
}

/// Whether a message belongs to a recorded event.
fn is_event(message: &ServerMessage) -> bool {
    matches!(
        message,
        ServerMessage::GameStarted(_)
            | ServerMessage::Moved { .. }
            | ServerMessage::TookBack { .. }
            | ServerMessage::GameOver { .. }
    )
}
