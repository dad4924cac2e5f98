//! Prints positions from seeded games, by stage: openings, middle games, endings with kings. It made
//! the positions that `checkers-lab compare` searches:
//! `cargo run --release -p checkers-engine --example sample_positions -- 7 7 6`

#![expect(
    clippy::print_stdout,
    reason = "the printed positions are what the example is for"
)]

use std::error::Error;
use std::process::ExitCode;

use checkers_engine::{BotSpec, Limits};
use checkers_lib::{Color, DrawRules, Game, Position};

/// A part of the game, and how to tell it.
struct GamePhase {
    name: &'static str,
    holds: fn(&Position) -> bool,
}

const STAGES: [GamePhase; 3] = [
    GamePhase {
        name: "Openings",
        holds: |position| (20..=22).contains(&position.occupied().len()),
    },
    GamePhase {
        name: "Middle games",
        holds: |position| (10..=16).contains(&position.occupied().len()),
    },
    GamePhase {
        name: "Endings with kings",
        holds: |position| {
            let pieces = position.occupied().len();
            let has_king = |side| !position.kings(side).is_empty();
            (5..=8).contains(&pieces) && Color::ALL.into_iter().all(has_king)
        },
    },
];

/// How many plies of each game are random.
const RANDOM_PLIES: usize = 8;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let counts: Vec<usize> = std::env::args()
        .skip(1)
        .map(|count| count.parse())
        .collect::<Result<_, _>>()?;
    let [openings, middle_games, endings] = counts[..] else {
        return Err("expected the numbers of openings, middle games and endings".into());
    };
    let mut first_game = 0;
    for (stage, count) in STAGES.iter().zip([openings, middle_games, endings]) {
        println!("# {}", stage.name);
        for _ in 0..count {
            println!("{}", next_of(stage, &mut first_game)?);
        }
    }
    Ok(())
}

/// The first position of the stage in which there is a choice, from the next game that has one.
fn next_of(stage: &GamePhase, number: &mut u64) -> Result<Position, Box<dyn Error>> {
    loop {
        let game = play(*number)?;
        *number += 1;
        let positions = game.positions().iter().skip(RANDOM_PLIES);
        let has_choice = |position: &&Position| position.count_moves() > 1;
        let mut found = positions
            .filter(|position| (stage.holds)(position))
            .filter(has_choice);
        if let Some(position) = found.next() {
            return Ok(position.clone());
        }
    }
}

/// A game that begins with random plies and goes on as well as four plies show.
fn play(number: u64) -> Result<Game, Box<dyn Error>> {
    let mut opening = "random:seed=1".parse::<BotSpec>()?.build();
    let mut player = "negascout-id:depth=4,tt=1".parse::<BotSpec>()?.build();
    opening.new_game(number);
    let mut game = Game::new(DrawRules::Fmjd64);
    while game.outcome().is_none() {
        let bot = match game.ply() < RANDOM_PLIES {
            true => &mut opening,
            false => &mut player,
        };
        let m = bot.choose(&game, &Limits::default()).best;
        game.play(m.ok_or("a bot has no move in a game that goes on")?)?;
    }
    Ok(game)
}
