//! `checkers-server healthcheck`: asks a running server whether it is healthy.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use hyper::client::conn::http1::handshake;
use hyper::{Request, StatusCode, Uri, header};
use hyper_util::rt::TokioIo;
use postgres_kit::AnyCertificate;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::config::Config;

/// How long the whole check may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// What is asked for if the URL has no path.
const PATH: &str = "/healthz";
/// The longest answer that is shown, in bytes.
const LONGEST_ANSWER: usize = 4096;

/// The options of `healthcheck`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HealthArgs {
    /// What to ask, such as `https://club.example/readyz`; without it, /healthz at the address and
    /// port in the settings. Certificates are not verified
    #[arg(long, value_name = "URL", value_parser = parse_url)]
    pub(crate) url: Option<Uri>,
}

/// Why a server is not healthy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HealthError {
    #[error("cannot connect")]
    Connect(#[source] io::Error),
    #[error("the TLS handshake failed")]
    Tls(#[source] io::Error),
    #[error("no valid HTTP answer")]
    Http(#[source] hyper::Error),
    #[error("no answer within {} seconds", TIMEOUT.as_secs())]
    Silent,
    #[error("{status}: {answer}")]
    Unhealthy { status: StatusCode, answer: String },
}

fn parse_url(text: &str) -> Result<Uri, String> {
    let url: Uri = text.parse().map_err(|_| "expected a URL".to_owned())?;
    match url.scheme_str() {
        Some("http" | "https") => Ok(url),
        Some(_) | None => Err("expected a URL that begins with http:// or https://".to_owned()),
    }
}

/// The health check's URL for a server with these settings on this machine; `None` if its port is
/// not known before it starts.
pub(crate) fn own_url(config: &Config) -> Option<Uri> {
    let ip = match config.bind {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let scheme = match config.tls_cert {
        Some(_) => "https",
        None => "http",
    };
    let address = SocketAddr::new(ip, config.port);
    let url = format!("{scheme}://{address}{PATH}").parse().ok();
    url.filter(|_| config.port != 0)
}

/// Asks the server at `url`, at most for [`TIMEOUT`].
///
/// # Errors
/// No answer, or one with a status other than 200.
pub(crate) async fn check(url: &Uri) -> Result<(), HealthError> {
    let answer = tokio::time::timeout(TIMEOUT, connect_and_ask(url)).await;
    let (status, answer) = answer.map_err(|_| HealthError::Silent)??;
    match status {
        StatusCode::OK => Ok(()),
        status => Err(HealthError::Unhealthy { status, answer }),
    }
}

async fn connect_and_ask(url: &Uri) -> Result<(StatusCode, String), HealthError> {
    let is_tls = url.scheme_str() == Some("https");
    let host = url.host().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = url.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
    let stream = TcpStream::connect((host, port)).await;
    let stream = stream.map_err(HealthError::Connect)?;
    if !is_tls {
        return ask(stream, url).await;
    }
    let name = ServerName::try_from(host.to_owned());
    let name = name.map_err(|error| HealthError::Tls(io::Error::other(error)))?;
    let stream = tls_connector().connect(name, stream).await;
    ask(stream.map_err(HealthError::Tls)?, url).await
}

async fn ask(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    url: &Uri,
) -> Result<(StatusCode, String), HealthError> {
    let (mut sender, connection) = handshake(TokioIo::new(stream))
        .await
        .map_err(HealthError::Http)?;
    tokio::spawn(connection);
    let path = url.path_and_query().map_or(PATH, |path| path.as_str());
    let host = url.authority().map_or("", |authority| authority.as_str());
    let request = Request::get(if path == "/" { PATH } else { path })
        .header(header::HOST, host)
        .body(Body::empty())
        .expect("parts of a valid URL make a valid request");
    let answer = sender.send_request(request).await;
    let (head, body) = answer.map_err(HealthError::Http)?.into_parts();
    // The status is enough where the answer breaks off or is too long.
    let body = to_bytes(Body::new(body), LONGEST_ANSWER).await;
    let body = body.unwrap_or_default();
    let text = String::from_utf8_lossy(&body).trim().to_owned();
    Ok((head.status, text))
}

fn tls_connector() -> TlsConnector {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("the provider has all versions")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}
