//! A game in the making: what each word of its text does to it.

use std::borrow::Cow;

use super::lexer::{Place, Tag, Token};
use super::{
    Comment, GAME_TYPE_NUMBER, Nag, Numbering, PdnError, PdnErrorKind, PdnGame, PdnResult,
};
use crate::{FenError, MoveTextError, Position};

pub(super) struct Draft<'a> {
    game: PdnGame,
    /// The comments since the last move.
    comments: Vec<&'a str>,
    /// The tags so far.
    names: Vec<&'a str>,
    last_tag: Option<Place>,
    result_tag: Option<PdnResult>,
    /// Where a set-up was announced.
    setup: Option<Place>,
    numbering: Option<Numbering>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(numbering: Option<Numbering>) -> Draft<'a> {
        Draft {
            game: PdnGame::new(Position::start()),
            comments: Vec::new(),
            names: Vec::new(),
            last_tag: None,
            result_tag: None,
            setup: None,
            numbering,
        }
    }

    /// Whether this tag begins the next game: it is a tag that this game has already, below a
    /// blank line.
    pub(super) fn ends_before(&self, place: Place, tag: &Tag<'_>) -> bool {
        let is_below_blank = |last: Place| place.line > last.line + 1;
        self.names.contains(&tag.name) && self.last_tag.is_some_and(is_below_blank)
    }

    pub(super) fn add(&mut self, place: Place, token: Token<'a>) -> Result<(), PdnError> {
        match token {
            Token::Tag(tag) => self.tag(place, tag)?,
            Token::Comment(text) => self.comments.push(text),
            Token::Nag(nag) => self.nag(place, nag)?,
            Token::Glyph(glyph) => match nag_of(glyph) {
                Some(nag) => self.nag(place, nag)?,
                None => self.comments.push(glyph),
            },
            Token::Result(result) => self.result(place, result)?,
            Token::Move(text) => self.play(place, text)?,
        }
        Ok(())
    }

    /// What can be said only after the last tag.
    pub(super) fn check_tags(&self) -> Result<(), PdnError> {
        match self.setup {
            Some(place) if !self.names.contains(&"FEN") => {
                Err(place.error(PdnErrorKind::MissingFen))
            }
            _ => Ok(()),
        }
    }

    /// The game, if there was a tag or a move.
    pub(super) fn finish(mut self) -> Option<PdnGame> {
        self.flush_comments();
        let is_game = !self.names.is_empty() || !self.game.moves.is_empty();
        is_game.then_some(self.game)
    }

    fn tag(&mut self, place: Place, tag: Tag<'a>) -> Result<(), PdnError> {
        if self.names.contains(&tag.name) {
            return Err(place.error(PdnErrorKind::RepeatedTag(tag.name.to_owned())));
        }
        self.names.push(tag.name);
        self.last_tag = Some(place);
        match tag.name {
            "FEN" => self.start(&tag)?,
            "SetUp" => self.setup = (tag.value == "1").then_some(place),
            "GameType" => check_game_type(&tag)?,
            "Result" => {
                let result = result_tag(&tag)?;
                self.result_tag = Some(result);
                self.game.result = result;
            }
            name => self.game.tags.put(name, &tag.value),
        }
        Ok(())
    }

    fn start(&mut self, tag: &Tag<'_>) -> Result<(), PdnError> {
        let fen = match self.numbering {
            Some(numbering) => Cow::Owned(numbering.to_algebraic(&tag.value)),
            None => Cow::Borrowed(&*tag.value),
        };
        let start: Position = fen.parse().map_err(|error| {
            // Replaced numbers have moved what follows them.
            let offset = match &fen {
                Cow::Borrowed(_) => fen_offset(&error),
                Cow::Owned(_) => 0,
            };
            let kind = PdnErrorKind::Fen(error);
            tag.value_place.right_by(offset).error(kind)
        })?;
        self.game.start = start.clone();
        self.game.position = start;
        Ok(())
    }

    fn nag(&mut self, place: Place, nag: Nag) -> Result<(), PdnError> {
        let Some(last) = self.game.moves.last_mut() else {
            let expected = PdnErrorKind::Expected("a move before what is thought of it");
            return Err(place.error(expected));
        };
        last.annotation.nags.push(nag);
        Ok(())
    }

    fn result(&mut self, place: Place, moves: PdnResult) -> Result<(), PdnError> {
        match self.result_tag {
            // A star may just separate games.
            Some(_) if moves == PdnResult::Unfinished => {}
            Some(tag) if tag != PdnResult::Unfinished && tag != moves => {
                return Err(place.error(PdnErrorKind::ResultsDiffer { tag, moves }));
            }
            Some(_) | None => self.game.result = moves,
        }
        Ok(())
    }

    fn play(&mut self, place: Place, text: &str) -> Result<(), PdnError> {
        let is_numbered = text.starts_with(|c: char| c.is_ascii_digit());
        let text = match self.numbering {
            Some(numbering) if is_numbered => numbering.to_algebraic(text),
            None if is_numbered => {
                return Err(place.error(PdnErrorKind::Numbers(text.to_owned())));
            }
            Some(_) | None => text.chars().map(look_alike).collect(),
        };
        let position = &self.game.position;
        let m = position.parse_move(&text).map_err(|error| {
            let offset = if is_numbered { 0 } else { move_offset(&error) };
            let kind = PdnErrorKind::from_move(error, position);
            place.right_by(offset).error(kind)
        })?;
        self.flush_comments();
        self.game.push_legal(m);
        Ok(())
    }

    fn flush_comments(&mut self) {
        let comment = Comment::new(&self.comments.join(" "));
        self.comments.clear();
        match self.game.moves.last_mut() {
            Some(last) => last.annotation.comment = comment,
            None => self.game.comment = comment,
        }
    }
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
    match error {
        FenError::Syntax { column, .. }
        | FenError::LightSquare { column, .. }
        | FenError::TakenTwice { column, .. } => column - 1,
        FenError::Setup(_) => 0,
    }
}
