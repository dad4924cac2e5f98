//! A season as a file that others can check: JSON Lines with a head, the games, the latest first, and the standings
//! that follow from them.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead};
use std::sync::Arc;

use checkers_lib::protocol::{EndReason, GameRecord, GameResult};
use checkers_lib::{ByColor, DrawRules, Game, Position};
use event_store::{ArchiveFilter, ReadError, Store, all_games};
use futures::{Stream, StreamExt, TryStreamExt, stream};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use tokio_util::bytes::Bytes;
use tracing::warn;

use super::choices::names;
use super::regret::Regret;
use super::standings::{GroupedGames, Standing, Standings};
use super::{Season, SeasonError};
use crate::ratings::{LEVELS, Speed};
use crate::table::{CompactRecord, clock_of_both};

/// The format, as the first line names it.
const FORMAT: &str = "checkers-ladder 1";

/// A line of the file of a season.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub(crate) enum SeasonLine {
    /// The first line.
    Head(SeasonHead),
    /// A game.
    Game(Box<GameRecord>),
    /// The last line: without it, the file is not complete.
    End(SeasonEnd),
}

/// What the file is.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct SeasonHead {
    /// `checkers-ladder 1`.
    format: String,
    /// The month, UTC, such as `2026-11`, or the id of a private ladder.
    season: String,
    /// The fixed ratings of the levels, from 1 on.
    levels: Vec<i32>,
}

/// What follows from the games.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct SeasonEnd {
    /// How many games the file has.
    games: u64,
    /// The players by class of time controls, the strongest first, then those without a rating, by their scores.
    standings: BTreeMap<String, Vec<LadderPlayer>>,
}

/// A player of the ladder.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct LadderPlayer {
    /// The name; for a bot of the server, its level or specification, such as `level 5`.
    name: String,
    /// Whether the server plays it.
    server: bool,
    /// In Elo, on the scale of the levels, whose ratings are fixed; absent if the games do not determine it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<f64>,
    /// The lower end of the middle 95 % of the ratings that the games allow; absent for a level, and if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    /// The upper end, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    /// Why there is no rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrated: Option<String>,
    /// Moves that the player had a choice about in positions of up to five pieces.
    ending_moves: i64,
    /// Points that these moves lost in a hundred, against the exact tablebases; absent without such moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    ending_lost: Option<f64>,
    won: u32,
    drawn: u32,
    lost: u32,
}

/// The games of a season so far.
#[derive(Debug, Default)]
struct SeasonTally {
    games: u64,
    /// By the players, the clock and the result.
    groups: BTreeMap<[String; 4], GroupedGames>,
}

/// What a file says that was checked.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) season: Season,
    pub(super) games: u64,
}

