//! Names that look alike.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton as unicode_skeleton;

/// What a name looks like: names with one skeleton can be taken for each other, such as `anna` and
/// `Anna`, or `anna` in Latin and in Cyrillic letters. It is for comparison only, not for reading.
///
/// Letters count as alike if they are written alike in some case, so that `ivan`, `Ivan` and
/// `lvan` are one. `O(length)`.
///
/// CITE: Unicode Technical Standard 39, section 4 (confusable detection).
///
/// ```
/// use checkers_server::names::skeleton;
///
/// assert_eq!(skeleton("anna"), skeleton("Аnnа")); // with Cyrillic letters
/// assert_ne!(skeleton("anna"), skeleton("hanna"));
/// ```
pub fn skeleton(name: &str) -> String {
    let plain: String = name.nfkc().flat_map(char::to_lowercase).collect();
    let folded: String = plain.nfkc().map(fold).collect();
    unicode_skeleton(&folded).collect()
}

/// How a letter is written in plain letters: as its capital if that looks like a plain one, else as
/// it stands.
fn fold(letter: char) -> String {
    let capital: String = letter.to_uppercase().collect();
    let as_capital = unicode_skeleton(&capital).collect::<String>();
    let as_it_stands = unicode_skeleton(letter.encode_utf8(&mut [0; 4])).collect::<String>();
    let looks = [as_capital, as_it_stands];
    let plain = looks.iter().find(|look| look.is_ascii());
    plain.unwrap_or(&looks[1]).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for (name, other) in [
            ("anna", "Anna"),
            ("anna", "аnnа"),
            ("Boris", "Воris"),
            ("boris", "воris"),
            ("вова", "Bова"),
            ("вова", "ВОВА"),
            ("Ivan", "lvan"),
            ("Ivan", "ivan"),
            ("Ivan", "1van"),
            ("emma", "ernma"),
            ("bot 0", "bot O"),
            ("anna", "ａｎｎａ"),
            ("é", "e\u{301}"),
            ("жора", "ЖОРА"),
            ("Straße", "STRAßE"),
        ] {
            assert_eq!(skeleton(name), skeleton(other), "{name} {other}");
        }
    }

    #[test]
    fn names_that_do_not_have_two() {
        for (name, other) in [
            ("anna", "hanna"),
            ("anna", "ann"),
            ("bot 1", "bot 2"),
            ("bot 1", "bot 11"),
            ("миша", "маша"),
            ("и", "й"),
            ("anna", "anna 2"),
            ("player_1", "player-1"),
        ] {
            assert_ne!(skeleton(name), skeleton(other), "{name} {other}");
        }
    }
}
