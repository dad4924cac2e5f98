//! What the endgame tables do for the search.

use checkers_lib::{Color, Move, Position};

use super::probe::Tablebases;
use super::value::Wdl;
use crate::Score;

/// The endgame tables as the search sees them.
#[derive(Clone)]
pub(crate) struct Endings {
    tables: Tablebases,
}

/// What the tables say at the root.
pub(crate) enum Root {
    /// The best play to the end.
    Known {
        /// What it is worth.
        score: Score,
        /// The moves, one at least.
        line: Vec<Move>,
    },
    /// What is still to be searched.
    Search {
        /// The moves that are worth searching; all if there is none.
        moves: Vec<Move>,
        /// What is looked up.
        scope: EndingScope,
    },
}

/// Which positions of a search are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct EndingScope {
    /// Those of at most so many pieces.
    most_pieces: u32,
    /// What the root is worth, if it is one of them. Positions of as many pieces as the root
    /// are on the way from there to the end or they are not: those that are worth the same to the
    /// same side are searched on.
    root: Option<RootValue>,
}

/// A position that has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RootValue {
    pieces: u32,
    winner: Option<Color>,
}

impl EndingScope {
    /// Only positions of at most so many pieces.
    pub(crate) fn up_to(most_pieces: u32) -> EndingScope {
        EndingScope {
            most_pieces,
            root: None,
        }
    }

    /// The same without those of as many pieces as the root.
    pub(crate) fn below_the_root(self) -> EndingScope {
        EndingScope::up_to(self.root.map_or(self.most_pieces, |root| root.pieces - 1))
    }

    /// Whether a position is looked up, if it has no capture.
    #[inline]
    pub(crate) fn contains(&self, position: &Position) -> bool {
        position.occupied().len() <= self.most_pieces
    }

    /// The side that wins at the root, if a position has as many pieces: wherever such a position is
    /// searched on that side still wins.
    #[inline]
    pub(crate) fn winner(&self, position: &Position) -> Option<Color> {
        let root = self.root?;
        root.winner
            .filter(|_| position.occupied().len() == root.pieces)
    }

    /// Whether the root is known to be drawn.
    pub(crate) fn is_drawn(&self) -> bool {
        self.root.is_some_and(|root| root.winner.is_none())
    }

    /// Whether a position is worth what the root is, and as far from the next capture.
    #[inline]
    fn keeps(&self, position: &Position, value: Wdl) -> bool {
        self.root.is_some_and(|root| {
            position.occupied().len() == root.pieces && winner(position, value) == root.winner
        })
    }
}

/// Who wins where the side to move has this value.
#[inline]
fn winner(position: &Position, value: Wdl) -> Option<Color> {
    match value {
        Wdl::Win => Some(position.turn()),
        Wdl::Draw => None,
        Wdl::Loss => Some(!position.turn()),
    }
}

impl Endings {
    /// The tables of this process, which begin to get [ready](Endings::wait).
    pub(crate) fn shared() -> Endings {
        let tables = Tablebases::shared().clone();
        tables.begin_to_prepare();
        Endings { tables }
    }

    /// Waits until no look takes longer than the others: a search that decompresses tables itself
    /// loses its time by it.
    pub(crate) fn wait(&self) {
        // A page has a single thread for it, and shows a first move rather than wait.
        if cfg!(not(target_arch = "wasm32")) {
            self.tables.prepare();
        }
    }

    /// Whether nobody has to wait.
    #[cfg(test)]
    pub(crate) fn is_ready(&self) -> bool {
        self.tables.is_prepared()
    }

    /// What the tables say at the root, which has a move. Where they do not say how far the end is,
    /// the search finds the way, and is told wherever it leaves it. What cannot be read is searched
    /// as if there were no table.
    pub(crate) fn at_root(&self, position: &Position) -> Root {
        let pieces = position.occupied().len();
        let most = self.tables.most_pieces();
        if pieces > most.into() {
            return Root::Search {
                moves: Vec::new(),
                scope: EndingScope::up_to(most.into()),
            };
        }
        if let Some(known) = self.known(position) {
            return known;
        }
        Root::Search {
            moves: self.tables.best_moves(position).unwrap_or_default(),
            scope: self.scope(position),
        }
    }

