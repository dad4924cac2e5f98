//! Errors as clients of Lichess expect them: `{"error": "…"}`.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use checkers_lib::protocol::{ErrorCode, Refusal};
use hyper::header::{self, HeaderValue};
use serde_json::json;

use crate::accounts::AccountError;
use crate::http::api::{Problem, ProblemCode};
use crate::limits::RejectReason;

/// Why a call fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BotApiError(Problem);

impl BotApiError {
    pub(super) fn bad(message: impl Into<String>) -> BotApiError {
        BotApiError(Problem::new(ProblemCode::BadQuery, message))
    }

    pub(super) fn not_found(message: impl Into<String>) -> BotApiError {
        BotApiError(Problem::new(ProblemCode::NotFound, message))
    }

    #[cfg(test)]
    pub(super) fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    pub(super) fn busy(message: impl Into<String>) -> BotApiError {
        BotApiError(Problem::new(ProblemCode::Busy, message))
    }
}

/// The beginnings of the paths of this interface.
const PATHS: [&str; 5] = [
    "/api/account/playing",
    "/api/bot/",
    "/api/challenge",
    "/api/stream/",
    "/api/token/",
];

/// Gives errors under the paths of this interface its form, also those of requests that reach no handler.
pub(in crate::http) async fn with_errors(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_here = PATHS.iter().any(|start| path.starts_with(start));
    let mut answer = next.run(request).await;
    let status = answer.status();
    if !is_here || !(status.is_client_error() || status.is_server_error()) {
        return answer;
    }
    let problem = answer.extensions_mut().remove::<Problem>();
    let message = (problem.as_ref().map(Problem::message))
        .or(status.canonical_reason())
        .unwrap_or("the request has failed");
    let body = json!({"error": message}).to_string();
    let length = HeaderValue::from(body.len());
    answer.headers_mut().insert(header::CONTENT_LENGTH, length);
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    answer.map(|_| Body::from(body))
}

/// As [`with_errors`] expects it.
impl IntoResponse for BotApiError {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

impl From<Problem> for BotApiError {
    fn from(problem: Problem) -> BotApiError {
        BotApiError(problem)
    }
}

impl From<AccountError> for BotApiError {
    fn from(error: AccountError) -> BotApiError {
        BotApiError(error.into())
    }
}

impl From<RejectReason> for BotApiError {
    fn from(reason: RejectReason) -> BotApiError {
        BotApiError(reason.into())
    }
}

impl From<Refusal> for BotApiError {
    fn from(refusal: Refusal) -> BotApiError {
        let code = match refusal.code {
            ErrorCode::BadToken => ProblemCode::Unauthorized,
            ErrorCode::Forbidden => ProblemCode::NotAllowed,
            ErrorCode::NoSuchTable | ErrorCode::NoSuchPlayer => ProblemCode::NotFound,
            ErrorCode::NotStored | ErrorCode::BotsBusy => ProblemCode::Busy,
            ErrorCode::TooManyMessages | ErrorCode::TooManyTables => ProblemCode::TooManyRequests,
            _ => ProblemCode::BadQuery,
        };
        let message = match refusal.code {
            // The caller names no ply.
            ErrorCode::WrongPly => "it is not your turn".to_owned(),
            _ => refusal.message,
        };
        BotApiError(Problem::new(code, message))
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::to_bytes;
    use axum::extract::Path;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn errors_under_the_paths_of_the_interface_have_its_form() {
        let refusal = || Refusal::new(ErrorCode::IllegalMove, "c3-e5 is not a legal move here");
        let refuse = async move || BotApiError::from(refusal());
        let router = Router::new()
            .route("/api/bot/refused", get(refuse))
            .route("/api/games/refused", get(refuse))
            .route("/api/bot/number/{n}", get(async |Path(_): Path<u8>| "good"))
            .layer(from_fn(with_errors));
        for (path, status, expected) in [
            (
                "/api/bot/refused",
                400,
                r#"{"error":"c3-e5 is not a legal move here"}"#,
            ),
            ("/api/bot/number/x", 400, r#"{"error":"Bad Request"}"#),
            ("/api/bot/unknown", 404, r#"{"error":"Not Found"}"#),
            (
                "/api/games/refused",
                400,
                "{\"code\":\"bad_query\",\"message\":\"c3-e5 is not a legal move here\"}\n",
            ),
            ("/api/bot/number/7", 200, "good"),
        ] {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let answer = router.clone().oneshot(request).await.unwrap();
            assert_eq!(answer.status(), status, "{path}");
            let length = answer.headers()[header::CONTENT_LENGTH].clone();
            let body = to_bytes(answer.into_body(), 1024).await.unwrap();
            assert_eq!(body, expected, "{path}");
            assert_eq!(length, body.len().to_string(), "{path}");
        }
    }

    #[test]
    fn an_error_has_the_status_of_its_cause() {
        for (code, status) in [
            (ErrorCode::BadToken, 401),
            (ErrorCode::Forbidden, 403),
            (ErrorCode::NoSuchTable, 404),
            (ErrorCode::NoSuchPlayer, 404),
            (ErrorCode::TooManyMessages, 429),
            (ErrorCode::NotStored, 503),
        ] {
            let answer = BotApiError::from(Refusal::new(code, "")).into_response();
            assert_eq!(answer.status(), status, "{code:?}");
        }
        let early = Refusal::new(ErrorCode::WrongPly, "the move is for ply 0");
        assert_eq!(
            BotApiError::from(early),
            BotApiError::bad("it is not your turn")
        );
    }
}
