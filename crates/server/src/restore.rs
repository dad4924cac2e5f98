//! Restores unfinished games after a restart.

use std::sync::Arc;
use std::time::{Duration, Instant};

use event_store::{EventLog, Health, ReadError, StreamDamage, StreamId, StreamRead, UnixMillis};
use tracing::{error, info};

use crate::table::event::{BadEvent, TableEvent, TakenOver};
use crate::table::{EventRecord, Policy, RestoreError, Table, TableSettings};

/// A table with an unfinished game.
#[derive(Debug)]
pub(crate) struct RestoredTable {
    /// The table, with its players disconnected.
    pub(crate) table: Table,
    /// When its game started, if it has.
    pub(crate) started: Option<UnixMillis>,
    /// When the turn of the side to move began.
    pub(crate) turn_began: Option<UnixMillis>,
    /// Whether the rest of its log is damaged: the table is then read-only.
    pub(crate) is_damaged: bool,
    /// The event to write first, if this server takes the game over from another one.
    pub(crate) taken_over: Option<EventRecord>,
}

impl From<Table> for RestoredTable {
    /// A new table.
    fn from(table: Table) -> RestoredTable {
        RestoredTable {
            table,
            started: None,
            turn_began: None,
            is_damaged: false,
            taken_over: None,
        }
    }
}

impl RestoredTable {
    /// Records in its game, if one is running, that this server takes it over from another one.
    pub(crate) fn take_over(&mut self, taken_over: TakenOver) {
        if !self.is_damaged {
            self.taken_over = self.table.take_over(taken_over);
        }
    }
}

