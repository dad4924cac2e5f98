//! TLS to the database.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect};
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};
use tokio_rustls::{Connect, TlsConnector};

use super::address::PostgresAddress;
use crate::tls::AnyCertificate;

/// What is verified of the certificate of a database server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verification {
    /// Nothing: the connection is encrypted, but its other end may be anyone.
    None,
    /// That an authority issued it, for any name.
    Authority,
    /// That an authority issued it for the name of the host.
    Full,
}

/// Makes TLS connections to a database.
#[derive(Clone)]
pub(super) struct Tls(TlsConnector);

impl Tls {
    /// Reads the authorities that verify the database's certificate. Blocks.
    pub(super) fn new(address: &PostgresAddress) -> io::Result<Tls> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        let is_by_name = match address.verification() {
            None | Some(Verification::None) => {
                let anyone = Arc::new(AnyCertificate(provider));
                let config = builder
                    .dangerous()
                    .with_custom_certificate_verifier(anyone)
                    .with_no_client_auth();
                return Ok(Tls(Arc::new(config).into()));
            }
            Some(Verification::Authority) => false,
            Some(Verification::Full) => true,
        };
        let authorities = Arc::new(authorities(address)?);
        let verifier = WebPkiServerVerifier::builder_with_provider(authorities, provider)
            .build()
            .map_err(io::Error::other)?;
        let config = if is_by_name {
            builder.with_webpki_verifier(verifier)
        } else {
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyName(verifier)))
        };
        Ok(Tls(Arc::new(config.with_no_client_auth()).into()))
    }
}

fn authorities(address: &PostgresAddress) -> io::Result<RootCertStore> {
    let mut store = RootCertStore::empty();
    let Some(file) = address.root() else {
        let found = rustls_native_certs::load_native_certs();
        store.add_parsable_certificates(found.certs);
        return Ok(store);
    };
    let context = |error: String| io::Error::other(format!("{}: {error}", file.display()));
    let certificates =
        CertificateDer::pem_file_iter(file).map_err(|error| context(error.to_string()))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| context(error.to_string()))?;
        store
            .add(certificate)
            .map_err(|error| context(error.to_string()))?;
    }
    if store.is_empty() {
        return Err(context("there is no certificate in it".to_owned()));
    }
    Ok(store)
}

/// Accepts a certificate for another name.
#[derive(Debug)]
struct AnyName(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verified = self
            .0
            .verify_server_cert(end_entity, intermediates, name, ocsp, now);
        match verified {
            // The name is compared last.
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Encrypted<S>;
    type TlsConnect = HostTls;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<HostTls> {
        // A socket of this machine has no name, and no TLS.
        let name = if domain.is_empty() {
            "localhost"
        } else {
            domain
        };
        let name = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
        Ok(HostTls {
            connector: self.0.clone(),
            name,
        })
    }
}

/// Makes a TLS connection to one host.
pub(super) struct HostTls {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for HostTls {
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Handshake<S>;

    fn connect(self, stream: S) -> Handshake<S> {
        Handshake(self.connector.connect(self.name, stream))
    }
}

/// The future of a connection.
pub(super) struct Handshake<S>(Connect<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> Future for Handshake<S> {
    type Output = io::Result<Encrypted<S>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map_ok(Encrypted)
    }
}

/// A connection.
pub(super) struct Encrypted<S>(TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> tokio_postgres::tls::TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
