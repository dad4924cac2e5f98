//! The words of a PDN text, each with its place.

use std::borrow::Cow;

use super::tags::{is_name, is_name_character};
use super::{Nag, PdnError, PdnErrorKind, PdnResult};

/// A place in the text, both counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TextPosition {
    pub(super) line: usize,
    /// In characters.
    pub(super) column: usize,
}

impl TextPosition {
    pub(super) fn error(self, kind: PdnErrorKind) -> PdnError {
        PdnError {
            line: self.line,
            column: self.column,
            kind,
        }
    }

    pub(super) fn right_by(self, columns: usize) -> TextPosition {
        TextPosition {
            column: self.column + columns,
            ..self
        }
    }

    fn expected(self, expected: &'static str) -> PdnError {
        self.error(PdnErrorKind::Expected(expected))
    }
}

/// What movetext is made of. Move numbers and escape lines leave no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Tag(Tag<'a>),
    Comment(&'a str),
    Nag(Nag),
    /// Some `!` and `?`.
    Glyph(&'a str),
    Result(PdnResult),
    Variation(Enclosed<'a>),
    /// Anything else; a move, if all is well.
    Move(&'a str),
}

/// What stands in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Enclosed<'a> {
    /// With its parentheses.
    pub(super) whole: &'a str,
    /// Where the text inside begins.
    place: TextPosition,
}

impl<'a> Enclosed<'a> {
    /// Reads the text inside.
    pub(super) fn lexer(self) -> Lexer<'a> {
        let inside = self.whole.strip_prefix('(').unwrap_or_default();
        Lexer {
            rest: inside.strip_suffix(')').unwrap_or_default(),
            place: self.place,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) value: Cow<'a, str>,
    /// Where the value begins.
    pub(super) value_place: TextPosition,
}

#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    place: TextPosition,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            rest: text.strip_prefix('\u{feff}').unwrap_or(text),
            place: TextPosition { line: 1, column: 1 },
        }
    }

    /// The next token and where it begins, or `None` at the end of the text. After an error the
    /// lexer stands behind what caused it.
    pub(super) fn next(&mut self) -> Result<Option<(TextPosition, Token<'a>)>, PdnError> {
        while !self.at_end() {
            let place = self.place;
            if let Some(token) = self.token()? {
                return Ok(Some((place, token)));
            }
        }
        Ok(None)
    }

    /// Whether a tag follows, to judge by its beginning.
    pub(super) fn at_tag(&mut self) -> bool {
        self.skip_blank();
        begins_like_tag(self.rest)
    }

    /// Whether a bracket or a comment follows, as it may between tags.
    pub(super) fn at_header(&mut self) -> bool {
        self.skip_blank();
        matches!(self.peek(), Some('[' | '{' | ';'))
    }

    /// Whether a comment follows.
    pub(super) fn at_comment(&mut self) -> bool {
        self.skip_blank();
        matches!(self.peek(), Some('{' | ';'))
    }

    /// How many bytes follow.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Whether nothing follows.
    pub(super) fn at_end(&mut self) -> bool {
        self.skip_blank();
        self.rest.is_empty()
    }

    /// Skips the rest of this line and the tags right below it.
    pub(super) fn skip_tag_lines(&mut self) {
        loop {
            self.take_until(is_line_end);
            if self.bump() == Some('\r') && self.peek() == Some('\n') {
                self.bump();
            }
            if !self.at_tag_line() {
                return;
            }
        }
    }

    /// The token that begins here; `None` for what leaves no trace.
    fn token(&mut self) -> Result<Option<Token<'a>>, PdnError> {
        Ok(Some(match self.peek() {
            Some('[') => Token::Tag(self.tag()?),
            Some('{') => Token::Comment(self.comment()?),
            Some(';') => Token::Comment(&self.take_until(is_line_end)[1..]),
            Some('$') => Token::Nag(self.nag()?),
            Some('!' | '?') => Token::Glyph(self.take_while(is_glyph)),
            Some('(') => self.parenthesis()?,
            Some('*') => {
                self.bump();
                Token::Result(PdnResult::Unfinished)
            }
            Some('}' | ')' | ']' | '"') => {
                let place = self.place;
                self.bump();
                return Err(place.expected("a move, a tag or a result"));
            }
            Some(_) | None => return Ok(self.word()),
        }))
    }

    fn at_tag_line(&self) -> bool {
        begins_like_tag(self.rest.trim_start_matches(is_space))
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' || (c == '\r' && self.peek() != Some('\n')) {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let before = self.rest;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        &before[..before.len() - self.rest.len()]
    }

    fn take_until(&mut self, unwanted: impl Fn(char) -> bool) -> &'a str {
        self.take_while(|c| !unwanted(c))
    }

    /// Takes the next character, or fails.
    fn take(&mut self, wanted: char, expected: &'static str) -> Result<(), PdnError> {
        if self.peek() != Some(wanted) {
            return Err(self.place.expected(expected));
        }
        self.bump();
        Ok(())
    }

    /// Skips spaces, the dots of move numbers, the byte order marks of joined files, and lines
    /// that begin with `%`.
    fn skip_blank(&mut self) {
        loop {
            self.take_while(|c| c.is_whitespace() || matches!(c, '.' | '…' | '\u{feff}'));
            if self.place.column > 1 || self.peek() != Some('%') {
                return;
            }
            self.take_until(is_line_end);
        }
    }

    /// `[Name "value"]`. A quote that no bracket follows belongs to the value.
    fn tag(&mut self) -> Result<Tag<'a>, PdnError> {
        self.bump();
        self.take_while(is_space);
        let place = self.place;
        let name = self.take_while(is_name_character);
        if !is_name(name) {
            return Err(place.expected("a tag such as [Event \"…\"]"));
        }
        self.take_while(is_space);
        self.take('"', "`\"` and the value of the tag")?;
        let value_place = self.place;
        let value = self.tag_value()?;
        self.take_while(is_space);
        self.take(']', "`]` at the end of the tag")?;
        Ok(Tag {
            name,
            value,
            value_place,
        })
    }

    /// The value and the quote that ends it.
    fn tag_value(&mut self) -> Result<Cow<'a, str>, PdnError> {
        let mut value = Cow::Borrowed("");
        loop {
            value += self.take_until(|c| is_line_end(c) || matches!(c, '"' | '\\'));
            if self.rest.is_empty() || self.rest.starts_with(is_line_end) {
                return Err(self.place.expected("`\"]` at the end of the tag's line"));
            }
            let is_quote = self.bump() == Some('"');
            if is_quote && self.rest.trim_start_matches(is_space).starts_with(']') {
                return Ok(value);
            }
            match self.peek() {
                Some(escaped @ ('"' | '\\')) if !is_quote => {
                    self.bump();
                    value.to_mut().push(escaped);
                }
                _ => value.to_mut().push(if is_quote { '"' } else { '\\' }),
            }
        }
    }

    /// `{…}`. A game that begins inside shows that the end is missing.
    fn comment(&mut self) -> Result<&'a str, PdnError> {
        let place = self.place;
        self.bump();
        let text = self.rest;
        loop {
            self.take_until(|c| is_line_end(c) || c == '}');
            let length = text.len() - self.rest.len();
            match self.bump() {
                Some('}') => return Ok(&text[..length]),
                Some(_) if !self.at_tag_line() => {}
                _ => return Err(place.expected("`}` at the end of this comment")),
            }
        }
    }

    /// `(!)` or a variation.
    fn parenthesis(&mut self) -> Result<Token<'a>, PdnError> {
        match self.glyph_in_parentheses() {
            Some(glyph) => Ok(Token::Glyph(glyph)),
            None => Ok(Token::Variation(self.variation()?)),
        }
    }

    /// `( … )` with whatever is nested in it.
    fn variation(&mut self) -> Result<Enclosed<'a>, PdnError> {
        let place = self.place;
        let text = self.rest;
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                Some('{') => {
                    self.comment()?;
                    continue;
                }
                Some(';') => {
                    self.take_until(is_line_end);
                    continue;
                }
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some('[') if begins_like_tag(self.rest) => break,
                Some(_) => {}
                None => break,
            }
            self.bump();
            if depth == 0 {
                return Ok(Enclosed {
                    whole: &text[..text.len() - self.rest.len()],
                    place: place.right_by(1),
                });
            }
        }
        Err(place.expected("`)` at the end of this variation"))
    }

    /// `(!)`, an older way to write a judgement.
    fn glyph_in_parentheses(&mut self) -> Option<&'a str> {
        let mut ahead = self.clone();
        ahead.bump();
        let glyph = ahead.take_while(is_glyph);
        if glyph.is_empty() || ahead.bump() != Some(')') {
            return None;
        }
        *self = ahead;
        Some(glyph)
    }

    fn nag(&mut self) -> Result<Nag, PdnError> {
        self.bump();
        let place = self.place;
        let digits = self.take_while(|c| c.is_ascii_digit());
        let number = digits.parse();
        number
            .map(Nag)
            .map_err(|_| place.expected("a number from 0 to 255 after `$`"))
    }

    /// A result or a move; `None` for a move number.
    fn word(&mut self) -> Option<Token<'a>> {
        let word = self.take_until(|c| c.is_whitespace() || is_word_end(c));
        let is_number = word.bytes().all(|c| c.is_ascii_digit());
        if is_number && matches!(self.peek(), Some('.' | '…')) {
            return None;
        }
        Some(match word.parse() {
            Ok(result) => Token::Result(result),
            Err(_) => Token::Move(word),
        })
    }
}

/// Whether the text begins with `[Name "`, as no command in a comment (`[%clk …]`) does.
fn begins_like_tag(text: &str) -> bool {
    let Some(text) = text.strip_prefix('[') else {
        return false;
    };
    let text = text.trim_start_matches(is_space);
    let value = text.trim_start_matches(is_name_character);
    let name = &text[..text.len() - value.len()];
    is_name(name) && value.trim_start_matches(is_space).starts_with('"')
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn is_glyph(c: char) -> bool {
    matches!(c, '!' | '?')
}

fn is_word_end(c: char) -> bool {
    matches!(
        c,
        '{' | '}'
            | '('
            | ')'
            | '['
            | ']'
            | ';'
            | '$'
            | '!'
            | '?'
            | '*'
            | '"'
            | '.'
            | '…'
            | '\u{feff}'
    )
}