/// Why a stream cannot be restored completely.
#[derive(Debug, thiserror::Error)]
enum RestoreFailure {
    #[error(transparent)]
    Damage(#[from] StreamDamage),
    #[error("event {seq} of stream {stream} {source}")]
    Event {
        stream: StreamId,
        seq: u32,
        source: BadEvent,
    },
    #[error("stream {stream}: {source}")]
    Order {
        stream: StreamId,
        source: RestoreError,
    },
    #[error("stream {stream} does not begin with a table that can be opened")]
    Table { stream: StreamId },
}

/// Restores the tables of all unfinished games, oldest first. `main` has the current settings of
/// the main table.
///
/// Problems of a stream are logged; its table has the state before the damage and is marked as
/// [damaged](RestoredTable::is_damaged).
///
/// # Errors
/// The log cannot be read. A log that is [read-only](Health::ReadOnly) is restored as far as
/// possible.
pub(crate) async fn restore_all(
    log: &dyn EventLog,
    main: &TableSettings,
    policy: Policy,
) -> Result<Vec<RestoredTable>, ReadError> {
    let mut tables = Vec::new();
    for stream in or_default_if_read_only(log, log.unfinished().await)? {
        tables.extend(restore_one(log, stream, main, policy).await?);
    }
    info!(tables = tables.len(), "unfinished games taken up");
    Ok(tables)
}

/// The same for one game; `None` if there is none.
///
/// # Errors
/// As [`restore_all`].
pub(crate) async fn restore_one(
    log: &dyn EventLog,
    stream: StreamId,
    main: &TableSettings,
    policy: Policy,
) -> Result<Option<RestoredTable>, ReadError> {
    let read = or_default_if_read_only(log, log.read(stream.clone()).await)?;
    Ok(read.and_then(|read| restore(&stream, &read, main, policy)))
}

/// The result, or nothing if a damaged log is open for reading only.
fn or_default_if_read_only<T: Default>(
    log: &dyn EventLog,
    read: Result<T, ReadError>,
) -> Result<T, ReadError> {
    match read {
        Err(error) if *log.health().borrow() == Health::ReadOnly => {
            error!(%error, "a part of the games cannot be looked at");
            Ok(T::default())
        }
        read => read,
    }
}

/// The number of the last game of a table that is in the log.
///
/// # Errors
/// The log cannot be read.
async fn last_game(log: &dyn EventLog, table: &str) -> Result<u64, ReadError> {
    let Ok(prefix) = format!("{table}-").parse() else {
        return Ok(0);
    };
    let latest = log.latest(prefix).await?;
    let number = latest.as_ref().and_then(number);
    Ok(number.unwrap_or(0))
}

/// The number of the game with this stream.
fn number(stream: &StreamId) -> Option<u64> {
    stream.as_str().rsplit_once('-')?.1.parse().ok()
}

fn restore(
    stream: &StreamId,
    read: &StreamRead,
    main: &TableSettings,
    policy: Policy,
) -> Option<RestoredTable> {
    let mut problem = read.damage.clone().map(RestoreFailure::from);
    let mut events = Vec::new();
    let mut started = None;
    let mut turn_began = None;
    for event in &read.events {
        match TableEvent::read(&event.kind, &event.payload) {
            Ok(known) => {
                if matches!(known, TableEvent::Started(_)) {
                    started = Some(event.at);
                }
                if known.begins_turn() {
                    turn_began = Some(event.at);
                }
                events.push(known);
            }
            Err(source) => {
                let (stream, seq) = (stream.clone(), event.seq.0);
                problem = Some(RestoreFailure::Event {
                    stream,
                    seq,
                    source,
                });
                break;
            }
        }
    }
    let mut table = table(stream, &mut events, main, policy, &mut problem);
    if let (Some(table), Some(began)) = (&mut table, turn_began) {
        let since = UnixMillis::now().0.saturating_sub(began.0);
        let since = Duration::from_millis(u64::try_from(since).unwrap_or_default());
        table.continue_turn(since, Instant::now());
    }
    if let Some(problem) = &problem {
        error!(%problem, "a game can be looked at up to there, and not be played on");
    }
    Some(RestoredTable {
        table: table?,
        started,
        turn_began,
        is_damaged: problem.is_some(),
        taken_over: None,
    })
}

/// Restores the table from the longest valid prefix of the events.
fn table(
    stream: &StreamId,
    events: &mut Vec<TableEvent>,
    main: &TableSettings,
    policy: Policy,
    problem: &mut Option<RestoreFailure>,
) -> Option<Table> {
    let settings = match events.first() {
        Some(TableEvent::Opened(opened)) if opened.table == main.id => Some(main.clone()),
        Some(TableEvent::Opened(opened)) => opened.settings(),
        _ => None,
    };
    let (Some(settings), Some(number)) = (settings, number(stream)) else {
        let stream = stream.clone();
        problem.get_or_insert(RestoreFailure::Table { stream });
        return None;
    };
    loop {
        match Table::restore(settings.clone(), policy, number, events, Instant::now()) {
            Ok(table) => return Some(table),
            Err(source) => {
                events.truncate(source.seq.saturating_sub(1) as usize);
                let stream = stream.clone();
                *problem = Some(RestoreFailure::Order { stream, source });
            }
        }
    }
}

/// The restored main table, or a new one if its last game is finished or damaged. Takes all tables
/// with its id out of `tables`.
///
/// # Errors
/// The log cannot be read.
pub(crate) async fn take_main(
    log: Option<&Arc<dyn EventLog>>,
    tables: &mut Vec<RestoredTable>,
    main: &TableSettings,
    policy: Policy,
) -> Result<RestoredTable, ReadError> {
    let is_main = |restored: &mut RestoredTable| restored.table.settings().id == main.id;
    let found: Vec<RestoredTable> = tables.extract_if(.., is_main).collect();
    // A damaged game must not prevent further games.
    if let Some(restored) = found.into_iter().rfind(|restored| !restored.is_damaged) {
        return Ok(restored);
    }
    let games = match log {
        Some(log) => or_default_if_read_only(&**log, last_game(&**log, &main.id).await)?,
        None => 0,
    };
    let table = Table::open(main.clone()).with_policy(policy);
    Ok(table.after_game(games).into())
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::{ServerMessage, WireColor};
    use checkers_lib::{Color, DrawRules};
    use event_store::{Event, Seq};

    use super::*;
    use crate::table::event::{Moved, Opened, Remaining, Seated, Started};

    fn opened() -> TableEvent {
        let settings = TableSettings::new("k3x", DrawRules::Study);
        TableEvent::Opened(Opened::from(&settings))
    }

    fn seated(color: WireColor, name: &str) -> TableEvent {
        let name = name.to_owned();
        let (key, bot) = (None, None);
        TableEvent::Seated(Seated {
            color,
            name,
            key,
            bot,
        })
    }

    fn started() -> TableEvent {
        TableEvent::Started(Started {
            opening: "c3-d4 b6-a5".to_owned(),
            draw_rules: "study".to_owned(),
            white_clock: Some("1m".to_owned()),
            black_clock: None,
            arranged: false,
        })
    }

    fn moved(path: &str) -> TableEvent {
        TableEvent::Moved(Moved {
            path: path.to_owned(),
            elapsed_ms: 3,
            lag_ns: 0,
            clocks: Remaining {
                white: Some(59_000_000_000),
                black: None,
            },
            search: None,
            id: None,
        })
    }

    /// A game of four events and a move, then one more event.
    fn read(last: &TableEvent) -> StreamRead {
        let players = [(WireColor::White, "anna"), (WireColor::Black, "boris")];
        let [white, black] = players.map(|(color, name)| seated(color, name));
        let events = [&opened(), &white, &black, &started(), &moved("g3-f4"), last];
        let event = |(i, event): (usize, &&TableEvent)| Event {
            seq: Seq(i as u32 + 1),
            at: UnixMillis(100 + i as i64),
            kind: event.kind().to_owned(),
            payload: event.payload(),
        };
        StreamRead {
            is_closed: false,
            events: events.iter().enumerate().map(event).collect(),
            damage: None,
        }
    }

    fn restored(read: &StreamRead) -> Option<RestoredTable> {
        let main = TableSettings::new("main", DrawRules::Fmjd64);
        restore(&"k3x-4".parse().unwrap(), read, &main, Policy::default())
    }

    /// The number of the game, that of its last event, and its plies.
    fn stands(restored: &RestoredTable) -> (u64, u32, u32) {
        let now = Instant::now();
        let ServerMessage::TableState(state) =
            restored.table.snapshot(crate::table::ClientId(1), now, 0)
        else {
            panic!();
        };
        let game = state.state.unwrap();
        (game.game, game.seq, game.ply)
    }

    #[test]
    fn a_game_is_restored_with_its_table() {
        let restored = restored(&read(&moved("a7-b6"))).unwrap();
        assert!(!restored.is_damaged);
        assert_eq!(stands(&restored), (4, 6, 4));
        assert_eq!(restored.started, Some(UnixMillis(103)));
        let settings = restored.table.settings();
        assert_eq!((&*settings.id, settings.rules), ("k3x", DrawRules::Study));
        let white = &restored.table.status().seats[Color::White];
        assert_eq!(&*white.as_ref().unwrap().name, "anna");
    }

    #[test]
    fn a_damaged_game_is_restored_up_to_the_damage() {
        let mut unknown = read(&moved("a7-b6"));
        unknown.events[5].kind = "danced".to_owned();
        let mut unreadable = read(&moved("a7-b6"));
        unreadable.events[5].payload = b"{".to_vec();
        let mut damaged = read(&moved("a7-b6"));
        damaged.events.pop();
        damaged.damage = Some(StreamDamage {
            stream: "k3x-4".parse().unwrap(),
            seq: Seq(6),
            defect: event_store::Defect::Checksum,
        });
        let out_of_order = read(&opened());
        let illegal = read(&moved("h8-a1"));
        for read in [unknown, unreadable, damaged, out_of_order, illegal] {
            let restored = restored(&read).unwrap();
            assert!(restored.is_damaged);
            assert_eq!(stands(&restored), (4, 5, 3));
        }
    }

    #[test]
    fn a_stream_without_a_table_is_skipped() {
        let mut headless = read(&moved("a7-b6"));
        headless.events.remove(0);
        assert!(restored(&headless).is_none());
    }
}
