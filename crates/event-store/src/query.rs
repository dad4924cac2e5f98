//! Queries that both databases execute.
//!
//! Those for filters each walk one index from the newest game down and never sort; all conditions are on columns
//! of that index, so that no other game is read.
//!
//! A parameter is a colon and the name of a field of the filter, or one of `:finished_at` and `:row` (where
//! the page begins) and `:limit`.

use super::archive::ArchiveFilter;

/// The ends of streams: row, name, whether the stream is open, number and checksum of the last event.
pub(super) const STREAM_ENDS: &str = "
    SELECT stream.id, name, open, seq, checksum
    FROM stream LEFT JOIN event ON event.stream = stream.id
        AND seq = (SELECT max(seq) FROM event AS all_events WHERE all_events.stream = stream.id)";

/// The roles of the participants that are asked for, the one whose index is walked first.
fn roles(filter: &ArchiveFilter) -> impl Iterator<Item = &'static str> {
    let roles = [
        (filter.player.is_some(), "player"),
        (filter.bot.is_some(), "bot"),
        (filter.event.is_some(), "event"),
    ];
    let wanted = roles.into_iter().filter(|(is_wanted, _)| *is_wanted);
    wanted.map(|(_, role)| role)
}

/// The table whose index is walked, and the joins that select its rows. `CROSS JOIN` keeps SQLite from trying
/// another order.
fn source(filter: &ArchiveFilter) -> (&'static str, String) {
    let mut roles = roles(filter);
    let Some(key) = roles.next() else {
        return ("game", "game".to_owned());
    };
    let mut source = format!("participant {key}");
    for role in roles {
        source += &format!(" CROSS JOIN participant {role} ON {role}.stream = {key}.stream");
    }
    (key, source)
}

/// A page of games with the names of their streams.
pub(super) fn page(filter: &ArchiveFilter) -> String {
    let (key, source) = source(filter);
    let game = match key {
        "game" => String::new(),
        key => format!(" CROSS JOIN game ON game.stream = {key}.stream"),
    };
    format!(
        "SELECT stream.name, game.* FROM {source}{game} CROSS JOIN stream ON stream.id = {key}.stream
         WHERE ({key}.finished_at, {key}.stream) < (:finished_at, :row){}
         ORDER BY {key}.finished_at DESC, {key}.stream DESC LIMIT :limit",
        conditions(filter, key)
    )
}

/// The number of games, up to a limit.
pub(super) fn number(filter: &ArchiveFilter) -> String {
    let (key, source) = source(filter);
    format!(
        "SELECT count(*) FROM (SELECT 1 FROM {source}
         WHERE ({key}.finished_at, {key}.stream) < (:finished_at, :row){} LIMIT :limit) AS wanted",
        conditions(filter, key)
    )
}

fn conditions(filter: &ArchiveFilter, key: &str) -> String {
    let ArchiveFilter {
        player,
        opponent,
        is_white,
        bot: _,
        event: _,
        opening,
        ending,
        result,
        reason,
        clock,
        min_plies,
        max_plies,
        from,
        until,
    } = filter;
    let of_role = |role: &str| {
        let mut condition = format!(" AND {role}.role = '{role}' AND {role}.name = :{role}");
        if role != key {
            condition += &format!(" AND {role}.finished_at = {key}.finished_at");
        }
        condition
    };
    let others = [
        (
            player.is_some() && opponent.is_some(),
            "player.opponent = :opponent".to_owned(),
        ),
        (
            player.is_some() && is_white.is_some(),
            "player.is_white = :is_white".to_owned(),
        ),
        (
            player.is_some() && opening.is_some(),
            "player.opening = :opening".to_owned(),
        ),
        (
            player.is_some() && ending.is_some(),
            "player.ending = :ending".to_owned(),
        ),
        (result.is_some(), format!("{key}.result = :result")),
        (reason.is_some(), format!("{key}.reason = :reason")),
        (clock.is_some(), format!("{key}.clock = :clock")),
        (min_plies.is_some(), format!("{key}.plies >= :min_plies")),
        (max_plies.is_some(), format!("{key}.plies <= :max_plies")),
        (from.is_some(), format!("{key}.finished_at >= :from")),
        (until.is_some(), format!("{key}.finished_at < :until")),
    ];
    let wanted = others.into_iter().filter(|(is_wanted, _)| *is_wanted);
    let wanted = wanted.map(|(_, condition)| format!(" AND {condition}"));
    roles(filter).map(of_role).chain(wanted).collect()
}
