//! What stands below the options in the help of the commands that play.

use checkers_bot::HubSpec;
use checkers_engine::BotSpec;

use crate::{BotLimits, ExitCode, MatchPlayer};

pub(super) const MATCH_EXAMPLES: &str = "\
Six games, three openings with both colours:
    checkers-bot-test match negascout-tt:depth=9 alpha-beta:depth=7 --pairs 3 --openings suite
  A hundred pairs, fast, and what they say about strength:
    checkers-bot-test match negascout:depth=6 alpha-beta:depth=5 --pairs 100 \\
        --openings suite --in-process
  At equal time, one with a handicap:
    checkers-bot-test match negascout-id mcts@movetime=200ms --limits movetime=50ms --pairs 10
  Does move ordering pay, at equal time? At equal depth, compare the nodes:
    checkers-bot-test match alpha-beta:id=on,order=on alpha-beta:id=on \\
        --limits movetime=50ms --pairs 50 --openings suite
    checkers-bot-test match alpha-beta:depth=7,order=on alpha-beta:depth=7 \\
        --pairs 20 --openings suite --in-process
  Two files of weights, at equal nodes:
    checkers-bot-test match champion:weights=new.net champion:weights=old.net --in-process \\
        --pairs 500 --opening-plies 8 --limits nodes=2000
  A bot of your own:
    checkers-bot-test match exec:./my-bot alpha-beta:depth=5 --pairs 5 --openings suite
  An engine that speaks the Hub protocol:
    checkers-bot-test match 'hub:cmd=./scan hub' champion --limits movetime=100ms --pairs 5";

pub(super) const ROUND_ROBIN_EXAMPLES: &str = "\
Four bots, twenty pairs for every two of them, with a page to look at:
    checkers-bot-test round-robin minimax alpha-beta negascout negascout-id --limits depth=5 \\
        --pairs 20 --openings suite --journal rr.journal --report rr
  After a power cut:
    checkers-bot-test round-robin --resume rr.journal --report rr";

pub(super) const GAUNTLET_EXAMPLES: &str = "\
A new bot against three old ones:
    checkers-bot-test gauntlet exec:./new negascout-tt:depth=7 mtdf:depth=7 mcts \\
        --pairs 50 --openings suite";

pub(super) const KNOCKOUT_EXAMPLES: &str = "\
Eight bots, two pairs a meeting:
    checkers-bot-test knockout negascout-id mtdf:depth=7 negascout-tt:depth=7 sss-star:depth=6 \\
        alpha-beta:depth=6 minimax:depth=5 mcts random --openings suite";

pub(super) const SWISS_EXAMPLES: &str = "\
Six bots, four rounds:
    checkers-bot-test swiss negascout-id mtdf:depth=7 negascout-tt:depth=6 alpha-beta:depth=5 \\
        minimax:depth=4 random --rounds 4 --openings suite";

pub(super) const SPRT_EXAMPLES: &str = "\
Is a change worth something?
    checkers-bot-test sprt exec:./new exec:./old --elo 0,10 --limits 5s+50ms --openings suite \\
        --journal change.journal";

/// The examples of a command, and what its words mean.
pub(super) fn after_help(examples: &str) -> String {
    format!(
        "\
Each game's bots play over WebSocket, every bot and server a process of its own. A bot that
crashes, hangs, leaves or breaks the rules forfeits the game and is started again. The result goes
to stdout, everything else to stderr.

Examples:
  {examples}

SPEC is one of ours or any program
{}
{}
{}
{}

LIMITS are {}.
Times of --…-timeout are written as 500ms, 10s, 5m, 1h.

{}",
        BotSpec::help(),
        MatchPlayer::WEIGHTS_HELP,
        MatchPlayer::HELP,
        HubSpec::HELP,
        BotLimits::HELP,
        ExitCode::HELP,
    )
}
