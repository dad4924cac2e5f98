//! Files of trees: every damage is found, and nothing panics.

use checkers_engine::tree::{Difference, OutcomeKind, Tree, TreeError, TreeSummary, record};
use checkers_engine::{Limits, Rng};
use checkers_lib::{DrawRules, Game, Position};

use super::{game_at, recorded, spec, to_depth};
use crate::is_exhaustive;

fn small() -> Vec<Tree> {
    let position: Position = "W:Wc3,e3,g3:Bb6,d6,h6".parse().expect("a position");
    let bots = [
        "negascout",
        "mtdf:tt=1",
        "mcts:playouts=40",
        "champion:tt=1,eval=rows",
    ];
    bots.map(|bot| recorded(bot, &position, 3)).into()
}

#[test]
fn every_cut_is_an_error() {
    for tree in small() {
        let bytes = tree.to_bytes();
        for len in 0..bytes.len() {
            assert!(Tree::read(&bytes[..len]).is_err(), "{len}");
        }
        let longer = [&bytes[..], &[0]].concat();
        let error = Tree::read(&longer).expect_err("a byte too many");
        assert_eq!(
            error,
            TreeError::TooLong {
                offset: bytes.len()
            }
        );
    }
}

#[test]
fn every_changed_byte_is_an_error() {
    let mut rng = Rng::new(1);
    for tree in small() {
        let bytes = tree.to_bytes();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1 + rng.below(255) as u8;
            assert!(Tree::read(&changed).is_err(), "{place}");
        }
    }
}

