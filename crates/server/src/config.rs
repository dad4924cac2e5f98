//! The settings of a server: by flag, environment variable or file.
//!
//! A setting is a field of [`Config`]. Its `clap` attributes are the only description of its name,
//! help, default and values. Keys of the file are the names of the flags, and clap parses their values
//! too, so errors have the same text everywhere.

mod address_list;
mod file;
mod origins;
mod push_services;
mod settings;
mod values;

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use checkers_lib::protocol::{DEFAULT_PORT, Registration};
use checkers_lib::{DrawRules, TimeControl};
use clap::{ArgAction, Args, FromArgMatches};
use event_store::{Durability, StoreAddress};

use crate::director::DirectorToken;
use crate::secret::Secret;
use crate::table::Policy;
use values::{parse_connections, parse_registration, parse_secret, parse_threads, parse_token};

pub use address_list::{AddressList, BadAddress};
pub use origins::{BadOrigin, Origins};
pub use push_services::{BadPushService, PushServices};
pub(crate) use settings::{EffectiveError, effective, to_toml};

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

    /// File with the certificate chain (PEM): the server then speaks TLS, and TLS only; read again
    /// at SIGHUP
    #[arg(long, env = "CHECKERS_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// File with the certificate's private key (PEM)
    #[arg(long, env = "CHECKERS_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// Directory in which games are kept; created if it does not exist
    #[arg(
        long,
        env = "CHECKERS_DATA",
        value_name = "DIRECTORY",
        default_value = "data"
    )]
    pub data: PathBuf,

    /// Where games are kept: sqlite:DIRECTORY, or the database of a PostgreSQL server as
    /// postgres://USER:PASSWORD@HOST/DATABASE; without it, in the DIRECTORY of --data; an address with a
    /// password is better given as the environment variable
    #[arg(
        long,
        env = "CHECKERS_STORE",
        hide_env_values = true,
        value_name = "STORE"
    )]
    pub store: Option<StoreAddress>,

    /// Name of this server as a node of a cluster: all nodes share the database of --store, and take over from
    /// each other
    #[arg(long, env = "CHECKERS_NODE_NAME", value_name = "NAME")]
    pub node: Option<String>,

    /// Address on which this node listens for the others, and at which they find it; only in a private
    /// network
    #[arg(long, env = "CHECKERS_CLUSTER_ADDRESS", value_name = "HOST:PORT")]
    pub cluster_address: Option<String>,

    /// File with the key that all nodes of the cluster share, at least 32 characters
    #[arg(long, env = "CHECKERS_CLUSTER_KEY_FILE", value_name = "FILE")]
    pub cluster_key_file: Option<PathBuf>,

    /// Keep nothing: games end with the server, and DIRECTORY is not touched
    #[arg(
        long,
        env = "CHECKERS_IN_MEMORY",
        value_name = "true|false",
        num_args = 0..=1,
        require_equals = true,
        default_value = "false",
        default_missing_value = "true",
        action = ArgAction::Set
    )]
    pub in_memory: bool,

    /// Who may create an account: open (everybody), invitation (see `account invite`), or closed (no new
    /// accounts)
    #[arg(
        long,
        env = "CHECKERS_REGISTRATION",
        value_name = "WHO",
        default_value = "open",
        value_parser = parse_registration
    )]
    pub registration: Registration,

    /// What a move that was acknowledged survives: power-loss (it is on the disk) or crash (it
    /// survives the death of the server, not that of the machine)
    #[arg(
        long,
        env = "CHECKERS_DURABILITY",
        value_name = "WHAT",
        default_value = "power-loss"
    )]
    pub durability: Durability,

    /// How long a player who has disconnected keeps the name, a seat without a running game, and a
    /// game before the opponent may claim it
    #[arg(
        long,
        env = "CHECKERS_GRACE",
        value_name = "TIME",
        default_value = "60s",
        value_parser = cli_kit::time
    )]
    pub grace: Duration,

    /// The largest network delay of a move that is returned to the clock; 0s returns nothing
    #[arg(
        long,
        env = "CHECKERS_LAG_ALLOWANCE",
        value_name = "TIME",
        default_value = "500ms",
        value_parser = cli_kit::pause
    )]
    pub lag_allowance: Duration,

    /// How long a table without players stays open; a game without clocks, and a table without a game
    /// that has spectators, stay open for an hour
    #[arg(
        long,
        env = "CHECKERS_IDLE_TABLE",
        value_name = "TIME",
        default_value = "10m",
        value_parser = cli_kit::time
    )]
    pub idle_table: Duration,

    /// When games are drawn: fmjd64 (the federation's articles) or study (after 200 plies)
    #[arg(
        long,
        env = "CHECKERS_DRAW_RULES",
        value_name = "RULES",
        default_value = "fmjd64"
    )]
    pub draw_rules: DrawRules,

    /// Clock of either side in games that begin when both seats are taken, such as 10m+5s (what
    /// every move adds), 10m~5s (what of every move is free) or 30s/move; without it, none
    #[arg(long, env = "CHECKERS_CLOCK", value_name = "CLOCK", value_parser = cli_kit::clock)]
    pub clock: Option<TimeControl>,

    /// File with the openings that games begin from, one after the other and over again; a line
    /// each, as moves or as a position, behind a name or without, or PDN; at tables that clients
    /// make, they are chosen instead of the built-in ones
    #[arg(long, env = "CHECKERS_OPENINGS", value_name = "FILE")]
    pub openings: Option<PathBuf>,

    /// Directory with tablebases for bots and /api/tablebase, beside the values of up to 5 pieces
    /// that are built in; unusable files are logged
    #[arg(long, env = "CHECKERS_TABLEBASE", value_name = "DIRECTORY")]
    pub tablebase: Option<PathBuf>,

    /// With this token, a director arranges the games instead of players who take seats; better given
    /// as the environment variable, since all users of the machine can read command lines
    #[arg(
        long,
        env = "CHECKERS_DIRECTOR_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN",
        value_parser = parse_token,
        conflicts_with = "openings"
    )]
    pub director_token: Option<DirectorToken>,

    /// With this token, an admin can end tables, drop clients and drain the server over HTTP; better
    /// given as the environment variable
    #[arg(
        long,
        env = "CHECKERS_ADMIN_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN",
        value_parser = parse_secret
    )]
    pub admin_token: Option<Secret>,

    /// Tables at one time; more are refused
    #[arg(
        long,
        env = "CHECKERS_MAX_TABLES",
        value_name = "N",
        default_value_t = 10_000,
        value_parser = parse_connections
    )]
    pub max_tables: usize,

    /// Tables at which a client may be, and that a client may have created, without those whose game
    /// is over
    #[arg(
        long,
        env = "CHECKERS_CLIENT_TABLES",
        value_name = "N",
        default_value_t = 8,
        value_parser = parse_connections
    )]
    pub client_tables: usize,

    /// Tables that one address (one IPv6 /64) may have created, quick games included, without those
    /// whose game is over; more are refused
    #[arg(
        long,
        env = "CHECKERS_ADDRESS_TABLES",
        value_name = "N",
        default_value_t = 200,
        value_parser = parse_connections
    )]
    pub address_tables: usize,

    /// Default clock of quick games
    #[arg(
        long,
        env = "CHECKERS_QUICK_CLOCK",
        value_name = "CLOCK",
        default_value = "5m+3s",
        value_parser = cli_kit::clock
    )]
    pub quick_clock: TimeControl,

    /// Origins whose pages may open a WebSocket, besides the server's own, such as
    /// `https://club.example`; programs send no origin and need none
    #[arg(
        long,
        env = "CHECKERS_ALLOWED_ORIGINS",
        value_name = "ORIGIN,…",
        default_value = ""
    )]
    pub allowed_origins: Origins,

    /// Hosts of the push services through which browsers may be notified of turns in games by correspondence;
    /// `.push.example` allows every host in this domain; an empty list turns notifications off
    #[arg(
        long,
        env = "CHECKERS_PUSH_SERVICES",
        value_name = "HOST,…",
        default_value = "fcm.googleapis.com,updates.push.services.mozilla.com,.push.apple.com,.notify.windows.com"
    )]
    pub push_services: PushServices,

    /// Addresses or networks of trusted proxies, whose X-Forwarded-For and X-Request-Id are accepted
    #[arg(
        long,
        env = "CHECKERS_TRUSTED_PROXIES",
        value_name = "ADDRESS,…",
        default_value = ""
    )]
    pub trusted_proxies: AddressList,

    /// Addresses or networks to which no limit per address applies; by default loopback, which is this
    /// machine itself: connections from there count in the totals only
    #[arg(
        long,
        env = "CHECKERS_UNLIMITED_ADDRESSES",
        value_name = "ADDRESS,…",
        default_value = "127.0.0.0/8,::1"
    )]
    pub unlimited_addresses: AddressList,

    /// Connections at one time; more are answered 503
    #[arg(
        long,
        env = "CHECKERS_MAX_CONNECTIONS",
        value_name = "N",
        default_value_t = 10_000,
        value_parser = parse_connections
    )]
    pub max_connections: usize,

    /// Connections of one address (of an IPv6 /64) at one time; more are answered 429
    #[arg(
        long,
        env = "CHECKERS_ADDRESS_CONNECTIONS",
        value_name = "N",
        default_value_t = 400,
        value_parser = parse_connections
    )]
    pub address_connections: usize,

    /// Connections an address may open in one burst; more are answered 429
    #[arg(
        long,
        env = "CHECKERS_ADDRESS_CONNECTION_BURST",
        value_name = "N",
        default_value_t = 400,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub address_connection_burst: u32,

    /// Connections a second that an address may open in the long run
    #[arg(
        long,
        env = "CHECKERS_ADDRESS_CONNECTION_RATE",
        value_name = "N",
        default_value_t = 20
    )]
    pub address_connection_rate: u32,

    /// Connections at one time that have not finished their handshake; more are answered 503
    #[arg(
        long,
        env = "CHECKERS_MAX_HANDSHAKES",
        value_name = "N",
        default_value_t = 4_096,
        value_parser = parse_connections
    )]
    pub max_handshakes: usize,

    /// The same for one address; more are answered 429
    #[arg(
        long,
        env = "CHECKERS_ADDRESS_HANDSHAKES",
        value_name = "N",
        default_value_t = 256,
        value_parser = parse_connections
    )]
    pub address_handshakes: usize,

    /// How long a client may take to complete the handshake, and later its next request
    #[arg(
        long,
        env = "CHECKERS_HANDSHAKE_TIMEOUT",
        value_name = "TIME",
        default_value = "5s",
        value_parser = cli_kit::time
    )]
    pub handshake_timeout: Duration,

    /// Time between two pings to a client
    #[arg(
        long,
        env = "CHECKERS_PING_INTERVAL",
        value_name = "TIME",
        default_value = "10s",
        value_parser = cli_kit::time
    )]
    pub ping_interval: Duration,

    /// Time without a frame from a client, answers to pings included, after which it is disconnected
    #[arg(
        long,
        env = "CHECKERS_SILENCE_TIMEOUT",
        value_name = "TIME",
        default_value = "30s",
        value_parser = cli_kit::time
    )]
    pub silence_timeout: Duration,

    /// How long a client may receive nothing of the data that is sent to it
    #[arg(
        long,
        env = "CHECKERS_WRITE_TIMEOUT",
        value_name = "TIME",
        default_value = "5s",
        value_parser = cli_kit::time
    )]
    pub write_timeout: Duration,

    /// Messages a client may send in one burst, beyond those the server asked for
    #[arg(
        long,
        env = "CHECKERS_MESSAGE_BURST",
        value_name = "N",
        default_value_t = 100
    )]
    pub message_burst: u32,

    /// Messages a second that a client may send in the long run
    #[arg(
        long,
        env = "CHECKERS_MESSAGE_RATE",
        value_name = "N",
        default_value_t = 5
    )]
    pub message_rate: u32,

    /// Messages that all clients of one address together may send in one burst, likewise
    #[arg(
        long,
        env = "CHECKERS_ADDRESS_MESSAGE_BURST",
        value_name = "N",
        default_value_t = 2_000
    )]
    pub address_message_burst: u32,

    /// Messages a second that all clients of one address together may send in the long run
    #[arg(
        long,
        env = "CHECKERS_ADDRESS_MESSAGE_RATE",
        value_name = "N",
        default_value_t = 200
    )]
    pub address_message_rate: u32,

    /// Threads on which computer opponents search; without it, one less than there are cores
    #[arg(
        long,
        env = "CHECKERS_BOT_THREADS",
        value_name = "N",
        value_parser = parse_threads
    )]
    pub bot_threads: Option<usize>,

    /// Computer opponents at tables at one time; 0 is none
    #[arg(
        long,
        env = "CHECKERS_MAX_BOTS",
        value_name = "N",
        default_value_t = 64
    )]
    pub max_bots: usize,

    /// How many plies deep a computer opponent may search
    #[arg(
        long,
        env = "CHECKERS_BOT_DEPTH",
        value_name = "N",
        default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=64)
    )]
    pub bot_depth: u32,

    /// How long a computer opponent may search for a move, if no other search waits
    #[arg(
        long,
        env = "CHECKERS_BOT_TIME",
        value_name = "TIME",
        default_value = "2s",
        value_parser = cli_kit::time
    )]
    pub bot_time: Duration,

    /// Memory in MiB of one search's table
    #[arg(
        long,
        env = "CHECKERS_BOT_MEMORY",
        value_name = "N",
        default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=16_384)
    )]
    pub bot_memory: u32,

    /// Time between two moves where computer opponents play each other, for people to follow
    #[arg(
        long,
        env = "CHECKERS_BOT_PACE",
        value_name = "TIME",
        default_value = "1s",
        value_parser = cli_kit::pause
    )]
    pub bot_pace: Duration,

    /// Games between computer opponents while the lobby or the most watched game is open in some
    /// browser, and no people play
    #[arg(
        long,
        env = "CHECKERS_HOUSE_GAMES",
        value_name = "N",
        default_value_t = 1
    )]
    pub house_games: usize,

    /// How long the server serves its clients after SIGTERM, not ready and without new WebSockets,
    /// before it closes the connections
    #[arg(
        long,
        env = "CHECKERS_DRAIN_TIME",
        value_name = "TIME",
        default_value = "0s",
        value_parser = cli_kit::pause
    )]
    pub drain_time: Duration,

    /// How long clients are asked to stay away while the server restarts
    #[arg(
        long,
        env = "CHECKERS_RESTART_DELAY",
        value_name = "TIME",
        default_value = "5s",
        value_parser = cli_kit::pause
    )]
    pub restart_delay: Duration,
}

impl Config {
    /// The number of threads on which computer opponents search.
    pub(crate) fn bot_threads(&self) -> usize {
        let others = || num_cpus::get_physical().saturating_sub(1).max(1);
        self.bot_threads.unwrap_or_else(others)
    }

    /// Where games are kept.
    pub(crate) fn store_address(&self) -> StoreAddress {
        let in_directory = || StoreAddress::Sqlite(self.data.clone());
        self.store.clone().unwrap_or_else(in_directory)
    }

    /// The timeouts of its tables.
    pub(crate) fn policy(&self) -> Policy {
        Policy {
            grace: self.grace,
            lag_allowance: self.lag_allowance,
            idle: self.idle_table,
            idle_untimed: Policy::default().idle_untimed.max(self.idle_table),
        }
    }
}

impl Default for Config {
    /// The defaults of the flags, without the environment.
    fn default() -> Config {
        let matches = settings::without_environment().get_matches_from::<_, &str>([]);
        Config::from_arg_matches(&matches).expect("the defaults are good values")
    }
}