/// Why a file is not what a season was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LadderFileError {
    #[error("cannot read the file")]
    Read(#[from] io::Error),
    #[error("this is no season of the ladder: expected {FORMAT:?} in the first line")]
    Format,
    #[error("the season is wrong")]
    Season(#[from] SeasonError),
    #[error("line {line} cannot be read")]
    Line {
        line: usize,
        #[source]
        source: serde_json::Error,
    },
    #[error("the file is not complete: it ends without standings")]
    Incomplete,
    #[error("the file goes on after the standings")]
    Continues,
    #[error("game {id}: {problem}")]
    Game { id: String, problem: &'static str },
    #[error("the file has {found} games and says that it has {stated}")]
    Games { found: u64, stated: u64 },
    #[error("the file has standings of an unknown class")]
    Classes,
    #[error("the {0} standings do not follow from the games")]
    Standings(&'static str),
}

impl From<&Standing> for LadderPlayer {
    fn from(standing: &Standing) -> LadderPlayer {
        let tenths = |elo: f64| (elo * 10.0).round() / 10.0;
        let hundredths = |points: f64| (points * 100.0).round() / 100.0;
        let interval = standing.interval.unwrap_or_default();
        LadderPlayer {
            name: standing.name.clone(),
            server: standing.is_of_server,
            rating: standing.rating.ok().map(tenths),
            low: interval.low.map(tenths),
            high: interval.high.map(tenths),
            unrated: standing.rating.err().map(|reason| reason.to_string()),
            ending_moves: standing.regret.moves,
            ending_lost: standing.regret.per_100_moves().map(hundredths),
            won: standing.games.wins,
            drawn: standing.games.draws,
            lost: standing.games.losses,
        }
    }
}

impl SeasonTally {
    fn add(&mut self, record: &GameRecord) {
        let ByColor { white, black } = names(record).map(str::to_owned);
        let group = GroupedGames {
            white,
            black,
            clock: clock_of_both(record.white_clock.as_deref(), record.black_clock.as_deref()),
            result: record.result.name().to_owned(),
            ..GroupedGames::default()
        };
        let [white, black] = [&group.white, &group.black].map(String::clone);
        let key = [white, black, group.clock.clone(), group.result.clone()];
        let group = self.groups.entry(key).or_insert(group);
        let regret = Regret::of(record);
        group.count += 1;
        group.regret.white.add(regret.white);
        group.regret.black.add(regret.black);
        self.games += 1;
    }

    fn end(&self, levels: &[i32]) -> SeasonEnd {
        let groups: Vec<GroupedGames> = self.groups.values().cloned().collect();
        let standings = Speed::LIVE.map(|speed| {
            let players = Standings::of(&groups, speed, levels).players;
            let players = players.iter().map(LadderPlayer::from).collect();
            (speed.name().to_owned(), players)
        });
        SeasonEnd {
            games: self.games,
            standings: standings.into(),
        }
    }
}

/// A season as a file, made while it is read. The games are those that have finished when it begins.
pub(crate) fn write(
    archive: Arc<dyn Store>,
    season: Season,
) -> impl Stream<Item = Result<Bytes, ReadError>> + Send + use<> {
    let filter = ArchiveFilter {
        event: Some(season.event()),
        ..ArchiveFilter::default()
    };
    let head = line(&SeasonLine::Head(SeasonHead {
        format: FORMAT.to_owned(),
        season: season.to_string(),
        levels: LEVELS.to_vec(),
    }));
    let games = all_games(archive, filter).boxed();
    let begin = (games, Some(SeasonTally::default()));
    let rest = stream::try_unfold(begin, |(mut games, tally)| async move {
        let Some(mut tally) = tally else {
            return Ok(None);
        };
        let Some(game) = games.try_next().await? else {
            let end = spawn_blocking(move || line(&SeasonLine::End(tally.end(&LEVELS)))).await;
            return Ok(Some((end.unwrap_or_default(), (games, None))));
        };
        let added = spawn_blocking(move || {
            let record = CompactRecord::read(&game.summary.document);
            let text = record.map(|record| {
                tally.add(&record);
                line(&SeasonLine::Game(Box::new(record)))
            });
            let text = text.unwrap_or_else(|error| {
                warn!(game = %game.stream, %error, "the game's document cannot be read");
                Bytes::new()
            });
            (text, tally)
        });
        // The runtime is shutting down: without its end, the file is not complete.
        let (text, tally) = added
            .await
            .map_or_else(|_| Default::default(), |(text, tally)| (text, Some(tally)));
        Ok(Some((text, (games, tally))))
    });
    stream::once(async { Ok(head) }).chain(rest)
}

fn line(line: &SeasonLine) -> Bytes {
    let mut line = serde_json::to_vec(line).expect("the keys are texts");
    line.push(b'\n');
    line.into()
}

/// Checks that the games of a file follow the rules, and that its standings follow from the games.
pub(super) fn check(file: impl BufRead) -> Result<Checked, LadderFileError> {
    let mut lines = (1..).zip(file.lines());
    let first = lines.next().map(|(_, line)| line).transpose()?;
    let head: SeasonHead =
        serde_json::from_str(&first.unwrap_or_default()).map_err(|_| LadderFileError::Format)?;
    if head.format != FORMAT {
        return Err(LadderFileError::Format);
    }
    let season: Season = head.season.parse()?;
    let (mut tally, mut ids) = (SeasonTally::default(), HashSet::new());
    while let Some((number, line)) = lines.next() {
        let line = line?;
        let unreadable = |source| LadderFileError::Line {
            line: number,
            source,
        };
        if line.starts_with("{\"games\":") {
            let stated: SeasonEnd = serde_json::from_str(&line).map_err(unreadable)?;
            if lines.next().is_some() {
                return Err(LadderFileError::Continues);
            }
            return compare(&tally.end(&head.levels), &stated).map(|()| Checked {
                season,
                games: tally.games,
            });
        }
        let record: GameRecord = serde_json::from_str(&line).map_err(unreadable)?;
        let is_new = ids.insert(record.id.clone());
        let is_of_season = record.event.as_deref() == Some(&season.event());
        let checked = match (is_new, is_of_season) {
            (false, _) => Err("it is in the file twice"),
            (_, false) => Err("it is of another season"),
            (true, true) => check_game(&record),
        };
        checked.map_err(|problem| LadderFileError::Game {
            id: record.id.clone(),
            problem,
        })?;
        tally.add(&record);
    }
    Err(LadderFileError::Incomplete)
}

fn compare(right: &SeasonEnd, stated: &SeasonEnd) -> Result<(), LadderFileError> {
    if right.games != stated.games {
        return Err(LadderFileError::Games {
            found: right.games,
            stated: stated.games,
        });
    }
    let differs =
        |speed: &Speed| right.standings.get(speed.name()) != stated.standings.get(speed.name());
    match Speed::LIVE.into_iter().find(differs) {
        Some(speed) => Err(LadderFileError::Standings(speed.name())),
        None if right.standings.len() != stated.standings.len() => Err(LadderFileError::Classes),
        None => Ok(()),
    }
}

/// Checks that all moves are legal, and that the result is that of the rules, if they end the game.
fn check_game(record: &GameRecord) -> Result<(), &'static str> {
    let start: Position = record
        .start_fen
        .parse()
        .map_err(|_| "the first position cannot be read")?;
    let rules: DrawRules = record
        .draw_rules
        .parse()
        .map_err(|_| "the draw rules are unknown")?;
    let mut game = Game::from_position(start, rules);
    for played in &record.moves {
        let m = game.position().parse_move(&played.text);
        let m = m.map_err(|_| "a move is not legal")?;
        game.play(m).map_err(|_| "it goes on after its end")?;
    }
    if game.position().to_string() != record.fen {
        return Err("the last position is another one");
    }
    let follows = match game.outcome() {
        Some(outcome) => {
            (record.result, record.reason) == (GameResult::from(outcome), EndReason::from(outcome))
        }
        None => is_possible(record.result, record.reason),
    };
    follows
        .then_some(())
        .ok_or("the result does not follow from the moves")
}

/// Whether a game that the rules do not end can end so, and count.
fn is_possible(result: GameResult, reason: EndReason) -> bool {
    let is_won = matches!(result, GameResult::WhiteWon | GameResult::BlackWon);
    match reason {
        EndReason::Resignation | EndReason::Time | EndReason::PlayerLeft | EndReason::Forfeit => {
            is_won
        }
        EndReason::Agreement | EndReason::TimeAgainstKing => result == GameResult::Draw,
        EndReason::Abandoned | EndReason::Adjudication => result != GameResult::Interrupted,
        _ => false,
    }
}