    /// What is looked up in a search of a position that tables may have.
    pub(crate) fn scope(&self, root: &Position) -> EndingScope {
        let pieces = root.occupied().len();
        match self.tables.probe_wdl(root) {
            Ok(value) => EndingScope {
                most_pieces: pieces,
                root: Some(RootValue {
                    pieces,
                    winner: winner(root, value),
                }),
            },
            Err(_) => EndingScope::up_to(pieces - 1),
        }
    }

    fn known(&self, position: &Position) -> Option<Root> {
        let distance = self.tables.probe_distance(position).ok()?;
        let plies = distance.plies()?.into();
        let score = match distance.wdl() {
            Wdl::Win => Score::win_in(plies),
            Wdl::Loss => Score::lost_in(plies),
            Wdl::Draw => return None,
        };
        let line = self.tables.best_line(position).ok()?;
        (!line.is_empty()).then_some(Root::Known { score, line })
    }

    /// The score of a position without a capture, `ply` plies below the root, where a draw is worth
    /// `draw`; `None` if it is to be searched on.
    #[inline]
    pub(crate) fn score(
        &self,
        position: &Position,
        ply: u32,
        scope: &EndingScope,
        draw: Score,
    ) -> Option<Score> {
        if !scope.contains(position) {
            return None;
        }
        let value = self.tables.probe_quiet(position).ok()?;
        if scope.keeps(position, value) {
            return None;
        }
        let plies = match scope.root {
            // What the capture comes to counts, and not only how soon it comes.
            Some(_) => {
                ply + self
                    .tables
                    .probe_quiet_distance(position)
                    .unwrap_or(Score::BEYOND)
            }
            // Farther than any search looks, so that a win that is found to its end is preferred, and
            // among others the one that is nearer to the table.
            None => ply + Score::BEYOND,
        };
        match value {
            Wdl::Win => Some(Score::win_in(plies)),
            Wdl::Draw => Some(draw),
            Wdl::Loss => Some(Score::lost_in(plies)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn a_search_goes_on_where_the_value_of_the_root_is_kept_and_nowhere_else() {
        let endings = Endings {
            tables: Tablebases::embedded(),
        };
        // Won by one move alone, drawn, and lost.
        for (fen, keepers) in [
            ("W:We1,f4,h6:BKh4,c5", Some(1)),
            ("W:WKa7,Kc7,Ke7:BKa1,Kb8", None),
            ("B:We1,f4,g7:BKh4,c5", None),
        ] {
            let root = position(fen);
            let value = endings.tables.probe_wdl(&root).unwrap();
            let Root::Search { moves, scope } = endings.at_root(&root) else {
                panic!("{fen}: 5 pieces have no distances");
            };
            assert!(keepers.is_none_or(|keepers| moves.len() == keepers));
            assert!(!scope.below_the_root().contains(&root));
            for &m in &root.legal_moves() {
                let mut after = root.clone();
                after.play_unchecked(m);
                if after.must_capture() {
                    continue;
                }
                let score = endings.score(&after, 1, &scope, Score::new(20));
                let is_kept = endings.tables.probe_wdl(&after).unwrap().reversed() == value;
                assert_eq!(score.is_none(), is_kept, "{fen} {}", root.notation(m));
                if !is_kept {
                    let anywhere = EndingScope::up_to(5);
                    assert_eq!(score, endings.score(&after, 1, &anywhere, Score::new(20)));
                }
            }
        }
    }

    #[test]
    fn what_wins_sooner_after_the_capture_is_worth_more() {
        let endings = Endings {
            tables: Tablebases::embedded(),
        };
        let scope = endings.scope(&position("W:We1,f4,h6:BKh4,c5"));
        let known = position("W:WKa1,Kc1,Ke1:BKh8");
        let plies = endings.tables.probe_distance(&known).unwrap().plies();
        let plies = u32::from(plies.unwrap());
        let score = |scope| endings.score(&known, 3, scope, Score::ZERO);
        assert_eq!(score(&scope), Some(Score::win_in(3 + plies)));
        let unknown = score(&EndingScope::up_to(5));
        assert_eq!(unknown, Some(Score::win_in(3 + Score::BEYOND)));
    }
}
