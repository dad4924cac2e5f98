//! A match as people read it.

use std::fmt::{self, Write};

use checkers_lib::protocol::{EndReason, GameResult};

use crate::commands::stats::{write_sample, write_strength};
use crate::document::MatchOptions;
use crate::statistics::{Sample, Strength};
use crate::{BotTally, EndCount, Failure, GameRecord, MatchRecord, Tally};

/// What is shown for a number that does not exist.
const NONE: &str = "n/a";

/// The result of a match for the terminal: several lines, the last with its line break.
pub fn summary(record: &MatchRecord) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_summary(&mut text, record);
    text
}

fn write_summary(text: &mut String, record: &MatchRecord) -> fmt::Result {
    let tally = &record.tally;
    write_bots(text, record)?;
    writeln!(text)?;
    write_score(text, tally)?;
    writeln!(text)?;
    write_times(text, tally)?;
    write_ends(text, &tally.ends)?;
    write_evidence(text, &record.sample())?;
    for note in notes(record) {
        writeln!(text, "\nnote: {note}")?;
    }
    if let Some(failure) = &record.failure {
        let (finished, wanted) = (tally.finished(), record.options.games);
        writeln!(
            text,
            "\nended after {finished} of {}: {failure}",
            count(wanted as usize, "game")
        )?;
    }
    Ok(())
}

fn write_bots(text: &mut String, record: &MatchRecord) -> fmt::Result {
    for (number, bot) in (1..).zip(&record.bots) {
        let seed = bot
            .seed
            .map_or_else(String::new, |seed| format!(" (seed {seed})"));
        writeln!(text, "bot {number}  {}{seed}", bot.spec)?;
    }
    let sides = if record.options.swap {
        "sides swapped after each game"
    } else {
        "bot 1 plays White"
    };
    let how = if record.options.in_process {
        "in process"
    } else {
        "over WebSocket"
    };
    let from = match record.options.openings {
        0 => "from the start".to_owned(),
        openings => format!("from {}", count(openings, "opening")),
    };
    let rules = &record.options.draw_rules;
    writeln!(text, "draw rules {rules}, {sides}, {from}, {how}")
}

fn write_score(text: &mut String, tally: &Tally) -> fmt::Result {
    let Tally {
        wins,
        losses,
        draws,
        interrupted,
        points,
        ..
    } = tally;
    let percent = tally
        .percent
        .map_or_else(|| NONE.to_owned(), |percent| format!("{percent:.1} %"));
    writeln!(
        text,
        "bot 1: {wins} won, {losses} lost, {draws} drawn, {interrupted} interrupted"
    )?;
    writeln!(
        text,
        "score of bot 1: {points} of {} ({percent})",
        tally.finished()
    )
}

fn write_times(text: &mut String, tally: &Tally) -> fmt::Result {
    writeln!(
        text,
        "{:<6} {:>6} {:>10} {:>10} {:>10} {:>10} {:>10} {:>7} {:>12}",
        "", "moves", "mean", "median", "p95", "p99", "max", "depth", "nodes"
    )?;
    tally
        .bots
        .iter()
        .try_for_each(|bot| write_times_of(text, bot))
}

fn write_times_of(text: &mut String, bot: &BotTally) -> fmt::Result {
    let time = |pick: &dyn Fn(&crate::Summary) -> f64| {
        let picked = bot
            .time_us
            .as_ref()
            .map(|time| Micros(pick(time)).to_string());
        picked.unwrap_or_else(|| NONE.to_owned())
    };
    let number = |value: Option<f64>, decimals: usize| {
        value.map_or_else(|| NONE.to_owned(), |value| format!("{value:.decimals$}"))
    };
    writeln!(
        text,
        "{:<6} {:>6} {:>10} {:>10} {:>10} {:>10} {:>10} {:>7} {:>12}",
        bot.bot.to_string(),
        bot.moves,
        time(&|time| time.mean),
        time(&|time| time.median),
        time(&|time| time.p95 as f64),
        time(&|time| time.p99 as f64),
        time(&|time| time.max as f64),
        number(bot.mean_depth, 1),
        number(bot.mean_nodes, 0),
    )
}

