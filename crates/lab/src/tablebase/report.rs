//! `checkers-lab tablebase report`: what tables hold, as a page to be read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use checkers_engine::tablebase::{FileKind, SliceStats};
use checkers_lib::{Color, Position, Square};

use super::DirArgs;
use super::articles::drawn;
use super::directory::Directory;
use super::manifest::Listed;
use super::runs::{self, CompletedRun};
use crate::failure::LabFailure;

/// What the page begins with.
const INTRODUCTION: &str = "\
# Endgames of Russian draughts

Statistics of every position with few pieces, by perfect play without the articles that limit the number of moves
([endgame tablebases](../tablebases.md)). [The commands below](#generation-and-verification) made and verified the
tables; this one writes the page:

    cargo run --release -p checkers-lab -- tablebase report --dir tablebase > docs/results/tablebases.md

Positions count once for both colours, with White to move. All arrangements of pieces count, reachable or not,
including those with a pending capture. Wins are in plies. A slice is named by its pieces, the side to move first:
`KKm-K` is two kings and a man, to move, against a king.

";

/// What comes before the table of what the articles change.
const ARTICLES: &str = "
## Under the articles that count moves

How many of these wins and losses articles 7.2.4 to 7.2.8 make draws if they begin to count at the position. Then the
slice in which wins come closest to a limit: the most plies that the winner to move needs before a capture, a promotion
or the end of the game, and the plies at which the article declares a draw.

";

/// What comes before the table of mutual zugzwangs.
const ZUGZWANGS: &str = "
## Mutual zugzwangs

Positions without a capture for either side in which each side would get more if the other one had to move. In
full-point ones either side, if it has to move, loses.

";

/// How many of the longest wins are shown.
const LONGEST: usize = 10;
/// The slices of up to this many pieces have a row each.
const LISTED_PIECES: u8 = 3;

/// Write the statistics of tables as Markdown
///
/// Counts and file sizes by the number of pieces, the time to generate and verify them, the longest wins, and the
/// counts of all slices of up to 3 pieces. `manifest.json` has those of larger ones.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: DirArgs,
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let directory = Directory::open(&args.place.dir)?;
    let mut by_pieces: BTreeMap<u8, Vec<&Listed>> = BTreeMap::new();
    for material in directory.materials() {
        let listed = directory.manifest.find(material);
        by_pieces
            .entry(material.pieces())
            .or_default()
            .extend(listed);
    }
    let runs = runs::read(&args.place.dir)?;
    let mut page = INTRODUCTION.to_owned();
    add_sums(&mut page, &by_pieces);
    add_zugzwangs(&mut page, &by_pieces);
    add_articles(&mut page, &by_pieces);
    add_runs(&mut page, &runs);
    add_longest(&mut page, &by_pieces);
    add_slices(&mut page, &by_pieces);
    io::stdout()
        .lock()
        .write_all(page.as_bytes())
        .map_err(LabFailure::Write)
}

/// A row of a Markdown table.
fn row(page: &mut String, cells: &[String]) {
    // Writing to a string does not fail.
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}

/// The head of a Markdown table: words to the left, numbers to the right.
fn head(page: &mut String, titles: &[&str], numbers: std::ops::Range<usize>) {
    row(
        page,
        &titles
            .iter()
            .map(|&title| title.to_owned())
            .collect::<Vec<_>>(),
    );
    let rules = (0..titles.len()).map(|i| if numbers.contains(&i) { "--:" } else { "---" });
    let _ = writeln!(page, "|{}|", rules.collect::<Vec<_>>().join("|"));
}

/// A section with a table; nothing if the table has no rows.
fn add_section<const COLUMNS: usize>(
    page: &mut String,
    introduction: &str,
    titles: [&str; COLUMNS],
    numbers: std::ops::Range<usize>,
    rows: &[[String; COLUMNS]],
) {
    if rows.is_empty() {
        return;
    }
    page.push_str(introduction);
    head(page, &titles, numbers);
    for cells in rows {
        row(page, cells);
    }
}

/// A number with its thousands apart.
fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn sum(slices: &[&Listed], of: impl Fn(&SliceStats) -> u64) -> u64 {
    slices.iter().map(|listed| of(&listed.stats)).sum()
}

