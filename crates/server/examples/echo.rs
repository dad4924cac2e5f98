//! A server that echoes messages at `/echo` with the limits of a normal connection, for conformance
//! suites: see `scripts/conformance.sh`.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr};

use checkers_server::{Config, Server};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let config = Config {
        bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        ..Config::default()
    };
    let server = Server::bind(config).await?;
    #[expect(clippy::print_stdout, reason = "whoever starts it needs the address")]
    {
        println!("listening on ws://{}/echo", server.local_addr());
    }
    server
        .run(async { tokio::signal::ctrl_c().await.unwrap_or_default() })
        .await?;
    Ok(())
}
