//! The rules told slowly: a second opinion on the generator under test.
//!
//! Written straight from the rule book, for a board of 8 × 8 characters. It shares no code with
//! the library, not even the reading of a FEN, and prefers the obvious to the quick.

use std::collections::BTreeSet;
use std::fmt;

const EMPTY: char = '.';
const OFF_BOARD: char = '#';

/// Up-left, up-right, down-left, down-right.
const DIAGONALS: [(i8, i8); 4] = [(-1, 1), (1, 1), (-1, -1), (1, -1)];

/// A place by file and row, counted from 0; it may lie beside the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Spot {
    pub(crate) row: i8,
    pub(crate) file: i8,
}

impl Spot {
    fn towards(self, (file, row): (i8, i8), steps: i8) -> Spot {
        Spot {
            row: self.row + steps * row,
            file: self.file + steps * file,
        }
    }
}

/// The rules to play by: the book, or the book with some rule broken.
#[derive(Clone, Copy)]
pub(crate) struct Book {
    /// A king may end a capture wherever it lands, even where another landing square goes on.
    pub(crate) king_stops_anywhere: bool,
    /// A king that has captured may not capture the next piece on the same line.
    pub(crate) king_turns_after_each_capture: bool,
    /// Captured pieces leave the board at once.
    pub(crate) captured_pieces_vanish: bool,
    /// Captured pieces stay, but may be jumped once more.
    pub(crate) captured_pieces_jumped_again: bool,
    /// The moving piece also stays where it started.
    pub(crate) start_stays_taken: bool,
    /// A man that captures on from the last row does so as a man.
    pub(crate) promotes_only_at_the_end: bool,
    /// A man that reaches the last row stops there.
    pub(crate) promotion_ends_the_capture: bool,
    /// Of several captures, one of the most pieces must be chosen, and of these the most kings.
    pub(crate) takes_the_most: bool,
}

impl Book {
    /// The book itself, with no rule broken.
    pub(crate) const RIGHT: Book = Book {
        king_stops_anywhere: false,
        king_turns_after_each_capture: false,
        captured_pieces_vanish: false,
        captured_pieces_jumped_again: false,
        start_stays_taken: false,
        promotes_only_at_the_end: false,
        promotion_ends_the_capture: false,
        takes_the_most: false,
    };
}

/// One way to carry out a move, or its beginning.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Way {
    /// Every square the piece stands on, start and end included.
    pub(crate) squares: Vec<Spot>,
    /// The captured pieces in order.
    pub(crate) captures: Vec<Spot>,
    /// Whether a man has become a king.
    pub(crate) promotes: bool,
}

/// What a move does; ways with one effect are one move.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Effect {
    pub(crate) from: Spot,
    pub(crate) to: Spot,
    pub(crate) captured: BTreeSet<Spot>,
    pub(crate) promotes: bool,
}

impl Way {
    pub(crate) fn effect(&self) -> Effect {
        Effect {
            from: self.start(),
            to: self.end(),
            captured: self.captures.iter().copied().collect(),
            promotes: self.promotes,
        }
    }

    fn start(&self) -> Spot {
        self.squares[0]
    }

    fn end(&self) -> Spot {
        self.squares[self.squares.len() - 1]
    }

    /// The diagonal of the last hop.
    fn heading(&self) -> Option<(i8, i8)> {
        let [.., before, last] = self.squares[..] else {
            return None;
        };
        let (file, row) = (last.file - before.file, last.row - before.row);
        Some((file.signum(), row.signum()))
    }
}

/// Pieces on a board and the side to move: `w` and `b` are men, `W` and `B` kings.
#[derive(Clone)]
pub(crate) struct RuleBoard {
    rows: [[char; 8]; 8],
    turn: char,
}

impl RuleBoard {
    /// Reads `W:Wa1,Kd4:Bb8`, and nothing more lenient than that.
    pub(crate) fn from_fen(fen: &str) -> RuleBoard {
        let parts: Vec<&str> = fen.split(':').collect();
        let mut board = RuleBoard {
            rows: [[EMPTY; 8]; 8],
            turn: side_letter(parts[0]),
        };
        for part in &parts[1..] {
            let (side, pieces) = part.split_at(1);
            for piece in pieces.split(',').filter(|piece| !piece.is_empty()) {
                let man = side_letter(side);
                match piece.strip_prefix('K') {
                    Some(name) => board.put(spot(name), man.to_ascii_uppercase()),
                    None => board.put(spot(piece), man),
                }
            }
        }
        board
    }

