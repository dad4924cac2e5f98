//! The reports of a run: one line each on stdout, for people or as JSON.

use std::fmt;
use std::io::{self, Write};

use checkers_engine::Score;
use checkers_lib::Color;
use checkers_lib::protocol::{EndReason, GameResult, WireColor, WireLine};
use serde::{Deserialize, Serialize};

use crate::tally::GameVerdict;

/// One piece of news about a run. With `--json` each is one line; its `Display` is the line for
/// people. Times are in microseconds, scores in the engine's unit for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Report {
    /// The bot has its first seat.
    Started {
        /// The name the server knows it by.
        name: String,
        /// Its spec in the canonical form.
        bot: String,
        /// The side it plays in its first game.
        color: WireColor,
    },
    /// The bot has a table of its own.
    Table {
        /// Its id, by which others find it.
        table: String,
    },
    /// The connection is lost, or did not come about again.
    Disconnected {
        /// Why, for people.
        message: String,
        /// In how many milliseconds the bot tries to come back.
        retry_ms: u64,
    },
    /// The bot is on the server again.
    Reconnected {
        /// Whether the server has known it again and has kept its game.
        resumed: bool,
    },
    /// The server has played the bot's move.
    Move {
        /// The number of the game on the server.
        game: u64,
        /// How many moves had been played before this one.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        text: String,
        /// What the search thinks of it.
        score: i32,
        /// How deep it searched, in plies.
        depth: u32,
        /// How many positions it visited.
        nodes: u64,
        /// How long it took, without the delay.
        time_us: u64,
        /// The play it expects, this move first.
        pv: WireLine,
        /// Whether the move comes from its opening book, without a search.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        book: bool,
    },
    /// A game is over.
    Game {
        /// The number of the game on the server.
        game: u64,
        /// The side the bot had.
        color: WireColor,
        /// The opponent's name.
        opponent: String,
        /// The winner, if there is one.
        result: GameResult,
        /// Why.
        reason: EndReason,
        /// The moves of both sides.
        plies: u32,
        /// The bot's own moves; the two times are about them, 0 if there are none.
        moves: u32,
        /// The mean time per move.
        mean_us: u64,
        /// The longest time.
        max_us: u64,
    },
    /// The reader was so slow that reports were left out before the next one.
    Missed {
        /// How many.
        reports: u64,
    },
    /// Every game is played.
    Done {
        /// How many: the sum of the next four.
        games: u32,
        /// Games the bot won.
        wins: u32,
        /// Games it lost.
        losses: u32,
        /// Drawn games.
        draws: u32,
        /// Games that a player left.
        interrupted: u32,
        /// The mean time per move over all games, 0 without a move.
        mean_us: u64,
        /// The longest time of all games.
        max_us: u64,
    },
    /// The run failed; nothing follows.
    Failed {
        /// The code the process exits with.
        code: i32,
        /// Why, for people.
        message: String,
    },
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Report::Started { name, bot, color } => {
                write!(f, "{name} plays {} with {bot}", Color::from(*color))
            }
            Report::Table { table } => write!(f, "waiting at table {table}"),
            Report::Disconnected { message, retry_ms } => {
                write!(f, "{message}; trying again in {retry_ms} ms")
            }
            Report::Reconnected { resumed: true } => f.write_str("back on the server"),
            Report::Reconnected { resumed: false } => {
                f.write_str("back on the server, which has not kept the seat")
            }
            Report::Move {
                game,
                ply,
                text,
                score,
                depth,
                nodes,
                time_us,
                pv: _,
                book,
            } => {
                let found = if *book {
                    "book".to_owned()
                } else {
                    format!("depth {depth:>2}")
                };
                write!(
                    f,
                    "game {game} ply {ply:>3}  {text:<11} {found:<8}  score {:>8}  nodes {nodes:>10}  {:>10}",
                    Score::new(*score).to_string(),
                    Millis(*time_us).to_string(),
                )
            }
            Report::Game {
                game,
                color,
                opponent,
                result,
                reason,
                plies,
                moves,
                mean_us,
                max_us,
            } => write!(
                f,
                "game {game} as {} against {opponent}: {}, {} after {plies} plies; \
                 {moves} moves, mean {}, max {}",
                Color::from(*color),
                GameVerdict::of(*result, (*color).into()),
                phrase(*reason),
                Millis(*mean_us),
                Millis(*max_us),
            ),
            Report::Missed { reports: 1 } => {
                f.write_str("1 report was left out: the reader was too slow")
            }
            Report::Missed { reports } => {
                write!(
                    f,
                    "{reports} reports were left out: the reader was too slow"
                )
            }
            Report::Done {
                games: _,
                wins,
                losses,
                draws,
                interrupted,
                mean_us,
                max_us,
            } => write!(
                f,
                "total: {wins} won, {losses} lost, {draws} drawn, \
                 {interrupted} interrupted; mean {}, max {} per move",
                Millis(*mean_us),
                Millis(*max_us),
            ),
            Report::Failed { code, message } => write!(f, "failed with code {code}: {message}"),
        }
    }
}

