//! Comments, and the clock inside them.

use std::fmt;
use std::time::Duration;

const CLOCK: &str = "[%clk ";

/// How many bytes a clock may have: without an end, a text of many clocks would take long to read.
const LONGEST_CLOCK: usize = 64;

/// A comment as PDN can hold it: free text, and the clock of the player who has just moved.
///
/// The text may hold other commands, `[%eval 0.4]` say; they are kept as they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comment {
    clock: Option<Duration>,
    text: String,
}

impl Comment {
    /// A comment with this text. The first well-formed `[%clk 0:04:31]` in it becomes the clock.
    /// Line breaks, control characters and runs of spaces become one space each; braces, which
    /// cannot stand in a comment, become parentheses.
    pub fn new(text: &str) -> Comment {
        let text = one_line(text);
        for (start, _) in text.match_indices(CLOCK) {
            let (before, after) = (&text[..start], &text[start + CLOCK.len()..]);
            let mut near = after.bytes().take(LONGEST_CLOCK);
            let Some(end) = near.position(|byte| byte == b']') else {
                continue;
            };
            let (clock, after) = (&after[..end], &after[end + 1..]);
            if let Some(clock) = parse_clock(clock.trim()) {
                return Comment {
                    clock: Some(clock),
                    text: one_line(&format!("{before} {after}")),
                };
            }
        }
        Comment { clock: None, text }
    }

    /// The same comment with the clock set to the time left.
    #[must_use]
    pub fn with_clock(self, clock: Duration) -> Comment {
        Comment {
            clock: Some(clock),
            ..self
        }
    }

    /// The time that was left, if noted.
    pub fn clock(&self) -> Option<Duration> {
        self.clock
    }

    /// The text without the clock.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is neither text nor clock.
    pub fn is_empty(&self) -> bool {
        self.clock.is_none() && self.text.is_empty()
    }
}

impl fmt::Display for Comment {
    /// Writes `[%clk 0:04:31] text`, without braces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(clock) = self.clock else {
            return f.write_str(&self.text);
        };
        write!(f, "{CLOCK}{}]", clock_text(clock))?;
        if !self.text.is_empty() {
            write!(f, " {}", self.text)?;
        }
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    let clean = |c: char| match c {
        '{' => '(',
        '}' => ')',
        _ if c.is_control() => ' ',
        _ => c,
    };
    let text: String = text.chars().map(clean).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Reads `0:04:31`, `4:31` or `31`, each with an optional fraction of a second.
fn parse_clock(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<u64> = whole.split(':').map(number).collect::<Option<_>>()?;
    if parts.len() > 3 {
        return None;
    }
    let add = |seconds: u64, &part: &u64| seconds.checked_mul(60)?.checked_add(part);
    let seconds = parts.iter().try_fold(0, add)?;
    // Nine digits, the missing ones zero, are nanoseconds.
    let nanos = number(fraction).filter(|_| fraction.len() <= 9)?;
    let nanos = nanos * 10_u64.pow(9 - u32::try_from(fraction.len()).ok()?);
    Some(Duration::new(seconds, u32::try_from(nanos).ok()?))
}

/// A number without the sign that `parse` would take.
fn number(digits: &str) -> Option<u64> {
    let is_plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| is_plain)
}

fn clock_text(clock: Duration) -> String {
    let seconds = clock.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let text = format!("{hours}:{minutes:02}:{seconds:02}");
    match clock.subsec_nanos() {
        0 => text,
        nanos => format!("{text}.{nanos:09}")
            .trim_end_matches('0')
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_clock_out_of_the_text() {
        for (text, clock, rest) in [
            ("[%clk 0:04:31]", Some(271_000), ""),
            ("[%clk 1:00:00.25] good", Some(3_600_250), "good"),
            (
                "a [%eval 0.4] [%clk 4:31] b",
                Some(271_000),
                "a [%eval 0.4] b",
            ),
            ("[%clk soon] [%clk 5]", Some(5_000), "[%clk soon]"),
            ("[%clk 0:0:1][%clk 0:0:2]", Some(1_000), "[%clk 0:0:2]"),
            ("[%clk +1:00]", None, "[%clk +1:00]"),
            ("[%clk 1:2:3:4]", None, "[%clk 1:2:3:4]"),
            ("[%clk 0:04:31", None, "[%clk 0:04:31"),
            (
                "[%clk 99999999999999999:00:00]",
                None,
                "[%clk 99999999999999999:00:00]",
            ),
            (
                "[%clock w0:10:00 B0:10:00]",
                None,
                "[%clock w0:10:00 B0:10:00]",
            ),
            (" two\r\n\tlines {of} it ", None, "two lines (of) it"),
        ] {
            let comment = Comment::new(text);
            assert_eq!(comment.clock(), clock.map(Duration::from_millis), "{text}");
            assert_eq!(comment.text(), rest, "{text}");
        }
    }

    #[test]
    fn writes_the_clock_first() {
        let comment = Comment::new("good").with_clock(Duration::from_millis(3_600_250));
        assert_eq!(comment.to_string(), "[%clk 1:00:00.25] good");
        assert_eq!(Comment::new(&comment.to_string()), comment);
    }
}
