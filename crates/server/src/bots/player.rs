//! A bot at a table: a client without a connection.

use std::future::pending;
use std::time::{Duration, Instant};

use checkers_engine::{Choice, Score};
use checkers_lib::protocol::{
    ClosedReason, ErrorCode, GameState, Meant, Offer, SearchInfo, ServerMessage, TableKind,
    TablePhase, WireClocks, WireLine,
};
use checkers_lib::{Color, SideClock};
use tracing::{debug, info};

use super::game_mirror::GameMirror;
use super::idle_timer::IdleTimer;
use super::offer_policy;
use super::pool::{SeatedBot, Thinking, Turn};
use super::request::{NAMESAKES, RequestedBot};
use crate::broadcast::{OutboxReader, Outgoing, outbox};
use crate::shard::{TableHandle, sleep_until};
use crate::store::TokenHash;
use crate::table::{ClientId, Command, JoinRequest, MoveRequest, View};

/// How long the end of a house game is to be seen before its table is closed.
const LAST_LOOK: Duration = Duration::from_secs(10);

/// The share of a clock that a bot takes at most to move at a pace that people can follow.
const PACE_SHARE: u32 = 20;

/// How bots behave, whatever they play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conduct {
    /// The time between two moves of games in which bots alone play.
    pub(super) pace: Duration,
    /// How long a bot stays where it does not play.
    pub(super) patience: Duration,
}

/// A bot at a table; [`BotPlayer::run`] plays until it leaves.
pub(super) struct BotPlayer {
    who: ClientId,
    table: TableHandle,
    /// Its seat, if it has one or is to have this one.
    color: Option<Color>,
    wanted: RequestedBot,
    /// What it is called here.
    name: String,
    /// Who has brought it, if not the server.
    host: Option<TokenHash>,
    bot: SeatedBot,
    conduct: Conduct,
    mirror: Option<GameMirror>,
    thinking: Option<Answer>,
    /// What its last search made of the game.
    score: Option<Score>,
    /// The game in which it has offered a draw.
    offered_draw_in: Option<u64>,
    idle_timer: IdleTimer,
}

/// A move that is being thought about.
struct Answer {
    ply: u32,
    thinking: Thinking,
    choice: Option<Choice>,
    /// When the move is to be played at the earliest.
    due: Instant,
}

/// Whether the bot stays at the table.
#[derive(PartialEq)]
enum Flow {
    GoOn,
    Leave,
}

impl BotPlayer {
    /// A bot on its way to a seat: this one, or else any that is free when it comes.
    pub(super) fn new(
        table: TableHandle,
        color: Option<Color>,
        wanted: RequestedBot,
        bot: SeatedBot,
        conduct: Conduct,
    ) -> BotPlayer {
        BotPlayer {
            // Connections are numbered from below.
            who: ClientId(u64::MAX - bot.number()),
            table,
            color,
            name: wanted.name(0),
            host: None,
            wanted,
            bot,
            conduct,
            mirror: None,
            thinking: None,
            score: None,
            offered_draw_in: None,
            idle_timer: IdleTimer::default(),
        }
    }

    /// The same for a bot that has had the seat before, under this name.
    pub(super) fn called(self, name: &str) -> BotPlayer {
        BotPlayer {
            name: name.to_owned(),
            ..self
        }
    }

    /// The same, brought by whoever has the key.
    pub(super) fn brought_by(self, host: Option<TokenHash>) -> BotPlayer {
        BotPlayer { host, ..self }
    }

    /// Comes in, plays as long as there is something to play, and goes.
    pub(super) async fn run(mut self) {
        let mut frames = self.come_in().await;
        self.wait_for_a_game();
        info!(table = self.table.id(), name = self.name, "a bot comes");
        let mut namesakes = 0;
        loop {
            let leaves = self.leaves();
            let flow = tokio::select! {
                outgoing = frames.next() => match outgoing {
                    Outgoing::Frame(frame) => match serde_json::from_str(frame.text()) {
                        Ok(ServerMessage::Error { code: ErrorCode::NameTaken, .. })
                            if namesakes < NAMESAKES =>
                        {
                            namesakes += 1;
                            self.name = self.wanted.name(namesakes);
                            frames = self.come_in().await;
                            Flow::GoOn
                        }
                        Ok(message) => self.hear(&message).await,
                        Err(_) => Flow::GoOn,
                    },
                    // The lobby does not know it.
                    Outgoing::Follow(_) => Flow::GoOn,
                    Outgoing::Stale => {
                        self.table.refresh(self.who).await;
                        Flow::GoOn
                    }
                    // The table is gone.
                    Outgoing::Closed => Flow::Leave,
                },
                choice = chosen(&mut self.thinking) => self.play(choice).await,
                () = self.bot.dismissed() => self.make_room(),
                () = sleep_until(leaves) => Flow::Leave,
            };
            if flow == Flow::Leave {
                break;
            }
        }
        debug!(table = self.table.id(), name = self.name, "a bot goes");
        self.command(Command::Exit).await;
        if self.is_in_house() {
            self.command(Command::Close(ClosedReason::Ended)).await;
        }
    }

