//! Plays one game between two bots under the study's draw rule and prints what each move cost:
//! `cargo run --release --example self_play -- alpha-beta:depth=10 alpha-beta:depth=7`

#![expect(
    clippy::print_stdout,
    reason = "the printed table is what the example is for"
)]

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use checkers_engine::{Bot, BotSpec, Choice, Limits};
use checkers_lib::{ByColor, Color, DrawRules, Game};

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
    let specs: Vec<String> = std::env::args().skip(1).collect();
    let [white, black] = &specs[..] else {
        return Err(format!("expected two bots, each written as\n{}", BotSpec::help()).into());
    };
    let mut bots = ByColor {
        white: white.parse::<BotSpec>()?.build(),
        black: black.parse::<BotSpec>()?.build(),
    };
    let mut choices = ByColor::<Vec<Choice>>::default();
    let game = play(&mut bots, &mut choices)?;
    for side in Color::ALL {
        report(side, bots[side].spec(), &choices[side]);
    }
    if let Some(outcome) = game.outcome() {
        println!("{outcome} after {} plies", game.ply());
    }
    Ok(())
}

fn play(
    bots: &mut ByColor<Box<dyn Bot>>,
    choices: &mut ByColor<Vec<Choice>>,
) -> Result<Game, Box<dyn Error>> {
    let mut game = Game::new(DrawRules::Study);
    for side in Color::ALL {
        bots[side].new_game(0);
    }
    while game.outcome().is_none() {
        let choice = bots[game.turn()].choose(&game, &Limits::default());
        let m = choice
            .best
            .ok_or("a bot has no move in a game that goes on")?;
        choices[game.turn()].push(choice);
        game.play(m)?;
    }
    Ok(game)
}

fn report(side: Color, spec: &BotSpec, choices: &[Choice]) {
    let total: Duration = choices.iter().map(|choice| choice.time).sum();
    let longest = choices
        .iter()
        .map(|choice| choice.time)
        .max()
        .unwrap_or_default();
    let nodes: u64 = choices.iter().map(|choice| choice.nodes).sum();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let moves = choices.len().max(1) as f64;
    println!(
        "{side} {spec}: {:.3} ms a move, at most {:.3} ms; {:.0} nodes a move, {:.1} million a second",
        milliseconds(total) / moves,
        milliseconds(longest),
        nodes as f64 / moves,
        nodes as f64 / total.as_secs_f64() / 1e6,
    );
}
