//! Questions and answers.

use checkers_engine::tablebase::{TableFile, Tablebases};
use checkers_engine::tree::{SharedLine, Tree, record};
use checkers_engine::{Analyst, Bot, BotSpec, SearchReport};
use checkers_lib::{DrawRules, Game};
use position_api::{
    Analysis, LegalMoves, Mistake, MistakeCode, Premoves, game, position, positions, rules,
};
use serde::Serialize;

use crate::question::{Question, Subject};
use crate::trace::{Trace, TraceReport, columns, csv, marks};

/// The most nodes of a tree that are kept, unless the question says otherwise.
const MOST_NODES: usize = 1_000_000;

/// Answers questions. Keeps its analyst and its bot, with their tables, from one to the next, and two trees.
#[derive(Default)]
pub struct Session {
    analyst: Option<Analyst>,
    /// The bot that chose last.
    bot: Option<Box<dyn Bot>>,
    traces: [Option<Trace>; 2],
}

/// An answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EngineReply {
    /// JSON.
    pub text: String,
    /// What is attached; empty for most questions.
    pub file: Vec<u8>,
}

/// What a bot plays.
#[derive(Serialize)]
struct BotChoice {
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
    /// Answers a question, which is JSON, with the files that are attached to it. A search gives `report` its result
    /// after each depth, in the form of the answer.
    ///
    /// # Errors
    /// When the question cannot be read, or has no answer: the error is JSON as well, as the server's
    /// API has it.
    pub fn answer(
        &mut self,
        question: &str,
        files: Vec<Vec<u8>>,
        report: &mut dyn FnMut(&str),
    ) -> Result<EngineReply, String> {
        self.try_answer(question, files, report)
            .map_err(|mistake| json(&mistake))
    }

    fn try_answer(
        &mut self,
        question: &str,
        files: Vec<Vec<u8>>,
        report: &mut dyn FnMut(&str),
    ) -> Result<EngineReply, Mistake> {
        let question: Question = serde_json::from_str(question).map_err(bad_query)?;
        let fen = question.fen.as_deref();
        let text = match question.about {
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
            Subject::Tables => {
                share_tables(files)?;
                "{}".to_owned()
            }
            Subject::Trace => return self.keep(question.tree, || trace(&question)),
            Subject::OpenTrace => {
                let read = || Tree::read(&files.concat()).map_err(bad_query);
                return self.keep(question.tree, read);
            }
            Subject::SaveTrace => return Ok(attached(self.trace(question.tree)?.tree.to_bytes())),
            Subject::TraceTable => {
                return Ok(attached(csv(&self.trace(question.tree)?.tree).into_bytes()));
            }
            Subject::Compare => return Ok(attached(self.compare()?)),
            Subject::Node => json(&self.trace(question.tree)?.node(question.node)?),
        };
        Ok(EngineReply {
            text,
            ..EngineReply::default()
        })
    }

    /// Keeps a tree in the place of another.
    fn keep(
        &mut self,
        place: usize,
        make: impl FnOnce() -> Result<Tree, Mistake>,
    ) -> Result<EngineReply, Mistake> {
        let kept = self.traces.get_mut(place).ok_or_else(|| no_tree(place))?;
        let tree = make()?;
        let answer = EngineReply {
            text: json(&TraceReport::of(&tree)),
            file: columns(&tree),
        };
        *kept = Some(Trace::new(tree));
        Ok(answer)
    }

    fn trace(&self, place: usize) -> Result<&Trace, Mistake> {
        let kept = self.traces.get(place).and_then(Option::as_ref);
        kept.ok_or_else(|| no_tree(place))
    }

    /// Notes what each of the trees has of the lines of the other.
    fn compare(&mut self) -> Result<Vec<u8>, Mistake> {
        let [Some(first), Some(second)] = &mut self.traces else {
            return Err(bad_query("two trees are compared"));
        };
        let other_position = || bad_query("the trees begin at different positions");
        let of_first = SharedLine::of(&first.tree, &second.tree).ok_or_else(other_position)?;
        let of_second = SharedLine::of(&second.tree, &first.tree).ok_or_else(other_position)?;
        let mut bytes = marks(&of_first, &second.tree);
        bytes.extend(marks(&of_second, &first.tree));
        (first.shared, second.shared) = (of_first, of_second);
        Ok(bytes)
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
        let analysis = |report: &SearchReport| {
            let lines = report.lines.iter().map(|line| (line.score, &line.pv[..]));
            Analysis::new(ply, last, report.depth, report.nodes, lines)
        };
        // Without the moves before it: the value of a position does not depend on how it was reached.
        let game = Game::from_position(last.clone(), DrawRules::default());
        let answer = analyst.ask(&game, &asked, &mut |found| report(&json(&analysis(found))));
        Ok(analysis(&answer.report))
    }

    fn choose(&mut self, question: &Question) -> Result<BotChoice, Mistake> {
        let rules = rules(question.rules.as_deref())?;
        let (game, _) = game(question.fen.as_deref(), &question.moves, rules)?;
        let spec = spec(question)?.with_seed(question.seed);
        let bot = match &mut self.bot {
            Some(bot) if *bot.spec() == spec => bot,
            other => other.insert(spec.build()),
        };
        let choice = bot.choose(&game, &question.limits());
        Ok(BotChoice {
            best: choice.best.map(|m| game.position().notation(m)),
            score: choice.score.value(),
            depth: choice.depth,
            nodes: choice.nodes,
            from_book: choice.from_book,
        })
    }
}

/// Records the search of a bot.
fn trace(question: &Question) -> Result<Tree, Mistake> {
    let (game, _) = game(
        question.fen.as_deref(),
        &question.moves,
        DrawRules::default(),
    )?;
    // The search is that of a new game.
    let game = Game::from_position(game.position().clone(), DrawRules::default());
    let spec = spec(question)?;
    let most_nodes = question.most_nodes.unwrap_or(MOST_NODES);
    record(&spec, &game, &question.limits(), most_nodes).map_err(bad_query)
}

fn spec(question: &Question) -> Result<BotSpec, Mistake> {
    match &question.bot {
        None => Ok(BotSpec::strongest()),
        Some(text) => text.parse().map_err(bad_query),
    }
}

fn share_tables(files: Vec<Vec<u8>>) -> Result<(), Mistake> {
    let files = files.into_iter();
    let files = files.map(|bytes| TableFile::from_bytes("tables", bytes));
    let files = files
        .collect::<Result<_, _>>()
        .map_err(|error| Mistake::new(MistakeCode::NoTable, error.to_string()))?;
    Tablebases::new(files).share();
    Ok(())
}

/// An answer that is a file.
fn attached(file: Vec<u8>) -> EngineReply {
    EngineReply {
        text: "{}".to_owned(),
        file,
    }
}

fn no_tree(place: usize) -> Mistake {
    bad_query(format!("no tree {place} was recorded or opened"))
}

fn bad_query(error: impl ToString) -> Mistake {
    Mistake::new(MistakeCode::BadQuery, error.to_string())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("an answer has no key but strings")
}
