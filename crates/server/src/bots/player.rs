//! A bot at a table: a client without a connection.

use std::future::pending;
use std::time::{Duration, Instant};

use checkers_engine::{Choice, Score};
use checkers_lib::protocol::{
    ClosedReason, ErrorCode, GameState, Meant, Offer, SearchInfo, ServerMessage, TableKind,
    TablePhase, WireClocks, WireLine,
};
use checkers_lib::{Color, SideClock};
use event_store::TokenHash;
use tracing::{debug, info};

use super::game_mirror::GameMirror;
use super::idle_timer::IdleTimer;
use super::offer_policy;
use super::pool::{BotTurn, SeatedBot, Thinking};
use super::request::{MAX_NAMESAKES, RequestedBot};
use crate::broadcast::{OutboxReader, Outgoing, outbox};
use crate::route::Place;
use crate::shard::{TableHandle, sleep_until};
use crate::table::{ClientId, Command, JoinRequest, MoveRequest, StateView};

/// How long a finished showcase game is shown before its table is closed.
const SHOWCASE_END_TIME: Duration = Duration::from_secs(10);

/// The part of the remaining time that a bot may spend to move at a pace that people can follow.
const PACE_SHARE: u32 = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BotTiming {
    /// The time per move in games between bots.
    pub(super) move_interval: Duration,
    /// How long a bot stays without a game.
    pub(super) idle_timeout: Duration,
}

/// A bot at a table; [`BotPlayer::run`] plays until it leaves.
pub(super) struct BotPlayer {
    who: ClientId,
    table: TableHandle,
    /// Its seat, or the seat it will take.
    color: Option<Color>,
    wanted: RequestedBot,
    /// Its name at this table.
    name: String,
    /// The client that requested it, if not the server.
    host: Option<TokenHash>,
    bot: SeatedBot,
    timing: BotTiming,
    mirror: Option<GameMirror>,
    thinking: Option<PendingMove>,
    /// The score of its last search.
    score: Option<Score>,
    /// The game in which it last offered a draw.
    offered_draw_in: Option<u64>,
    idle_timer: IdleTimer,
}

/// A move that is being searched.
struct PendingMove {
    ply: u32,
    thinking: Thinking,
    choice: Option<Choice>,
    /// The earliest time to play the move.
    due: Instant,
}

/// Whether the bot stays at the table.
#[derive(PartialEq)]
enum Flow {
    Stay,
    Leave,
}

impl BotPlayer {
    /// A bot that will take this seat, or else any free one.
    pub(super) fn new(
        table: TableHandle,
        color: Option<Color>,
        wanted: RequestedBot,
        bot: SeatedBot,
        timing: BotTiming,
    ) -> BotPlayer {
        BotPlayer {
            // Connections count up from 1.
            who: ClientId(u64::MAX - bot.number()),
            table,
            color,
            name: wanted.name(0),
            host: None,
            wanted,
            bot,
            timing,
            mirror: None,
            thinking: None,
            score: None,
            offered_draw_in: None,
            idle_timer: IdleTimer::default(),
        }
    }

    /// Sets the name, for a bot that had the seat before a restart.
    pub(super) fn with_name(self, name: &str) -> BotPlayer {
        BotPlayer {
            name: name.to_owned(),
            ..self
        }
    }

    /// Sets the client that requested it.
    pub(super) fn with_host(self, host: Option<TokenHash>) -> BotPlayer {
        BotPlayer { host, ..self }
    }

    /// Enters, plays until it has nothing to do, and leaves.
    pub(super) async fn run(mut self) {
        let mut frames = self.enter().await;
        self.start_idling();
        info!(
            table = self.table.id(),
            name = self.name,
            "a bot joins the table"
        );
        let mut namesakes = 0;
        loop {
            let leave_at = self.leave_at();
            let flow = tokio::select! {
                outgoing = frames.next() => match outgoing {
                    Outgoing::Frame(frame) => match serde_json::from_str(frame.text()) {
                        Ok(ServerMessage::Error { code: ErrorCode::NameTaken, .. })
                            if namesakes < MAX_NAMESAKES =>
                        {
                            namesakes += 1;
                            self.name = self.wanted.name(namesakes);
                            frames = self.enter().await;
                            Flow::Stay
                        }
                        Ok(message) => self.handle_message(&message).await,
                        Err(_) => Flow::Stay,
                    },
                    // Only the lobby sends these, and bots are not its clients.
                    Outgoing::Command(_) => Flow::Stay,
                    Outgoing::Stale => {
                        self.table.refresh(self.who).await;
                        Flow::Stay
                    }
                    Outgoing::Closed if self.table.place() == Place::Here => Flow::Leave,
                    // The table has moved to another node, which seats the bot again.
                    Outgoing::Closed => return,
                },
                choice = next_choice(&mut self.thinking) => self.play(choice).await,
                () = self.bot.dismissed() => self.handle_dismissal(),
                () = sleep_until(leave_at) => Flow::Leave,
            };
            if flow == Flow::Leave {
                break;
            }
        }
        debug!(
            table = self.table.id(),
            name = self.name,
            "a bot leaves the table"
        );
        self.command(Command::Exit).await;
        if self.is_showcase() {
            self.command(Command::Close(ClosedReason::Ended)).await;
        }
    }

