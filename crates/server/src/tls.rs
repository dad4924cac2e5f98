//! TLS on the server's port.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio::net::TcpStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{TlsAcceptor, rustls::version};

/// Why the certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// Only one of the two files is set.
    #[error("tls-cert and tls-key are set together or not at all")]
    Incomplete,
    /// A file cannot be read, or does not contain what it should.
    #[error("cannot read a {what} in {}", file.display())]
    Read {
        /// `certificate` or `private key`.
        what: &'static str,
        file: PathBuf,
        /// The cause.
        source: pem::Error,
    },
    /// The key does not belong to the certificate, or its type is not supported.
    #[error("cannot use the certificate in {}", file.display())]
    Pair {
        /// The file with the certificate.
        file: PathBuf,
        /// The cause.
        source: rustls::Error,
    },
}

/// A certificate and its key, as last loaded.
#[derive(Debug)]
pub(crate) struct Tls {
    cert: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
}

impl Tls {
    /// Loads a certificate chain and its key, both PEM.
    ///
    /// # Errors
    /// Files that cannot be read or do not belong together.
    pub(crate) fn load(cert: &Path, key: &Path) -> Result<Tls, TlsError> {
        let config = RwLock::new(load(cert, key)?);
        let (cert, key) = (cert.to_owned(), key.to_owned());
        Ok(Tls { cert, key, config })
    }

    /// Loads both files again, for new connections.
    ///
    /// # Errors
    /// As for [`Tls::load`]; the old certificate then stays in use.
    pub(crate) fn reload(&self) -> Result<(), TlsError> {
        let config = load(&self.cert, &self.key)?;
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    /// Performs the TLS handshake.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let config = self
            .config
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        TlsAcceptor::from(config).accept(stream).await
    }
}

fn load(cert: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let unread = |what, file: &Path| {
        let file = file.to_owned();
        move |source| TlsError::Read { what, file, source }
    };
    let chain = certificates(cert).map_err(unread("certificate", cert))?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(unread("private key", key))?;
    let pair = |source| TlsError::Pair {
        file: cert.to_owned(),
        source,
    };
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&version::TLS13, &version::TLS12])
        .map_err(pair)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(pair)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    let chain: Vec<_> = CertificateDer::pem_file_iter(file)?.collect::<Result<_, _>>()?;
    if chain.is_empty() {
        return Err(pem::Error::NoItemsFound);
    }
    Ok(chain)
}
