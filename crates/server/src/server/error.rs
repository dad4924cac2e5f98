//! Why a server does not start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use checkers_lib::openings::OpeningsError;
use event_store::{OpenError, ReadError};

use crate::table::BadOpening;
use crate::tls::TlsError;

/// The shortest key of a cluster, in characters.
pub(super) const SHORTEST_KEY: usize = 32;

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The server cannot listen on the address.
    #[error("cannot listen on {address}{}", hint(source))]
    Bind {
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The file with openings cannot be read.
    #[error("cannot read the openings in {}", file.display())]
    OpeningsFile {
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The store of the games cannot be used.
    #[error("cannot open the games")]
    Store(#[from] OpenError),
    /// The games cannot be read.
    #[error("cannot read the games")]
    Games(#[from] ReadError),
    /// The search threads cannot be started.
    #[error("no threads for computer opponents")]
    Bots(#[source] io::Error),
    /// The program is shutting down.
    #[error("cancelled")]
    Cancelled,
    /// The file of openings is malformed.
    #[error("bad openings in {}", file.display())]
    Openings {
        file: PathBuf,
        /// The error in the file.
        source: OpeningsError,
    },
    /// The certificate cannot be used.
    #[error("no TLS")]
    Tls(#[from] TlsError),
    /// Another server has taken over the games while this one ran.
    #[error("another server has taken over the games of this one: it has to be started again")]
    Replaced,
    /// A node lacks a setting.
    #[error(
        "a node needs --node, --cluster-address, --cluster-key-file, and a --store in PostgreSQL"
    )]
    IncompleteCluster,
    /// The node cannot listen for other nodes.
    #[error("cannot listen on the cluster address {address}")]
    ClusterAddress {
        address: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The key of the cluster cannot be read.
    #[error("cannot read the cluster key in {}", file.display())]
    ClusterKey {
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The key of the cluster could be guessed.
    #[error(
        "the cluster key in {} is shorter than {SHORTEST_KEY} characters: make one with `openssl rand -hex 32`",
        file.display()
    )]
    ShortClusterKey { file: PathBuf },
    /// After one of the openings the game is already over.
    #[error("bad openings in {}", file.display())]
    Opening { file: PathBuf, source: BadOpening },
}

fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            ": the port is in use (by another server, or by an outgoing connection: see \
             net.ipv4.ip_local_reserved_ports in docs/running-a-server.md)"
        }
        io::ErrorKind::PermissionDenied => ": ports below 1024 need a privilege",
        io::ErrorKind::AddrNotAvailable => ": this machine does not have that address",
        _ => "",
    }
}
