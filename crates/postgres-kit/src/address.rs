//! Where a database is, and how to connect to it.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use super::tls::Verification;

/// How long one host may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a connection is silent before the host is probed. A host that does not answer counts as gone after twice
/// this time.
const KEEPALIVE: Duration = Duration::from_secs(5);

/// What is wrong with an address in which a part of the password is perhaps read as another part.
const NOT_ENCODED: &str =
    "special characters of a password are percent-encoded, such as %40 for @ and %2F for /";

/// The URL of a PostgreSQL database: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`.
/// It is never printed with its password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresAddress {
    config: Box<tokio_postgres::Config>,
    tls: Option<Verification>,
    root: Option<PathBuf>,
}

/// A text that is not the URL of a database. The text is not repeated: it may contain a password.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bad address of a PostgreSQL database: {reason}")]
pub struct PostgresAddressError {
    reason: String,
}

impl PostgresAddress {
    /// Parses a URL that begins with `postgres://` or `postgresql://`.
    ///
    /// `sslmode` is as for `psql`: `disable`, `prefer` (the default), `require`, `verify-ca` or
    /// `verify-full`; `sslrootcert` is a file with the authorities (PEM) instead of the system's.
    ///
    /// # Errors
    /// Another text, or a parameter that is not known.
    pub fn parse(url: &str) -> Result<PostgresAddress, PostgresAddressError> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        if query.contains('@') {
            return Err(bad(NOT_ENCODED));
        }
        let (mut mode, mut root, mut rest) = ("prefer".to_owned(), None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", value)) => mode = decode(value)?,
                Some(("sslrootcert", value)) => root = Some(PathBuf::from(decode(value)?)),
                _ => rest.push(pair),
            }
        }
        let (ssl_mode, tls) = tls_of(&mode, root.is_some())?;
        let mut config: tokio_postgres::Config = format!("{base}?{}", rest.join("&"))
            .parse()
            .map_err(|error| bad(cli_kit::explain(&error)))?;
        check_hosts(&config)?;
        config
            .ssl_mode(if is_local(&config) {
                SslMode::Disable
            } else {
                ssl_mode
            })
            // A standby cannot be written.
            .target_session_attrs(TargetSessionAttrs::ReadWrite)
            .keepalives_idle(KEEPALIVE)
            .keepalives_interval(KEEPALIVE / 2)
            .keepalives_retries(2)
            .tcp_user_timeout(2 * KEEPALIVE);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        Ok(PostgresAddress {
            config: Box::new(config),
            tls,
            root,
        })
    }

    pub(crate) fn config(&self) -> &tokio_postgres::Config {
        &self.config
    }

    /// This address, with a name that the database shows for the connections unless the address has one.
    pub(crate) fn named(mut self, program: &str) -> PostgresAddress {
        if self.config.get_application_name().is_none() {
            self.config.application_name(program);
        }
        self
    }

    /// How the certificate of the server is verified; `None` without TLS.
    pub(crate) fn verification(&self) -> Option<Verification> {
        self.tls.filter(|_| !is_local(&self.config))
    }

    /// The file with the authorities, if it is not the system's.
    pub(crate) fn root(&self) -> Option<&PathBuf> {
        self.root.as_ref()
    }

    /// Whether every host is this machine.
    pub(crate) fn is_this_machine(&self) -> bool {
        let addresses = self.config.get_hostaddrs();
        if !addresses.is_empty() {
            return addresses.iter().all(is_loopback);
        }
        self.config.get_hosts().iter().all(|host| match host {
            Host::Tcp(name) => match name.parse() {
                Ok(address) => is_loopback(&address),
                Err(_) => name.eq_ignore_ascii_case("localhost"),
            },
            #[cfg(unix)]
            Host::Unix(_) => true,
        })
    }

    /// The user, or a text that stands for it if the address has none.
    pub fn user(&self) -> &str {
        self.config.get_user().unwrap_or("of the system")
    }

    /// The database, which by default has the name of the user.
    pub fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or_else(|| self.user())
    }

    /// The hosts, with commas between several.
    pub fn server(&self) -> String {
        let ports = self.config.get_ports();
        let port = |i: usize| ports.get(i).or(ports.first()).copied().unwrap_or(5432);
        let hosts = self.config.get_hosts().iter().enumerate();
        let hosts: Vec<String> = hosts
            .map(|(i, host)| match host {
                Host::Tcp(name) => format!("{name}:{}", port(i)),
                #[cfg(unix)]
                Host::Unix(directory) => directory.display().to_string(),
            })
            .collect();
        hosts.join(",")
    }
}

impl fmt::Display for PostgresAddress {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (user, server, database) = (self.user(), self.server(), self.database());
        write!(f, "postgres://{user}@{server}/{database}")
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresAddress({self})")
    }
}

fn bad(reason: impl Into<String>) -> PostgresAddressError {
    PostgresAddressError {
        reason: reason.into(),
    }
}

fn decode(value: &str) -> Result<String, PostgresAddressError> {
    let decoded = percent_decode_str(value).decode_utf8();
    let decoded = decoded.map_err(|_| bad("a parameter is not UTF-8"))?;
    Ok(decoded.into_owned())
}

