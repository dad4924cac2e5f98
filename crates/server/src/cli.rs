//! The command `checkers-server`.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use cli_kit::{Hangups, Signal, Signals, exit, io_reason};
use event_store::StoreAddress;
use tracing::{debug, error, info, warn};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::accounts::{self, AccountArgs};
use crate::cluster::{self, ClusterArgs};
use crate::config::{self, Config, EffectiveError};
use crate::health::{self, HealthArgs};
use crate::ladder::{self, LadderArgs};
use crate::lifecycle::Stop;
use crate::migrate::{self, Migrated, Migration};
use crate::profiles::{self, ProfileArgs};
use crate::ratings::{self, RatingArgs};
use crate::server::{Server, ServerError};
use crate::tls::{Tls, TlsError};

/// The exit codes, as in `--help`.
pub const EXIT_CODES: &str = "Exit codes:
  0    stopped by Ctrl-C or SIGTERM, every connection closed with a reason; healthcheck: healthy
  1    the address cannot be listened on, or the games, the openings or the certificate cannot be read;
       another server has taken over the games; healthcheck: not healthy; migrate: not all games are copied
  2    an option, an environment variable or the configuration file is wrong
  130  stopped by Ctrl-C as a second signal, connections cut
  143  stopped by SIGTERM as a second signal, connections cut";

/// A WebSocket server on which people and bots play Russian draughts.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "checkers-server",
    version = cli_kit::VERSION,
    after_help = EXIT_CODES,
    long_about = "A WebSocket server on which people and bots play Russian draughts.\n\n\
        Clients connect to ws://HOST:PORT/ws and speak the protocol of docs/protocol.md. \
        The address is printed on standard output once the server listens; the log goes to \
        standard error and is set by CHECKERS_LOG (error, warn, info, debug)."
)]
struct Flags {
    /// File with settings, a line each, named like the flags: port = 43210; flags and environment
    /// variables count before it
    #[arg(long, env = "CHECKERS_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Print the settings in effect as a configuration file, without secrets, and exit
    #[arg(long)]
    print_config: bool,

    #[command(flatten)]
    settings: Config,

    #[command(subcommand)]
    task: Option<Task>,
}

/// What the program can do besides serving.
#[derive(Clone, Debug, Subcommand)]
enum Task {
    /// Ask a running server whether it is healthy: exit code 0 if it is, 1 if not
    Healthcheck(HealthArgs),
    /// Copy all games and accounts from one store to another, while no server uses either; after an interruption, the
    /// same command continues
    Migrate(Migration),
    /// Look after the nodes of a cluster
    Cluster(ClusterArgs),
    /// List accounts, or let people in; give --store or --data before it
    Account(AccountArgs),
    /// Print ratings, or compute them again; give --store or --data before it
    Ratings(RatingArgs),
    /// Find again what pages of players say of openings and endings; give --store or --data before it
    Profiles(ProfileArgs),
    /// Check the file of a season of the ladder
    Ladder(LadderArgs),
}

/// The command line, merged with the environment and the configuration file.
#[derive(Clone, Debug)]
pub struct Args {
    /// The server's settings.
    pub config: Config,
    /// The settings as a configuration file, if they are to be printed.
    pub print_config: Option<String>,
    /// What to do instead of serving.
    task: Option<Task>,
}

