//! Parses and validates requests to create a table.

use std::fmt::Display;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{BotRequest, CreateTable, ErrorCode, Refusal, TableKind};
use checkers_lib::{ByColor, Color, DrawRules, MoveTextError, Position, TimeControl};

use crate::table::TableSettings;

/// The settings for a requested table. `rules` is the default; an opening is chosen from
/// `openings`, by `lot` if the client wants a random one.
///
/// # Errors
/// A field is malformed, or leaves nothing to play.
pub(crate) fn settings(
    wanted: &CreateTable,
    id: String,
    rules: DrawRules,
    openings: &[Opening],
    lot: u32,
) -> Result<TableSettings, Refusal> {
    let rules = match &wanted.draw_rules {
        Some(text) => text.parse().map_err(|error| bad("draw_rules", &error))?,
        None => rules,
    };
    let kind = match wanted.opponent {
        Some(_) => TableKind::Challenge,
        None => TableKind::Custom,
    };
    let settings = TableSettings {
        kind,
        visibility: wanted.visibility,
        clocks: clocks(wanted)?,
        openings: Vec::from_iter(opening(wanted, openings, lot)?),
        casual: wanted.casual.unwrap_or(!wanted.rated),
        rated: wanted.rated,
        opponent: wanted.opponent.clone(),
        ..TableSettings::new(id, rules)
    };
    if wanted.rated {
        check_rated(wanted, &settings)?;
    }
    let field = match wanted.opening {
        Some(_) => "opening",
        None => "start_fen",
    };
    let checked = settings.check();
    checked.map_err(|_| bad(field, &"it leaves nothing to play"))?;
    Ok(settings)
}

fn clocks(wanted: &CreateTable) -> Result<ByColor<Option<TimeControl>>, Refusal> {
    let CreateTable {
        clock: both,
        white_clock: white,
        black_clock: black,
        ..
    } = wanted;
    let read = |field, own: &Option<String>| match (own, both) {
        (Some(text), _) => clock(field, text).map(Some),
        (None, Some(text)) => clock("clock", text).map(Some),
        (None, None) => Ok(None),
    };
    Ok(ByColor {
        white: read("white_clock", white)?,
        black: read("black_clock", black)?,
    })
}

/// Checks that the games of the table can be rated.
fn check_rated(wanted: &CreateTable, settings: &TableSettings) -> Result<(), Refusal> {
    let ByColor { white, black } = settings.clocks;
    let is_fair = wanted.start_fen.is_none()
        && wanted
            .opening
            .as_deref()
            .is_none_or(|text| text.trim() == RANDOM);
    if white.is_none() || white != black {
        return Err(bad("rated", &"both sides need the same clock"));
    }
    if !is_fair {
        return Err(bad(
            "rated",
            &"games begin from the start, or from a random opening",
        ));
    }
    if settings.casual {
        return Err(bad("rated", &"moves cannot be taken back"));
    }
    let bots = [&wanted.bots.white, &wanted.bots.black]
        .into_iter()
        .flatten();
    for bot in bots {
        check_rated_bot(bot)?;
    }
    Ok(())
}

/// Checks that rated games can be played against a bot.
///
/// # Errors
/// It is no level.
pub(crate) fn check_rated_bot(bot: &BotRequest) -> Result<(), Refusal> {
    match bot {
        BotRequest::Level(_) => Ok(()),
        BotRequest::Spec(_) => {
            let message = "rated games are played against levels, not against other bots";
            Err(Refusal::new(ErrorCode::BadBot, message))
        }
    }
}

/// Parses a time control.
///
/// # Errors
/// The text is not a time control.
pub(crate) fn clock(field: &str, text: &str) -> Result<TimeControl, Refusal> {
    text.parse().map_err(|error| bad(field, &error))
}

/// The value of `opening` for a random one.
const RANDOM: &str = "random";

/// The opening of the games; `None` for the initial position.
fn opening(
    wanted: &CreateTable,
    openings: &[Opening],
    lot: u32,
) -> Result<Option<Opening>, Refusal> {
    let CreateTable {
        start_fen, opening, ..
    } = wanted;
    let start = match start_fen {
        Some(fen) => Some((fen.parse::<Position>()).map_err(|error| bad("start_fen", &error))?),
        None => None,
    };
    let Some(text) = opening.as_deref().map(str::trim) else {
        return Ok(start.map(Opening::new));
    };
    match (find(openings, text, lot)?, start) {
        (Some(opening), None) => Ok(Some(opening.clone())),
        (Some(_), Some(_)) => Err(bad("opening", &"it has a start_fen of its own")),
        (None, start) => {
            let start = start.unwrap_or_else(Position::start);
            check_moves(&start, text, openings)?;
            read_moves(start, text).map(Some)
        }
    }
}

