//! A game in the making: what each word of its text does to it.

use super::lexer::{Enclosed, Tag, TextPosition, Token};
use super::{
    Comment, DEEPEST, GAME_TYPE_NUMBER, Line, Nag, Numbering, PdnError, PdnErrorKind, PdnGame,
    PdnResult, Tags,
};
use crate::{FenError, MoveTextError, Position};

/// How many tags a game may have: they are looked through for each new one.
const MOST_TAGS: usize = 256;

pub(super) struct Draft<'a> {
    tags: Tags,
    result: PdnResult,
    line: LineDraft<'a>,
    /// The tags so far.
    names: Vec<&'a str>,
    last_tag: Option<TextPosition>,
    result_tag: Option<PdnResult>,
    /// Where a set-up was announced.
    setup: Option<TextPosition>,
    fen: Option<Tag<'a>>,
    numbering: Option<Numbering>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(numbering: Option<Numbering>) -> Draft<'a> {
        Draft {
            tags: Tags::default(),
            result: PdnResult::Unfinished,
            line: LineDraft::new(Position::start(), numbering, 0),
            names: Vec::new(),
            last_tag: None,
            result_tag: None,
            setup: None,
            fen: None,
            numbering,
        }
    }

    /// Whether this tag begins the next game: it is a tag that this game has already, below a
    /// blank line.
    pub(super) fn ends_before(&self, place: TextPosition, tag: &Tag<'_>) -> bool {
        let is_below_blank = |last: TextPosition| place.line > last.line + 1;
        self.names.contains(&tag.name) && self.last_tag.is_some_and(is_below_blank)
    }

    pub(super) fn add(&mut self, place: TextPosition, token: Token<'a>) -> Result<(), PdnError> {
        match token {
            Token::Tag(tag) => self.tag(place, tag),
            Token::Result(result) => self.result(place, result),
            token => self.line.add(place, token),
        }
    }

    /// What can be said only after the last tag.
    pub(super) fn check_tags(&mut self) -> Result<(), PdnError> {
        self.line.numbering = self.numbering;
        match (self.setup, self.fen.take()) {
            (Some(place), None) => Err(place.error(PdnErrorKind::MissingFen)),
            (_, Some(tag)) if !matches!(tag.value.trim(), "" | "?") => {
                self.line.start_at(read_fen(&tag, self.numbering)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The game, if there was a tag or a move.
    pub(super) fn finish(self) -> Option<PdnGame> {
        let line = self.line.finish();
        let is_game = !self.names.is_empty() || !line.moves().is_empty();
        is_game.then_some(PdnGame {
            tags: self.tags,
            result: self.result,
            line,
        })
    }

    fn tag(&mut self, place: TextPosition, tag: Tag<'a>) -> Result<(), PdnError> {
        if self.names.contains(&tag.name) {
            return Err(place.error(PdnErrorKind::RepeatedTag(tag.name.to_owned())));
        }
        if self.names.len() == MOST_TAGS {
            let expected = "the moves: a game has at most 256 tags";
            return Err(place.error(PdnErrorKind::Expected(expected)));
        }
        self.names.push(tag.name);
        self.last_tag = Some(place);
        match tag.name {
            "FEN" => self.fen = Some(tag),
            "SetUp" => self.setup = (tag.value == "1").then_some(place),
            "GameType" => {
                check_game_type(&tag)?;
                let named = Numbering::of_game_type(&tag.value);
                self.numbering = self.numbering.or(named);
            }
            "Result" => {
                let result = result_tag(&tag)?;
                self.result_tag = Some(result);
                self.result = result;
            }
            name => self.tags.put(name, &tag.value),
        }
        Ok(())
    }

    fn result(&mut self, place: TextPosition, moves: PdnResult) -> Result<(), PdnError> {
        match self.result_tag {
            // A star may just separate games.
            Some(_) if moves == PdnResult::Unfinished => {}
            Some(tag) if tag != PdnResult::Unfinished && tag != moves => {
                return Err(place.error(PdnErrorKind::ResultsDiffer { tag, moves }));
            }
            Some(_) | None => self.result = moves,
        }
        Ok(())
    }
}

/// Moves in the making: those of the game, or of a variation.
struct LineDraft<'a> {
    line: Line,
    /// The position before the last move.
    before: Position,
    /// The comments since the last move.
    comments: Vec<&'a str>,
    numbering: Option<Numbering>,
    /// How many variations this is inside of.
    depth: usize,
}

impl<'a> LineDraft<'a> {
    fn new(start: Position, numbering: Option<Numbering>, depth: usize) -> LineDraft<'a> {
        LineDraft {
            line: Line::new(start.clone()),
            before: start,
            comments: Vec::new(),
            numbering,
            depth,
        }
    }

    /// Sets the position of a line that has no moves yet.
    fn start_at(&mut self, start: Position) {
        self.line = Line::new(start);
    }

    fn add(&mut self, place: TextPosition, token: Token<'a>) -> Result<(), PdnError> {
        match token {
            Token::Comment(text) => self.comments.push(text),
            Token::Nag(nag) => self.nag(place, nag)?,
            Token::Glyph(glyph) => match nag_of(glyph) {
                Some(nag) => self.nag(place, nag)?,
                None => self.comments.push(glyph),
            },
            Token::Variation(enclosed) => self.variation(enclosed)?,
            Token::Move(text) => self.play(place, text)?,
            Token::Tag(_) | Token::Result(_) => {
                return Err(place.error(PdnErrorKind::Expected("a move")));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Line {
        self.flush_comments();
        self.line
    }

    fn nag(&mut self, place: TextPosition, nag: Nag) -> Result<(), PdnError> {
        let Some(last) = self.line.last_mut() else {
            let expected = PdnErrorKind::Expected("a move before what is thought of it");
            return Err(place.error(expected));
        };
        last.nags.push(nag);
        Ok(())
    }

    /// A variation of the last move. One that cannot be read is kept as a comment.
    fn variation(&mut self, enclosed: Enclosed<'a>) -> Result<(), PdnError> {
        let can_vary = !self.line.moves().is_empty() && self.depth < DEEPEST;
        match self.read_variation(enclosed) {
            Ok(line) if can_vary && !line.moves().is_empty() => self.line.push_variation(line),
            Err(error) if matches!(error.kind, PdnErrorKind::Numbers(_)) => return Err(error),
            Ok(_) | Err(_) => self.comments.push(enclosed.whole),
        }
        Ok(())
    }

    fn read_variation(&self, enclosed: Enclosed<'a>) -> Result<Line, PdnError> {
        let mut draft = LineDraft::new(self.before.clone(), self.numbering, self.depth + 1);
        if draft.depth <= DEEPEST {
            let mut lexer = enclosed.lexer();
            while let Some((place, token)) = lexer.next()? {
                draft.add(place, token)?;
            }
        }
        Ok(draft.finish())
    }

    fn play(&mut self, place: TextPosition, text: &str) -> Result<(), PdnError> {
        let is_numbered = text.starts_with(|c: char| c.is_ascii_digit());
        let text = match self.numbering {
            Some(numbering) if is_numbered => numbering.to_algebraic(text),
            None if is_numbered => {
                return Err(place.error(PdnErrorKind::Numbers(text.to_owned())));
            }
            Some(_) | None => text.chars().map(look_alike).collect(),
        };
        let position = self.line.position();
        let m = position.parse_move(&text).map_err(|error| {
            let offset = if is_numbered { 0 } else { move_offset(&error) };
            let kind = PdnErrorKind::from_move(error, position);
            place.right_by(offset).error(kind)
        })?;
        self.flush_comments();
        self.before = self.line.position().clone();
        self.line.push_legal(m);
        Ok(())
    }

    fn flush_comments(&mut self) {
        let comment = Comment::new(&self.comments.join(" "));
        self.comments.clear();
        match self.line.last_mut() {
            Some(last) => last.comment = comment,
            None => self.line.comment = comment,
        }
    }
}

fn read_fen(tag: &Tag<'_>, numbering: Option<Numbering>) -> Result<Position, PdnError> {
    Position::read_fen(&tag.value, numbering).map_err(|error| {
        let place = tag.value_place.right_by(fen_offset(&error));
        place.error(match error {
            FenError::Numbers { name, .. } => PdnErrorKind::Numbers(name),
            error => PdnErrorKind::Fen(error),
        })
    })
}

fn check_game_type(tag: &Tag<'_>) -> Result<(), PdnError> {
    let number = tag.value.split(',').next().unwrap_or_default();
    if number.trim() == GAME_TYPE_NUMBER {
        return Ok(());
    }
    let kind = PdnErrorKind::GameType(tag.value.to_string());
    Err(tag.value_place.error(kind))
}

fn result_tag(tag: &Tag<'_>) -> Result<PdnResult, PdnError> {
    match tag.value.trim() {
        "" | "?" => Ok(PdnResult::Unfinished),
        value => value.parse().map_err(|_| {
            let kind = PdnErrorKind::Result(value.to_owned());
            tag.value_place.error(kind)
        }),
    }
}

/// The judgement that a suffix stands for.
fn nag_of(glyph: &str) -> Option<Nag> {
    let glyphs = ["!", "?", "!!", "??", "!?", "?!"];
    (1..)
        .zip(glyphs)
        .find_map(|(number, known)| (known == glyph).then_some(Nag(number)))
}

/// Dashes, and the Cyrillic letters that nobody can tell from Latin ones on the screen.
fn look_alike(c: char) -> char {
    match c {
        '–' | '—' | '−' => '-',
        'а' | 'А' => 'a',
        'с' | 'С' => 'c',
        'е' | 'Е' => 'e',
        'х' | 'Х' => 'x',
        _ => c,
    }
}

/// How far into the move the error is.
fn move_offset(error: &MoveTextError) -> usize {
    match error {
        MoveTextError::Syntax { column, .. } => column - 1,
        MoveTextError::Illegal { .. } | MoveTextError::Ambiguous { .. } => 0,
    }
}

/// How far into the FEN the error is.
fn fen_offset(error: &FenError) -> usize {
    error.column().map_or(0, |column| column - 1)
}