/// With checksums that fit the change: an error, or a tree that can be used.
#[test]
fn a_forged_file_is_an_error_or_a_sound_tree() {
    let mut rng = Rng::new(2);
    let (mut read, mut refused) = (0, 0);
    for tree in small() {
        let bytes = tree.to_bytes();
        let rounds = if is_exhaustive() { 200 } else { 4 };
        for place in (0..bytes.len()).cycle().take(rounds * bytes.len()) {
            let mut forged = bytes.clone();
            forged[place] ^= 1 + rng.below(255) as u8;
            mend_sums(&mut forged);
            match Tree::read(&forged) {
                Ok(tree) => {
                    read += 1;
                    assert!(Tree::read(&tree.to_bytes()).is_ok(), "{place}");
                    TreeSummary::of(&tree);
                    assert!(Difference::between(&tree, &tree).is_some());
                    assert!(tree.ids().all(|id| !tree.path(id).is_empty()));
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 0 && refused > read, "{read} {refused}");
}

/// Computes the checksums of header and blocks again, as far as there are any.
fn mend_sums(bytes: &mut [u8]) {
    let word = |bytes: &[u8], at: usize| -> Option<usize> {
        let word = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(word.try_into().expect("four bytes")) as usize)
    };
    let (mut begin, mut prefix, mut length_at) = (0, 14, 10);
    while let Some(len) = word(bytes, length_at) {
        let end = begin + prefix + len;
        if end + 4 > bytes.len() {
            return;
        }
        let sum = crc32fast::hash(&bytes[begin..end]);
        bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
        (begin, prefix) = (end + 4, 8);
        length_at = begin + 4;
    }
}

#[test]
fn a_file_has_the_game_the_bounds_and_the_answer() {
    let mut game = Game::new(DrawRules::Study);
    for _ in 0..9 {
        let last = game.legal_moves().last().copied();
        game.play(last.expect("a game under way"))
            .expect("a legal move");
    }
    let limits = Limits {
        depth: Some(5),
        nodes: Some(1_000_000),
        movetime: Some(std::time::Duration::from_secs(100)),
        ..Limits::default()
    };
    let tree = record(&spec("champion:tt=1,eval=rows"), &game, &limits, 700).expect("a search");
    let again = Tree::read(&tree.to_bytes()).expect("what was written");
    assert_eq!(again.spec(), &spec("champion:tt=1,eval=rows,book=off"));
    assert_eq!(again.game().moves(), game.moves());
    assert_eq!(again.game().rules(), DrawRules::Study);
    assert_eq!(again.bounds(), tree.bounds());
    assert_eq!(again.bounds().nodes, Some(1_000_000));
    assert_eq!(again.deepest_level(), tree.deepest_level());
    let [a, b] = [again.choice(), tree.choice()];
    assert_eq!((a.best, a.score, a.depth), (b.best, b.score, b.depth));
    assert_eq!((&a.pv, a.nodes, a.complete), (&b.pv, b.nodes, b.complete));
    assert_eq!(again.dropped(), tree.dropped());
}

#[test]
fn foreign_files_are_named() {
    assert_eq!(Tree::read(b"").expect_err("nothing"), TreeError::Foreign);
    assert_eq!(
        Tree::read(b"RDBOOK").expect_err("a book"),
        TreeError::Foreign
    );
    let mut newer = small().remove(0).to_bytes();
    newer[8] = 2;
    assert_eq!(
        Tree::read(&newer).expect_err("newer"),
        TreeError::Version { found: 2 }
    );
}

#[test]
fn nodes_take_few_bytes() {
    let tree = recorded("negascout", &Position::start(), 7);
    let bytes = tree.to_bytes().len();
    assert!(
        bytes < 7 * tree.len(),
        "{bytes} bytes of {} nodes",
        tree.len()
    );
}

#[test]
fn a_summary_counts_every_node() {
    for bot in [
        "minimax",
        "alpha-beta",
        "negascout",
        "champion:tt=1,eval=rows",
    ] {
        let tree = recorded(bot, &Position::start(), 5);
        let summary = TreeSummary::of(&tree);
        assert_eq!(summary.nodes, tree.len() as u64);
        assert_eq!(summary.outcomes.values().sum::<u64>(), summary.nodes);
        let by_level: u64 = summary.levels.iter().map(|level| level.nodes).sum();
        assert_eq!(by_level, summary.nodes);
        assert_eq!(summary.depth, Some(5));
        assert!(summary.first_move_cut_offs <= summary.count(OutcomeKind::CutOff));
    }
    let minimax = TreeSummary::of(&recorded("minimax", &Position::start(), 5));
    // The perft of the start position.
    assert_eq!(minimax.leaves, Some(7482));
    assert_eq!(minimax.lines, 1 + 7 + 49 + 302 + 1469 + 7482);
    assert_eq!(minimax.tried, minimax.legal);
}

#[test]
fn a_difference_names_what_the_other_search_did_instead() {
    let at = |bot| recorded(bot, &Position::start(), 5);
    let (minimax, alpha_beta) = (at("minimax"), at("alpha-beta"));
    let difference = Difference::between(&minimax, &alpha_beta).expect("one position");
    assert_eq!(difference.both, alpha_beta.len() as u64);
    assert_eq!(difference.only_second.lines, 0);
    let only = difference.only_first;
    assert_eq!(only.lines + difference.both, minimax.len() as u64);
    // Alpha-beta leaves nothing out for any other reason.
    let reasons: Vec<OutcomeKind> = only.reasons.keys().copied().collect();
    assert_eq!(reasons, [OutcomeKind::CutOff]);

    let at = |bot| recorded(bot, &Position::start(), 7);
    let table = at("negascout-tt:tt=1");
    let difference = Difference::between(&at("negascout"), &table).expect("one position");
    assert!(
        difference
            .only_first
            .reasons
            .contains_key(&OutcomeKind::TableHit)
    );

    let elsewhere = recorded("minimax", &"W:Wc3:Bd6".parse().expect("a position"), 2);
    assert!(Difference::between(&minimax, &elsewhere).is_none());
}

#[test]
fn trees_of_different_sizes_are_compared_near_the_root() {
    let game = game_at(&Position::start());
    let part = record(&spec("minimax"), &game, &to_depth(5), 400).expect("a search");
    assert_eq!(part.deepest_level(), Some(3));
    let whole = recorded("minimax", &Position::start(), 5);
    let difference = Difference::between(&part, &whole).expect("one position");
    assert_eq!(difference.deepest_level, Some(3));
    assert_eq!((difference.both, difference.only_second.lines), (359, 0));
}
