//! The bots that play the levels.

use super::BotSpec;
use super::options::HIGHEST_LEVEL;

/// What a level plays with.
struct LevelStrength {
    /// What scores its moves, without a seed.
    bot: &'static str,
    /// How far below the best a move may be that it still plays, in the bot's units.
    margin: i32,
}

/// Depths count as people count them: forced moves and recaptures are free. Margins are in
/// centi-logits; a man is worth about 140. Only the highest levels use the trained evaluation and
/// the book.
#[rustfmt::skip]
static STRENGTHS: [LevelStrength; HIGHEST_LEVEL as usize] = [
    LevelStrength { bot: "champion:eval=hand,depth=2,quiesce=off,tablebase=off,tt=1,single=on,recapture=on", margin: 150 },
    LevelStrength { bot: "champion:eval=hand,depth=2,quiesce=off,tablebase=off,tt=1,single=on,recapture=on", margin: 20 },
    LevelStrength { bot: "champion:eval=hand,depth=2,tablebase=off,tt=1,single=on,recapture=on", margin: 45 },
    LevelStrength { bot: "champion:eval=hand,depth=3,tt=1,single=on,recapture=on", margin: 25 },
    LevelStrength { bot: "champion:eval=hand,depth=4,tt=1,single=on,recapture=on", margin: 20 },
    LevelStrength { bot: "champion:eval=hand,depth=5,tt=1,single=on,recapture=on", margin: 15 },
    LevelStrength { bot: "champion:eval=hand,depth=7,tt=1,single=on,recapture=on", margin: 10 },
    LevelStrength { bot: "champion:eval=hand,depth=10,tt=4,single=on,recapture=on", margin: 5 },
    LevelStrength { bot: "champion:depth=7,tt=16,single=on,recapture=on", margin: 0 },
    LevelStrength { bot: "champion:depth=64,tt=32", margin: 0 },
];

impl BotSpec {
    /// The bot that plays on a level; `None` if there is no such level.
    pub fn of_level(number: u32) -> Option<BotSpec> {
        format!("level:{number}").parse().ok()
    }

    /// The bot that plays as well as any level does and shows how, since nothing chooses among its
    /// moves but their scores: the one behind the highest level.
    pub fn strongest() -> BotSpec {
        let highest = BotSpec::of_level(HIGHEST_LEVEL).expect("the highest level is one");
        highest.scorer()
    }

    /// The bot that scores the moves of a level, with the seed of the level's spec.
    pub(crate) fn scorer(&self) -> BotSpec {
        let bot: BotSpec = self
            .strength()
            .bot
            .parse()
            .expect("the specs of the table are right");
        bot.with_seed(self.options().seed)
    }

    /// How far below the best a move may be that a level still plays, in the units of its scorer.
    pub(crate) fn margin(&self) -> i32 {
        self.strength().margin
    }

    fn strength(&self) -> &'static LevelStrength {
        let place = self.options().level.clamp(1, HIGHEST_LEVEL) - 1;
        &STRENGTHS[place as usize]
    }
}
