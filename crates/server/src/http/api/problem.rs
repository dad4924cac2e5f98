//! What is answered when something is wrong.

use axum::response::{IntoResponse, Response};
use checkers_lib::pdn::PdnError;
use checkers_lib::{FenError, MoveTextError};
use hyper::{StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;
use tracing::warn;

use super::detail::Detail;
use crate::bots::AnalysisError;
use crate::http::{RETRY_AFTER, json_text, with_header};
use crate::limits::RejectReason;
use crate::store::ReadError;

/// Why a request has no other answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct Problem {
    /// What is wrong, for programs.
    code: ProblemCode,
    /// What is wrong, for people.
    message: String,
    /// In which line of a text, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// At which of its characters, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// What exactly is wrong with a position, a move or a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Detail>,
}

/// What is wrong with a request; stable, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProblemCode {
    /// A parameter is unknown, or its value is not what it may be.
    BadQuery,
    /// The text is no position.
    BadFen,
    /// A move is not legal, or is no move.
    BadMove,
    /// The text is no game as PDN; where it is wrong is told beside it.
    BadPdn,
    /// The request is too long.
    TooLarge,
    /// Somebody plays a game that has this position now.
    GameRunning,
    /// The address has as much under way as it may.
    TooManyAnalyses,
    /// There is no such thing.
    NotFound,
    /// The method is another one.
    MethodNotAllowed,
    /// The main table cannot be ended.
    MainTable,
    /// This server keeps no games.
    NoArchive,
    /// The archive cannot be read now.
    ArchiveUnavailable,
    /// What is kept of the game, or a table of endings, cannot be read.
    Damaged,
    /// No table of endings has the position.
    NoTable,
    /// Too many ask for the same: try again.
    Busy,
    /// The token is missing or wrong.
    Unauthorized,
    /// Requests of this connection or address come too fast.
    TooManyRequests,
    /// The address has as many connections as it may, or opens them too fast.
    TooManyConnections,
    /// The server has as many connections as it takes.
    Full,
    /// The server takes no new clients: it ends or restarts.
    ShuttingDown,
    /// Only a WebSocket is served here.
    UpgradeRequired,
    /// A WebSocket is not asked for as it should be.
    BadHandshake,
    /// Pages of this origin may not connect.
    ForeignOrigin,
}

impl ProblemCode {
    fn status(self) -> StatusCode {
        match self {
            ProblemCode::BadHandshake
            | ProblemCode::BadQuery
            | ProblemCode::BadFen
            | ProblemCode::BadMove
            | ProblemCode::BadPdn => StatusCode::BAD_REQUEST,
            ProblemCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ProblemCode::GameRunning | ProblemCode::ForeignOrigin => StatusCode::FORBIDDEN,
            ProblemCode::TooManyAnalyses
            | ProblemCode::TooManyRequests
            | ProblemCode::TooManyConnections => StatusCode::TOO_MANY_REQUESTS,
            ProblemCode::UpgradeRequired => StatusCode::UPGRADE_REQUIRED,
            ProblemCode::MainTable => StatusCode::CONFLICT,
            ProblemCode::NotFound | ProblemCode::NoArchive | ProblemCode::NoTable => {
                StatusCode::NOT_FOUND
            }
            ProblemCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ProblemCode::ArchiveUnavailable
            | ProblemCode::Busy
            | ProblemCode::Full
            | ProblemCode::ShuttingDown => StatusCode::SERVICE_UNAVAILABLE,
            ProblemCode::Damaged => StatusCode::INTERNAL_SERVER_ERROR,
            ProblemCode::Unauthorized => StatusCode::UNAUTHORIZED,
        }
    }
}

impl Problem {
    pub(in crate::http) fn new(code: ProblemCode, message: impl Into<String>) -> Problem {
        let message = message.into();
        Problem {
            code,
            message,
            line: None,
            column: None,
            detail: None,
        }
    }

    pub(in crate::http) fn status(&self) -> StatusCode {
        self.code.status()
    }

    pub(in crate::http) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a problem has no key but strings")
    }

    /// The same, and what exactly is wrong.
    pub(super) fn about(self, detail: Detail) -> Problem {
        let detail = Some(detail);
        Problem { detail, ..self }
    }
}

impl From<FenError> for Problem {
    fn from(error: FenError) -> Problem {
        let (detail, column) = Detail::of_fen(&error);
        Problem {
            column,
            ..Problem::new(ProblemCode::BadFen, error.to_string()).about(detail)
        }
    }
}

impl From<MoveTextError> for Problem {
    fn from(error: MoveTextError) -> Problem {
        Problem::new(ProblemCode::BadMove, error.to_string()).about(Detail::from(&error))
    }
}

impl From<PdnError> for Problem {
    fn from(error: PdnError) -> Problem {
        Problem {
            line: Some(error.line),
            column: Some(error.column),
            ..Problem::new(ProblemCode::BadPdn, error.kind.to_string())
                .about(Detail::from(&error.kind))
        }
    }
}

impl From<RejectReason> for Problem {
    fn from(reason: RejectReason) -> Problem {
        let code = if reason.is_of_address() {
            ProblemCode::TooManyConnections
        } else {
            ProblemCode::Full
        };
        Problem::new(code, reason.explanation())
    }
}

impl From<AnalysisError> for Problem {
    fn from(error: AnalysisError) -> Problem {
        let code = match error {
            AnalysisError::Address => ProblemCode::TooManyAnalyses,
            AnalysisError::Queue | AnalysisError::Aborted => ProblemCode::Busy,
        };
        Problem::new(code, error.to_string())
    }
}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Problem {
        warn!(%error, "the archive cannot be read");
        Problem::new(
            ProblemCode::ArchiveUnavailable,
            "the archive cannot be read now",
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let answer = json_text(self.code.status(), &self.to_json());
        match self.code {
            ProblemCode::Unauthorized => with_header(answer, header::WWW_AUTHENTICATE, "Bearer"),
            ProblemCode::TooManyAnalyses | ProblemCode::Busy => {
                with_header(answer, header::RETRY_AFTER, "1")
            }
            ProblemCode::TooManyRequests
            | ProblemCode::TooManyConnections
            | ProblemCode::Full
            | ProblemCode::ShuttingDown => with_header(answer, header::RETRY_AFTER, RETRY_AFTER),
            _ => answer,
        }
    }
}
