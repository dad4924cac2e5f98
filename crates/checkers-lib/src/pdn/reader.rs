//! From words to games.

use super::draft::Draft;
use super::lexer::{Lexer, Token};
use super::{Numbering, PdnError, PdnErrorKind, PdnGame};

/// Reads every game of a text.
///
/// # Errors
/// What is wrong with the first game that cannot be read; [`Games`] reads the others too.
pub fn parse(text: &str) -> Result<Vec<PdnGame>, PdnError> {
    Games::new(text).collect()
}

/// The games of a text, one after the other. After a game that cannot be read, reading goes on
/// behind its result or at the next tags, so that each bad game costs one error and nothing else.
///
/// # Examples
/// ```
/// use checkers_lib::pdn::Games;
///
/// let text = "[Event \"1\"]\n1. c3-c4 *\n\n[Event \"2\"]\n1. c3-d4 *\n";
/// let (good, bad): (Vec<_>, Vec<_>) = Games::new(text).partition(Result::is_ok);
/// assert_eq!((good.len(), bad.len()), (1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
    /// Of the text, in bytes.
    length: usize,
    numbering: Option<Numbering>,
    part: Part,
}

/// A game that was read under one numbering, and what is left to read.
struct Tried<'a> {
    game: Option<PdnGame>,
    games: Games<'a>,
}

impl PartialEq for Tried<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game
    }
}

/// The part of a game that is being read.
#[derive(Clone, Copy, Debug)]
enum Part {
    Tags,
    Moves,
    AfterResult,
}

impl<'a> Games<'a> {
    /// Reads from the beginning of `text`.
    pub fn new(text: &'a str) -> Games<'a> {
        Games {
            lexer: Lexer::new(text),
            length: text.len(),
            numbering: None,
            part: Part::Tags,
        }
    }

    /// Reads numbers for squares, in moves and in FEN tags, as this numbering has them. Without it
    /// each game's own are found out.
    #[must_use]
    pub fn numbering(self, numbering: Numbering) -> Games<'a> {
        Games {
            numbering: Some(numbering),
            ..self
        }
    }

    /// How many bytes of the text have been read: the games that are left are in the rest.
    pub fn offset(&self) -> usize {
        self.length - self.lexer.left()
    }

    /// The next game that has a tag or a move. Where its numbers are not known, that is tried.
    fn game(&mut self) -> Result<Option<PdnGame>, PdnError> {
        let before = self.clone();
        let game = self.game_numbered(self.numbering);
        let Err(error) = &game else {
            return game;
        };
        if !matches!(error.kind, PdnErrorKind::Numbers(_)) {
            return game;
        }
        let tried = Numbering::detect(|numbering| {
            let mut games = before.clone();
            match games.game_numbered(Some(numbering)) {
                Ok(game) => Ok(Tried { game, games }),
                Err(error) => Err((error, games)),
            }
        });
        match tried {
            Ok(Tried { game, games }) => {
                *self = games;
                Ok(game)
            }
            // The error of the numbering under which more of the game can be read.
            Err(Some([(usual, games), (other, further)])) => {
                let place = |error: &PdnError| (error.line, error.column);
                if place(&other) > place(&usual) {
                    *self = further;
                    return Err(other);
                }
                *self = games;
                Err(usual)
            }
            Err(None) => game,
        }
    }

    fn game_numbered(&mut self, numbering: Option<Numbering>) -> Result<Option<PdnGame>, PdnError> {
        while !self.lexer.at_end() {
            let mut draft = Draft::new(numbering);
            self.part = Part::Tags;
            self.tags(&mut draft)?;
            self.part = Part::Moves;
            draft.check_tags()?;
            self.moves(&mut draft)?;
            let game = draft.finish();
            if game.is_some() {
                return Ok(game);
            }
        }
        Ok(None)
    }

    fn tags(&mut self, draft: &mut Draft<'a>) -> Result<(), PdnError> {
        while self.lexer.at_header() {
            let before = self.lexer.clone();
            match self.lexer.next()? {
                Some((place, Token::Tag(tag))) if draft.ends_before(place, &tag) => {
                    self.lexer = before;
                    break;
                }
                Some((place, token)) => draft.add(place, token)?,
                None => break,
            }
        }
        Ok(())
    }

    fn moves(&mut self, draft: &mut Draft<'a>) -> Result<(), PdnError> {
        while !self.lexer.at_tag() {
            let Some((place, token)) = self.lexer.next()? else {
                break;
            };
            let is_result = matches!(token, Token::Result(_));
            if is_result {
                self.part = Part::AfterResult;
            }
            draft.add(place, token)?;
            if is_result {
                return self.last_comments(draft);
            }
        }
        Ok(())
    }

    /// What follows the result still belongs to the game.
    fn last_comments(&mut self, draft: &mut Draft<'a>) -> Result<(), PdnError> {
        while self.lexer.at_comment() {
            if let Some((place, token)) = self.lexer.next()? {
                draft.add(place, token)?;
            }
        }
        Ok(())
    }

    /// Skips the rest of a game that could not be read.
    fn skip_game(&mut self) {
        match self.part {
            Part::Tags => self.lexer.skip_tag_lines(),
            Part::Moves => {}
            Part::AfterResult => return,
        }
        while !self.lexer.at_tag() {
            // The game has had its error: further ones are passed over.
            if let Ok(Some((_, Token::Result(_))) | None) = self.lexer.next() {
                return;
            }
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<PdnGame, PdnError>;

    fn next(&mut self) -> Option<Result<PdnGame, PdnError>> {
        let game = self.game().transpose()?;
        if game.is_err() {
            self.skip_game();
        }
        Some(game)
    }
}
