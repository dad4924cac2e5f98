//! From games to lines.

use std::fmt::{self, Write};

use super::{Annotation, Comment, GAME_TYPE, Line, PdnGame};
use crate::{Color, Position};

/// The longest line of moves, in characters.
const WIDTH: usize = 80;

impl fmt::Display for PdnGame {
    /// Writes the game and a line end. A blank line belongs between two games.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        let mut words = Words::default();
        words.line(&self.line, 1);
        words.push(self.result.to_string());
        write_words(&words.0, f)
    }
}

impl PdnGame {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags.roster() {
            write_tag(f, name, value)?;
        }
        write_tag(f, "Result", &self.result.to_string())?;
        write_tag(f, "GameType", GAME_TYPE)?;
        if *self.start() != Position::start() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start().to_string())?;
        }
        for (name, value) in self.tags.others() {
            write_tag(f, name, value)?;
        }
        Ok(())
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', r"\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

/// What stands between two spaces, at each of which a line may end.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn push(&mut self, word: String) {
        self.0.push(word);
    }

    /// The moves of a line, of which the first has this number.
    fn line(&mut self, line: &Line, mut number: usize) {
        self.comment(&line.comment);
        let mut position = line.start().clone();
        // Black's move has a number where the line begins with it. Behind a comment or a variation it
        // has none: readers do not need it, and some stumble over a number that comes twice.
        let mut is_first = true;
        for played in line.moves() {
            let text = position.notation(played.m);
            self.push(match position.turn() {
                Color::White => format!("{number}. {text}"),
                Color::Black if is_first => format!("{number}... {text}"),
                Color::Black => text,
            });
            self.annotation(&played.annotation);
            for variation in played.variations() {
                self.variation(variation, number);
            }
            is_first = false;
            number += usize::from(position.turn() == Color::Black);
            position.play_unchecked(played.m);
        }
    }

    fn variation(&mut self, variation: &Line, number: usize) {
        let first = self.0.len();
        self.line(variation, number);
        if let Some(word) = self.0.get_mut(first) {
            word.insert(0, '(');
        }
        if let Some(last) = self.0.last_mut() {
            last.push(')');
        }
    }

    fn annotation(&mut self, annotation: &Annotation) {
        for nag in &annotation.nags {
            self.push(nag.to_string());
        }
        self.comment(&annotation.comment);
    }

    fn comment(&mut self, comment: &Comment) {
        if comment.is_empty() {
            return;
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
            self.push(word);
        }
    }
}

/// Breaks words into lines.
fn write_words(words: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        // At the beginning of a line these would mean an escape line, or a tag to simple readers.
        let may_begin_line = !word.starts_with(['%', '[']);
        if column > 0 && column + 1 + width > WIDTH && may_begin_line {
            f.write_char('\n')?;
            column = 0;
        }
        if column > 0 {
            f.write_char(' ')?;
            column += 1;
        }
        column += width;
        f.write_str(word)?;
    }
    f.write_char('\n')
}
