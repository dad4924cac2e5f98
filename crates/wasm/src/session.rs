//! Questions and answers.

use checkers_engine::tablebase::{TableFile, Tablebases};
use checkers_engine::{Analyst, Bot, BotSpec, Report};
use checkers_lib::{DrawRules, Game};
use position_api::{
    Analysis, LegalMoves, Mistake, MistakeCode, Premoves, game, position, positions, rules,
};
use serde::Serialize;

use crate::question::{Question, Subject};

/// Answers questions. Keeps its analyst and its bot, with their tables, from one to the next.
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
    /// Answers a question; both are JSON. A search gives `report` its result after each depth, in the form
    /// of the answer.
    ///
    /// # Errors
    /// When the question cannot be read, or has no answer: the error is JSON as well, as the server's
    /// API has it.
    pub fn answer(
        &mut self,
        question: &str,
        report: &mut dyn FnMut(&str),
    ) -> Result<String, String> {
        self.try_answer(question, report)
            .map_err(|mistake| json(&mistake))
    }

    fn try_answer(
        &mut self,
        question: &str,
        report: &mut dyn FnMut(&str),
    ) -> Result<String, Mistake> {
        let question: Question = serde_json::from_str(question).map_err(bad_query)?;
        let fen = question.fen.as_deref();
        Ok(match question.about {
            Subject::Legal => json(&LegalMoves::of(
                fen,
                &question.moves,
                rules(question.rules.as_deref())?,
            )?),
            Subject::Premoves => json(&Premoves::of(fen)?),
            Subject::Tablebase => {
                let report = Tablebases::shared().report(&position(fen)?);
                json(
                    &report
                        .map_err(|error| Mistake::new(MistakeCode::NoTable, error.to_string()))?,
                )
            }
            Subject::Analysis => json(&self.analyse(&question, report)?),
            Subject::Choice => json(&self.choose(&question)?),
        })
    }

    fn analyse(
        &mut self,
        question: &Question,
        report: &mut dyn FnMut(&str),
    ) -> Result<Analysis, Mistake> {
        let positions = positions(question.fen.as_deref(), &question.moves)?;
        let ply = positions.len() - 1;
        let last = &positions[ply];
        let analyst = self.analyst.get_or_insert_with(|| {
            let spec = BotSpec::strongest().without_book();
            Analyst::new(&spec).expect("the strongest bot is the champion")
        });
        let asked = checkers_engine::Question {
            limits: question.limits(),
            lines: question.lines.unwrap_or(1),
            ..checkers_engine::Question::default()
        };
        let analysis = |report: &Report| {
            let lines = report.lines.iter().map(|line| (line.score, &line.pv[..]));
            Analysis::new(ply, last, report.depth, report.nodes, lines)
        };
        // Without the moves before it: the value of a position does not depend on how it was reached.
        let game = Game::from_position(last.clone(), DrawRules::default());
        let answer = analyst.ask(&game, &asked, &mut |found| report(&json(&analysis(found))));
        Ok(analysis(&answer.report))
    }

    fn choose(&mut self, question: &Question) -> Result<Choice, Mistake> {
        let rules = rules(question.rules.as_deref())?;
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

fn bad_query(error: impl ToString) -> Mistake {
    Mistake::new(MistakeCode::BadQuery, error.to_string())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("an answer has no key but strings")
}
