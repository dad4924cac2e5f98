//! Sends messages to push services.

use std::future::ready;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use event_store::UnixMillis;
use futures::{StreamExt, stream};
use hyper::{Request, StatusCode, header};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::sync::{OnceCell, mpsc};
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::ring;
use tracing::{debug, warn};

use super::{Push, PushError, Subscription, TurnNotice};
use crate::metrics::Metrics;

/// How long a push service may take to answer.
const ANSWER: Duration = Duration::from_secs(10);

/// For how many seconds a push service keeps a message for a browser that is not connected.
const KEPT: &str = "86400";

/// Players who are notified at the same time.
const AT_ONCE: usize = 16;

type HttpsClient = Client<HttpsConnector<HttpConnector>, Body>;

/// The task that sends the waiting messages.
#[derive(Debug)]
pub(crate) struct Deliveries {
    queue: mpsc::Receiver<TurnNotice>,
    delivery: Delivery,
}

/// What a delivery needs.
#[derive(Debug)]
struct Delivery {
    push: Arc<Push>,
    metrics: Arc<Metrics>,
    /// Made when there is something to send: it reads the certificates that this machine trusts.
    client: OnceCell<HttpsClient>,
}

impl Deliveries {
    pub(super) fn new(
        push: Arc<Push>,
        queue: mpsc::Receiver<TurnNotice>,
        metrics: Arc<Metrics>,
    ) -> Deliveries {
        let client = OnceCell::new();
        Deliveries {
            queue,
            delivery: Delivery {
                push,
                metrics,
                client,
            },
        }
    }

    /// Sends until it is aborted.
    pub(crate) async fn run(self) {
        let Deliveries {
            mut queue,
            delivery,
        } = self;
        stream::poll_fn(|context| queue.poll_recv(context))
            .for_each_concurrent(AT_ONCE, |turn| delivery.deliver(turn))
            .await;
    }
}

impl Delivery {
    /// Notifies a player in all browsers.
    async fn deliver(&self, turn: TurnNotice) {
        let addresses = match self.push.addresses(&turn).await {
            Ok(addresses) => addresses,
            Err(error) => return warn!(error = cli_kit::explain(&error), "nobody can be notified"),
        };
        for to in addresses {
            let outcome = match timeout(ANSWER, self.send(&to)).await {
                Ok(Ok(status)) if status.is_success() => Ok("sent"),
                Ok(Ok(StatusCode::NOT_FOUND | StatusCode::GONE)) => {
                    let forgotten = self.push.forget(&to).await;
                    forgotten
                        .map(|()| "ended")
                        .map_err(|error| cli_kit::explain(&error))
                }
                Ok(Ok(status)) => Err(format!("the push service answers {status}")),
                Ok(Err(failure)) => Err(failure),
                Err(_) => Err("the push service does not answer".to_owned()),
            };
            let outcome = outcome.unwrap_or_else(|failure| {
                debug!(
                    service = to.endpoint.host(),
                    failure, "a notification was not sent"
                );
                "failed"
            });
            self.metrics.notification(outcome);
        }
    }

    /// Sends an empty message; later ones replace it while it waits at the service.
    ///
    /// CITE: RFC 8030, sections 5.2 to 5.4.
    async fn send(&self, to: &Subscription) -> Result<StatusCode, String> {
        let authorization = async { self.push.key().await?.authorize(to, UnixMillis::now()) };
        let authorization = authorization
            .await
            .map_err(|error: PushError| error.to_string())?;
        let request = Request::post(&to.endpoint)
            .header(header::AUTHORIZATION, authorization)
            .header("ttl", KEPT)
            .header("topic", "turn")
            .header("urgency", "normal")
            .header(header::CONTENT_LENGTH, 0)
            .body(Body::empty())
            .map_err(|error| error.to_string())?;
        let client = self.client.get_or_try_init(|| ready(https_client())).await;
        let client = client.map_err(|error| cli_kit::explain(&error))?;
        let answer = client.request(request).await;
        Ok(answer.map_err(|error| cli_kit::explain(&error))?.status())
    }
}

fn https_client() -> io::Result<HttpsClient> {
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(ring::default_provider())?
        .https_only()
        .enable_http1()
        .build();
    Ok(Client::builder(TokioExecutor::new()).build(connector))
}
