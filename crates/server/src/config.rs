//! What whoever runs the server can set: by flag or by environment variable.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use checkers_lib::DrawRules;
use checkers_lib::protocol::DEFAULT_PORT;
use clap::Args;

use crate::director::DirectorToken;

/// The settings of a server.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Address to listen on; 0.0.0.0 is every IPv4 address, :: every address
    #[arg(
        long,
        env = "CHECKERS_BIND",
        value_name = "ADDRESS",
        default_value = "0.0.0.0"
    )]
    pub bind: IpAddr,

    /// Port to listen on; 0 takes a free one
    #[arg(long, env = "CHECKERS_PORT", default_value_t = DEFAULT_PORT)]
    pub port: u16,

    /// When games are drawn: fmjd64 (the federation's articles) or study (after 200 plies)
    #[arg(
        long,
        env = "CHECKERS_DRAW_RULES",
        value_name = "RULES",
        default_value = "fmjd64"
    )]
    pub draw_rules: DrawRules,

    /// File with the openings that games begin from, one after the other and over again; a line
    /// each, as moves or as a position, or PDN
    #[arg(long, env = "CHECKERS_OPENINGS", value_name = "FILE")]
    pub openings: Option<PathBuf>,

    /// Lets whoever knows this token arrange the games, instead of whoever takes a seat; better
    /// given as the environment variable, since everybody on the machine can read command lines
    #[arg(
        long,
        env = "CHECKERS_DIRECTOR_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN",
        value_parser = parse_token,
        conflicts_with = "openings"
    )]
    pub director_token: Option<DirectorToken>,

    /// Connections at one time; more are answered 503
    #[arg(
        long,
        env = "CHECKERS_MAX_CONNECTIONS",
        value_name = "N",
        default_value_t = 10_000,
        value_parser = parse_connections
    )]
    pub max_connections: usize,

    /// From the first byte's chance to the finished handshake
    #[arg(
        long,
        env = "CHECKERS_HANDSHAKE_TIMEOUT",
        value_name = "TIME",
        default_value = "5s",
        value_parser = parse_time
    )]
    pub handshake_timeout: Duration,

    /// Between two pings to a client
    #[arg(
        long,
        env = "CHECKERS_PING_INTERVAL",
        value_name = "TIME",
        default_value = "10s",
        value_parser = parse_time
    )]
    pub ping_interval: Duration,

    /// Without a frame from a client, its answers to pings included, until it counts as gone
    #[arg(
        long,
        env = "CHECKERS_SILENCE_TIMEOUT",
        value_name = "TIME",
        default_value = "30s",
        value_parser = parse_time
    )]
    pub silence_timeout: Duration,

    /// For a client to take what is written to it
    #[arg(
        long,
        env = "CHECKERS_WRITE_TIMEOUT",
        value_name = "TIME",
        default_value = "5s",
        value_parser = parse_time
    )]
    pub write_timeout: Duration,

    /// Messages a client may send at once, beyond those it was asked for
    #[arg(
        long,
        env = "CHECKERS_MESSAGE_BURST",
        value_name = "N",
        default_value_t = 100
    )]
    pub message_burst: u32,

    /// Messages a second by which that allowance grows back
    #[arg(
        long,
        env = "CHECKERS_MESSAGE_RATE",
        value_name = "N",
        default_value_t = 5
    )]
    pub message_rate: u32,
}

/// The longest time that can be set: longer ones do not fit every system's clock.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// As many connections as a machine could have descriptors for.
const MOST_CONNECTIONS: u64 = 1 << 20;

fn parse_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time.is_zero() || time > LONGEST {
        return Err("expected more than 0s and at most 30days".to_owned());
    }
    Ok(time)
}

fn parse_token(text: &str) -> Result<DirectorToken, String> {
    if text.is_empty() {
        return Err("expected a token that is not empty".to_owned());
    }
    Ok(DirectorToken::new(text))
}

fn parse_connections(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number
        .filter(|number| (1..=MOST_CONNECTIONS as usize).contains(number))
        .ok_or_else(|| format!("expected a number from 1 to {MOST_CONNECTIONS}"))
}

impl Default for Config {
    /// What the flags default to, whatever the environment says.
    fn default() -> Config {
        Config {
            bind: IpAddr::from([0, 0, 0, 0]),
            port: DEFAULT_PORT,
            draw_rules: DrawRules::Fmjd64,
            openings: None,
            director_token: None,
            max_connections: 10_000,
            handshake_timeout: Duration::from_secs(5),
            ping_interval: Duration::from_secs(10),
            silence_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(5),
            message_burst: 100,
            message_rate: 5,
        }
    }
}
