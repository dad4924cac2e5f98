//! What a move costs the server, against a bare relay: the same load client, legal games from a
//! file, one run, the two in turn, so that what else the machine does hits both alike.
//!
//! `scripts/bench.sh server` runs it, `scripts/bench.sh server --help` tells its options. What is
//! measured is a process of its own on one core; this one is the load client, on another.

mod arguments;
mod client;
mod crowd;
mod figures;
mod games;
mod idle;
mod play;
mod process;
mod relay;
mod subject;

use std::net::SocketAddr;
use std::time::Duration;

use clap::Parser;
use tokio::time::timeout;

use arguments::{Arguments, Part, Scale};
use figures::{Figures, Target};
use games::Games;
use play::Load;
use subject::{Kind, Subject};

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// What all measurements of a run have in common.
struct Bench {
    arguments: Arguments,
    scale: Scale,
    games: Games,
    figures: Figures,
}

fn main() -> Result<(), AnyError> {
    let arguments = Arguments::parse();
    if arguments.relay {
        return relay::run();
    }
    rlimit::increase_nofile_limit(u64::MAX)?;
    if let Some(core) = arguments.client_core {
        process::pin_this(core)?;
    }
    let scale = Scale::of(&arguments);
    let mut bench = Bench {
        games: Games::read()?,
        figures: Figures::default(),
        arguments,
        scale,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    for round in 1..=bench.scale.rounds {
        figures::say(format_args!("round {round} of {}", bench.scale.rounds))?;
        for part in bench.arguments.parts() {
            runtime.block_on(bench.run(part))?;
        }
    }
    bench.figures.print()
}

impl Bench {
    async fn run(&mut self, part: Part) -> Result<(), AnyError> {
        match part {
            Part::Saturation => self.saturation().await,
            Part::Latency => self.latency().await,
            Part::Crowd => self.crowd().await,
            Part::Idle => self.idle().await,
            Part::PowerLoss => self.power_loss().await,
        }
    }

    /// As fast as it goes.
    async fn saturation(&mut self) -> Result<(), AnyError> {
        let games = self.scale.saturated;
        for kind in Kind::IN_TURN {
            let played = self.play(kind, games, None).await?;
            let what = format!("{games} games, as fast as it goes");
            let figures = &mut self.figures;
            let cpu = format!("{what}: CPU per move, µs");
            figures.add(cpu, kind, played.cpu_per_move(), Target::AtMost(2.0))?;
            let rate = format!("{what}: moves/s");
            figures.add(rate, kind, played.rate(), Target::AtLeast(0.5))?;
            let busy = format!("{what}: its core is busy, %");
            figures.add(busy, kind, played.busy_percent(), Target::None)?;
            let own = format!("{what}: the load client's core is busy, %");
            figures.add(own, kind, played.own_busy_percent(), Target::None)?;
        }
        Ok(())
    }

    /// A move a second in every game.
    async fn latency(&mut self) -> Result<(), AnyError> {
        for games in self.scale.paced.clone() {
            for kind in Kind::IN_TURN {
                let played = self.play(kind, games, Some(self.scale.pace)).await?;
                let what = format!("{games} games, a move a second each");
                self.tell_latency(&what, kind, games, &played)?;
            }
        }
        Ok(())
    }

    fn tell_latency(
        &mut self,
        what: &str,
        kind: Kind,
        games: usize,
        played: &play::Played,
    ) -> Result<(), AnyError> {
        let figures = &mut self.figures;
        let p50 = format!("{what}: p50 of a move, ms");
        figures.add(p50, kind, played.quantile_ms(500), Target::None)?;
        let target = if games == 1_000 && !matches!(kind, Kind::PowerLoss) {
            Target::AtMostPlus(2.0, 2.0)
        } else {
            Target::None
        };
        let p99 = format!("{what}: p99 of a move, ms");
        figures.add(p99, kind, played.quantile_ms(990), target)?;
        let cpu = format!("{what}: CPU per move, µs");
        figures.add(cpu, kind, played.cpu_per_move(), Target::None)
    }

    /// Many that watch one game.
    async fn crowd(&mut self) -> Result<(), AnyError> {
        for spectators in self.scale.crowds.clone() {
            for kind in Kind::IN_TURN {
                let subject = self.start(kind)?;
                let time = self.scale.time;
                let watched = crowd::watch(&subject, &self.games, spectators, time);
                let watched = timeout(self.patience(), watched).await??;
                let what = format!("{spectators} spectators of one game");
                let figures = &mut self.figures;
                let cpu = format!("{what}: CPU per delivery, µs");
                figures.add(cpu, kind, watched.cpu_per_delivery(), Target::AtMost(1.2))?;
                let rate = format!("{what}: deliveries/s");
                figures.add(rate, kind, watched.rate(), Target::None)?;
            }
        }
        Ok(())
    }

    /// Many that have come in and say nothing.
    async fn idle(&mut self) -> Result<(), AnyError> {
        let connections = self.scale.idle;
        for kind in Kind::IN_TURN {
            let subject = self.start(kind)?;
            let memory = idle::memory(&subject, connections);
            let kibibytes = timeout(self.patience(), memory).await??;
            let what = format!("{connections} idle connections: memory of one, KiB");
            self.figures
                .add(what, kind, kibibytes, Target::AtMostMore(12.0))?;
        }
        Ok(())
    }

    /// What syncing every group costs.
    async fn power_loss(&mut self) -> Result<(), AnyError> {
        let games = self.scale.saturated;
        for pace in [None, Some(self.scale.pace)] {
            let kind = Kind::PowerLoss;
            let played = self.play(kind, games, pace).await?;
            let speed = match pace {
                None => "as fast as it goes",
                Some(_) => "a move a second each",
            };
            let what = format!("{games} games, power-loss, {speed}");
            self.tell_latency(&what, kind, games, &played)?;
            let rate = format!("{what}: moves/s");
            self.figures.add(rate, kind, played.rate(), Target::None)?;
            let commits = format!("{what}: commits, each synced, /s");
            self.figures
                .add(commits, kind, played.commit_rate(), Target::None)?;
        }
        Ok(())
    }

    async fn play(
        &self,
        kind: Kind,
        games: usize,
        pace: Option<Duration>,
    ) -> Result<play::Played, AnyError> {
        let subject = self.start(kind)?;
        let load = Load {
            pairs: games,
            pace,
            warm_up: match pace {
                None => self.scale.warm_up,
                Some(_) => self.scale.paced_warm_up,
            },
            time: self.scale.time,
        };
        timeout(self.patience(), play::play(&subject, &self.games, load)).await?
    }

    fn start(&self, kind: Kind) -> Result<Subject, AnyError> {
        Subject::start(kind, &self.arguments)
    }

    /// How long a measurement may take before the run is given up.
    fn patience(&self) -> Duration {
        self.scale.paced_warm_up + self.scale.time + Duration::from_secs(60)
    }
}

/// Where all subjects listen.
fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}