    /// Comes in under its name and asks for the seat.
    async fn come_in(&self) -> OutboxReader {
        let (outbox, frames) = outbox();
        let join_request = JoinRequest {
            bot: Some(self.wanted.label.clone()),
            host: self.host,
            view: View::Game,
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

    /// Takes in what the table says.
    async fn hear(&mut self, message: &ServerMessage) -> Flow {
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
                self.wait_for_a_game();
                self.bot.rest();
            }
            ServerMessage::Players { players, .. } => {
                let is_alone = players.iter().all(|player| player.bot.is_some());
                self.idle_timer.see(is_alone, Instant::now());
            }
            ServerMessage::Error { code, message, .. } => return self.refused(*code, message),
            _ => {}
        }
        Flow::GoOn
    }

    /// Takes in a running game, which the bot plays or looks at.
    fn follow(&mut self, state: &GameState) {
        let rules = self.table.settings().rules;
        self.thinking = None;
        self.mirror = GameMirror::from_state(state, rules, &self.name);
        if let Some(mirror) = &self.mirror {
            self.color = Some(mirror.color);
            self.idle_timer.play();
            self.bot.wake();
        }
    }

    /// Begins to think about its move, if it is to move; its clock has run for so many
    /// milliseconds.
    fn think(&mut self, clocks: Option<&WireClocks>, thinking_ms: Option<u64>) {
        let Some(mirror) = self.mirror.as_ref().filter(|game| game.is_to_move()) else {
            return;
        };
        let now = Instant::now();
        let elapsed = Duration::from_millis(thinking_ms.unwrap_or_default());
        let clock = clocks.and_then(|clocks| clocks.side(mirror.color));
        let clock = clock.map(SideClock::from);
        let table = crc32fast::hash(self.table.id().as_bytes());
        let turn = Turn {
            game: mirror.game().clone(),
            clock,
            since: now.checked_sub(elapsed).unwrap_or(now),
            seed: u64::from(table) << 32 ^ mirror.number,
        };
        self.thinking = Some(Answer {
            ply: mirror.ply(),
            thinking: self.bot.think(turn),
            choice: None,
            due: now + self.pace(mirror.color, clock),
        });
    }

    /// How long the bot takes at least.
    fn pace(&self, color: Color, clock: Option<SideClock>) -> Duration {
        if self.plays_a_person(color) {
            return Duration::ZERO;
        }
        let spare = clock.map(|clock| clock.available() / PACE_SHARE);
        spare.map_or(self.conduct.pace, |spare| spare.min(self.conduct.pace))
    }

    fn plays_a_person(&self, color: Color) -> bool {
        let opponent = self.table.status().seats[!color].clone();
        opponent.is_none_or(|seat| seat.bot.is_none())
    }

    /// Plays what it has chosen.
    async fn play(&mut self, choice: Option<Choice>) -> Flow {
        let Some(answer) = self.thinking.take() else {
            return Flow::GoOn;
        };
        let (Some(choice), Some(mirror)) = (choice, &self.mirror) else {
            // There are no threads any more.
            return Flow::Leave;
        };
        self.score = Some(choice.score);
        let Some(m) = choice.best.filter(|_| mirror.ply() == answer.ply) else {
            return Flow::GoOn;
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
        Flow::GoOn
    }

    /// Offers a person a draw, once a game, if its own move has led to a dead draw.
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

    /// Answers what the other player offers.
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

    /// Takes in that the table has refused something. Without a seat there is nothing to do here.
    fn refused(&self, code: ErrorCode, message: &str) -> Flow {
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
            _ => Flow::GoOn,
        }
    }

    /// Stays for a while without a game.
    fn wait_for_a_game(&mut self) {
        self.score = None;
        self.idle_timer.rest(Instant::now());
    }

    /// When it goes if nothing happens.
    fn leaves(&self) -> Option<Instant> {
        self.idle_timer.ends(if self.is_in_house() {
            LAST_LOOK
        } else {
            self.conduct.patience
        })
    }

    /// Goes, as another bot has its place, unless a game has begun meanwhile.
    fn make_room(&self) -> Flow {
        if self.mirror.is_some() {
            Flow::GoOn
        } else {
            Flow::Leave
        }
    }

    /// Whether it plays so that there is something to see.
    fn is_in_house(&self) -> bool {
        self.table.settings().kind == TableKind::House
    }
}

/// Waits until the move that is being thought about is to be played. Cancelling loses nothing.
async fn chosen(answer: &mut Option<Answer>) -> Option<Choice> {
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