/// What the distinct results say about strength; one of them says nothing.
fn write_evidence(text: &mut String, sample: &Sample) -> fmt::Result {
    let trials = match sample {
        Sample::Games(games) => {
            u64::from(games.wins) + u64::from(games.draws) + u64::from(games.losses)
        }
        Sample::Pairs(pairs) => pairs.pairs(),
    };
    if trials < 2 {
        return Ok(());
    }
    writeln!(text, "\ndistinct results, from bot 1's side")?;
    write_sample(text, sample)?;
    write_strength(text, &Strength::of(sample))
}

fn write_ends(text: &mut String, ends: &[EndCount]) -> fmt::Result {
    if !ends.is_empty() {
        writeln!(text)?;
    }
    for end in ends {
        let how = ending(end.result, end.reason, end.article.as_deref());
        writeln!(text, "{:>6}  {how}", end.games)?;
    }
    Ok(())
}

/// What a reader of the numbers has to know.
fn notes(record: &MatchRecord) -> Vec<String> {
    let tally = &record.tally;
    let clocks = tally.bots.iter().filter_map(clock_note);
    repeats_note(tally, &record.options)
        .into_iter()
        .chain(clocks)
        .collect()
}

fn repeats_note(tally: &Tally, options: &MatchOptions) -> Option<String> {
    let (distinct, finished) = (tally.distinct, tally.finished());
    let advice = match options.openings {
        0 => "; --openings suite gives others",
        _ => "; there are too few openings for so many games",
    };
    match distinct {
        _ if distinct == finished => None,
        1 => Some(format!(
            "all {finished} games are the same game and say no more than one{advice}"
        )),
        _ => Some(format!(
            "only {distinct} of {finished} games are distinct; the others repeat them and say \
             nothing more{advice}"
        )),
    }
}

fn clock_note(bot: &BotTally) -> Option<String> {
    let clocked = bot.server_clocked;
    (clocked > 0).then(|| {
        format!(
            "{clocked} of {}'s {} moves are timed by the server: whole milliseconds, with the \
             way there and back",
            bot.bot, bot.moves
        )
    })
}

/// A finished game in one line, without a line break.
pub fn game_line(game: &GameRecord, games: u32) -> String {
    let how = ending(game.result, game.reason, game.article.as_deref());
    let winner = game
        .winner()
        .map_or_else(String::new, |bot| format!(" ({bot})"));
    format!(
        "game {} of {games}: {how}{winner}, {} plies",
        game.number,
        game.moves.len()
    )
}

