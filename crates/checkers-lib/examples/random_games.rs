//! Random games as PDN: food for other programs that read it.
//!
//! One game in three begins at the start; one in three with up to twelve pieces, many of them
//! kings, strewn over the board; one in three with a capture whose short form is ambiguous, which
//! is then played. All moves are drawn at random. The same seed gives the same games.
//!
//! ```text
//! cargo run -q --release -p checkers-lib --example random_games -- --games 500 --seed 1
//! ```
//!
//! With `--boards` each move is followed by a comment with the position after it and the number
//! of legal moves there: `{B:Wd4,…:Bb6,… 7}`; a comment before the first move has the same for
//! the start. With `--notes` each game has comments, clocks, judgements and variations.
//!
//! With `--rewrite FILE` the games of that file are read and written again instead.

use std::error::Error;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

use checkers_lib::pdn::{self, Comment, Line, Nag, PdnGame, Tags};
use checkers_lib::{Bitboard, Color, DrawRules, Game, Move, Position, Setup, Square};
use clap::Parser;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Writes random games as PDN.
#[derive(Parser)]
struct Options {
    /// How many games to write
    #[arg(long, default_value_t = 10)]
    games: usize,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Add the position after each move and the number of its legal moves
    #[arg(long)]
    boards: bool,
    /// Add comments, clocks, judgements and variations
    #[arg(long)]
    notes: bool,
    /// Read the games of this file, and write them
    #[arg(long, conflicts_with_all = ["games", "seed", "boards", "notes"])]
    rewrite: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let mut random = Random(Pcg64Mcg::seed_from_u64(options.seed));
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some(path) = &options.rewrite {
        for game in pdn::parse(&fs::read_to_string(path)?)? {
            writeln!(out, "{game}")?;
        }
        return Ok(out.flush()?);
    }
    for number in 0..options.games {
        let game = random.game(number);
        let mut tags = Tags::default();
        tags.set("Event", "Random moves")?;
        tags.set("Round", &(number + 1).to_string())?;
        let mut record = PdnGame::from_game(&game, tags);
        if options.boards {
            add_boards(&mut record, &game);
        }
        if options.notes {
            add_notes(&mut record, &game)?;
        }
        writeln!(out, "{record}")?;
    }
    Ok(out.flush()?)
}

fn add_boards(record: &mut PdnGame, game: &Game) {
    let board = |position: &Position| {
        let moves = position.legal_moves().len();
        Comment::new(&format!("{position} {moves}"))
    };
    record.line.comment = board(game.start());
    for (i, position) in game.positions()[1..].iter().enumerate() {
        if let Some(annotation) = record.line.annotation_mut(i) {
            annotation.comment = board(position);
        }
    }
}

/// Notes of every kind: each move has a clock, every third one a judgement and a comment, and every
/// fourth one the other moves that were possible as variations, of which the second has one itself.
fn add_notes(record: &mut PdnGame, game: &Game) -> Result<(), Box<dyn Error>> {
    record.line.comment = Comment::new("a game with notes");
    for (i, &m) in game.moves().iter().enumerate() {
        let annotation = record.line.annotation_mut(i).ok_or("no such move")?;
        let text = if i % 3 == 0 { "a comment" } else { "" };
        let left = Duration::from_millis(600_000 - 100 * i as u64);
        annotation.comment = Comment::new(text).with_clock(left);
        annotation.nags = (i % 3 == 0).then_some(Nag(1)).into_iter().collect();
        let before = &game.positions()[i];
        let others = before.legal_moves();
        let others = others.iter().filter(|&&other| other != m && i % 4 == 0);
        for (number, &other) in others.enumerate() {
            let mut variation = Line::new(before.clone());
            variation.comment = Comment::new("or");
            variation.push(other)?.comment = Comment::new("why");
            if number == 1 {
                let inner = variation.clone();
                variation.add_variation(0, inner)?;
            }
            record.line.add_variation(i, variation)?;
        }
    }
    Ok(())
}

struct Random(Pcg64Mcg);

impl Random {
    /// A game of the kind that is due at this number.
    fn game(&mut self, number: usize) -> Game {
        let (start, first_move) = match number % 3 {
            0 => (Position::start(), None),
            1 => (self.kings(), None),
            _ => self.ambiguity(),
        };
        let mut game = Game::from_position(start, DrawRules::Fmjd64);
        let mut chosen = first_move.or_else(|| self.choose(&game.legal_moves()));
        while let Some(m) = chosen {
            if game.play(m).is_err() {
                break;
            }
            chosen = self.choose(&game.legal_moves());
        }
        game
    }

    /// A position in which the side to move has two captures with the same ends, and one of them.
    fn ambiguity(&mut self) -> (Position, Option<Move>) {
        loop {
            let position = self.kings();
            let moves = position.legal_moves();
            let has_twin = |m: &&Move| {
                let same_ends = |other: &&Move| (other.from(), other.to()) == (m.from(), m.to());
                moves.iter().filter(same_ends).count() > 1
            };
            let twins: Vec<Move> = moves.iter().filter(has_twin).copied().collect();
            if let Some(m) = self.choose(&twins) {
                return (position, Some(m));
            }
        }
    }

    /// A position with 2–12 pieces, about every second a king, in which a move is possible.
    fn kings(&mut self) -> Position {
        loop {
            let mut setup = Setup {
                turn: Color::ALL[self.below(2)],
                ..Setup::EMPTY
            };
            for _ in 0..2 + self.below(11) {
                let side = Color::ALL[self.below(2)];
                let square = Bitboard::from(Square::ALL[self.below(32)]);
                if self.below(2) == 0 {
                    setup.kings[side] |= square;
                } else {
                    setup.men[side] |= square;
                }
            }
            // Pieces on one square, or a man on its last row: try again.
            if let Ok(position) = Position::from_setup(setup)
                && !position.is_lost()
            {
                return position;
            }
        }
    }

    fn choose(&mut self, moves: &[Move]) -> Option<Move> {
        match moves.len() {
            0 => None,
            count => Some(moves[self.below(count)]),
        }
    }

    /// A number below `bound`, which is small: the bias of the remainder does not matter.
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound
    }
}