/// The opening with this number, from 1, or with this name, or the one chosen by lot.
fn find<'a>(openings: &'a [Opening], text: &str, lot: u32) -> Result<Option<&'a Opening>, Refusal> {
    let Ok(number) = text.parse::<usize>() else {
        let named = openings.iter().find(|opening| opening.is_called(text));
        let drawn = || openings.get(lot as usize % openings.len().max(1));
        return Ok(named.or_else(|| drawn().filter(|_| text == RANDOM)));
    };
    let found = number.checked_sub(1).and_then(|index| openings.get(index));
    let most = openings.len();
    found
        .map(Some)
        .ok_or_else(|| bad("opening", &format!("expected 1 to {most}")))
}

/// Checks that a text starts with a move, and is not the unknown name of an opening.
fn check_moves(start: &Position, text: &str, openings: &[Opening]) -> Result<(), Refusal> {
    let first = text.split_whitespace().next();
    match first.map(|first| start.parse_move(first)) {
        Some(Err(MoveTextError::Syntax { .. })) => Err(bad("opening", &accepted_values(openings))),
        _ => Ok(()),
    }
}

fn accepted_values(openings: &[Opening]) -> String {
    let most = openings.len();
    let names = match openings.iter().find_map(Opening::name) {
        Some(name) => format!("a name such as {name:?}, "),
        None => String::new(),
    };
    format!("expected a number from 1 to {most}, {names}{RANDOM}, or moves such as c3-d4 d6-c5")
}

fn read_moves(start: Position, text: &str) -> Result<Opening, Refusal> {
    let mut opening = Opening::new(start);
    for text in text.split_whitespace() {
        let m = opening.position().parse_move(text);
        let m = m.map_err(|error| bad("opening", &error))?;
        opening.push(m).map_err(|error| bad("opening", &error))?;
    }
    Ok(opening)
}

fn bad(field: &str, error: &dyn Display) -> Refusal {
    Refusal::new(ErrorCode::BadTable, format!("{field}: {error}"))
}