impl FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Args, clap::Error> {
        let file = matches.get_one::<PathBuf>("config");
        let effective = config::effective(matches, file.map(PathBuf::as_path));
        let effective = effective.map_err(usage_error)?;
        let print = matches.get_flag("print_config");
        let config = Config::from_arg_matches(&effective)?;
        if config.silence_timeout <= config.ping_interval {
            let message = "silence-timeout has to be longer than ping-interval: whoever has nothing to say \
                           answers pings";
            return Err(cli_kit::usage_error(message));
        }
        if config.in_memory && config.store.is_some() {
            let message = "in-memory and store exclude each other";
            return Err(cli_kit::usage_error(message));
        }
        if config.node.is_some() != config.cluster_address.is_some()
            || config.node.is_some() != config.cluster_key_file.is_some()
            || config.node.is_some() && !matches!(config.store_address(), StoreAddress::Postgres(_))
        {
            return Err(cli_kit::usage_error(
                &ServerError::IncompleteCluster.to_string(),
            ));
        }
        if config.tls_cert.is_some() != config.tls_key.is_some() {
            return Err(cli_kit::usage_error(&TlsError::Incomplete.to_string()));
        }
        Ok(Args {
            task: (matches.subcommand().is_some())
                .then(|| Task::from_arg_matches(matches))
                .transpose()?,
            config,
            print_config: print.then(|| config::to_toml(&effective)),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Args::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args_for_update(command)
    }
}

impl CommandFactory for Args {
    fn command() -> Command {
        Flags::command()
    }

    fn command_for_update() -> Command {
        Flags::command_for_update()
    }
}

impl Parser for Args {}

fn usage_error(error: EffectiveError) -> clap::Error {
    match error {
        EffectiveError::Clash(error) => error,
        EffectiveError::File(error) => cli_kit::usage_error(&cli_kit::explain(&error)),
    }
}

/// Runs the server until a signal stops it, or does the task that the arguments name.
pub fn main_with(args: Args) -> ExitCode {
    if let Some(settings) = args.print_config {
        return match io::stdout().lock().write_all(settings.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    if let Some(Task::Healthcheck(asked)) = args.task {
        return check_health(asked, &args.config);
    }
    if let Err(wrong) = init_log() {
        complain(&wrong);
        return exit::USAGE.into();
    }
    let store = args.config.store_address();
    match args.task {
        None | Some(Task::Healthcheck(_)) => {}
        Some(Task::Migrate(migration)) => return migrate(migration),
        Some(Task::Cluster(args)) => return run_command(cluster::run_command(args)),
        Some(Task::Account(args)) => return run_command(accounts::run_command(args, store)),
        Some(Task::Ratings(args)) => return run_command(ratings::run_command(args, store)),
        Some(Task::Profiles(args)) => return run_command(profiles::run_command(args, store)),
        Some(Task::Ladder(args)) => return run_command(ladder::run_command(args)),
    }
    raise_file_limit(&args.config);
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            return cannot_start(&format!("cannot start: {}", io_reason(&error)));
        }
    };
    runtime.block_on(serve(args.config))
}

/// Exits with 0 if the server is healthy.
fn check_health(HealthArgs { url }: HealthArgs, config: &Config) -> ExitCode {
    let Some(url) = url.or_else(|| health::own_url(config)) else {
        complain("port 0 takes a free port: name the server's address with --url");
        return exit::USAGE.into();
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return cannot_start(&format!("cannot start: {}", io_reason(&error))),
    };
    match runtime.block_on(health::check(&url)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{url}: {}", cli_kit::explain(&error)));
            exit::FAILED.into()
        }
    }
}

/// Copies games, with progress on standard error, and the sum on standard output.
fn migrate(migration: Migration) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return cannot_start(&format!("cannot start: {}", io_reason(&error))),
    };
    let migrated = runtime.block_on(migrate::run(migration, |done, all| {
        // Nothing may read standard error.
        let _ = writeln!(io::stderr(), "{done} of {all} games");
    }));
    let Migrated {
        copied,
        events,
        kept,
        accounts,
        damaged,
    } = match migrated {
        Ok(migrated) => migrated,
        Err(error) => return cannot_start(&cli_kit::explain(&error)),
    };
    // Nothing may read standard output.
    let _ = writeln!(
        io::stdout(),
        "{copied} games with {events} events copied; {kept} were there already; {accounts} accounts"
    );
    for damage in &damaged {
        complain(&format!("{damage}: the game is left out"));
    }
    if damaged.is_empty() {
        ExitCode::SUCCESS
    } else {
        exit::FAILED.into()
    }
}

