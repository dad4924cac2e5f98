//! Errors as clients of Lichess expect them: `{"error": "…"}`.

use axum::body::Body;
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

    pub(super) fn busy(message: impl Into<String>) -> BotApiError {
        BotApiError(Problem::new(ProblemCode::Busy, message))
    }
}

impl IntoResponse for BotApiError {
    fn into_response(self) -> Response {
        let body = json!({"error": self.0.message()}).to_string();
        let mut answer = self.0.into_response();
        let length = HeaderValue::from(body.len());
        answer.headers_mut().insert(header::CONTENT_LENGTH, length);
        answer.map(|_| Body::from(body))
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
        BotApiError(Problem::new(code, refusal.message))
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn an_error_has_the_status_and_the_message_of_its_cause() {
        let refusal = Refusal::new(ErrorCode::IllegalMove, "c3-e5 is not a legal move here");
        let answer = BotApiError::from(refusal).into_response();
        assert_eq!(answer.status(), 400);
        let length = answer.headers()[header::CONTENT_LENGTH].clone();
        let body = to_bytes(answer.into_body(), 1024).await.unwrap();
        assert_eq!(body, r#"{"error":"c3-e5 is not a legal move here"}"#);
        assert_eq!(length, body.len().to_string());
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
    }
}
