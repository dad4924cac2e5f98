//! Another program's engine as something that chooses moves.

use std::path::Path;
use std::time::{Duration, Instant};

use checkers_engine::{Choice, Limits, Score};
use checkers_lib::{DrawClock, Game, Move};

use super::board::{moves_text, parse_move, position_text};
use super::error::HubError;
use super::level::level_line;
use super::line::HubLine;
use super::process::EngineProcess;
use super::score::from_men;
use super::spec::HubSpec;
use super::transcript::Transcript;

/// How often it is looked whether a search is to end.
const LOOK: Duration = Duration::from_millis(5);
/// By how much an engine may exceed its time for a move before it is stopped.
const TOLERANCE: Duration = Duration::from_millis(20);
/// After this many meaningless lines, the engine has failed.
const MOST_PASSED_OVER: u32 = 10_000;
/// How long an engine may take to send its move once it was asked to stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// An engine that runs and is ready. Dropping it ends it.
pub struct HubEngine {
    process: EngineProcess,
    is_new_game: bool,
}

impl HubEngine {
    /// Starts an engine, sets it up, and waits until it is ready. What it is sent and what it
    /// writes goes into the file `transcript` too, in place of what is there.
    ///
    /// # Errors
    /// It does not start, ends, is not ready in time, or cannot do what the spec asks for; or the
    /// transcript cannot be written.
    pub fn start(spec: &HubSpec, transcript: Option<&Path>) -> Result<HubEngine, HubError> {
        let transcript = transcript.map(Transcript::create).transpose();
        let transcript = transcript.map_err(HubError::Transcript)?;
        let mut greeting = Greeting {
            process: EngineProcess::start(spec, transcript).map_err(HubError::Start)?,
            began: Instant::now(),
            start: spec.start,
        };
        greeting.process.say(HubLine::new("hub"))?;
        let known = greeting.parameters()?;
        for line in settings(spec, &known)? {
            greeting.process.say(line)?;
        }
        greeting.process.say(HubLine::new("init"))?;
        while greeting.hear("ready")?.command() != "ready" {}
        Ok(HubEngine {
            process: greeting.process,
            is_new_game: false,
        })
    }

    /// Tells the engine that a new game begins.
    pub fn new_game(&mut self) {
        self.is_new_game = true;
    }

    /// Lets the engine choose a move for the side to move. A game that is over has none.
    ///
    /// Without limits, the engine decides when to end. It is asked to stop when it exceeds its time
    /// or its nodes, and it may finish; it must end only when [`Limits::stop`] is set.
    ///
    /// # Errors
    /// The engine ends, breaks the protocol, plays an illegal move, or does not stop when it has
    /// to. It is of no use then.
    pub fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, HubError> {
        if std::mem::take(&mut self.is_new_game) {
            self.process.say(HubLine::new("new-game"))?;
        }
        self.process.say(position_line(game))?;
        if let Some(level) = level_line(limits) {
            self.process.say(level)?;
        }
        self.process.say(HubLine::new("go").flag("think"))?;
        let mut search = EngineSearch {
            began: Instant::now(),
            limits,
            told_to_stop: false,
            ordered_to_stop: None,
            passed_over: 0,
            found: LatestReport::default(),
        };
        loop {
            search.look_after(&self.process)?;
            let Some(text) = self.process.hear(LOOK)? else {
                continue;
            };
            // What is no line, or of no meaning here, is passed over, unless there is no end to it.
            match text.parse::<HubLine>() {
                Ok(line) if line.command() == "info" => search.found.note(&line, game),
                Ok(line) if line.command() == "done" => return search.end(&line, game),
                Ok(line) if line.command() == "error" => return Err(reported(&line)),
                Ok(_) | Err(_) => search.pass_over(&text)?,
            }
        }
    }
}

fn reported(line: &HubLine) -> HubError {
    let message = line.get("message").unwrap_or("it does not say which");
    HubError::Reported {
        message: message.to_owned(),
    }
}

/// The beginning of the conversation.
struct Greeting {
    process: EngineProcess,
    began: Instant,
    /// How long it may take.
    start: Duration,
}

/// A parameter of an engine: its name and, if listed, its values.
type Parameter = (String, Option<String>);