/// The side of the table's creator, if it plays.
pub(crate) fn creator_side(wanted: &CreateTable, coin: Color) -> Option<Color> {
    match wanted.color {
        Some(wish) => Some(wish.color().unwrap_or(coin)),
        // A challenger plays.
        None => wanted.opponent.as_ref().map(|_| coin),
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::openings;
    use checkers_lib::protocol::SeatWish;

    use super::*;

    fn read(wanted: &CreateTable) -> Result<TableSettings, String> {
        read_among(wanted, &openings::suite())
    }

    fn read_among(wanted: &CreateTable, openings: &[Opening]) -> Result<TableSettings, String> {
        let settings = settings(wanted, "t".into(), DrawRules::Fmjd64, openings, 7);
        settings.map_err(|refusal| {
            assert_eq!(refusal.code, ErrorCode::BadTable);
            refusal.message
        })
    }

    #[test]
    fn an_empty_request_gives_the_default_table() {
        let settings = read(&CreateTable::default()).unwrap();
        assert_eq!(
            (settings.id.as_str(), settings.kind),
            ("t", TableKind::Custom)
        );
        assert_eq!(settings.clocks, ByColor::default());
        assert!(settings.casual && settings.openings.is_empty());
    }

    #[test]
    fn clocks_are_for_both_or_for_one_side() {
        let wanted = CreateTable {
            clock: Some("5m+3s".into()),
            black_clock: Some("30s/move".into()),
            ..CreateTable::default()
        };
        let clocks = read(&wanted).unwrap().clocks;
        assert_eq!(clocks.white, "5m+3s".parse().ok());
        assert_eq!(clocks.black, "30s/move".parse().ok());
    }

    #[test]
    fn openings_are_positions_moves_or_numbers() {
        let wanted = |start: Option<&str>, opening: Option<&str>| CreateTable {
            start_fen: start.map(Into::into),
            opening: opening.map(Into::into),
            ..CreateTable::default()
        };
        let plies = |wanted| read(&wanted).map(|settings| settings.openings[0].moves().len());
        assert_eq!(plies(wanted(Some("W:Wa1:Bh8"), None)), Ok(0));
        assert_eq!(plies(wanted(None, Some("c3-d4 d6-c5"))), Ok(2));
        assert_eq!(plies(wanted(Some("W:Wa1:Bh8"), Some("a1-b2"))), Ok(1));
        let alone = plies(wanted(Some("W:Wc3"), None)).unwrap_err();
        assert_eq!(alone, "start_fen: it leaves nothing to play");
        let first = read(&wanted(None, Some("1"))).unwrap();
        assert_eq!(first.openings, openings::suite()[..1]);
    }

    #[test]
    fn openings_are_found_by_their_numbers_and_names() {
        let own = openings::parse("c3-d4 d6-c5\n\"Старый кол\" W:Wa1:Bh8\n").unwrap();
        let read = |start: Option<&str>, opening: &str| {
            let wanted = CreateTable {
                start_fen: start.map(Into::into),
                opening: Some(opening.into()),
                ..CreateTable::default()
            };
            read_among(&wanted, &own).map(|settings| settings.openings)
        };
        for (text, number) in [
            ("1", 1),
            (" 2 ", 2),
            ("Старый кол", 2),
            (" СТАРЫЙ КОЛ", 2),
            ("random", 2),
        ] {
            assert_eq!(read(None, text).unwrap(), own[number - 1..number], "{text}");
        }
        for (start, text, message) in [
            (None, "3", "opening: expected 1 to 2"),
            (
                None,
                "кол",
                "opening: expected a number from 1 to 2, a name such as \"Старый кол\", \
                 random, or moves such as c3-d4 d6-c5",
            ),
            (None, "c3-e5", "opening: c3-e5 is not a legal move here"),
            (
                Some("W:Wa1:Bh8"),
                "старый кол",
                "opening: it has a start_fen of its own",
            ),
        ] {
            assert_eq!(read(start, text).unwrap_err(), message);
        }
    }

    #[test]
    fn invalid_fields_are_refused_by_name() {
        let with = |change: fn(&mut CreateTable)| {
            let mut wanted = CreateTable::default();
            change(&mut wanted);
            read(&wanted).unwrap_err()
        };
        for (change, field) in [
            (
                (|w| w.clock = Some("soon".into())) as fn(&mut CreateTable),
                "clock: ",
            ),
            (|w| w.white_clock = Some("".into()), "white_clock: "),
            (|w| w.draw_rules = Some("house".into()), "draw_rules: "),
            (|w| w.start_fen = Some("W".into()), "start_fen: "),
            (|w| w.opening = Some("0".into()), "opening: "),
            (|w| w.opening = Some("c3-e5".into()), "opening: "),
            (
                |w| w.opening = Some("Edge".into()),
                "opening: expected a number from 1 to 709, random, or moves such as ",
            ),
            (|w| w.start_fen = Some("B:Wa1:B".into()), "start_fen: "),
        ] {
            let message = with(change);
            assert!(message.starts_with(field), "{message}");
        }
    }

    #[test]
    fn rated_games_are_fair() {
        let rated = || CreateTable {
            clock: Some("5m+3s".into()),
            opening: Some("random".into()),
            rated: true,
            ..CreateTable::default()
        };
        let settings = read(&rated()).unwrap();
        assert!(settings.rated && !settings.casual);
        let with = |change: fn(&mut CreateTable)| {
            let mut wanted = rated();
            change(&mut wanted);
            read(&wanted).unwrap_err()
        };
        let clocks = "rated: both sides need the same clock";
        assert_eq!(with(|wanted| wanted.clock = None), clocks);
        assert_eq!(
            with(|wanted| wanted.white_clock = Some("1m".into())),
            clocks
        );
        for message in [
            with(|wanted| wanted.opening = Some("c3-d4".into())),
            with(|wanted| wanted.opening = Some("1".into())),
        ] {
            assert_eq!(
                message,
                "rated: games begin from the start, or from a random opening"
            );
        }
        let casual = with(|wanted| wanted.casual = Some(true));
        assert_eq!(casual, "rated: moves cannot be taken back");
    }

    #[test]
    fn a_challenger_plays() {
        let mut wanted = CreateTable::default();
        assert_eq!(creator_side(&wanted, Color::Black), None);
        wanted.opponent = Some("boris".into());
        assert_eq!(creator_side(&wanted, Color::Black), Some(Color::Black));
        wanted.color = Some(SeatWish::Random);
        assert_eq!(creator_side(&wanted, Color::White), Some(Color::White));
        wanted.color = Some(SeatWish::Black);
        assert_eq!(creator_side(&wanted, Color::White), Some(Color::Black));
    }
}
