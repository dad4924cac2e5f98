//! TLS to the database.

use std::io;
use std::sync::Arc;

use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};

use crate::PostgresAddress;

/// What is verified of the certificate of a database server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verification {
    /// Nothing: the connection is encrypted, but its other end may be anyone.
    None,
    /// That an authority issued it, for any name.
    Authority,
    /// That an authority issued it for the name of the host.
    Full,
}

/// Makes TLS connections to a database. Reads the authorities that verify its certificate. Blocks.
pub(crate) fn connector(address: &PostgresAddress) -> io::Result<MakeRustlsConnect> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    let verifier: Arc<dyn ServerCertVerifier> = match address.verification() {
        None | Some(Verification::None) => Arc::new(AnyCertificate(provider)),
        Some(Verification::Authority) => Arc::new(AnyName(verifier(address, provider)?)),
        Some(Verification::Full) => verifier(address, provider)?,
    };
    let config = builder
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn verifier(
    address: &PostgresAddress,
    provider: Arc<CryptoProvider>,
) -> io::Result<Arc<WebPkiServerVerifier>> {
    let authorities = Arc::new(authorities(address)?);
    WebPkiServerVerifier::builder_with_provider(authorities, provider)
        .build()
        .map_err(io::Error::other)
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

/// Accepts every certificate: the connection is encrypted, but its other end is not verified.
#[derive(Debug)]
pub struct AnyCertificate(pub Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, cert, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, cert, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
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
