//! Our side of the protocol as a state machine: what to do about which line. No threads, no IO.

use checkers_engine::{BotSpec, Limits, Ponder, Setting, Stop, Values};
use checkers_lib::{DrawRules, Game, GameError, Move, Position};

use super::board::{move_text, moves_text, parse_move, parse_position};
use super::level::Level;
use super::line::HubLine;
use super::score::in_men;
use super::searcher::{HubEvent, HubJob, SearchOrder, SearchedPosition};

/// The variant that is played.
const VARIANT: &str = "russian";

/// Something to be done now, in the order given.
#[derive(Debug)]
pub(super) enum Effect {
    /// Write this line.
    Say(HubLine),
    /// Write this line if there is room for it.
    Mention(HubLine),
    /// Hand this to the thread that searches.
    Order(SearchOrder),
    /// End.
    Quit,
}

/// The engine as the other program sees it.
pub(super) struct HubSession {
    spec: BotSpec,
    /// Whether the thread that searches has the spec.
    is_built: bool,
    game: Game,
    level: Level,
    /// The number of the next game.
    games: u64,
    /// The search that runs.
    search: Option<SessionSearch>,
}

struct SessionSearch {
    stop: Stop,
    ponder: Option<Ponder>,
    /// The last number of nodes sent.
    last_nodes: Option<u64>,
}

/// What a line comes to: effects, or what is wrong with it.
type LineResult = Result<Vec<Effect>, String>;

impl HubSession {
    pub(super) fn new(spec: BotSpec) -> HubSession {
        HubSession {
            spec,
            is_built: false,
            game: Game::new(DrawRules::Fmjd64),
            level: Level::default(),
            games: 0,
            search: None,
        }
    }

    /// Handles a line of the other program. A wrong line gets an error and changes nothing.
    pub(super) fn hear(&mut self, text: &str) -> Vec<Effect> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        let line = text.parse::<HubLine>().map_err(|error| error.to_string());
        line.and_then(|line| self.handle(&line))
            .unwrap_or_else(|message| vec![error(&message)])
    }

    /// Handles a line that is longer than allowed.
    pub(super) fn overhear(&self) -> Vec<Effect> {
        vec![error("the line is too long")]
    }

    fn handle(&mut self, line: &HubLine) -> LineResult {
        let command = line.command();
        if let Some(effects) = self.answer_at_once(command) {
            return Ok(effects);
        }
        if self.search.is_some() {
            return Err(format!(
                "{command:.40} has to wait for the end of the search"
            ));
        }
        match command {
            "hub" => Ok(self.introduce()),
            "set-param" => self.set(line),
            "init" => Ok(self.init()),
            "new-game" => Ok(self.new_game()),
            "pos" => {
                self.game = game(line)?;
                Ok(Vec::new())
            }
            "level" => {
                self.level = Level::parse(line).map_err(|error| error.to_string())?;
                Ok(Vec::new())
            }
            "go" => self.go(line),
            _ => Err(format!("unknown command {command:.40}")),
        }
    }

    /// What to do about a command that may come during a search too, if it is one.
    fn answer_at_once(&self, command: &str) -> Option<Vec<Effect>> {
        match command {
            "ping" => return Some(vec![Effect::Say(HubLine::new("pong"))]),
            "quit" => return Some(vec![Effect::Quit]),
            // Without a search, the command has arrived too late, which is no error.
            "stop" => self.stop(),
            "ponder-hit" => {
                let search = self.search.as_ref();
                if let Some(ponder) = search.and_then(|search| search.ponder.as_ref()) {
                    ponder.hit();
                }
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn init(&mut self) -> Vec<Effect> {
        self.is_built = true;
        vec![Effect::Order(SearchOrder::Build {
            spec: self.spec.clone(),
            asked: true,
        })]
    }

    fn new_game(&mut self) -> Vec<Effect> {
        let number = self.games;
        self.games += 1;
        let mut effects = self.build();
        effects.push(Effect::Order(SearchOrder::NewGame(number)));
        effects
    }

    /// Stops the running search, if there is one; it still returns its move.
    pub(super) fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop.stop();
        }
    }

    fn introduce(&self) -> Vec<Effect> {
        let id = HubLine::new("id")
            .with("name", "checkers")
            .with("version", env!("CARGO_PKG_VERSION"))
            .with("author", "the authors of checkers")
            .with("country", "none");
        let variant = parameter("variant", VARIANT, "enum").with("values", VARIANT);
        // Its keys are parameters of their own, and some programs trip over an equals sign in a value.
        let bot = parameter("bot", self.spec.name(), "string");
        let settings = self.spec.settings().map(|setting| described(&setting));
        let lines = [id, variant, bot].into_iter().chain(settings);
        lines
            .chain([HubLine::new("wait")])
            .map(Effect::Say)
            .collect()
    }

    fn set(&mut self, line: &HubLine) -> LineResult {
        let name = line.get("name").ok_or("set-param needs a name")?;
        let value = line.get("value").ok_or("set-param needs a value")?;
        let spec = match name {
            "variant" if value == VARIANT => return Ok(Vec::new()),
            "variant" => return Err(format!("the variant is {VARIANT} and no other")),
            "bot" => value.parse(),
            key => self.spec.clone().with(key, value),
        };
        self.spec = spec.map_err(|error| error.to_string())?;
        Ok(match std::mem::take(&mut self.is_built) {
            true => self.build(),
            false => Vec::new(),
        })
    }

    /// Has the spec built if that was not done.
    fn build(&mut self) -> Vec<Effect> {
        if std::mem::replace(&mut self.is_built, true) {
            return Vec::new();
        }
        vec![Effect::Order(SearchOrder::Build {
            spec: self.spec.clone(),
            asked: false,
        })]
    }

    fn go(&mut self, line: &HubLine) -> LineResult {
        let ponder = line.has("ponder").then(Ponder::default);
        if ponder.is_none() && !line.has("think") && !line.has("analyze") {
            return Err("expected go think, go analyze or go ponder".to_owned());
        }
        if let Some(outcome) = self.game.outcome() {
            return Err(format!("nothing to search: {}", ended(outcome.pdn())));
        }
        let stop = Stop::default();
        let limits = Limits {
            stop: stop.clone(),
            ponder: ponder.clone(),
            ..self.level.limits(&self.spec)
        };
        self.search = Some(SessionSearch {
            stop,
            ponder,
            last_nodes: None,
        });
        let mut effects = self.build();
        let game = self.game.clone();
        let job = HubJob {
            game,
            limits,
            is_to_play: line.has("think"),
        };
        effects.push(Effect::Order(SearchOrder::Search(Box::new(job))));
        Ok(effects)
    }

    /// Handles news from the search thread.
    pub(super) fn learn(&mut self, news: HubEvent) -> Vec<Effect> {
        match news {
            HubEvent::Ready => vec![Effect::Say(HubLine::new("ready"))],
            HubEvent::Found(found) => {
                let Some(search) = &mut self.search else {
                    return Vec::new();
                };
                search.last_nodes = Some(found.nodes);
                vec![Effect::Mention(info(&found, self.spec.man()))]
            }
            HubEvent::Done(found) => {
                let last_nodes = self.search.take().and_then(|search| search.last_nodes);
                let last = (last_nodes != Some(found.nodes)).then(|| info(&found, self.spec.man()));
                let done = done(&found.pv).map_or_else(|| error("there is no move"), Effect::Say);
                last.map(Effect::Say).into_iter().chain([done]).collect()
            }
            HubEvent::Died => vec![error("the search broke off"), Effect::Quit],
        }
    }
}

