//! A line of a journal: a checksum in eight hexadecimal digits, a space, JSON, a line break.

use serde::Serialize;
use serde::de::IgnoredAny;

use super::Defect;

/// What stands for the checksum of the line before the first.
pub(super) const NO_CHECKSUM: u32 = 0;

/// How many bytes stand before the JSON.
const PREFIX: usize = 9;

/// Writes a line after `text` and returns its checksum. `previous` is that of the line before it.
pub(super) fn write(text: &mut Vec<u8>, previous: u32, value: &impl Serialize) -> u32 {
    let json = serde_json::to_vec(value).expect("headers and records have a JSON form");
    let checksum = checksum(previous, &json);
    text.extend_from_slice(format!("{checksum:08x} ").as_bytes());
    text.extend_from_slice(&json);
    text.push(b'\n');
    checksum
}

/// The checksum and the JSON of a line without its line break.
pub(super) fn read(line: &[u8], previous: u32) -> Result<(u32, &[u8]), Defect> {
    let (found, json) = split(line).ok_or(Defect::NoChecksum)?;
    let expected = checksum(previous, json);
    if found == expected {
        Ok((found, json))
    } else {
        Err(Defect::Checksum { expected, found })
    }
}

/// Whether a line that cannot be read is a good one that goes on after its end: then it is its
/// line break that is damaged, and there are other lines in it.
pub(super) fn runs_on(line: &[u8], previous: u32) -> bool {
    let Some((found, json)) = split(line) else {
        return false;
    };
    let mut values = serde_json::Deserializer::from_slice(json).into_iter::<IgnoredAny>();
    let is_value = matches!(values.next(), Some(Ok(IgnoredAny)));
    let (value, rest) = json.split_at(values.byte_offset());
    is_value && found == checksum(previous, value) && rest.len() > 1
}

/// Whether a text may be what is left of a header that was not written to its end.
pub(super) fn begins_like_header(text: &[u8]) -> bool {
    let digits = &text[..text.len().min(PREFIX - 1)];
    let rest = text.get(PREFIX - 1..).unwrap_or(&[]);
    digits.iter().all(|digit| is_digit(*digit))
        && (rest.iter().zip(br#" {"journal":"#)).all(|(found, expected)| found == expected)
}

/// Whether the JSON of a line is a header.
pub(super) fn is_header(json: &[u8]) -> bool {
    json.starts_with(br#"{"journal":"#)
}

/// CITE: CRC-32 as in IEEE 802.3, which finds every burst of damage up to 32 bits long. It goes
/// over the checksum of the line before, too, so that lines that are missing or have changed
/// places are found.
fn checksum(previous: u32, json: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&previous.to_be_bytes());
    hasher.update(json);
    hasher.finalize()
}

fn split(line: &[u8]) -> Option<(u32, &[u8])> {
    let (prefix, json) = line.split_at_checked(PREFIX)?;
    let (digits, space) = prefix.split_at(PREFIX - 1);
    if space != b" " || !digits.iter().all(|digit| is_digit(*digit)) {
        return None;
    }
    let digits = std::str::from_utf8(digits).ok()?;
    Some((u32::from_str_radix(digits, 16).ok()?, json))
}

fn is_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}
