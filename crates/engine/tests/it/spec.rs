//! Specs as people write them.

use checkers_engine::{Accept, Algorithm, BotSpec, Playout};

fn parse(text: &str) -> BotSpec {
    text.parse().expect("a spec known to be right")
}

#[test]
fn prints_itself_back() {
    for (text, printed) in [
        ("random", "random"),
        ("random:seed=7", "random:seed=7"),
        (
            "random:seed=18446744073709551615",
            "random:seed=18446744073709551615",
        ),
        ("minimax-weak:depth=1", "minimax-weak:depth=1"),
        ("minimax:depth=64", "minimax:depth=64"),
        ("alpha-beta", "alpha-beta:depth=6"),
        ("alpha-beta:depth=7,seed=1", "alpha-beta:depth=7,seed=1"),
        ("alpha-beta:seed=1,depth=007", "alpha-beta:depth=7,seed=1"),
        ("alpha-beta:seed=0", "alpha-beta:depth=6"),
        ("negascout:depth=9", "negascout:depth=9"),
        (
            "negascout-tt:tt-accept=at-least,tt=64",
            "negascout-tt:depth=6",
        ),
        (
            "negascout-tt:tt-accept=exact,tt=1,seed=2,depth=9",
            "negascout-tt:depth=9,seed=2,tt=1,tt-accept=exact",
        ),
        ("sss-star:tt=64,seed=3", "sss-star:depth=6,seed=3"),
        ("mtdf:tt=8,depth=9", "mtdf:depth=9,tt=8"),
        ("negascout-id:quiescence=on", "negascout-id:depth=6"),
        (
            "negascout-id:quiescence=off,tt-accept=exact,depth=4",
            "negascout-id:depth=4,tt-accept=exact,quiescence=off",
        ),
        ("mcts", "mcts:playouts=10000"),
        ("mcts:c=100,playout=random", "mcts:playouts=10000"),
        (
            "mcts:seed=4,c=0,playout=eval,playouts=1",
            "mcts:playouts=1,playout=eval,c=0,seed=4",
        ),
        ("champion:eval=net,lmr=on", "champion:depth=6"),
        ("champion:eval=hand", "champion:depth=6,eval=hand"),
        (
            "champion:singular=off,futility=off,eval=rows,threads=2,tt=8",
            "champion:depth=6,tt=8,eval=rows,threads=2,futility=off,singular=off",
        ),
        ("champion:contempt=0", "champion:depth=6"),
        (
            "champion:lmr=off,contempt=20,threads=2",
            "champion:depth=6,threads=2,contempt=20,lmr=off",
        ),
        ("level", "level:5"),
        ("level:10", "level:10"),
        ("level:seed=2,3", "level:3,seed=2"),
        ("level:level=3", "level:3"),
        ("alpha-beta:order=off", "alpha-beta:depth=6"),
        ("negascout:order=on", "negascout:depth=6,order=on"),
        (
            "alpha-beta:id=on,order=best",
            "alpha-beta:depth=6,order=best,id=on",
        ),
        (
            "negascout-tt:order=worst",
            "negascout-tt:depth=6,order=worst",
        ),
    ] {
        let spec = parse(text);
        assert_eq!(spec.to_string(), printed);
        assert_eq!(parse(printed), spec);
        assert_eq!(spec.build().spec(), &spec);
    }
}

#[test]
fn the_studys_names_are_understood() {
    for (study, ours) in [
        ("random", "random"),
        ("miniMaxWeak:depth=3", "minimax-weak:depth=3"),
        ("miniMax", "minimax"),
        ("alphaBeta", "alpha-beta"),
        ("negaScout", "negascout"),
        ("negaScoutTransposition:tt=8", "negascout-tt:tt=8"),
    ] {
        assert_eq!(parse(study), parse(ours));
    }
}

#[test]
fn specs_say_what_they_are() {
    let spec = parse("negascout-tt:depth=9,tt=8,tt-accept=exact");
    assert_eq!(spec.name(), "negascout-tt");
    assert_eq!(spec.algorithm(), Algorithm::NegaScoutTt);
    let options = spec.options();
    assert_eq!((options.depth, options.seed, options.tt), (9, 0, 8));
    assert_eq!(options.tt_accept, Accept::Exact);
    let options = *parse("mcts:playout=eval,c=50,playouts=77").options();
    assert_eq!((options.playouts, options.exploration), (77, 50));
    assert_eq!(options.playout, Playout::Eval);
    assert!(!parse("negascout-id:quiescence=off").options().quiescence);
    let deterministic = BotSpec::names().filter(|name| parse(name).is_deterministic());
    assert_eq!(
        deterministic.collect::<Vec<_>>(),
        [
            "minimax-weak",
            "minimax",
            "alpha-beta",
            "negascout",
            "negascout-tt",
            "sss-star",
            "mtdf",
            "negascout-id",
            "mcts",
            "champion"
        ]
    );
}

