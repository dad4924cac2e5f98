//! Who may read the API, and its description.

use super::read;
use crate::network::support::{TestServer, get};

#[tokio::test]
async fn other_origins_may_read_the_public_api_only() {
    let server = TestServer::start().await;
    for (path, is_for_all) in [
        ("/api/players", true),
        ("/api/games", true),
        ("/api/nothing", true),
        ("/api/admin/drain", false),
        ("/", false),
        ("/metrics", false),
    ] {
        let answer = get(server.address, path).await.to_lowercase();
        let (head, _) = answer.split_once("\r\n\r\n").expect("a head");
        let is_included = head.contains("\r\naccess-control-allow-origin: *");
        assert_eq!(is_included, is_for_all, "{path}: {head}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_api_serves_its_description() {
    let server = TestServer::start().await;
    let description = read(&server, "/api/openapi.json").await;
    assert_eq!(read(&server, "/openapi.json").await, description);
    assert_eq!(description["openapi"], "3.1.0");
    for path in [
        "/api/games",
        "/api/legal",
        "/api/tablebase",
        "/api/players/{name}",
    ] {
        assert!(
            description["paths"][path]["get"]["responses"]["200"].is_object(),
            "{path}"
        );
    }
    server.stop().await;
}