    /// Enters the table and requests a seat.
    async fn enter(&self) -> OutboxReader {
        let (outbox, frames) = outbox();
        let join_request = JoinRequest {
            bot: Some(self.wanted.label.clone()),
            host: self.host,
            view: StateView::Game,
            wants_moves: false,
            ..JoinRequest::named(&self.name)
        };
        self.table.enter(self.who, outbox, join_request).await;
        let seat = self.color.map(Command::TakeSeat);
        self.command(seat.unwrap_or(Command::TakeAnySeat(Color::White)))
            .await;
        frames
    }

    async fn command(&self, command: Command) {
        self.table.command(self.who, command).await;
    }

    /// Handles a message of the table.
    async fn handle_message(&mut self, message: &ServerMessage) -> Flow {
        match message {
            ServerMessage::GameStarted(state) | ServerMessage::GameState(state) => {
                self.follow(state);
            }
            ServerMessage::TableState(table) => {
                let running = table.info.state == TablePhase::Running;
                if let Some(state) = table.state.as_ref().filter(|_| running) {
                    self.follow(state);
                    self.think(state.clocks.as_ref(), state.thinking_ms);
                }
            }
            ServerMessage::YourTurn {
                ply,
                clocks,
                thinking_ms,
                ..
            } => {
                if self.mirror.as_ref().is_some_and(|game| game.ply() == *ply) {
                    self.think(clocks.as_ref(), *thinking_ms);
                } else {
                    self.command(Command::Sync(None)).await;
                }
            }
            ServerMessage::Moved { played, .. } => {
                self.thinking = None;
                let mirror = self.mirror.as_mut();
                if mirror.is_some_and(|game| game.play(played).is_none()) {
                    self.command(Command::Sync(None)).await;
                } else {
                    self.offer_draw().await;
                }
            }
            ServerMessage::TookBack { ply, .. } => {
                self.thinking = None;
                let mirror = self.mirror.as_mut();
                if mirror.is_some_and(|game| game.take_back(*ply).is_none()) {
                    self.command(Command::Sync(None)).await;
                }
            }
            ServerMessage::Offered {
                game, offer, by, ..
            } => self.answer(*game, *offer, (*by).into()).await,
            ServerMessage::GameOver { .. } => {
                self.thinking = None;
                self.mirror = None;
                self.start_idling();
                self.bot.set_idle();
            }
            ServerMessage::Players { players, .. } => {
                let is_alone = players.iter().all(|player| player.bot.is_some());
                self.idle_timer.set_alone(is_alone, Instant::now());
            }
            ServerMessage::Error { code, message, .. } => {
                return self.handle_refusal(*code, message);
            }
            _ => {}
        }
        Flow::Stay
    }

    /// Copies a running game, which the bot plays or watches.
    fn follow(&mut self, state: &GameState) {
        let rules = self.table.settings().rules;
        self.thinking = None;
        self.mirror = GameMirror::from_state(state, rules, &self.name);
        if let Some(mirror) = &self.mirror {
            self.color = Some(mirror.color);
            self.idle_timer.stop();
            self.bot.set_playing();
        }
    }

    /// Starts to search, if the bot is to move; its clock has run for `thinking_ms` milliseconds.
    fn think(&mut self, clocks: Option<&WireClocks>, thinking_ms: Option<u64>) {
        let Some(mirror) = self.mirror.as_ref().filter(|game| game.is_to_move()) else {
            return;
        };
        let now = Instant::now();
        let elapsed = Duration::from_millis(thinking_ms.unwrap_or_default());
        let clock = clocks.and_then(|clocks| clocks.side(mirror.color));
        let clock = clock.map(SideClock::from);
        let table = crc32fast::hash(self.table.id().as_bytes());
        let turn = BotTurn {
            game: mirror.game().clone(),
            clock,
            since: now.checked_sub(elapsed).unwrap_or(now),
            seed: u64::from(table) << 32 ^ mirror.number,
        };
        self.thinking = Some(PendingMove {
            ply: mirror.ply(),
            thinking: self.bot.think(turn),
            choice: None,
            due: now + self.pace(mirror.color, clock),
        });
    }

