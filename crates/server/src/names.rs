//! Confusable names.

use checkers_lib::protocol::{ErrorCode, Refusal};
use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton as unicode_skeleton;

/// The skeleton of a name: names with the same skeleton are confusable, such as `anna` and `Anna`,
/// or `anna` in Latin and in Cyrillic letters. For comparison only.
///
/// Letters are confusable if they are so in either case: `ivan`, `Ivan` and `lvan` have one
/// skeleton. O(length).
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

/// The beginning of the names that replace those of deleted accounts.
pub(crate) const DELETED: &str = "deleted-";

/// Whether a name is, or is confusable with, that of a deleted account.
pub(crate) fn is_of_deleted(name: &str) -> bool {
    skeleton(name).starts_with(&skeleton(DELETED))
}

/// The end of the names of bot accounts.
pub(crate) const BOT_MARK: &str = "[bot]";

/// Whether a name is, or is confusable with, that of a bot account.
pub(crate) fn is_of_bot_account(name: &str) -> bool {
    skeleton(name).ends_with(&skeleton(BOT_MARK))
}

/// Checks that two players can play a rated game: both are people, or both are bots.
///
/// # Errors
/// One is a bot, and the other is not.
pub(crate) fn check_same_pool(name: &str, other: &str) -> Result<(), Refusal> {
    if is_of_bot_account(name) == is_of_bot_account(other) {
        return Ok(());
    }
    let message =
        "a game between a person and a bot is not rated: people and bots have separate ratings";
    Err(Refusal::new(ErrorCode::NotRated, message))
}

/// The ASCII letter that a letter or its capital is confusable with, or else its skeleton.
fn fold(letter: char) -> String {
    let capital: String = letter.to_uppercase().collect();
    let as_capital = unicode_skeleton(&capital).collect::<String>();
    let as_it_stands = unicode_skeleton(letter.encode_utf8(&mut [0; 4])).collect::<String>();
    let forms = [as_capital, as_it_stands];
    let plain = forms.iter().find(|form| form.is_ascii());
    plain.unwrap_or(&forms[1]).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confusable_names_have_one_skeleton() {
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
    fn bot_accounts_are_marked() {
        for name in [
            "kestrel[bot]",
            "kestrel[BOT]",
            "kestrel[b0t]",
            "кот [воt]",
            "[bot]",
        ] {
            assert!(is_of_bot_account(name), "{name}");
        }
        for name in ["kestrel", "kestrel bot", "kestrel[bot", "[bot] kestrel"] {
            assert!(!is_of_bot_account(name), "{name}");
        }
    }

    #[test]
    fn different_names_have_different_skeletons() {
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