#[test]
fn there_are_ten_levels() {
    for (number, text) in [
        (1, Some("level:1")),
        (10, Some("level:10")),
        (0, None),
        (11, None),
    ] {
        let spec = BotSpec::of_level(number).map(|spec| spec.to_string());
        assert_eq!(spec.as_deref(), text);
    }
    let spec = parse("level:4").with_seed(9);
    assert_eq!(spec, parse("level:4,seed=9"));
    assert!(!spec.is_deterministic() && !spec.has_table());
    assert!(parse("mtdf").has_table());
    assert!(!parse("champion:threads=2").is_deterministic());
}

#[test]
fn errors_name_the_culprit_and_the_known() {
    let bots = "random, minimax-weak, minimax, alpha-beta, negascout, negascout-tt, sss-star, \
                mtdf, negascout-id, mcts, champion or level";
    for (text, error) in [
        ("", &*format!("unknown bot \"\": expected {bots}")),
        (
            "alphabeta",
            &*format!("unknown bot \"alphabeta\": expected {bots}; did you mean alpha-beta?"),
        ),
        (
            "alpha-beta ",
            &*format!("unknown bot \"alpha-beta \": expected {bots}; did you mean alpha-beta?"),
        ),
        (
            "ALPHA-BETA:depth=7",
            &*format!("unknown bot \"ALPHA-BETA\": expected {bots}"),
        ),
        (
            "random:depth=3",
            "random has no key \"depth\": expected seed",
        ),
        (
            "alpha-beta:dept=7",
            "alpha-beta has no key \"dept\": expected depth, seed, order or id; did you mean depth?",
        ),
        (
            "alphaBeta:tt=7",
            "alpha-beta has no key \"tt\": expected depth, seed, order or id",
        ),
        (
            "negascout-tt:=7",
            "negascout-tt has no key \"\": expected depth, seed, tt, tt-accept, order or id",
        ),
        ("alpha-beta:", "expected KEY=VALUE, found \"\""),
        ("alpha-beta:7", "expected KEY=VALUE, found \"7\""),
        ("alpha-beta:depth=7,", "expected KEY=VALUE, found \"\""),
        ("alpha-beta:depth", "expected KEY=VALUE, found \"depth\""),
        (
            "alpha-beta:depth=0",
            "bad value \"0\" for depth: expected a number from 1 to 64",
        ),
        (
            "alpha-beta:depth=65",
            "bad value \"65\" for depth: expected a number from 1 to 64",
        ),
        (
            "alpha-beta:depth=+7",
            "bad value \"+7\" for depth: expected a number from 1 to 64",
        ),
        (
            "alpha-beta:depth=",
            "bad value \"\" for depth: expected a number from 1 to 64",
        ),
        (
            "alpha-beta:depth=a=b",
            "bad value \"a=b\" for depth: expected a number from 1 to 64",
        ),
        (
            "random:seed=18446744073709551616",
            "bad value \"18446744073709551616\" for seed: \
             expected a number from 0 to 18446744073709551615",
        ),
        (
            "negascout-tt:tt=0",
            "bad value \"0\" for tt: expected a number from 1 to 16384",
        ),
        (
            "negascout-tt:tt-accept=all",
            "bad value \"all\" for tt-accept: expected at-least or exact",
        ),
        (
            "mtdf:tt-accept=exact",
            "mtdf has no key \"tt-accept\": expected depth, seed or tt",
        ),
        (
            "negascout-id:quiescence=yes",
            "bad value \"yes\" for quiescence: expected off or on",
        ),
        (
            "mcts:depth=4",
            "mcts has no key \"depth\": expected playouts, playout, c or seed",
        ),
        (
            "mcts:playouts=0",
            "bad value \"0\" for playouts: expected a number from 1 to 1000000000",
        ),
        (
            "mcts:c=10001",
            "bad value \"10001\" for c: expected a number from 0 to 10000",
        ),
        (
            "mcts:playout=none",
            "bad value \"none\" for playout: expected random or eval",
        ),
        (
            "alpha-beta:order=perfect",
            "bad value \"perfect\" for order: expected off, on, best or worst",
        ),
        ("alpha-beta:depth=7,depth=7", "depth is given twice"),
        (
            "level:11",
            "bad value \"11\" for level: expected a number from 1 to 10",
        ),
        (
            "level:depth=3",
            "level has no key \"depth\": expected level or seed",
        ),
        ("level:3,4", "level is given twice"),
    ] {
        assert_eq!(
            text.parse::<BotSpec>().unwrap_err().to_string(),
            error,
            "{text:?}"
        );
    }
}

