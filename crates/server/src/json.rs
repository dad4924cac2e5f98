//! JSON for what is written with every move.
//!
//! It says the same as what the library writes, several times as fast: the names of fields are known,
//! and most texts have nothing in them that is to be escaped. Rare parts are left to the library.

use std::io;

use serde::Serialize;

/// The fields of an object, one after the other. The names come as they are written, with the comma or
/// the brace before and the colon behind.
#[derive(Debug)]
pub(crate) struct Fields<'a>(&'a mut String);

impl<'a> Fields<'a> {
    /// Goes on behind what has been written.
    pub(crate) fn of(out: &'a mut String) -> Fields<'a> {
        Fields(out)
    }

    /// Writes something as it is.
    #[inline]
    pub(crate) fn raw(&mut self, json: &str) -> &mut Self {
        self.0.push_str(json);
        self
    }

    /// Writes a field with a text.
    #[inline]
    pub(crate) fn text(&mut self, name: &str, text: &str) -> &mut Self {
        if !is_plain(text) {
            return self.value(name, &text);
        }
        self.plain(name, text)
    }

    /// Writes a field with a text in which nothing is to be escaped, as in all names of squares, moves and
    /// positions.
    #[inline]
    pub(crate) fn plain(&mut self, name: &str, text: &str) -> &mut Self {
        debug_assert!(is_plain(text), "{text:?}");
        self.raw(name).raw("\"").raw(text).raw("\"")
    }

    /// Writes a field with a whole number.
    #[inline]
    pub(crate) fn number(&mut self, name: &str, number: u64) -> &mut Self {
        self.raw(name).raw(itoa::Buffer::new().format(number))
    }

    /// Writes a field with anything.
    pub(crate) fn value(&mut self, name: &str, value: &impl Serialize) -> &mut Self {
        self.raw(name);
        serde_json::to_writer(Text(self.0), value).expect("a wire type has no key but strings");
        self
    }

    /// Writes a field with anything, if it is there.
    #[inline]
    pub(crate) fn some(&mut self, name: &str, value: Option<&impl Serialize>) -> &mut Self {
        match value {
            Some(value) => self.value(name, value),
            None => self,
        }
    }
}

/// A text as the library writes to it, which hands over whole characters.
#[derive(Debug)]
pub(crate) struct Text<'a>(pub(crate) &'a mut String);

impl io::Write for Text<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.push_str(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a text is written as it is.
fn is_plain(text: &str) -> bool {
    let is_plain = |&byte: &u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    // To the end in any case: so several bytes are looked at at once.
    text.as_bytes()
        .iter()
        .fold(true, |all, byte| all & is_plain(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Fields<'_>)) -> String {
        let mut out = String::new();
        write(&mut Fields::of(&mut out));
        out
    }

    #[test]
    fn numbers_are_as_the_library_writes_them() {
        for number in [0, 1, 9, 10, 99, 100, 12_345, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(
                written(|fields| _ = fields.number("", number)),
                number.to_string()
            );
        }
    }

    #[test]
    fn texts_are_as_the_library_writes_them() {
        for text in [
            "",
            "a",
            "шашки",
            "a\"b",
            "a\\b",
            "a\nb",
            "\u{1}",
            "\u{7f}",
            "a/b",
        ] {
            let expected = serde_json::to_string(text).unwrap();
            assert_eq!(written(|fields| _ = fields.text("", text)), expected);
            assert_eq!(written(|fields| _ = fields.value("", &text)), expected);
        }
    }
}