    /// The minimum time for the move.
    fn pace(&self, color: Color, clock: Option<SideClock>) -> Duration {
        if self.plays_a_person(color) {
            return Duration::ZERO;
        }
        let limit = clock.map(|clock| clock.available() / PACE_SHARE);
        let interval = self.timing.move_interval;
        limit.map_or(interval, |limit| limit.min(interval))
    }

    fn plays_a_person(&self, color: Color) -> bool {
        let opponent = self.table.status().seats[!color].clone();
        opponent.is_none_or(|seat| seat.bot.is_none())
    }

    /// Plays the move that was found.
    async fn play(&mut self, choice: Option<Choice>) -> Flow {
        let Some(answer) = self.thinking.take() else {
            return Flow::Stay;
        };
        let (Some(choice), Some(mirror)) = (choice, &self.mirror) else {
            // The pool is gone.
            return Flow::Leave;
        };
        self.score = Some(choice.score);
        let Some(m) = choice.best.filter(|_| mirror.ply() == answer.ply) else {
            return Flow::Stay;
        };
        let move_request = MoveRequest {
            game: Some(mirror.number),
            ply: answer.ply,
            text: mirror.game().position().notation(m),
            search: Some(SearchInfo {
                score: choice.score.value(),
                depth: choice.depth,
                nodes: choice.nodes,
                time_us: u64::try_from(choice.time.as_micros()).unwrap_or(u64::MAX),
                pv: WireLine::new(mirror.game().position(), &choice.pv),
            }),
            ..MoveRequest::default()
        };
        self.command(Command::Move(move_request)).await;
        Flow::Stay
    }

    /// Offers a person a draw if its own move has led to a dead draw, once a game.
    async fn offer_draw(&mut self) {
        let Some(mirror) = &self.mirror else {
            return;
        };
        let (game, color) = (mirror.game(), mirror.color);
        let number = Some(mirror.number);
        if mirror.is_to_move()
            || game.outcome().is_some()
            || self.offered_draw_in == number
            || !offer_policy::is_dead_draw(game.position())
            || !self.plays_a_person(color)
        {
            return;
        }
        self.offered_draw_in = number;
        let meant = Meant { game: number };
        self.command(Command::Offer(Offer::Draw, meant)).await;
    }

    /// Answers an offer of the opponent.
    async fn answer(&mut self, game: u64, offer: Offer, by: Color) {
        let is_to_answer = match (offer, &self.mirror) {
            (Offer::Rematch, None) => self.color.is_some_and(|own| by != own),
            (Offer::Draw | Offer::Takeback, Some(mirror)) => {
                mirror.number == game && by != mirror.color
            }
            (Offer::Rematch, Some(_)) | (Offer::Draw | Offer::Takeback, None) => false,
        };
        if !is_to_answer {
            return;
        }
        let agrees = self.mirror.as_ref().is_none_or(|mirror| {
            let (position, own) = (mirror.game().position(), mirror.color);
            offer_policy::agrees(offer, position, own, self.score, mirror.ply())
        });
        let meant = Meant { game: Some(game) };
        self.command(if agrees {
            Command::Accept(offer, meant)
        } else {
            Command::Decline(offer, meant)
        })
        .await;
    }

    /// Handles a refusal. Without a seat the bot leaves.
    fn handle_refusal(&self, code: ErrorCode, message: &str) -> Flow {
        debug!(
            table = self.table.id(),
            name = self.name,
            ?code,
            message,
            "a bot is refused"
        );
        match code {
            ErrorCode::NameTaken
            | ErrorCode::BadName
            | ErrorCode::SeatTaken
            | ErrorCode::Forbidden => Flow::Leave,
            _ => Flow::Stay,
        }
    }

    /// Starts to wait for a game.
    fn start_idling(&mut self) {
        self.score = None;
        self.idle_timer.start(Instant::now());
    }

    /// When it leaves if no game starts.
    fn leave_at(&self) -> Option<Instant> {
        self.idle_timer.deadline(if self.is_showcase() {
            SHOWCASE_END_TIME
        } else {
            self.timing.idle_timeout
        })
    }

    /// Leaves, since its seat went to another bot, unless a game has started.
    fn handle_dismissal(&self) -> Flow {
        if self.mirror.is_some() {
            Flow::Stay
        } else {
            Flow::Leave
        }
    }

    /// Whether it plays a showcase game.
    fn is_showcase(&self) -> bool {
        self.table.settings().kind == TableKind::Showcase
    }
}

/// Waits until the move is found and due. Cancel safe.
async fn next_choice(answer: &mut Option<PendingMove>) -> Option<Choice> {
    let Some(answer) = answer else {
        return pending().await;
    };
    if answer.choice.is_none() {
        answer.choice = (&mut answer.thinking).await;
    }
    answer.choice.as_ref()?;
    sleep_until(Some(answer.due)).await;
    answer.choice.take()
}