/// Executes a command on a cluster or a store.
fn run_command<E: std::error::Error + 'static>(
    command: impl Future<Output = Result<(), E>>,
) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return cannot_start(&format!("cannot start: {}", io_reason(&error))),
    };
    match runtime.block_on(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => cannot_start(&cli_kit::explain(&error)),
    }
}

/// Raises the limit of open files: every connection needs one.
fn raise_file_limit(config: &Config) {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) if limit < config.max_connections as u64 => {
            warn!(
                limit,
                connections = config.max_connections,
                "fewer open files allowed than connections"
            );
        }
        Ok(limit) => debug!(limit, "open files"),
        Err(error) => warn!(%error, "cannot raise the limit of open files"),
    }
}

async fn serve(config: Config) -> ExitCode {
    let mut stop = std::pin::pin!(stop_signal());
    let server = tokio::select! {
        // Signal handlers are installed before the server announces its address.
        biased;
        _ = &mut stop => return ExitCode::SUCCESS,
        server = Server::bind(config) => server,
    };
    let server = match server {
        Ok(server) => server,
        Err(error) => {
            return cannot_start(&cli_kit::explain(&error));
        }
    };
    if let Some(tls) = server.tls() {
        tokio::spawn(reload_at_hangup(tls, Hangups::new()));
    }
    announce(&server);
    invite_administrator(&server).await;
    if let Err(error) = server.run(stop).await {
        return cannot_start(&cli_kit::explain(&error));
    }
    info!("stopped");
    ExitCode::SUCCESS
}

fn cannot_start(why: &str) -> ExitCode {
    complain(why);
    exit::FAILED.into()
}

fn complain(what: &str) {
    // Nothing may read standard error; the exit code reports the failure too.
    let _ = writeln!(io::stderr(), "error: {what}");
}

/// Prints the address on standard output, for programs that start a server.
fn announce(server: &Server) {
    let (address, everywhere) = address_here(server);
    let reach = if everywhere {
        " (and every other address of this machine)"
    } else {
        ""
    };
    let scheme = if server.tls().is_some() { "wss" } else { "ws" };
    let mut out = io::stdout().lock();
    // Nothing may read standard output.
    let _ = writeln!(out, "listening on {scheme}://{address}{reach}").and_then(|()| out.flush());
}

/// While there is no administrator, prints a link that makes an account the first one.
async fn invite_administrator(server: &Server) {
    if let Some(code) = server.first_administrator().await {
        let (address, _) = address_here(server);
        let scheme = if server.tls().is_some() {
            "https"
        } else {
            "http"
        };
        // Nothing may read standard output.
        let _ = writeln!(
            io::stdout(),
            "administrator: open {scheme}://{address}/invitation?administrator#{code} within a day"
        );
    }
}

/// The address of the server as seen from this machine, and whether it listens on all addresses.
fn address_here(server: &Server) -> (SocketAddr, bool) {
    let mut address = server.local_addr();
    let everywhere = address.ip().is_unspecified();
    if everywhere {
        address.set_ip(IpAddr::from([127, 0, 0, 1]));
    }
    (address, everywhere)
}

/// Resolves at the first Ctrl-C or SIGTERM; a second one exits at once.
async fn stop_signal() -> Stop {
    let Ok(mut signals) = Signals::new() else {
        warn!("signals cannot be watched");
        return std::future::pending().await;
    };
    let stop = match signals.next().await {
        Signal::Interrupt => Stop::ForGood,
        Signal::Terminate => Stop::Restart,
    };
    info!(?stop, "stopped by a signal");
    tokio::spawn(async move { std::process::exit(signals.next().await.exit_code().into()) });
    stop
}

/// Reloads the certificate at every SIGHUP; keeps the old one on errors.
async fn reload_at_hangup(tls: Arc<Tls>, hangups: io::Result<Hangups>) {
    let Ok(mut hangups) = hangups else {
        return warn!("SIGHUP cannot be watched");
    };
    loop {
        hangups.next().await;
        match tls.reload() {
            Ok(()) => info!("the certificate is read again"),
            Err(error) => error!(
                error = cli_kit::explain(&error),
                "the old certificate stays"
            ),
        }
    }
}

