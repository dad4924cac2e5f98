//! Lines from an untrusted stream.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;

/// The longest line that is read; the longest that means anything has a few kilobytes.
pub(super) const MAX_LINE_BYTES: usize = 64 * 1024;

/// What comes from a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// A line, without its line break.
    Line(String),
    /// A line of more than [`MAX_LINE_BYTES`], which was passed over.
    TooLong,
    /// Nothing comes any more.
    End,
}

/// Passes lines on until the stream ends or the receiver is closed. A stream that is faster than
/// the receiver has to wait.
pub(super) fn pump<T>(mut stream: impl BufRead, sink: &SyncSender<T>, wrap: impl Fn(Heard) -> T) {
    loop {
        let heard = next_line(&mut stream).unwrap_or(Heard::End);
        let is_end = heard == Heard::End;
        if sink.send(wrap(heard)).is_err() || is_end {
            return;
        }
    }
}

/// What comes next from a stream.
pub(super) fn next_line(stream: &mut impl BufRead) -> io::Result<Heard> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let available = match stream.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let is_at_end = available.is_empty();
        if is_at_end && line.is_empty() && !is_too_long {
            return Ok(Heard::End);
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        is_too_long |= line.len() + part.len() > MAX_LINE_BYTES;
        if !is_too_long {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() || is_at_end {
            return Ok(match is_too_long {
                true => Heard::TooLong,
                false => Heard::Line(String::from_utf8_lossy(&line).into_owned()),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn heard(text: &[u8]) -> Vec<Heard> {
        let (sink, lines) = sync_channel(16);
        pump(text, &sink, |heard| heard);
        lines.try_iter().collect()
    }

    #[test]
    fn lines_come_one_by_one() {
        let line = |text: &str| Heard::Line(text.to_owned());
        let lines = [line("hub"), line(""), line("a\u{fffd}b"), Heard::End];
        assert_eq!(heard(b"hub\n\na\xffb"), lines);
        assert_eq!(heard(b""), [Heard::End]);
    }

    #[test]
    fn a_line_has_its_bound() {
        let longest = "x".repeat(MAX_LINE_BYTES);
        let text = format!("{longest}\n{longest}x\nhub\n{longest}xx");
        let lines = [
            Heard::Line(longest),
            Heard::TooLong,
            Heard::Line("hub".to_owned()),
            Heard::TooLong,
            Heard::End,
        ];
        assert!(heard(text.as_bytes()) == lines);
    }
}
