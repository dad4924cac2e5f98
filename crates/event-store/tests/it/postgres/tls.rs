//! TLS to the database: what each `sslmode` verifies.

use std::fs;
use std::path::Path;

use event_store::Store;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use test_support::{PostgresServer, free_address, give};

use super::try_open;

/// An authority, and a certificate of it for the name `localhost`.
struct Certificates {
    authority: String,
    certificate: String,
    key: String,
}

fn certificates() -> Certificates {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &authority).unwrap();
    Certificates {
        authority: authority.pem(),
        certificate: certificate.pem(),
        key: key.serialize_pem(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_sslmode_verifies_what_it_says() {
    let (own, other) = (certificates(), certificates());
    let prepare = |data: &Path| {
        for (name, text) in [("server.crt", &own.certificate), ("server.key", &own.key)] {
            let file = data.join(name);
            fs::write(&file, text).unwrap();
            give(&file);
        }
        // Only TLS is let in from the network.
        let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n";
        fs::write(data.join("pg_hba.conf"), rules).unwrap();
    };
    let port = free_address().port();
    let settings = [
        "fsync=off",
        "ssl=on",
        "listen_addresses=127.0.0.1",
        &format!("port={port}"),
    ];
    let Some(server) = PostgresServer::start_prepared(&settings, prepare) else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let file = directory.path().join(name);
        fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let (right, wrong) = (
        file("right", &own.authority),
        file("wrong", &other.authority),
    );
    let refused_plain = Some("no pg_hba.conf entry");
    let unknown = Some("invalid peer certificate");
    let other_name = Some("certificate not valid for name");
    for (host, mode, root, error) in [
        ("localhost", "disable", None, refused_plain),
        ("localhost", "prefer", None, None),
        ("127.0.0.1", "require", None, None),
        ("localhost", "require", Some(&wrong), unknown),
        ("127.0.0.1", "verify-ca", Some(&right), None),
        ("localhost", "verify-ca", Some(&wrong), unknown),
        ("localhost", "verify-full", Some(&right), None),
        ("127.0.0.1", "verify-full", Some(&right), other_name),
        ("localhost", "verify-full", Some(&wrong), unknown),
        ("localhost", "verify-full", None, unknown),
    ] {
        let root = root.map_or(String::new(), |root| format!("&sslrootcert={root}"));
        let url = format!("postgres://postgres@{host}:{port}/postgres?sslmode={mode}{root}");
        match (try_open(&url), error) {
            (Ok(store), None) => {
                let encrypted =
                    "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                                 WHERE application_name = 'checkers-server'";
                assert_eq!(store.count_streams().await.unwrap(), 0);
                let rows = server.query("postgres", encrypted);
                assert!(rows[0].get::<_, bool>(0), "{url}");
                event_store::EventLog::close(&store).await;
            }
            (Err(found), Some(error)) => {
                let found = found.to_string();
                assert!(found.contains(error), "{url}: {found}");
            }
            (opened, _) => panic!("{url}: {opened:?}"),
        }
    }
}
