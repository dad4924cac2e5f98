//! The command `checkers-server`.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::net::IpAddr;
use std::process::ExitCode;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};
use tracing::{info, warn};
use tracing_subscriber::EnvFilter;

use crate::config::Config;
use crate::server::Server;

/// The exit codes, as `--help` tells them.
pub const EXIT_CODES: &str = "Exit codes:
  0    stopped by Ctrl-C or SIGTERM, every connection closed with a reason
  1    the address cannot be listened on, or the openings cannot be read
  2    wrong usage
  130  stopped by a second signal, connections cut";

/// A WebSocket server on which people and bots play Russian draughts.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "checkers-server",
    version,
    after_help = EXIT_CODES,
    long_about = "A WebSocket server on which people and bots play Russian draughts.\n\n\
        Clients connect to ws://HOST:PORT/ws and speak the protocol of docs/protocol.md. \
        The address is printed on standard output once the server listens; the log goes to \
        standard error and is set by CHECKERS_LOG (error, warn, info, debug)."
)]
pub struct Args {
    /// The server's settings.
    #[command(flatten)]
    pub config: Config,
}

/// Runs the server until a signal stops it.
pub fn main_with(args: Args) -> ExitCode {
    init_log();
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        eprintln!("checkers-server: cannot raise the limit of open files: {error}");
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("checkers-server: cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    runtime.block_on(serve(args.config))
}

async fn serve(config: Config) -> ExitCode {
    let mut stop = std::pin::pin!(stop_signal());
    let server = tokio::select! {
        server = Server::bind(config) => server,
        () = &mut stop => return ExitCode::SUCCESS,
    };
    let server = match server {
        Ok(server) => server,
        Err(error) => {
            eprintln!("checkers-server: {}", with_sources(&error));
            return ExitCode::FAILURE;
        }
    };
    announce(&server);
    server.run(stop).await;
    info!("stopped");
    ExitCode::SUCCESS
}

/// An error with what lies behind it, on one line.
fn with_sources(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(&format!(": {error}"));
        source = error.source();
    }
    text
}

/// Prints the address on standard output, where programs that start a server read it.
fn announce(server: &Server) {
    let mut address = server.local_addr();
    let everywhere = address.ip().is_unspecified();
    if everywhere {
        address.set_ip(IpAddr::from([127, 0, 0, 1]));
    }
    let reach = if everywhere {
        " (and every other address of this machine)"
    } else {
        ""
    };
    let mut out = io::stdout().lock();
    // Nobody may be reading; the server serves all the same.
    let _ = writeln!(out, "listening on ws://{address}{reach}").and_then(|()| out.flush());
}

/// Done at the first Ctrl-C or SIGTERM; a second one ends the process at once.
async fn stop_signal() {
    let (Ok(mut interrupt), Ok(mut terminate)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) else {
        warn!("signals cannot be watched");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => info!("interrupted"),
        _ = terminate.recv() => info!("terminated"),
    }
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        std::process::exit(130);
    });
}

fn init_log() {
    let filter = EnvFilter::try_from_env("CHECKERS_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    // A program that embeds the server may log in its own way already.
    let _ = log.try_init();
}