    /// Every way to carry out every legal move.
    pub(crate) fn ways(&self, book: Book) -> Vec<Way> {
        let ours = self.spots().filter(|&spot| self.is_ours(self.at(spot)));
        let (mut captures, mut quiet) = (Vec::new(), Vec::new());
        for from in ours {
            let begin = Way {
                squares: vec![from],
                captures: Vec::new(),
                promotes: false,
            };
            captures.extend(self.captures(&begin, book));
            quiet.extend(self.quiet_moves(&begin));
        }
        if book.takes_the_most {
            let most = captures.iter().map(|way| self.worth(way)).max();
            captures.retain(|way| Some(self.worth(way)) == most);
        }
        if captures.is_empty() { quiet } else { captures }
    }

    /// The board after a move, the other side to move.
    pub(crate) fn after(&self, way: &Way) -> RuleBoard {
        let mut board = self.clone();
        let piece = self.at(way.start());
        board.put(way.start(), EMPTY);
        for &captured in &way.captures {
            board.put(captured, EMPTY);
        }
        let king = piece.to_ascii_uppercase();
        board.put(way.end(), if way.promotes { king } else { piece });
        board.turn = if self.turn == 'w' { 'b' } else { 'w' };
        board
    }

    fn quiet_moves(&self, begin: &Way) -> Vec<Way> {
        let from = begin.start();
        let is_king = self.at(from).is_ascii_uppercase();
        let reach = if is_king { 7 } else { 1 };
        let mut ways = Vec::new();
        for diagonal in DIAGONALS {
            let is_forward = diagonal.1 == if self.turn == 'w' { 1 } else { -1 };
            if !is_king && !is_forward {
                continue;
            }
            let squares = (1..=reach).map(|steps| from.towards(diagonal, steps));
            for to in squares.take_while(|&to| self.at(to) == EMPTY) {
                ways.push(Way {
                    squares: vec![from, to],
                    captures: Vec::new(),
                    promotes: !is_king && self.is_last_row(to),
                });
            }
        }
        ways
    }

    /// Every complete capture that begins like `way`; none if it cannot go on.
    fn captures(&self, way: &Way, book: Book) -> Vec<Way> {
        let mut complete = Vec::new();
        for diagonal in DIAGONALS {
            let hops = self.hops(way, diagonal, book);
            let longer: Vec<Vec<Way>> = hops.iter().map(|hop| self.captures(hop, book)).collect();
            let one_goes_on = longer.iter().any(|longer| !longer.is_empty());
            for (hop, longer) in hops.into_iter().zip(longer) {
                // Of the squares behind the captured piece, one that goes on must be chosen.
                if longer.is_empty() && (!one_goes_on || book.king_stops_anywhere) {
                    complete.push(self.ended(hop));
                }
                complete.extend(longer);
            }
        }
        complete
    }

    /// `way` with one piece more captured along the diagonal, once for each landing square.
    fn hops(&self, way: &Way, diagonal: (i8, i8), book: Book) -> Vec<Way> {
        if way.promotes && book.promotion_ends_the_capture {
            return Vec::new();
        }
        let is_king = way.promotes || self.at(way.start()).is_ascii_uppercase();
        if is_king && book.king_turns_after_each_capture && way.heading() == Some(diagonal) {
            return Vec::new();
        }
        let reach = if is_king { 7 } else { 1 };
        let is_empty = |&spot: &Spot| self.during(way, spot, book) == EMPTY;
        let before = (1..reach).map(|steps| way.end().towards(diagonal, steps));
        let steps_before = before.take_while(is_empty).count() as i8;
        let victim = way.end().towards(diagonal, steps_before + 1);
        let is_enemy = self.is_theirs(self.during(way, victim, book));
        let times_jumped = way.captures.iter().filter(|&&spot| spot == victim).count();
        if !is_enemy || times_jumped > usize::from(book.captured_pieces_jumped_again) {
            return Vec::new();
        }
        let behind = (1..=reach).map(|steps| victim.towards(diagonal, steps));
        behind
            .take_while(is_empty)
            .map(|landing| self.hop(way, victim, landing, book))
            .collect()
    }

