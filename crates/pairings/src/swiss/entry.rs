//! A player before a round: points, floats and colors.

use std::cmp::Ordering;

use super::{Color, Play, PlayedRound, SwissPlayer, SwissSettings};

/// Against whom a player was paired in an earlier round.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Float {
    /// Someone with fewer points, or no game but points all the same.
    Down,
    /// Someone with more points.
    Up,
    None,
}

/// How much a player wants a color.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EntryStrength {
    None,
    Mild,
    Strong,
    Absolute,
}

/// A player of this round.
pub(super) struct RoundEntry {
    pub(super) number: usize,
    /// The number among those who have been paired so far.
    pub(super) seed: usize,
    pub(super) score: u64,
    /// The colors of the games so far.
    colors: Vec<Color>,
    preference: Option<Color>,
    strength: EntryStrength,
    /// By how many games one color outweighs the other.
    imbalance: usize,
    /// The color of the last two games, if it is the same.
    repeated: Option<Color>,
    /// In the last round and in the one before.
    pub(super) floats: [Float; 2],
    /// C2: neither a bye nor as many points as a win without a game.
    pub(super) may_have_bye: bool,
    /// Rounds without a game.
    pub(super) unplayed: i64,
}

impl RoundEntry {
    pub(super) fn new(
        number: usize,
        players: &[SwissPlayer],
        played: usize,
        settings: &SwissSettings,
    ) -> RoundEntry {
        let rounds = &players[number].rounds;
        let game = |round: &PlayedRound| match round.play {
            Play::Game { color, .. } => Some(color),
            Play::Bye | Play::Forfeit | Play::Absence => None,
        };
        let all: Vec<Color> = rounds.iter().filter_map(game).collect();
        let unplayed = played.saturating_sub(all.len()) as i64;
        let colors = if settings.colors { all } else { Vec::new() };
        let whites = colors
            .iter()
            .filter(|&&color| color == Color::White)
            .count();
        let blacks = colors.len() - whites;
        let rarer = (whites != blacks).then_some(if whites > blacks {
            Color::Black
        } else {
            Color::White
        });
        let last = colors.last().copied();
        let repeated = last.filter(|&last| colors.iter().rev().nth(1) == Some(&last));
        let imbalance = whites.abs_diff(blacks);
        let strength = match (imbalance, repeated, last) {
            (2.., _, _) | (_, Some(_), _) => EntryStrength::Absolute,
            (1, None, _) => EntryStrength::Strong,
            (_, None, Some(_)) => EntryStrength::Mild,
            (_, None, None) => EntryStrength::None,
        };
        let opposite = last.map(Color::other);
        let preference = match strength {
            EntryStrength::Absolute if imbalance < 2 => opposite,
            _ => rarer.or(opposite),
        };
        let gives_win = |round: &PlayedRound| game(round).is_none() && round.points >= settings.win;
        RoundEntry {
            number,
            seed: number,
            score: score(&players[number], played),
            colors,
            preference,
            strength,
            imbalance,
            repeated,
            floats: [1, 2].map(|ago| float(players, number, played, ago)),
            may_have_bye: !rounds
                .iter()
                .any(|round| round.play == Play::Bye || gives_win(round)),
            unplayed,
        }
    }

    /// Whether both prefer the same color.
    pub(super) fn wants_same(&self, other: &RoundEntry) -> bool {
        self.preference.is_some() && self.preference == other.preference
    }

    /// Whether both prefer the same color and can hardly do without.
    pub(super) fn conflicts_absolutely(&self, other: &RoundEntry) -> bool {
        self.wants_same(other) && self.strength.min(other.strength) == EntryStrength::Absolute
    }

    /// C10: whether the colors of one of the two get to differ by three games.
    pub(super) fn exceeds_balance(&self, other: &RoundEntry) -> bool {
        self.wants_same(other) && self.imbalance.min(other.imbalance) > 1
    }

    /// C11: whether one of the two gets the same color three times in a row.
    pub(super) fn exceeds_row(&self, other: &RoundEntry) -> bool {
        if !self.conflicts_absolutely(other) {
            return false;
        }
        if self.imbalance == other.imbalance {
            return self.repeated.is_some() && self.repeated == other.repeated;
        }
        let yields = if self.imbalance > other.imbalance {
            other
        } else {
            self
        };
        yields.repeated.is_some() && yields.repeated == self.preference.map(Color::other)
    }

    /// C13: whether one of the two does not get the color that it wants strongly.
    pub(super) fn exceeds_strength(&self, other: &RoundEntry) -> bool {
        self.wants_same(other)
            && self.strength.min(other.strength) >= EntryStrength::Strong
            && !self.conflicts_absolutely(other)
    }

    /// 5.2: the color against someone lower in the order. `first` is that of the first player in the first round.
    pub(super) fn color_against(&self, low: &RoundEntry, first: Color) -> Color {
        // 5.2.1: both get what they want.
        if !self.wants_same(low)
            && let Some(color) = self.preference.or(low.preference.map(Color::other))
        {
            return color;
        }
        if let Some(color) = self.preference {
            // 5.2.2: the stronger wish counts, and of two absolute ones that of the wider difference.
            let key = |entry: &RoundEntry| match entry.strength {
                EntryStrength::Absolute => (entry.strength, entry.imbalance),
                EntryStrength::None | EntryStrength::Mild | EntryStrength::Strong => {
                    (entry.strength, 0)
                }
            };
            match key(self).cmp(&key(low)) {
                Ordering::Greater => return color,
                Ordering::Less => return color.other(),
                Ordering::Equal => {}
            }
            // 5.2.3: the other way round than when their colors last differed; 5.2.4: else the wish of the higher one.
            let mut recent = self.colors.iter().rev().zip(low.colors.iter().rev());
            return recent.find(|(a, b)| a != b).map_or(color, |(_, b)| *b);
        }
        // 5.2.5: neither has played yet.
        if self.seed.is_multiple_of(2) {
            first
        } else {
            first.other()
        }
    }
}

/// The points before a round.
fn score(player: &SwissPlayer, round: usize) -> u64 {
    player
        .rounds
        .iter()
        .take(round)
        .map(|round| u64::from(round.points))
        .sum()
}

/// Where a player floated some rounds ago.
fn float(players: &[SwissPlayer], number: usize, played: usize, ago: usize) -> Float {
    let Some(at) = played.checked_sub(ago) else {
        return Float::None;
    };
    match players[number].rounds.get(at) {
        Some(PlayedRound {
            play: Play::Game { opponent, .. },
            ..
        }) => {
            let Some(opponent) = players.get(*opponent) else {
                return Float::None;
            };
            match score(&players[number], at).cmp(&score(opponent, at)) {
                Ordering::Greater => Float::Down,
                Ordering::Less => Float::Up,
                Ordering::Equal => Float::None,
            }
        }
        Some(round) if round.points > 0 => Float::Down,
        Some(_) | None => Float::None,
    }
}