/// Where reports go: a writer, each report a line of its own and flushed at once.
#[derive(Debug)]
pub struct ReportOutput<W> {
    sink: W,
    format: ReportFormat,
    /// How many reports the writer did not take since it took one.
    missed: u64,
}

/// How reports are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// For people.
    Text,
    /// One JSON object per line.
    Json,
    /// Not at all.
    Quiet,
}

impl<W: Write> ReportOutput<W> {
    /// Writes to `sink`.
    pub fn new(sink: W, format: ReportFormat) -> ReportOutput<W> {
        ReportOutput {
            sink,
            format,
            missed: 0,
        }
    }

    /// Writes one report. A writer that fails with [`io::ErrorKind::WouldBlock`] misses it; before
    /// its next report it gets the number of missed ones. People find failures on stderr, so that
    /// only JSON has a line for them.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&mut self, report: &Report) -> io::Result<()> {
        let reports = self.missed;
        let written = match reports {
            0 => Ok(()),
            _ => self.put(&Report::Missed { reports }),
        };
        let written = written.and_then(|()| {
            self.missed = 0;
            self.put(report)
        });
        match written {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.missed += 1;
                Ok(())
            }
            written => written,
        }
    }

    /// The writer. It has got everything except the number of reports that it missed last.
    pub fn into_sink(self) -> W {
        self.sink
    }

    fn put(&mut self, report: &Report) -> io::Result<()> {
        let line = match (self.format, report) {
            (ReportFormat::Quiet, _) | (ReportFormat::Text, Report::Failed { .. }) => return Ok(()),
            (ReportFormat::Text, _) => format!("{report}\n"),
            (ReportFormat::Json, _) => format!("{}\n", serde_json::to_string(report)?),
        };
        self.sink.write_all(line.as_bytes())?;
        self.sink.flush()
    }
}

/// Microseconds, written in milliseconds.
struct Millis(u64);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03} ms", self.0 / 1000, self.0 % 1000)
    }
}

fn phrase(reason: EndReason) -> &'static str {
    match reason {
        EndReason::NoPieces => "no pieces left",
        EndReason::NoMoves => "no legal move",
        EndReason::Resignation => "resignation",
        EndReason::Time => "time",
        EndReason::TimeAgainstKing => "time, king against king",
        EndReason::Repetition => "repetition (article 7.2.3)",
        EndReason::KingsAgainstKing => "kings against king (article 7.2.4)",
        EndReason::KingMoves => "king moves only (article 7.2.5)",
        EndReason::NoProgress => "no progress (article 7.2.6)",
        EndReason::MainRoad => "main road (article 7.2.7)",
        EndReason::FewPieces => "few pieces (article 7.2.8)",
        EndReason::PlyLimit => "ply limit",
        EndReason::Agreement => "agreement",
        EndReason::PlayerLeft => "a player left",
        EndReason::Abandoned => "a player stayed away",
        EndReason::Aborted => "called off",
        EndReason::Adjudication => "adjudication",
        EndReason::Forfeit => "forfeit",
    }
}