fn bytes(slices: &[&Listed], kind: FileKind) -> u64 {
    let files = slices.iter().flat_map(|listed| &listed.files);
    let files = files.filter(|file| file.name.ends_with(kind.extension()));
    files.map(|file| file.bytes).sum()
}

fn longest(stats: &SliceStats) -> String {
    stats
        .longest_win
        .map_or_else(String::new, |plies| plies.to_string())
}

fn add_sums(page: &mut String, by_pieces: &BTreeMap<u8, Vec<&Listed>>) {
    page.push_str("## By the number of pieces\n\n");
    let titles = [
        "pieces",
        "slices",
        "positions",
        "wins",
        "losses",
        "draws",
        "without a capture",
        "longest win",
        "values, bytes",
        "distances, bytes",
    ];
    head(page, &titles, 0..titles.len());
    for (pieces, slices) in by_pieces {
        let longest = slices
            .iter()
            .filter_map(|listed| listed.stats.longest_win)
            .max();
        row(
            page,
            &[
                pieces.to_string(),
                slices.len().to_string(),
                number(sum(slices, |stats| stats.positions)),
                number(sum(slices, |stats| stats.wins)),
                number(sum(slices, |stats| stats.losses)),
                number(sum(slices, |stats| stats.draws)),
                number(sum(slices, |stats| stats.quiet)),
                longest.map_or_else(String::new, |plies| plies.to_string()),
                number(bytes(slices, FileKind::Wdl)),
                number(bytes(slices, FileKind::Distance)),
            ],
        );
    }
}

/// Mutual zugzwangs; nothing unless they were counted.
fn add_zugzwangs(page: &mut String, by_pieces: &BTreeMap<u8, Vec<&Listed>>) {
    let mut rows = Vec::new();
    for (pieces, slices) in by_pieces {
        let total = |of: fn(&SliceStats) -> Option<u64>| -> Option<u64> {
            slices.iter().map(|listed| of(&listed.stats)).sum()
        };
        let mutual = total(|stats| stats.mutual_zugzwangs);
        let full_point = total(|stats| stats.full_point_zugzwangs);
        let most = slices
            .iter()
            .max_by_key(|listed| listed.stats.mutual_zugzwangs);
        let (Some(mutual), Some(full_point), Some(most)) = (mutual, full_point, most) else {
            continue;
        };
        let quiet = sum(slices, |stats| stats.quiet);
        rows.push([
            pieces.to_string(),
            number(mutual),
            format!("{:.2}", 100.0 * mutual as f64 / quiet as f64),
            number(full_point),
            format!("`{}`", most.stats.material),
        ]);
    }
    let titles = [
        "pieces",
        "mutual zugzwangs",
        "% of those without a capture",
        "full-point",
        "slice with the most",
    ];
    add_section(page, ZUGZWANGS, titles, 0..4, &rows);
}

/// What the articles change; nothing unless that was solved.
fn add_articles(page: &mut String, by_pieces: &BTreeMap<u8, Vec<&Listed>>) {
    let mut rows = Vec::new();
    for (pieces, slices) in by_pieces {
        let solved = slices
            .iter()
            .filter_map(|listed| Some((&listed.stats, listed.articles.as_ref()?)));
        let solved: Vec<_> = solved.collect();
        let all_drawn: u64 = solved
            .iter()
            .map(|(stats, under)| drawn(stats, under))
            .sum();
        let with_limit = solved
            .iter()
            .filter_map(|(stats, under)| Some((stats, under.longest?, under.limit?)));
        let closest = with_limit.min_by_key(|(_, longest, limit)| limit.saturating_sub(*longest));
        let Some((closest, longest, limit)) = closest else {
            continue;
        };
        rows.push([
            pieces.to_string(),
            number(sum(slices, |stats| stats.wins)),
            number(sum(slices, |stats| stats.losses)),
            number(all_drawn),
            longest.to_string(),
            limit.to_string(),
            format!("`{}`", closest.material),
        ]);
    }
    let titles = [
        "pieces",
        "wins",
        "losses",
        "drawn by an article",
        "longest win, plies",
        "limit, plies",
        "slice",
    ];
    add_section(page, ARTICLES, titles, 0..6, &rows);
}

