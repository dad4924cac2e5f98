//! From games to lines.

use std::fmt::{self, Write};

use super::{Annotation, Comment, GAME_TYPE, PdnGame, PdnMove};
use crate::{Color, Position};

/// The longest line of moves, in characters.
const WIDTH: usize = 80;

impl fmt::Display for PdnGame {
    /// Writes the game and a line end. A blank line belongs between two games.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        let mut lines = Lines { f, column: 0 };
        lines.comment(&self.comment)?;
        self.write_moves(&mut lines)?;
        lines.word(&self.result.to_string())?;
        writeln!(f)
    }
}

impl PdnGame {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags.roster() {
            write_tag(f, name, value)?;
        }
        write_tag(f, "Result", &self.result.to_string())?;
        write_tag(f, "GameType", GAME_TYPE)?;
        if self.start != Position::start() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start.to_string())?;
        }
        for (name, value) in self.tags.others() {
            write_tag(f, name, value)?;
        }
        Ok(())
    }

    fn write_moves(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        let mut position = self.start.clone();
        let mut number = 1;
        // Black's move needs a number where none stands before it.
        let mut is_interrupted = true;
        for PdnMove { m, annotation } in &self.moves {
            let text = position.notation(*m);
            lines.word(&match position.turn() {
                Color::White => format!("{number}. {text}"),
                Color::Black if is_interrupted => format!("{number}... {text}"),
                Color::Black => text,
            })?;
            lines.annotation(annotation)?;
            is_interrupted = !annotation.comment.is_empty();
            number += usize::from(position.turn() == Color::Black);
            position.play_unchecked(*m);
        }
        Ok(())
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', r"\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

/// Breaks words into lines.
struct Lines<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    /// How many characters the line has.
    column: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        // At the beginning of a line these would mean an escape line, or a tag to simple readers.
        let may_begin_line = !word.starts_with(['%', '[']);
        if self.column + 1 + width > WIDTH && self.column > 0 && may_begin_line {
            self.f.write_char('\n')?;
            self.column = 0;
        }
        if self.column > 0 {
            self.f.write_char(' ')?;
            self.column += 1;
        }
        self.column += width;
        self.f.write_str(word)
    }

    fn annotation(&mut self, annotation: &Annotation) -> fmt::Result {
        for nag in &annotation.nags {
            self.word(&nag.to_string())?;
        }
        self.comment(&annotation.comment)
    }

    fn comment(&mut self, comment: &Comment) -> fmt::Result {
        if comment.is_empty() {
            return Ok(());
        }
        let text = format!("{{{comment}}}");
        let mut words = text.split(' ').peekable();
        while let Some(word) = words.next() {
            let mut word = word.to_owned();
            // Simple readers look for a command such as `[%emt 0:00:01]` on one line.
            while word.contains("[%")
                && !word.contains(']')
                && let Some(more) = words.next_if(|_| word.len() < WIDTH)
            {
                word = format!("{word} {more}");
            }
            self.word(&word)?;
        }
        Ok(())
    }
}
