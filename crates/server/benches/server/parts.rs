//! What is compared, and what the results are to be.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;

use crate::AnyError;
use crate::load::{Load, Measured};
use crate::report::thousands;
use crate::subject::SubjectKind;

/// Open files of a process besides its connections.
const OTHER_FILES: usize = 100;

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum BenchPart {
    /// 1,000 and 5,000 games as fast as possible
    Moves,
    /// 1,000 games with one move per second each
    Paced,
    /// A game without spectators and with 1,000 and 10,000
    Spectators,
    /// 20,000 connections that do nothing, or as many as the limit of open files allows
    Idle,
    /// 5,000 games on one core and on all
    Cores,
    /// 1,000 games with SQLite and with PostgreSQL
    Database,
    /// 100 games with one move per second each, over WebSockets and by bots over HTTP
    Bots,
    /// 1,000 games at two nodes, at the node that has the table and at the other one, which forwards the moves
    Nodes,
}

/// The machine that the benchmark runs on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    pub(crate) cores: usize,
    pub(crate) open_files: usize,
}

/// How a subject and this process, its client, share the cores.
#[derive(Clone, Debug)]
pub(crate) struct Cores {
    /// Lists of cores such as `0-3`.
    pub(crate) subject: String,
    pub(crate) client: String,
    pub(crate) client_threads: usize,
}

impl Cores {
    /// The subject has the first core, the client all others.
    fn apart(machine: Machine) -> Cores {
        match machine.cores {
            1 => Cores::shared(1),
            count => Cores {
                subject: "0".into(),
                client: format!("1-{}", count - 1),
                client_threads: count - 1,
            },
        }
    }

    /// Both have the first cores, so many.
    fn shared(count: usize) -> Cores {
        let list = format!("0-{}", count - 1);
        Cores {
            subject: list.clone(),
            client: list,
            client_threads: count,
        }
    }
}

/// Two sides that are measured in turn.
pub(crate) struct Experiment {
    pub(crate) title: String,
    pub(crate) sides: [Side; 2],
    pub(crate) figures: Vec<Figure>,
}

/// What one measurement measures.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) name: String,
    pub(crate) kind: SubjectKind,
    pub(crate) program: PathBuf,
    pub(crate) cores: Cores,
    pub(crate) load: Load,
}

/// A name, how it is read off a measurement, and the target.
pub(crate) struct Figure(
    pub(crate) &'static str,
    pub(crate) fn(&Measured) -> f64,
    pub(crate) Target,
);

/// What the second side's figure should be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    None,
    /// At most this many times the first side's.
    RatioAtMost(f64),
    /// At least this many times the first side's.
    RatioAtLeast(f64),
    /// At most the first side's and this.
    MoreAtMost(f64),
    /// At most this, whatever the first side's is.
    AtMost(f64),
}

impl BenchPart {
    /// What all its measurements have in common.
    pub(crate) fn title(self) -> &'static str {
        match self {
            BenchPart::Moves => "full load",
            BenchPart::Paced => "a move per second in each game",
            BenchPart::Spectators => "one game, 200 ms of thought per move",
            BenchPart::Idle => "idle connections",
            BenchPart::Cores => "full load",
            BenchPart::Bots => "a move per second in each game",
            BenchPart::Database => "1,000 games",
            BenchPart::Nodes => "1,000 games, full load",
        }
    }

    pub(crate) fn experiments(self, machine: Machine) -> Vec<Experiment> {
        match self {
            BenchPart::Moves => vec![moves(machine, 1_000), moves(machine, 5_000)],
            BenchPart::Paced => vec![paced(machine)],
            BenchPart::Spectators => vec![spectators(machine, 1_000), spectators(machine, 10_000)],
            BenchPart::Idle => vec![idle(machine)],
            BenchPart::Cores => vec![cores(machine)],
            BenchPart::Database => vec![database(machine, 0), database(machine, 1)],
            BenchPart::Bots => vec![bots(machine)],
            BenchPart::Nodes => vec![nodes(machine)],
        }
    }
}

fn moves(machine: Machine, games: usize) -> Experiment {
    Experiment {
        title: format!("{} games", thousands(games)),
        sides: relay_and_server(machine, &Load::games(games)),
        figures: vec![
            Figure(
                "CPU per move, µs",
                |m| m.cpu_per_move,
                Target::RatioAtMost(1.3),
            ),
            Figure("moves/s", |m| m.rate, Target::None),
            Figure("core in use, %", |m| m.busy, Target::None),
        ],
    }
}

fn paced(machine: Machine) -> Experiment {
    let load = Load {
        think: Duration::from_secs(1),
        ..Load::games(1_000)
    };
    Experiment {
        title: "1,000 games".into(),
        sides: relay_and_server(machine, &load),
        figures: vec![
            Figure(
                "CPU per move, µs",
                |m| m.cpu_per_move,
                Target::RatioAtMost(2.0),
            ),
            Figure("latency p50, ms", |m| m.p50, Target::None),
            Figure("latency p99, ms", |m| m.p99, Target::MoreAtMost(2.0)),
        ],
    }
}

fn spectators(machine: Machine, spectators: usize) -> Experiment {
    let side = |name: &str, spectators| {
        let load = Load {
            think: Duration::from_millis(200),
            spectators,
            ..Load::games(1)
        };
        Side::new(name, SubjectKind::Server, Cores::apart(machine), load)
    };
    Experiment {
        title: format!("{} spectators", thousands(spectators)),
        sides: [side("unwatched", 0), side("watched", spectators)],
        figures: vec![
            Figure("moves/s", |m| m.rate, Target::RatioAtLeast(0.95)),
            Figure("latency p50, ms", |m| m.p50, Target::None),
            Figure("latency p99, ms", |m| m.p99, Target::None),
            Figure("moves missed", |m| m.missed, Target::AtMost(0.0)),
        ],
    }
}