impl Greeting {
    /// The next line that can be read.
    fn hear(&mut self, expected: &'static str) -> Result<HubLine, HubError> {
        loop {
            let left = self.start.saturating_sub(self.began.elapsed());
            let text = match left.is_zero() {
                true => None,
                false => self.process.hear(left)?,
            };
            let text = text.ok_or(HubError::Silent {
                expected,
                after: self.start,
            })?;
            match text.parse::<HubLine>() {
                Ok(line) if line.command() == "error" => return Err(reported(&line)),
                Ok(line) => return Ok(line),
                Err(_) => {}
            }
        }
    }

    /// The parameters that the engine has.
    fn parameters(&mut self) -> Result<Vec<Parameter>, HubError> {
        let mut known = Vec::new();
        loop {
            let line = self.hear("wait")?;
            match (line.command(), line.get("name")) {
                ("wait", _) => return Ok(known),
                ("param", Some(name)) if known.len() < MAX_PARAMETERS => {
                    known.push((name.to_owned(), line.get("values").map(str::to_owned)));
                }
                _ => {}
            }
        }
    }
}

/// Further parameters are ignored.
const MAX_PARAMETERS: usize = 1000;

/// What sets the engine up.
fn settings(spec: &HubSpec, known: &[Parameter]) -> Result<Vec<HubLine>, HubError> {
    let set = |name: &str, value: &str| {
        HubLine::new("set-param")
            .with("name", name)
            .with("value", value)
    };
    let mut lines = Vec::new();
    let variant = known.iter().find(|(name, _)| name == "variant");
    if let Some((name, values)) = variant {
        let plays = |values: &String| values.split_whitespace().any(|v| v == spec.variant);
        if let Some(values) = values.as_ref().filter(|values| !plays(values)) {
            return Err(HubError::Variant {
                variant: spec.variant.clone(),
                known: values.clone(),
            });
        }
        lines.push(set(name, &spec.variant));
    }
    for (name, value) in &spec.parameters {
        if known.iter().all(|(known, _)| known != name) {
            let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
            return Err(HubError::NoParameter {
                name: name.clone(),
                known: match names[..] {
                    [] => "none".to_owned(),
                    _ => names.join(", "),
                },
            });
        }
        lines.push(set(name, value));
    }
    Ok(lines)
}

/// The present position, by all that can still matter: the position in which all counts of the
/// draw articles stood at zero for the last time, and the moves since then.
fn position_line(game: &Game) -> HubLine {
    let mut clock = DrawClock::default();
    let mut start = 0;
    for (ply, (&m, positions)) in game
        .moves()
        .iter()
        .zip(game.positions().windows(2))
        .enumerate()
    {
        if let [before, after] = positions {
            clock.advance(before, m, after);
        }
        if clock == DrawClock::default() {
            start = ply + 1;
        }
    }
    let position = game.positions().get(start).unwrap_or(game.start());
    let line = HubLine::new("pos").with("pos", position_text(position));
    match game.moves().get(start..) {
        None | Some([]) => line,
        Some(moves) => line.with("moves", moves_text(moves)),
    }
}

/// A search that runs.
struct EngineSearch<'a> {
    began: Instant,
    limits: &'a Limits,
    told_to_stop: bool,
    /// When it was asked to stop because its move is no longer needed.
    ordered_to_stop: Option<Instant>,
    /// How many lines meant nothing.
    passed_over: u32,
    found: LatestReport,
}

impl EngineSearch<'_> {
    /// Stops the engine if it is time.
    fn look_after(&mut self, process: &EngineProcess) -> Result<(), HubError> {
        let is_ordered = self.limits.stop.is_set();
        if !self.told_to_stop && (is_ordered || self.is_enough()) {
            self.told_to_stop = true;
            process.say(HubLine::new("stop"))?;
        }
        if is_ordered {
            let ordered = *self.ordered_to_stop.get_or_insert_with(Instant::now);
            if ordered.elapsed() > PATIENCE {
                return Err(HubError::Silent {
                    expected: "done",
                    after: PATIENCE,
                });
            }
        }
        Ok(())
    }

    /// Counts a line that means nothing.
    fn pass_over(&mut self, text: &str) -> Result<(), HubError> {
        self.passed_over += 1;
        if self.passed_over < MOST_PASSED_OVER {
            return Ok(());
        }
        Err(HubError::Flood {
            lines: self.passed_over,
            last: text.chars().take(80).collect(),
        })
    }

    /// Whether the engine exceeds its limits, as far as one can see.
    fn is_enough(&self) -> bool {
        let times = [
            self.limits
                .movetime
                .map(|time| time.saturating_add(TOLERANCE)),
            self.limits.clock.map(|clock| clock.remaining),
        ];
        let elapsed = self.began.elapsed();
        let is_late = times.into_iter().flatten().any(|time| elapsed >= time);
        let limit = self.limits.nodes;
        is_late || limit.is_some_and(|limit| self.found.nodes >= limit)
    }

    fn end(self, line: &HubLine, game: &Game) -> Result<Choice, HubError> {
        let time = self.began.elapsed();
        let text = line.get("move").ok_or_else(|| HubError::NoMove {
            line: line.to_string().chars().take(200).collect(),
        })?;
        let best = parse_move(game.position(), text).map_err(|error| HubError::BadMove {
            position: position_text(game.position()),
            error: error.into(),
        })?;
        let LatestReport {
            depth,
            score,
            nodes,
            pv,
        } = self.found;
        Ok(Choice {
            best: Some(best),
            score,
            depth,
            nodes,
            time,
            pv: match pv.first() == Some(&best) {
                true => pv,
                false => vec![best],
            },
            complete: !self.told_to_stop,
            from_book: false,
        })
    }
}