#[test]
fn help_lists_every_bot_key_and_default() {
    let expected = "\
NAME or NAME:KEY=VALUE,KEY=VALUE
  random            any legal move, each as likely as another
                    keys: seed
  minimax-weak      minimax that counts pieces: man 1, king 2
                    keys: depth, seed, id; also miniMaxWeak
  minimax           minimax that counts pieces and rows: man 5 and 1 a row, king 15
                    keys: depth, seed, id; also miniMax
  alpha-beta        minimax's answer by alpha-beta
                    keys: depth, seed, order, id; also alphaBeta
  negascout         minimax's answer by NegaScout
                    keys: depth, seed, order, id; also negaScout
  negascout-tt      NegaScout with a transposition table
                    keys: depth, seed, tt, tt-accept, order, id; also negaScoutTransposition
  sss-star          minimax's answer by SSS*, as null-window searches from above
                    keys: depth, seed, tt, id
  mtdf              minimax's answer by MTD(f), as null-window searches about a guess
                    keys: depth, seed, tt
  negascout-id      NegaScout by iterative deepening, with ordered moves, quiescence and endgame tables
                    keys: depth, seed, tt, tt-accept, quiescence, tablebase
  mcts              Monte-Carlo tree search: UCT with proven wins and losses
                    keys: playouts, playout, c, seed
  champion          the strongest; each of its techniques can be switched off
                    keys: depth, seed, tt, tablebase, book, eval, threads, contempt, aspiration, table, quiesce, \
                history, iir, lmr, futility, singular, single, recapture, \
                repetition, articles, drawish, aspiration-window, iir-depth, lmr-divisor, lmr-first, \
                futility-depth, futility-margin, history-bonus
  level             an opponent for people: level:1 is the easiest, level:10 the strongest
                    keys: level, seed
Keys
  seed              seed of the random choices, or of the noise in the evaluation
                    a number from 0 to 18446744073709551615; default 0
  depth             how many plies deep to search
                    a number from 1 to 64; default 6
  id                search by iterative deepening, as deep as time and nodes allow
                    off or on; default off
  order             try promising moves first (on), or by minimax's values the best or the worst first
                    off, on, best or worst; default off
  tt                memory of the transposition table in MiB
                    a number from 1 to 16384; default 64
  tt-accept         accept table entries of at least, or of exactly, the needed depth
                    at-least or exact; default at-least
  quiescence        search captures on after the last ply
                    off or on; default on
  tablebase         play endings by tables, and search up to them
                    off or on; default on
  playouts          how many simulations to make, where the limits bound neither nodes nor time
                    a number from 1 to 1000000000; default 10000
  playout           end a simulation by a random game, or by the evaluation once no capture is pending
                    random or eval; default random
  c                 exploration in percent of the range of results: the constant of UCB1
                    a number from 0 to 10000; default 100
  book              play the first moves from the book, which seed varies; with eval=net alone
                    off or on; default on
  eval              what evaluates: a trained network, trained patterns, weights by hand, material and rows
                    net, patterns, hand or rows; default net
  threads           how many threads search; more than one give another answer each time
                    a number from 1 to 256; default 1
  contempt          by how much less than an even game a draw is worth when it plays, in hundredths of a logit
                    a number from 0 to 400; default 0
  aspiration        windows about the score of the iteration before
                    off or on; default on
  table             remember positions in the transposition table
                    off or on; default on
  quiesce           search captures on after the last ply
                    off or on; default on
  history           try moves early that cut off after the same last move
                    off or on; default on
  iir               a ply less where the table has no move
                    off or on; default on
  lmr               search late moves less deep
                    off or on; default on
  futility          an evaluation far above the window stands for a shallow search
                    off or on; default on
  singular          a ply more for a move of the table that is far better than the others
                    off or on; default on
  single            a forced move costs no depth
                    off or on; default off
  recapture         taking back on the principal variation costs no depth
                    off or on; default off
  repetition        a position that comes again is a draw
                    off or on; default on
  articles          count for the draw articles in the tree
                    off or on; default on
  drawish           shrink scores where hardly anything is left to win with
                    off or on; default on
  aspiration-window half the first aspiration window, in hundredths of a logit
                    a number from 1 to 400; default 13
  iir-depth         the least depth at which iir takes a ply
                    a number from 1 to 64; default 4
  lmr-divisor       what divides the plies of lmr, in percent
                    a number from 50 to 1000; default 129
  lmr-first         how many moves of a node on the principal variation lmr does not reduce
                    a number from 1 to 64; default 3
  futility-depth    the greatest depth at which futility cuts off
                    a number from 1 to 64; default 3
  futility-margin   how far above the window the evaluation has to be for futility, for each ply of depth
                    a number from 0 to 1000; default 66
  history-bonus     what a cut adds to the history of its move for each ply of depth
                    a number from 1 to 1000; default 32
  level             the level of play; may be written without its name
                    a number from 1 to 10; default 5";
    assert_eq!(BotSpec::help(), expected);
}
