//! Men can be told from the squares they stand on, on every board there is.

use std::fs;
use std::path::Path;

fn style_sheet(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/css");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The colours that follow a name in a style sheet, such as `#9a6a42`.
fn colours(text: &str, name: &str) -> Vec<[f64; 3]> {
    let after = text.split(name).skip(1);
    after
        .filter_map(|rest| rest.trim_start().strip_prefix('#'))
        .map(|hex| {
            let channel = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
            [0, 2, 4].map(|at| f64::from(channel(at)) / 255.0)
        })
        .collect()
}

/// CITE: WCAG 2.2, "relative luminance".
fn luminance(colour: [f64; 3]) -> f64 {
    let linear = colour.map(|c| {
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

/// CITE: WCAG 2.2, "contrast ratio".
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn men_stand_out_from_every_board() {
    let board = style_sheet("board.css");
    let white = colours(&style_sheet("base.css"), "--white-man:");
    let black = colours(&board, ".piece.black .face { fill:");
    let squares = colours(&board, "--dark-cell:");
    let marked = colours(&board, "--last-cell:");
    assert_eq!((white.len(), black.len()), (1, 1));
    assert_eq!((squares.len(), marked.len()), (3, 3));
    for square in squares.into_iter().chain(marked) {
        for man in [white[0], black[0]] {
            let ratio = contrast(man, square);
            assert!(ratio >= 3.0, "{man:?} on {square:?}: {ratio:.2}");
        }
    }
}

#[test]
fn the_last_move_stands_out_from_every_board() {
    let board = style_sheet("board.css");
    let line = colours(&board, "--last-line:");
    let squares = colours(&board, "--dark-cell:");
    let marked = colours(&board, "--last-cell:");
    assert_eq!(line.len(), 1);
    for (square, marked) in squares.into_iter().zip(marked) {
        let ratio = contrast(line[0], square);
        assert!(ratio >= 3.0, "the line on {square:?}: {ratio:.2}");
        let channels = square.iter().zip(marked).map(|(a, b)| (a - b).abs());
        let differs = channels.fold(0.0, f64::max);
        assert!(
            differs >= 0.15,
            "{marked:?} beside {square:?}: {differs:.2}"
        );
    }
}