fn idle(machine: Machine) -> Experiment {
    let connections = machine.open_files.saturating_sub(500).min(20_000);
    let load = Load {
        idle: connections,
        ..Load::default()
    };
    Experiment {
        title: format!("{} connections", thousands(connections)),
        sides: relay_and_server(machine, &load),
        figures: vec![Figure(
            "memory per connection, KiB",
            |m| m.memory,
            Target::AtMost(12.0),
        )],
    }
}

fn cores(machine: Machine) -> Experiment {
    let side = |count: usize| {
        let name = format!("{count} core{}", if count == 1 { "" } else { "s" });
        Side::new(
            &name,
            SubjectKind::Server,
            Cores::shared(count),
            Load::games(5_000),
        )
    };
    Experiment {
        title: "5,000 games".into(),
        sides: [side(1), side(machine.cores)],
        figures: vec![
            Figure("moves/s", |m| m.rate, Target::RatioAtLeast(1.6)),
            Figure(
                "CPU of the server per move, µs",
                |m| m.cpu_per_move,
                Target::None,
            ),
        ],
    }
}

fn database(machine: Machine, think: u64) -> Experiment {
    let load = Load {
        think: Duration::from_secs(think),
        ..Load::games(1_000)
    };
    let sides = [
        ("SQLite", SubjectKind::Server),
        ("PostgreSQL", SubjectKind::ServerWithPostgres),
    ];
    Experiment {
        title: if think == 0 {
            "full load".into()
        } else {
            "a move per second".into()
        },
        sides: sides.map(|(name, kind)| Side::new(name, kind, Cores::apart(machine), load.clone())),
        figures: vec![
            Figure(
                "CPU of the server per move, µs",
                |m| m.cpu_per_move,
                Target::RatioAtMost(1.5),
            ),
            Figure(
                "CPU of the database per move, µs",
                |m| m.database_cpu_per_move,
                Target::None,
            ),
            Figure("moves/s", |m| m.rate, Target::None),
            Figure("latency p50, ms", |m| m.p50, Target::None),
            Figure("latency p99, ms", |m| m.p99, Target::MoreAtMost(10.0)),
        ],
    }
}

fn bots(machine: Machine) -> Experiment {
    let load = Load {
        think: Duration::from_secs(1),
        ..Load::games(100)
    };
    let sides = [
        ("WebSocket", SubjectKind::Server),
        ("HTTP", SubjectKind::ServerOverHttp),
    ];
    Experiment {
        title: "200 bots".into(),
        sides: sides.map(|(name, kind)| Side::new(name, kind, Cores::apart(machine), load.clone())),
        figures: vec![
            Figure("CPU per move, µs", |m| m.cpu_per_move, Target::None),
            Figure("latency p50, ms", |m| m.p50, Target::None),
            Figure("latency p99, ms", |m| m.p99, Target::None),
        ],
    }
}

fn nodes(machine: Machine) -> Experiment {
    let side = |name: &str, forward| {
        let cores = Cores::apart(machine);
        Side::new(
            name,
            SubjectKind::Nodes { forward },
            cores,
            Load::games(1_000),
        )
    };
    Experiment {
        title: "two nodes".into(),
        sides: [side("no move forwarded", false), side("all", true)],
        figures: vec![
            Figure(
                "CPU per move, µs",
                |m| m.cpu_per_move,
                Target::MoreAtMost(15.0),
            ),
            Figure("moves/s", |m| m.rate, Target::None),
            Figure("latency p99, ms", |m| m.p99, Target::None),
        ],
    }
}

fn relay_and_server(machine: Machine, load: &Load) -> [Side; 2] {
    [
        ("relay", SubjectKind::Relay),
        ("server", SubjectKind::Server),
    ]
    .map(|(name, kind)| Side::new(name, kind, Cores::apart(machine), load.clone()))
}

impl Side {
    /// A side whose servers are the program that was built with this benchmark.
    fn new(name: &str, kind: SubjectKind, cores: Cores, load: Load) -> Side {
        Side {
            name: name.into(),
            kind,
            program: env!("CARGO_BIN_EXE_checkers-server").into(),
            cores,
            load,
        }
    }
}

impl Experiment {
    /// The second side with another server program, then as it is.
    pub(crate) fn with_baseline(self, program: &Path) -> Experiment {
        let [_, side] = self.sides;
        let baseline = Side {
            name: "baseline".into(),
            program: program.into(),
            ..side.clone()
        };
        let figures = self.figures.into_iter();
        Experiment {
            sides: [baseline, side],
            figures: figures
                .map(|Figure(name, read, _)| Figure(name, read, Target::None))
                .collect(),
            ..self
        }
    }

    /// # Errors
    /// The limit of open files is too low.
    pub(crate) fn check(&self, machine: Machine) -> Result<(), AnyError> {
        let connections = self.sides.iter().map(|side| side.load.connections()).max();
        let needed = connections.unwrap_or(0) + OTHER_FILES;
        if needed <= machine.open_files {
            return Ok(());
        }
        Err(format!(
            "'{}' needs {needed} open files, but the hard limit is {} (ulimit -Hn)",
            self.title, machine.open_files
        )
        .into())
    }
}