/// Initialises logging from `CHECKERS_LOG`.
fn init_log() -> Result<(), String> {
    let filter = match std::env::var_os("CHECKERS_LOG") {
        Some(text) if !text.is_empty() => log_filter(&text.to_string_lossy())?,
        Some(_) | None => Targets::new().with_default(LevelFilter::INFO),
    };
    let log = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        // Errors of writing the log, such as a full disk, are ignored: reporting them would fail as
        // well, and panic.
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal());
    // A program that embeds the server may have a subscriber already.
    let _ = tracing_subscriber::registry()
        .with(log)
        .with(filter)
        .try_init();
    Ok(())
}

/// Parses the filter. A single word must be a level: as the name of a module it would disable all
/// other logs.
fn log_filter(text: &str) -> Result<Targets, String> {
    let is_level = |part: &str| !part.is_empty() && part.parse::<LevelFilter>().is_ok();
    let parts = text.split(',').map(str::trim);
    let is_plain = (parts.filter(|part| !part.contains('='))).all(is_level);
    let filter = text.parse().ok().filter(|_| is_plain);
    filter.ok_or_else(|| {
        format!(
            "invalid value '{text}' for the environment variable CHECKERS_LOG: expected error, warn, info, debug, \
             trace or off, or PART=LEVEL such as checkers_server=debug, with commas between several"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_filters_are_levels_or_levels_per_module() {
        for text in [
            "info",
            "DEBUG",
            "off",
            "warn,checkers_server=debug",
            "warn, checkers_server=debug",
            "event_store=trace",
        ] {
            assert!(log_filter(text).is_ok(), "{text}");
        }
        for text in ["foo", "", "warn,foo", "checkers_server=loud"] {
            let wrong = log_filter(text).unwrap_err();
            assert!(
                wrong.contains("CHECKERS_LOG: expected error, warn"),
                "{wrong}"
            );
        }
    }

    fn check(name: &str) -> Result<(), String> {
        let names = [name.to_owned()].into_iter();
        cli_kit::check_environment(&Args::command(), names).map_err(|error| error.to_string())
    }

    #[test]
    fn a_misspelt_variable_gets_a_suggestion() {
        for (name, meant) in [
            ("CHECKERS_PROT", "CHECKERS_PORT"),
            ("CHECKERS_PORTS", "CHECKERS_PORT"),
            ("CHECKERS_LOGS", "CHECKERS_LOG"),
            ("CHECKERS_DURABILTY", "CHECKERS_DURABILITY"),
            ("CHECKERS_PING_INTERVALL", "CHECKERS_PING_INTERVAL"),
            ("CHECKERS_ADMINTOKEN", "CHECKERS_ADMIN_TOKEN"),
            ("CHECKERS_PING-INTERVAL", "CHECKERS_PING_INTERVAL"),
        ] {
            let said = format!("unknown environment variable {name}: did you mean {meant}?");
            assert_eq!(check(name), Err(said));
        }
    }

    #[test]
    fn variables_of_other_programs_are_ignored() {
        for name in [
            // Variables of the bot.
            "CHECKERS_SERVER",
            "CHECKERS_NAME",
            "CHECKERS_COLOR",
            "CHECKERS_TABLE",
            "CHECKERS_DEPTH",
            "CHECKERS_NODES",
            "CHECKERS_GAMES",
            "CHECKERS_CREATE",
            "CHECKERS_DELAY",
            "CHECKERS_CA_FILE",
            // Set by Kubernetes for a service of this name.
            "CHECKERS_SERVICE_HOST",
            "CHECKERS_PORT_43210_TCP",
            "HOME",
            "PORTS",
        ] {
            assert_eq!(check(name), Ok(()));
        }
    }
}