    fn hop(&self, way: &Way, victim: Spot, landing: Spot, book: Book) -> Way {
        let mut way = way.clone();
        way.squares.push(landing);
        way.captures.push(victim);
        let is_man = self.at(way.start()).is_ascii_lowercase();
        way.promotes |= is_man && self.is_last_row(landing) && !book.promotes_only_at_the_end;
        way
    }

    /// A finished capture: a man that stops on the last row is a king by any book.
    fn ended(&self, mut way: Way) -> Way {
        let is_man = self.at(way.start()).is_ascii_lowercase();
        way.promotes |= is_man && self.is_last_row(way.end());
        way
    }

    /// How many pieces and how many kings are captured, as other games count them.
    fn worth(&self, way: &Way) -> (usize, usize) {
        let is_king = |&&spot: &&Spot| self.at(spot).is_ascii_uppercase();
        let kings = way.captures.iter().filter(is_king).count();
        (way.captures.len(), kings)
    }

    /// What stands on a square while a move is under way: the moving piece has left its start,
    /// captured pieces are still there.
    fn during(&self, way: &Way, spot: Spot, book: Book) -> char {
        let has_left = spot == way.start() && !book.start_stays_taken;
        let has_vanished = book.captured_pieces_vanish && way.captures.contains(&spot);
        if has_left || has_vanished {
            EMPTY
        } else {
            self.at(spot)
        }
    }

    fn at(&self, spot: Spot) -> char {
        let on_board = (0..8).contains(&spot.row) && (0..8).contains(&spot.file);
        if on_board {
            self.rows[spot.row as usize][spot.file as usize]
        } else {
            OFF_BOARD
        }
    }

    fn put(&mut self, spot: Spot, piece: char) {
        self.rows[spot.row as usize][spot.file as usize] = piece;
    }

    fn spots(&self) -> impl Iterator<Item = Spot> {
        (0..8).flat_map(|row| (0..8).map(move |file| Spot { row, file }))
    }

    fn is_ours(&self, piece: char) -> bool {
        piece.to_ascii_lowercase() == self.turn
    }

    fn is_theirs(&self, piece: char) -> bool {
        piece.is_ascii_alphabetic() && !self.is_ours(piece)
    }

    fn is_last_row(&self, spot: Spot) -> bool {
        spot.row == if self.turn == 'w' { 7 } else { 0 }
    }
}

/// `w` for `W`, `b` for `B`.
fn side_letter(text: &str) -> char {
    match text {
        "W" => 'w',
        "B" => 'b',
        _ => panic!("{text} is no side"),
    }
}

/// The square with this name.
pub(crate) fn spot(name: &str) -> Spot {
    let &[file @ b'a'..=b'h', row @ b'1'..=b'8'] = name.as_bytes() else {
        panic!("{name} is no square");
    };
    Spot {
        row: (row - b'1') as i8,
        file: (file - b'a') as i8,
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file as u8);
        write!(f, "{file}{}", self.row + 1)
    }
}

impl fmt::Display for Way {
    /// Writes `c3:e5:g3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.captures.is_empty() { "-" } else { ":" };
        let names: Vec<String> = self.squares.iter().map(Spot::to_string).collect();
        f.write_str(&names.join(separator))
    }
}

impl fmt::Display for RuleBoard {
    /// Writes the FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.turn.to_ascii_uppercase())?;
        for man in ['w', 'b'] {
            write!(f, ":{}", man.to_ascii_uppercase())?;
            let mut comma = "";
            for spot in self.spots() {
                let piece = self.at(spot);
                if piece.to_ascii_lowercase() == man {
                    let king = if piece == man { "" } else { "K" };
                    write!(f, "{comma}{king}{spot}")?;
                    comma = ",";
                }
            }
        }
        Ok(())
    }
}