fn add_runs(page: &mut String, runs: &[CompletedRun]) {
    page.push_str("\n## Generation and verification\n\n");
    let titles = [
        "command",
        "positions",
        "threads",
        "time, s",
        "most memory, MiB",
    ];
    head(page, &titles, 1..titles.len());
    for run in runs {
        let memory = run.peak_memory.map(|bytes| number(bytes >> 20));
        row(
            page,
            &[
                format!("`{}`", run.command),
                number(run.positions),
                run.threads.to_string(),
                format!("{:.1}", run.seconds),
                memory.unwrap_or_default(),
            ],
        );
    }
}

fn add_longest(page: &mut String, by_pieces: &BTreeMap<u8, Vec<&Listed>>) {
    let mut slices: Vec<&SliceStats> = by_pieces
        .values()
        .flatten()
        .map(|listed| &listed.stats)
        .collect();
    slices.sort_by_key(|stats| std::cmp::Reverse(stats.longest_win));
    slices.truncate(LONGEST);
    let _ = writeln!(
        page,
        "\n## The longest wins\n\nThe {LONGEST} slices with the longest wins.\n"
    );
    let titles = ["", "slice", "plies", "positions", "one of them"];
    head(page, &titles, 2..4);
    for (i, stats) in slices.iter().enumerate() {
        row(
            page,
            &[
                (i + 1).to_string(),
                stats.material.clone(),
                longest(stats),
                number(stats.longest_wins),
                longest_fen(stats),
            ],
        );
    }
    if let Some(stats) = slices.first() {
        add_position(page, stats);
    }
}

/// The diagram of a slice's longest win, and the command that prints the moves of both sides.
fn add_position(page: &mut String, stats: &SliceStats) {
    let Some(fen) = &stats.longest_win_fen else {
        return;
    };
    let Ok(position) = fen.parse::<Position>() else {
        return;
    };
    let _ = writeln!(
        page,
        "\nThe first of them:\n\n```text\n{}```\n\nBest play from there:\n\n    checkers-lab tablebase probe --dir \
         tablebase --articles --json --fen {fen}",
        diagram(&position)
    );
}

fn longest_fen(stats: &SliceStats) -> String {
    let fen = stats.longest_win_fen.as_ref();
    fen.map_or_else(String::new, |fen| format!("`{fen}`"))
}

/// The board as text: `w` and `b` men, `W` and `B` kings.
fn diagram(position: &Position) -> String {
    let mut text = String::new();
    for row in (0..8).rev() {
        let mut line = format!("{} ", row + 1);
        for file in 0..8 {
            let piece = Square::at(file, row).map(|square| position.piece_at(square));
            let letter = match piece {
                None => ' ',
                Some(None) => '.',
                Some(Some(piece)) => match (piece.color, piece.is_king) {
                    (Color::White, false) => 'w',
                    (Color::White, true) => 'W',
                    (Color::Black, false) => 'b',
                    (Color::Black, true) => 'B',
                },
            };
            line.push(' ');
            line.push(letter);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str("   a b c d e f g h\n");
    text
}

fn add_slices(page: &mut String, by_pieces: &BTreeMap<u8, Vec<&Listed>>) {
    let _ = writeln!(
        page,
        "\n## Slices\n\nAll slices of up to {LISTED_PIECES} pieces. `manifest.json` in the directory of the tables has \
         the same of larger ones.\n"
    );
    let titles = [
        "slice",
        "positions",
        "wins",
        "losses",
        "draws",
        "longest win",
        "one of the longest",
    ];
    head(page, &titles, 1..6);
    let listed = by_pieces.range(..=LISTED_PIECES);
    for stats in listed.flat_map(|(_, slices)| slices).map(|one| &one.stats) {
        row(
            page,
            &[
                stats.material.clone(),
                number(stats.positions),
                number(stats.wins),
                number(stats.losses),
                number(stats.draws),
                longest(stats),
                longest_fen(stats),
            ],
        );
    }
}
