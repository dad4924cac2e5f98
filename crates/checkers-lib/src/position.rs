//! A legal position: who stands where and who is to move.

use crate::{
    Bitboard, ByColor, Color, Move, MoveList, Setup, SetupError, Square, movegen, zobrist,
};

/// A legal position.
///
/// The only ways in are [`Position::start`], [`Position::from_setup`] and [`Position::play`].
/// A position may be lost for the side to move (no piece or no move): [`Position::legal_moves`]
/// is empty then.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    key: u64,
    pieces: ByColor<Bitboard>,
    kings: Bitboard,
    turn: Color,
}

/// A move that is not legal in the position it was to be played in.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a legal move here")]
pub struct PlayError {
    /// The untouched position.
    pub position: Position,
}

impl Position {
    /// The start of the game.
    pub fn start() -> Position {
        Position::from_checked(&Setup::START)
    }

    /// The position of a set-up.
    ///
    /// # Errors
    /// When the set-up breaks a rule of the board; see [`Setup::check`].
    pub fn from_setup(setup: Setup) -> Result<Position, SetupError> {
        setup.check()?;
        Ok(Position::from_checked(&setup))
    }

    fn from_checked(setup: &Setup) -> Position {
        let mut position = Position {
            key: 0,
            pieces: ByColor::new_with(|side| setup.men[side] | setup.kings[side]),
            kings: setup.kings.white | setup.kings.black,
            turn: setup.turn,
        };
        position.key = position.key_from_scratch();
        position
    }

    /// The pieces as an editable [`Setup`].
    pub fn setup(&self) -> Setup {
        Setup {
            men: ByColor::new_with(|side| self.men(side)),
            kings: ByColor::new_with(|side| self.kings(side)),
            turn: self.turn,
        }
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces of a side.
    #[inline]
    pub fn pieces(&self, side: Color) -> Bitboard {
        self.pieces[side]
    }

    /// The men of a side.
    #[inline]
    pub fn men(&self, side: Color) -> Bitboard {
        self.pieces[side] - self.kings
    }

    /// The kings of a side.
    #[inline]
    pub fn kings(&self, side: Color) -> Bitboard {
        self.pieces[side] & self.kings
    }

    /// Every square with a piece on it.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.pieces.white | self.pieces.black
    }

    /// The Zobrist key: equal positions have equal keys, others almost surely not. Kept
    /// incrementally; the side to move is part of it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Gives the position its key, to which the legal move `m` led from `before`.
    #[inline]
    pub fn take_key(&mut self, before: &Position, m: Move) {
        self.key = before.key_after(m);
    }

    /// The key of the position that a legal move leads to. O(captured pieces).
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let is_king = self.kings.contains(m.from());
        let mut key = self.key
            ^ zobrist::BLACK_TO_MOVE
            ^ zobrist::piece(self.turn, is_king, m.from())
            ^ zobrist::piece(self.turn, is_king | m.promotes(), m.to());
        for square in m.captured() {
            key ^= zobrist::piece(!self.turn, self.kings.contains(square), square);
        }
        key
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.turn == Color::Black {
            zobrist::BLACK_TO_MOVE
        } else {
            0
        };
        for side in Color::ALL {
            for square in self.pieces[side] {
                key ^= zobrist::piece(side, self.kings.contains(square), square);
            }
        }
        key
    }

    /// The legal moves, each effect once, in an order that depends on the position alone.
    /// When a capture is possible there is nothing else. O(pieces) for quiet positions.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Puts the legal moves into `moves`, whose former content is dropped. The same as
    /// [`Position::legal_moves`] without moving a list of 1 KiB, for loops where that counts.
    #[inline]
    pub fn legal_moves_into(&self, moves: &mut MoveList) {
        moves.clear();
        movegen::legal_moves(self, moves);
    }

    /// The number of legal moves, without making the quiet ones.
    #[inline]
    pub fn count_moves(&self) -> usize {
        movegen::count_moves(self)
    }

    /// Whether the side to move must capture.
    #[inline]
    pub fn must_capture(&self) -> bool {
        movegen::can_capture(self)
    }

    /// Whether the side that is not to move could capture if it were its turn: whether the side to
    /// move has something to see to.
    #[inline]
    pub fn is_threatened(&self) -> bool {
        movegen::is_threatened(self)
    }

    /// Whether the side to move has neither piece nor move, and so has lost.
    #[inline]
    pub fn is_lost(&self) -> bool {
        !movegen::can_move(self)
    }

    /// Whether `m` is one of the legal moves.
    pub fn is_legal(&self, m: Move) -> bool {
        self.legal_moves().contains(&m)
    }

    /// Plays `m`.
    ///
    /// # Errors
    /// An illegal move hands the untouched position back inside the error.
    pub fn play(mut self, m: Move) -> Result<Position, PlayError> {
        if !self.is_legal(m) {
            return Err(PlayError { position: self });
        }
        self.play_unchecked(m);
        Ok(self)
    }

    /// Plays a move from [`Position::legal_moves`]. Another move leaves a wrong position, never
    /// undefined behaviour. O(captured pieces).
    #[inline]
    pub fn play_unchecked(&mut self, m: Move) {
        self.key = self.key_after(m);
        self.play_without_key(m);
    }

    /// Plays a move as [`Position::play_unchecked`] does, but leaves the key as it is, which not
    /// every node of a search needs: [`Position::take_key`] makes up for it.
    #[inline]
    pub fn play_without_key(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "{m:?} is not legal");
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (Bitboard::from(m.from()), Bitboard::from(m.to()));
        let is_king = !(self.kings & from).is_empty();
        // A circular capture ends where it began: exclusive or leaves the piece there.
        let ours = self.pieces[us] ^ from ^ to;
        let theirs = self.pieces[them] - m.captured();
        self.pieces = ByColor::new_with(|side| if side == us { ours } else { theirs });
        if is_king {
            self.kings ^= from ^ to;
        }
        if m.promotes() {
            self.kings |= to;
        }
        self.kings = self.kings - m.captured();
        self.turn = them;
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL
            .into_iter()
            .find(|&side| self.pieces[side].contains(square))?;
        Some(Piece {
            color,
            is_king: self.kings.contains(square),
        })
    }
}

/// A piece: whose, and whether it is a king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose piece.
    pub color: Color,
    /// A king, otherwise a man.
    pub is_king: bool,
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}
