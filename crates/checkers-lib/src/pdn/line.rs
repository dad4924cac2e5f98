//! Moves with their notes, and the lines that could have been played instead.

use super::{Annotation, Comment};
use crate::{Move, PlayError, Position};

/// A move and what was noted about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnMove {
    /// The move.
    pub m: Move,
    /// The notes.
    pub annotation: Annotation,
    variations: Vec<Line>,
}

impl PdnMove {
    /// The lines that could have been played instead of the move.
    pub fn variations(&self) -> &[Line] {
        &self.variations
    }
}

/// Legal moves from a position on, each with its notes and variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The comment before the first move.
    pub comment: Comment,
    start: Position,
    moves: Vec<PdnMove>,
    /// The position after the last move.
    position: Position,
}

/// Why a line is no variation of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariationError {
    /// The line has no move.
    #[error("a variation without moves")]
    Empty,
    /// The line begins in another position than the move does.
    #[error("the variation begins in another position than move {index}")]
    Elsewhere {
        /// The move's index, counted from 0.
        index: usize,
    },
    /// There is no such move.
    #[error("no move {index}")]
    NoMove {
        /// The index, counted from 0.
        index: usize,
    },
}

impl Line {
    /// A line without moves.
    pub fn new(start: Position) -> Line {
        Line {
            comment: Comment::default(),
            position: start.clone(),
            start,
            moves: Vec::new(),
        }
    }

    /// Adds a move and returns its notes to be filled in.
    ///
    /// # Errors
    /// A move that is not legal after the last one; the line is as it was then.
    pub fn push(&mut self, m: Move) -> Result<&mut Annotation, PlayError> {
        if !self.position.is_legal(m) {
            let position = self.position.clone();
            return Err(PlayError { position });
        }
        Ok(self.push_legal(m))
    }

    pub(super) fn push_legal(&mut self, m: Move) -> &mut Annotation {
        self.position.play_unchecked(m);
        let index = self.moves.len();
        self.moves.push(PdnMove {
            m,
            annotation: Annotation::default(),
            variations: Vec::new(),
        });
        &mut self.moves[index].annotation
    }

    /// Adds a line that could have been played instead of the move with this index, counted from 0.
    ///
    /// # Errors
    /// A line without moves, one that begins elsewhere, and an index without a move.
    pub fn add_variation(&mut self, index: usize, variation: Line) -> Result<(), VariationError> {
        if variation.moves.is_empty() {
            return Err(VariationError::Empty);
        }
        let mut before = self.start.clone();
        for played in self.moves.iter().take(index) {
            before.play_unchecked(played.m);
        }
        let played = self.moves.get_mut(index);
        let played = played.ok_or(VariationError::NoMove { index })?;
        if variation.start != before {
            return Err(VariationError::Elsewhere { index });
        }
        played.variations.push(variation);
        Ok(())
    }

    /// Adds a variation of the last move, which begins where that move does.
    pub(super) fn push_variation(&mut self, variation: Line) {
        if let Some(last) = self.moves.last_mut() {
            last.variations.push(variation);
        }
    }

    /// The notes on the move with this index, counted from 0, to be changed.
    pub fn annotation_mut(&mut self, index: usize) -> Option<&mut Annotation> {
        Some(&mut self.moves.get_mut(index)?.annotation)
    }

    /// The notes on the last move.
    pub(super) fn last_mut(&mut self) -> Option<&mut Annotation> {
        Some(&mut self.moves.last_mut()?.annotation)
    }

    /// The position the line begins with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position after the last move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves with their notes and variations.
    pub fn moves(&self) -> &[PdnMove] {
        &self.moves
    }
}