/// CITE: PostgreSQL documentation, libpq, SSL support: with a file of authorities, `require` verifies
/// like `verify-ca`.
fn tls_of(
    mode: &str,
    has_root: bool,
) -> Result<(SslMode, Option<Verification>), PostgresAddressError> {
    Ok(match mode {
        "disable" => (SslMode::Disable, None),
        "prefer" => (SslMode::Prefer, Some(Verification::None)),
        "require" if has_root => (SslMode::Require, Some(Verification::Authority)),
        "require" => (SslMode::Require, Some(Verification::None)),
        "verify-ca" if has_root => (SslMode::Require, Some(Verification::Authority)),
        // Anyone gets a certificate of one of the system's authorities.
        "verify-ca" => return Err(bad("verify-ca needs sslrootcert")),
        "verify-full" => (SslMode::Require, Some(Verification::Full)),
        _ => {
            return Err(bad(
                "sslmode is one of disable, prefer, require, verify-ca and verify-full",
            ));
        }
    })
}

fn check_hosts(config: &tokio_postgres::Config) -> Result<(), PostgresAddressError> {
    let hosts = config.get_hosts();
    if hosts.is_empty() && config.get_hostaddrs().is_empty() {
        return Err(bad("it names no host"));
    }
    // Messages show the host and the database. Hosts of IPv6 have colons.
    let is_odd = |name: &str| name.contains(['@', '/']);
    let is_odd_host = |name: &str| is_odd(name) || name.matches(':').count() == 1;
    let has_password = |host: &Host| matches!(host, Host::Tcp(name) if is_odd_host(name));
    if hosts.iter().any(has_password) || config.get_dbname().is_some_and(is_odd) {
        return Err(bad(NOT_ENCODED));
    }
    Ok(())
}

fn is_loopback(address: &IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Whether all hosts are sockets of this machine, where TLS makes no sense.
fn is_local(config: &tokio_postgres::Config) -> bool {
    let hosts = config.get_hosts();
    !hosts.is_empty() && hosts.iter().all(|host| !matches!(host, Host::Tcp(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> PostgresAddress {
        PostgresAddress::parse(url).unwrap()
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (url, shown) in [
            (
                "postgres://anna:secret@db/games",
                "postgres://anna@db:5432/games",
            ),
            (
                "postgresql://anna@db:1/games?sslmode=require",
                "postgres://anna@db:1/games",
            ),
            (
                "postgres://anna:secret@a:1,b:2/games",
                "postgres://anna@a:1,b:2/games",
            ),
            (
                "postgres://anna:secret@%2Frun%2Fpg/games",
                "postgres://anna@/run/pg/games",
            ),
            (
                "postgres://anna:s%40cret@db",
                "postgres://anna@db:5432/anna",
            ),
        ] {
            let address = parse(url);
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("cret"), "{address:?}");
        }
    }

    #[test]
    fn sslmode_is_that_of_psql() {
        let tls = |query: &str| {
            let address = parse(&format!("postgres://anna@db/games{query}"));
            (address.config().get_ssl_mode(), address.verification())
        };
        let (none, authority) = (Some(Verification::None), Some(Verification::Authority));
        for (query, expected) in [
            ("", (SslMode::Prefer, none)),
            ("?sslmode=disable", (SslMode::Disable, None)),
            (
                "?sslmode=require&connect_timeout=3",
                (SslMode::Require, none),
            ),
            (
                "?sslmode=require&sslrootcert=a",
                (SslMode::Require, authority),
            ),
            (
                "?sslmode=verify-ca&sslrootcert=a",
                (SslMode::Require, authority),
            ),
            (
                "?sslmode=verify-full",
                (SslMode::Require, Some(Verification::Full)),
            ),
        ] {
            assert_eq!(tls(query), expected, "{query}");
        }
        let local = parse("postgres://anna@%2Frun/games?sslmode=require");
        assert_eq!(local.config().get_ssl_mode(), SslMode::Disable);
        let root = parse("postgres://anna@db/games?sslrootcert=%2Fa%20b.pem");
        assert_eq!(root.root(), Some(&PathBuf::from("/a b.pem")));
    }

    #[test]
    fn this_machine_is_known_by_its_addresses() {
        for (hosts, is_this_machine) in [
            ("localhost", true),
            ("LocalHost:5433", true),
            ("127.0.0.2", true),
            ("[::1]:5433", true),
            ("[::ffff:127.0.0.1]", true),
            ("%2Frun%2Fpg", true),
            ("localhost,127.0.0.1", true),
            ("localhost,db.example", false),
            ("127.example", false),
            ("localhost.example", false),
            ("[::1234]", false),
            ("[::2]", false),
        ] {
            let address = parse(&format!("postgres://anna@{hosts}/games"));
            assert_eq!(address.is_this_machine(), is_this_machine, "{hosts}");
        }
        let address = parse("postgres://anna@localhost/games?hostaddr=192.0.2.1");
        assert!(!address.is_this_machine());
    }

    #[test]
    fn a_bad_address_is_not_repeated() {
        for (url, reason) in [
            (
                "postgres://anna:secret@db/games?sslmode=maybe",
                "sslmode is one of",
            ),
            (
                "postgres://anna:secret@db/games?colour=secret",
                "unknown option `colour`",
            ),
            ("postgres://anna:sec@secret@db/games", "percent-encoded"),
            (
                "postgres://anna:secret@db:secret/games",
                "invalid value for option `port`",
            ),
            ("postgres://anna:p@host/secret@db/games", "percent-encoded"),
            ("postgres://anna:1?secret@db/games", "percent-encoded"),
            (
                "postgres://anna:secret@db/games?sslmode=verify-ca",
                "verify-ca needs sslrootcert",
            ),
            ("postgres:///games", "names no host"),
        ] {
            let error = PostgresAddress::parse(url).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
