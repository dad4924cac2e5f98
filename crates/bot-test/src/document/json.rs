//! JSON that people can look at and that is not long: a game is a line.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Down to this depth, each part of a list or object has its own line.
const DEEPEST: usize = 2;

/// A value as JSON, with a line break at its end.
pub(super) fn to_json(value: &impl Serialize) -> String {
    let mut json = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut json, LineFormatter::default());
    (value.serialize(&mut serializer))
        .expect("numbers, texts and lists of them are always JSON and fit into memory");
    json.push(b'\n');
    String::from_utf8(json).expect("JSON is text")
}

/// Gives a line to each part of the outer lists and objects, and one line to everything in it.
#[derive(Default)]
struct LineFormatter {
    depth: usize,
    /// Whether the list or object that is being written has parts.
    has_parts: bool,
}

impl LineFormatter {
    fn begin<W: ?Sized + io::Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_parts = false;
        writer.write_all(bracket)
    }

    fn end<W: ?Sized + io::Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        let had_lines = self.has_parts && self.depth <= DEEPEST;
        self.depth -= 1;
        if had_lines {
            self.line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn part<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        if self.depth <= DEEPEST {
            return self.line(writer);
        }
        writer.write_all(if first { b"" } else { b" " })
    }

    fn line<W: ?Sized + io::Write>(&self, writer: &mut W) -> io::Result<()> {
        write!(writer, "\n{:1$}", "", 2 * self.depth)
    }
}

impl Formatter for LineFormatter {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.part(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_parts = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.part(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_parts = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_deep_stands_in_one_line() {
        let value = json!({
            "empty": [],
            "games": [{"moves": [1, 2], "none": {}}, {}],
            "number": 1.5,
        });
        let text = r#"{
  "empty": [],
  "games": [
    {"moves": [1, 2], "none": {}},
    {}
  ],
  "number": 1.5
}
"#;
        assert_eq!(to_json(&value), text);
        assert_eq!(to_json(&json!([])), "[]\n");
    }
}
