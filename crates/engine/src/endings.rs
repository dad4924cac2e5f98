//! What the tables of endings do for the search.

use checkers_lib::{Move, Position};

use crate::Score;
use crate::tablebase::{Tablebases, Wdl};

/// How far off the end of a game counts that a table says is won, for all that is known: farther
/// than any search looks, so that a win that is found to its end is preferred, and among others the
/// one that is nearer to the table.
const PLIES_BEYOND: u32 = 500;

/// The tables of endings as the search sees them.
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
        /// Positions of at most so many pieces are looked up.
        most_pieces: u32,
    },
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
        self.tables.prepare();
    }

    /// Whether nobody has to wait.
    #[cfg(test)]
    pub(crate) fn is_ready(&self) -> bool {
        self.tables.is_prepared()
    }

    /// What the tables say at the root, which has a move. Where they do not say how far the end is,
    /// only positions of fewer pieces are looked up: the search finds the way there. What cannot be
    /// read is searched as if there were no table.
    pub(crate) fn at_root(&self, position: &Position) -> Root {
        let pieces = position.occupied().len();
        let most = self.tables.most_pieces();
        if pieces > most.into() {
            return Root::Search {
                moves: Vec::new(),
                most_pieces: most.into(),
            };
        }
        if let Some(known) = self.known(position) {
            return known;
        }
        Root::Search {
            moves: self.tables.best_moves(position).unwrap_or_default(),
            most_pieces: pieces - 1,
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

    /// The score of a position without a capture, `ply` plies below the root.
    #[inline]
    pub(crate) fn score(&self, position: &Position, ply: u32) -> Option<Score> {
        let plies = PLIES_BEYOND + ply;
        match self.tables.probe_quiet(position).ok()? {
            Wdl::Win => Some(Score::win_in(plies)),
            Wdl::Draw => Some(Score::ZERO),
            Wdl::Loss => Some(Score::lost_in(plies)),
        }
    }
}