/// Why a match failed, for the terminal: the failure, then the last words of whoever failed.
pub fn complaint(failure: &Failure) -> String {
    let mut text = format!("{failure}\n");
    if !failure.stderr().is_empty() {
        text.push_str("the last lines of its stderr:\n");
    }
    for line in failure.stderr() {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

fn ending(result: GameResult, reason: EndReason, article: Option<&str>) -> String {
    let result = match result {
        GameResult::WhiteWon => "white won",
        GameResult::BlackWon => "black won",
        GameResult::Draw => "draw",
        // Who broke it off and why is told once, as the failure of the match.
        GameResult::Interrupted => return "broken off".to_owned(),
    };
    let article = article.map_or_else(String::new, |article| format!(" (article {article})"));
    format!("{result}: {}{article}", reason_text(reason))
}

fn reason_text(reason: EndReason) -> &'static str {
    match reason {
        EndReason::NoPieces => "no pieces left",
        EndReason::NoMoves => "no legal move",
        EndReason::Resignation => "resignation",
        EndReason::Time => "time",
        EndReason::Repetition => "threefold repetition",
        EndReason::KingsAgainstKing => "three or more kings against one",
        EndReason::KingMoves => "king moves only",
        EndReason::NoProgress => "no progress",
        EndReason::MainRoad => "a king on the main road",
        EndReason::FewPieces => "at most two pieces against a king",
        EndReason::PlyLimit => "200 plies",
        EndReason::Agreement => "agreement",
        EndReason::PlayerLeft => "a player left",
        EndReason::Adjudication => "adjudication",
        EndReason::Forfeit => "forfeit",
    }
}

fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// Microseconds with three digits in the unit that suits them: `1.23 ms`.
struct Micros(f64);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1e6, "s"), (1e3, "ms"), (1.0, "µs")];
        let (size, unit) = (units.into_iter())
            .find(|(size, _)| self.0 >= *size)
            .unwrap_or((1.0, "µs"));
        let value = self.0 / size;
        let decimals = match value {
            100.0.. => 0,
            10.0.. => 1,
            _ => 2,
        };
        write!(f, "{value:.decimals$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{game, record};

    const SUMMARY: &str = "\
bot 1  alpha-beta:depth=7 (seed 0)
bot 2  exec:./mine
draw rules fmjd64, sides swapped after each game, from the start, in process

bot 1: 1 won, 0 lost, 1 drawn, 1 interrupted
score of bot 1: 1.5 of 2 (75.0 %)

        moves       mean     median        p95        p99        max   depth        nodes
bot 1       5    2.00 ms    2.00 ms    3.00 ms    3.00 ms    3.00 ms     7.0         5000
bot 2       4    2.00 ms    2.00 ms    3.00 ms    3.00 ms    3.00 ms     7.0         5000

     1  white won: no legal move
     1  draw: threefold repetition (article 7.2.3)
     1  broken off

note: 1 of bot 1's 5 moves are timed by the server: whole milliseconds, with the way there and back

note: 2 of bot 2's 4 moves are timed by the server: whole milliseconds, with the way there and back

ended after 2 of 5 games: bot 2 ended too early with exit code 3
";

    #[test]
    fn a_summary_has_everything() {
        assert_eq!(summary(&record()), SUMMARY);
    }

    #[test]
    fn a_match_without_games_has_no_numbers() {
        let mut record = record();
        record.tally = Tally::of(&[]);
        let text = summary(&record);
        assert!(text.contains("score of bot 1: 0 of 0 (n/a)"), "{text}");
        assert!(!text.contains("NaN") && !text.contains("note:"), "{text}");
    }

    #[test]
    fn repeated_games_are_pointed_out() {
        let same = |number| game(number, false, GameResult::WhiteWon, EndReason::NoMoves);
        let tally = Tally::of(&[same(1), same(2), same(3)]);
        let mut options = record().options;
        let note = "all 3 games are the same game and say no more than one; --openings suite \
                    gives others";
        assert_eq!(repeats_note(&tally, &options).unwrap(), note);
        let swapped = |number| game(number, true, GameResult::WhiteWon, EndReason::NoMoves);
        let tally = Tally::of(&[swapped(1), swapped(2), swapped(3)]);
        options.openings = 1;
        let note = "only 2 of 3 games are distinct; the others repeat them and say nothing more; \
                    there are too few openings for so many games";
        assert_eq!(repeats_note(&tally, &options).unwrap(), note);
        assert_eq!(repeats_note(&Tally::of(&[same(1)]), &options), None);
    }

    #[test]
    fn a_game_is_a_line() {
        let won = game(2, true, GameResult::WhiteWon, EndReason::NoPieces);
        assert_eq!(
            game_line(&won, 3),
            "game 2 of 3: white won: no pieces left (bot 2), 3 plies"
        );
    }

    #[test]
    fn a_complaint_ends_with_the_last_words() {
        let failure = record().failure.unwrap();
        let text =
            "bot 2 ended too early with exit code 3\nthe last lines of its stderr:\n  oh no\n";
        assert_eq!(complaint(&failure), text);
    }

    #[test]
    fn times_have_three_digits() {
        for (micros, text) in [
            (0.0, "0.00 µs"),
            (0.5, "0.50 µs"),
            (12.34, "12.3 µs"),
            (1234.0, "1.23 ms"),
            (456_789.0, "457 ms"),
            (12_345_678.0, "12.3 s"),
        ] {
            assert_eq!(Micros(micros).to_string(), text);
        }
    }
}