fn ended(result: &str) -> String {
    format!("the game is over, {result}")
}

fn error(message: &str) -> Effect {
    Effect::Say(HubLine::new("error").with("message", message))
}

fn parameter(name: &str, value: &str, kind: &str) -> HubLine {
    HubLine::new("param")
        .with("name", name)
        .with("value", value)
        .with("type", kind)
}

/// A key of the spec as a parameter.
fn described(setting: &Setting) -> HubLine {
    match setting.values {
        Values::Number { min, max } => parameter(setting.key, &setting.value, "int")
            .with("min", min)
            .with("max", max),
        Values::Word(words) => {
            parameter(setting.key, &setting.value, "enum").with("values", words.join(" "))
        }
    }
}

/// What is known of a search.
fn info(found: &SearchedPosition, man: i32) -> HubLine {
    let seconds = found.time.as_secs_f64();
    let millions = found.nodes as f64 / 1e6 / seconds.max(1e-6);
    HubLine::new("info")
        .with("depth", found.depth)
        .with("score", in_men(found.score, man))
        .with("nodes", found.nodes)
        .with("time", format_args!("{seconds:.3}"))
        .with("nps", format_args!("{millions:.3}"))
        .with("pv", moves_text(&found.pv))
}

/// The move and the reply that is expected.
fn done(pv: &[Move]) -> Option<HubLine> {
    let (&best, rest) = pv.split_first()?;
    let done = HubLine::new("done").with("move", move_text(best));
    Some(match rest.first() {
        Some(&reply) => done.with("ponder", move_text(reply)),
        None => done,
    })
}

/// The game of a `pos` line. The caller plays on after a draw by an article, so such draws do not
/// end it: the counts begin anew there.
fn game(line: &HubLine) -> Result<Game, String> {
    let text = line.get("pos").ok_or("pos needs a position: pos=…")?;
    let position = parse_position(text).map_err(|error| error.to_string())?;
    let mut game = begin(position);
    for text in line.get("moves").unwrap_or_default().split_whitespace() {
        let m = parse_move(game.position(), text).map_err(|error| error.to_string())?;
        if let Err(GameError::Over) = game.play(m) {
            game = begin(game.position().clone());
            game.play(m).map_err(|error| error.to_string())?;
        }
    }
    let is_drawn = game
        .outcome()
        .is_some_and(|outcome| outcome.winner().is_none());
    Ok(match is_drawn {
        true => begin(game.position().clone()),
        false => game,
    })
}

fn begin(position: Position) -> Game {
    Game::from_position(position, DrawRules::Fmjd64)
}

#[cfg(test)]
mod tests;
