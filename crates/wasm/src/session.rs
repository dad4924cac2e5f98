//! Questions and answers.

use checkers_engine::tablebase::{TableFile, Tablebases};
use checkers_engine::{Analyst, Bot, BotSpec, Report};
use checkers_lib::{DrawRules, Game};
use position_api::{
    Analysis, LegalMoves, Mistake, MistakeCode, Premoves, game, position, positions,
};
use serde::Serialize;

use crate::question::{Question, Subject};

/// What answers questions, and what it remembers from one to the next.
#[derive(Default)]
pub struct Session {
    analyst: Option<Analyst>,
    /// The bot that chose last.
    bot: Option<Box<dyn Bot>>,
}

/// What a bot plays.
#[derive(Serialize)]
struct Choice {
    /// The move; nothing if the game is over.
    #[serde(rename = "move")]
    best: Option<String>,
    /// What it is worth to the side to move, in hundredths of a logit.
    score: i32,
    depth: u32,
    nodes: u64,
    /// Whether it comes from the opening book.
    from_book: bool,
}

impl Session {
    /// Answers a question; both are JSON. A search tells `tell` what it knows after each depth, in the
    /// form of the answer.
    ///
    /// # Errors
    /// When the question cannot be read, or has no answer: the error is JSON as well, as the server's
    /// API has it.
    pub fn answer(&mut self, question: &str, tell: &mut dyn FnMut(&str)) -> Result<String, String> {
        self.try_answer(question, tell)
            .map_err(|mistake| json(&mistake))
    }

    fn try_answer(
        &mut self,
        question: &str,
        tell: &mut dyn FnMut(&str),
    ) -> Result<String, Mistake> {
        let question: Question = serde_json::from_str(question).map_err(bad_query)?;
        let fen = question.fen.as_deref();
        Ok(match question.about {
            Subject::Legal => json(&LegalMoves::of(fen, &question.moves, rules(&question)?)?),
            Subject::Premoves => json(&Premoves::of(fen)?),
            Subject::Tablebase => {
                let report = Tablebases::shared().report(&position(fen)?);
                json(
                    &report
                        .map_err(|error| Mistake::new(MistakeCode::NoTable, error.to_string()))?,
                )
            }
            Subject::Analysis => json(&self.analyse(&question, tell)?),
            Subject::Choice => json(&self.choose(&question)?),
        })
    }

    fn analyse(
        &mut self,
        question: &Question,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Analysis, Mistake> {
        let positions = positions(question.fen.as_deref(), &question.moves)?;
        let ply = positions.len() - 1;
        let last = &positions[ply];
        let spec = BotSpec::strongest().without_book();
        let analyst = match &mut self.analyst {
            Some(analyst) => analyst,
            none => none.insert(Analyst::new(&spec).ok_or_else(|| bad_query("no analyst"))?),
        };
        let asked = checkers_engine::Question {
            limits: question.limits(),
            lines: question.lines.unwrap_or(1),
            ..checkers_engine::Question::default()
        };
        let said = |report: &Report| {
            let lines = report.lines.iter().map(|line| (line.score, &line.pv[..]));
            Analysis::new(ply, last, report.depth, report.nodes, lines)
        };
        // By itself, so that what is known of a position does not depend on the way to it.
        let game = Game::from_position(last.clone(), DrawRules::default());
        let answer = analyst.ask(&game, &asked, &mut |report| tell(&json(&said(report))));
        Ok(said(&answer.report))
    }

    fn choose(&mut self, question: &Question) -> Result<Choice, Mistake> {
        let rules = rules(question)?;
        let (game, _) = game(question.fen.as_deref(), &question.moves, rules)?;
        let spec = match &question.bot {
            None => BotSpec::strongest(),
            Some(text) => text.parse().map_err(bad_query)?,
        };
        let spec = spec.with_seed(question.seed);
        let bot = match &mut self.bot {
            Some(bot) if *bot.spec() == spec => bot,
            other => other.insert(spec.build()),
        };
        let choice = bot.choose(&game, &question.limits());
        Ok(Choice {
            best: choice.best.map(|m| game.position().notation(m)),
            score: choice.score.value(),
            depth: choice.depth,
            nodes: choice.nodes,
            from_book: choice.from_book,
        })
    }

    /// Adds tablebases to the built-in ones, before the first question.
    ///
    /// # Errors
    /// When the bytes are not such tables; the error is JSON as above.
    pub fn add_tables(files: Vec<Vec<u8>>) -> Result<(), String> {
        let files = files.into_iter();
        let files = files.map(|bytes| TableFile::from_bytes("tables", bytes));
        let files = files
            .collect::<Result<_, _>>()
            .map_err(|error| json(&Mistake::new(MistakeCode::NoTable, error.to_string())))?;
        Tablebases::new(files).share();
        Ok(())
    }
}

fn rules(question: &Question) -> Result<DrawRules, Mistake> {
    match &question.rules {
        None => Ok(DrawRules::default()),
        Some(rules) => rules.parse().map_err(bad_query),
    }
}

fn bad_query(error: impl ToString) -> Mistake {
    Mistake::new(MistakeCode::BadQuery, error.to_string())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("an answer has no key but strings")
}