#[derive(Default)]
struct LatestReport {
    depth: u32,
    score: Score,
    nodes: u64,
    pv: Vec<Move>,
}

impl LatestReport {
    fn note(&mut self, line: &HubLine, game: &Game) {
        if let Some(depth) = line.get("depth").and_then(|text| text.parse().ok()) {
            self.depth = depth;
        }
        if let Some(score) = line.get("score").and_then(from_men) {
            self.score = score;
        }
        if let Some(nodes) = line.get("nodes").and_then(|text| text.parse().ok()) {
            self.nodes = nodes;
        }
        if let Some(pv) = line.get("pv") {
            self.pv = legal_line(game, pv);
        }
    }
}

/// The moves of a line as far as they are legal.
fn legal_line(game: &Game, texts: &str) -> Vec<Move> {
    let mut position = game.position().clone();
    let mut moves = Vec::new();
    for text in texts.split_whitespace() {
        let Ok(m) = parse_move(&position, text) else {
            break;
        };
        position.play_unchecked(m);
        moves.push(m);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::board::{move_text, parse_position};
    use checkers_lib::DrawRules;

    fn game(start: &str, moves: &[&str]) -> Game {
        let mut game = Game::from_position(start.parse().unwrap(), DrawRules::Fmjd64);
        for text in moves {
            let m = game.position().parse_move(text).unwrap();
            game.play(m).unwrap();
        }
        game
    }

    const START: &str = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:\
                         Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6";

    #[test]
    fn a_position_comes_with_what_can_matter() {
        let line = position_line(&game(START, &[]));
        assert!(!line.has("moves"));
        let line = position_line(&game(START, &["c3-d4", "b6-a5"]));
        assert_eq!(line.get("moves"), Some("22-18 9-13"));
        // A capture among many pieces sets every count back.
        let taken = game(START, &["c3-d4", "b6-c5", "d4:b6", "a7:c5", "e3-d4"]);
        let line = position_line(&taken);
        assert_eq!(line.get("moves"), Some("23-18"));
        let before = parse_position(line.get("pos").unwrap()).unwrap();
        assert_eq!(before, taken.positions()[4]);
    }

    #[test]
    fn replaying_the_line_gives_the_same_counts() {
        let mut game = game(START, &[]);
        while game.outcome().is_none() {
            let legal = game.legal_moves();
            game.play(legal[game.ply() * 7 % legal.len()]).unwrap();
            let line = position_line(&game);
            let first = parse_position(line.get("pos").unwrap()).unwrap();
            let mut again = Game::from_position(first, DrawRules::Fmjd64);
            for text in line.get("moves").unwrap_or_default().split_whitespace() {
                let m = parse_move(again.position(), text).unwrap();
                again.play(m).unwrap();
            }
            assert_eq!(again.position(), game.position());
            assert_eq!(again.draw_clock(), game.draw_clock());
            assert_eq!(again.repetitions(), game.repetitions());
        }
        assert!(game.ply() > 20, "{}", game.ply());
    }

    #[test]
    fn a_line_is_legal_to_its_end() {
        let game = game(START, &[]);
        let line = legal_line(&game, "22-18 9-13 1-32 18-14");
        let texts: Vec<String> = line.into_iter().map(move_text).collect();
        assert_eq!(texts, ["22-18", "9-13"]);
    }
}
