//! Which known word a misspelt one stands for.

use std::cmp::Reverse;

/// The most letters that may be wrong.
const MOST_WRONG: usize = 2;
/// One letter may be wrong for every so many.
const LETTERS_PER_WRONG: usize = 3;

/// The known word that `word` is probably meant to be; `None` if none is near enough.
///
/// # Examples
/// ```
/// use checkers_lib::nearest;
///
/// assert_eq!(nearest("prot", ["port", "bind"]), Some("port"));
/// assert_eq!(nearest("game", ["name", "games"]), Some("games"));
/// assert_eq!(nearest("colour", ["port", "bind"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = |other: &str| strsim::damerau_levenshtein(word, other);
    let in_common = |other: &str| {
        let pairs = word.chars().zip(other.chars());
        pairs.take_while(|(one, other)| one == other).count()
    };
    // Of several equally near ones, people mostly mean the one that begins alike.
    let distance = |other: &&str| (wrong(other), Reverse(in_common(other)));
    let nearest = known.into_iter().min_by_key(distance)?;
    let most = MOST_WRONG.min(nearest.chars().count() / LETTERS_PER_WRONG);
    (wrong(nearest) <= most).then_some(nearest)
}

/// `: did you mean port?`, or nothing if no known word is near enough.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |meant| format!(": did you mean {meant}?"))
}
