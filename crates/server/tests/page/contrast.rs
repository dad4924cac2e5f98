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
    assert_eq!((white.len(), black.len(), squares.len()), (1, 1, 3));
    for square in squares {
        for man in [white[0], black[0]] {
            let ratio = contrast(man, square);
            assert!(ratio >= 3.0, "{man:?} on {square:?}: {ratio:.2}");
        }
    }
}
