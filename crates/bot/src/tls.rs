//! TLS to a server: `wss://`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, RootCertStore, crypto::ring, version,
};
use tokio_tungstenite::Connector;

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// There is a certificate file, but the connection is not encrypted.
    #[error("--ca-file needs a server with wss://")]
    NotNeeded,
    /// The file with certificates cannot be used.
    #[error("cannot read a certificate in {}: {reason}", file.display())]
    CaFile {
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The system trusts no authority.
    #[error("this system has no root certificates: name some with --ca-file")]
    NoRoots,
}

/// What connects to a server with this scheme. Trusts the authorities of `ca_file`, or those of the
/// system without one.
///
/// # Errors
/// Certificates that cannot be read.
pub(crate) fn connector(
    scheme: Option<&str>,
    ca_file: Option<&Path>,
) -> Result<Connector, TlsError> {
    if scheme != Some("wss") {
        let unused = ca_file.map_or(Ok(()), |_| Err(TlsError::NotNeeded));
        return unused.map(|()| Connector::Plain);
    }
    let roots = match ca_file {
        Some(file) => roots_in(file)?,
        None => system_roots()?,
    };
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&version::TLS13, &version::TLS12])
        .expect("the provider has both versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Connector::Rustls(Arc::new(config)))
}

fn roots_in(file: &Path) -> Result<RootCertStore, TlsError> {
    let unusable = |reason: String| TlsError::CaFile {
        file: file.to_owned(),
        reason,
    };
    let certificates = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    let certificates: Vec<CertificateDer<'static>> = certificates.map_err(|error| {
        unusable(match error {
            pem::Error::Io(error) => cli_kit::io_reason(&error),
            _ => "expected PEM".to_owned(),
        })
    })?;
    if certificates.is_empty() {
        return Err(unusable("expected PEM".to_owned()));
    }
    let mut roots = RootCertStore::empty();
    for certificate in certificates {
        let added = roots.add(certificate);
        added.map_err(|_| unusable("it is damaged".to_owned()))?;
    }
    Ok(roots)
}

fn system_roots() -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(TlsError::NoRoots);
    }
    Ok(roots)
}

/// Why the server's side of TLS was not accepted, or the other way round.
pub(crate) fn reason(error: &rustls::Error) -> String {
    use rustls::Error;
    let problem = match error {
        Error::InvalidCertificate(problem) => problem,
        Error::InvalidMessage(_) => return "the server does not speak TLS there".to_owned(),
        error => return format!("TLS failed: {error}"),
    };
    match problem {
        // Another authority may have the same name.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "the server's certificate is not trusted: name its issuer with --ca-file".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "the server's certificate is for another name".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the server's certificate has expired".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the server's certificate is not valid yet".to_owned()
        }
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "the server shows the certificate of an authority, not one of its own".to_owned()
        }
        other => format!("the server's certificate is not accepted: {other}"),
    }
}
