//! Formats as people read them.

use std::fmt;

use super::Format;

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::Match { games } => write!(f, "match of {}", count(*games, "game")),
            Format::RoundRobin { pairs } => {
                write!(
                    f,
                    "round-robin, {} for every two bots",
                    count(*pairs, "pair")
                )
            }
            Format::Gauntlet { challengers, pairs } => write!(
                f,
                "gauntlet of {}, {} for every two bots that meet",
                count(*challengers as u64, "challenger"),
                count(*pairs, "pair")
            ),
            Format::Knockout { pairs, playoffs } => write!(
                f,
                "knockout, {} a meeting and up to {playoffs} more if level",
                count(*pairs, "pair")
            ),
            Format::Swiss { rounds: 0, pairs } => {
                write!(f, "swiss, {} a meeting", count(*pairs, "pair"))
            }
            Format::Swiss { rounds, pairs } => write!(
                f,
                "swiss of {}, {} a meeting",
                count(u64::from(*rounds), "round"),
                count(*pairs, "pair")
            ),
            Format::Sprt {
                elo: [h0, h1],
                model,
                max_pairs,
                ..
            } => write!(
                f,
                "sequential test of {h0} against {h1} {model} Elo, at most {}",
                count(*max_pairs, "pair")
            ),
        }
    }
}

fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}
