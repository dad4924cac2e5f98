//! The answer to a request that fails.

use axum::response::{IntoResponse, Response};
use checkers_lib::pdn::PdnError;
use event_store::ReadError;
use hyper::{StatusCode, header};
use position_api::{Detail, Mistake, MistakeCode};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use tracing::warn;

use crate::accounts::AccountError;
use crate::bots::AnalysisError;
use crate::http::{RETRY_AFTER, json_text, with_header};
use crate::limits::RejectReason;
use crate::moderation::ModerationError;

/// Why a request fails.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Problem {
    /// What is wrong, for programs.
    code: ProblemCode,
    /// What is wrong, for people.
    message: String,
    /// The line of the text, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The character of the line or of the text, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// What exactly is wrong with a position, a move or a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Detail>,
}

/// What is wrong with a request; stable, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProblemCode {
    /// A parameter is unknown, or its value is invalid.
    BadQuery,
    /// The text is not a position.
    BadFen,
    /// A move is illegal or malformed.
    BadMove,
    /// The text is not a game in PDN; `line` and `column` say where.
    BadPdn,
    /// The request is too long.
    TooLarge,
    /// The position occurs in a running game.
    GameRunning,
    /// The address has too many analyses in progress.
    TooManyAnalyses,
    /// The requested thing does not exist.
    NotFound,
    /// The path does not have this method.
    MethodNotAllowed,
    /// The main table cannot be ended.
    MainTable,
    /// This server keeps no games.
    NoArchive,
    /// The archive cannot be read now.
    ArchiveUnavailable,
    /// The stored game, or a tablebase, is damaged.
    Damaged,
    /// No tablebase contains the position.
    NoTable,
    /// The server is busy: try again.
    Busy,
    /// The token is missing or wrong, or the session has ended.
    Unauthorized,
    /// The password or the code is wrong, too old, or has been used.
    WrongSecret,
    /// The password is too short or too long.
    BadPassword,
    /// The token is a program's, which cannot change the account.
    OnlyPlays,
    /// The token does not have the scope that this needs.
    MissingScope,
    /// Only moderators, or only administrators, can do this.
    NotModerator,
    /// The name is that of another account.
    NameTaken,
    /// The name has too many characters, or others than names have.
    BadName,
    /// The account has the maximum number of bots.
    TooManyBots,
    /// The account has the maximum number of tokens.
    TooManyTokens,
    /// The account has the maximum number of blocked players, or of open reports.
    TooManyReports,
    /// The account has the maximum number of private ladders.
    TooManyLadders,
    /// The account has the maximum number of tournaments, or the tournament that of players.
    TooManyTournaments,
    /// The account, or its opponent, has the maximum number of games by correspondence or of challenges to them.
    TooManyGames,
    /// The tournament, or the rules of games by correspondence, do not allow this, now or to this player.
    NotAllowed,
    /// Requests of this connection or address come too fast.
    TooManyRequests,
    /// The address has too many connections, or opens them too fast.
    TooManyConnections,
    /// The server has the maximum number of connections.
    Full,
    /// The server accepts no new clients: it stops or restarts.
    ShuttingDown,
    /// The path serves a WebSocket only.
    UpgradeRequired,
    /// The WebSocket handshake is malformed.
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
            | ProblemCode::BadName
            | ProblemCode::BadPassword
            | ProblemCode::BadPdn => StatusCode::BAD_REQUEST,
            ProblemCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ProblemCode::GameRunning
            | ProblemCode::ForeignOrigin
            | ProblemCode::NotAllowed
            | ProblemCode::OnlyPlays
            | ProblemCode::MissingScope
            | ProblemCode::NotModerator
            | ProblemCode::WrongSecret => StatusCode::FORBIDDEN,
            ProblemCode::TooManyAnalyses
            | ProblemCode::TooManyRequests
            | ProblemCode::TooManyConnections => StatusCode::TOO_MANY_REQUESTS,
            ProblemCode::UpgradeRequired => StatusCode::UPGRADE_REQUIRED,
            ProblemCode::MainTable
            | ProblemCode::NameTaken
            | ProblemCode::TooManyBots
            | ProblemCode::TooManyTokens
            | ProblemCode::TooManyReports
            | ProblemCode::TooManyLadders
            | ProblemCode::TooManyGames
            | ProblemCode::TooManyTournaments => StatusCode::CONFLICT,
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

    pub(in crate::http) fn message(&self) -> &str {
        &self.message
    }

    pub(in crate::http) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a problem has no key but strings")
    }

    /// Adds the detail.
    pub(super) fn about(self, detail: Detail) -> Problem {
        let detail = Some(detail);
        Problem { detail, ..self }
    }
}

impl From<Mistake> for Problem {
    fn from(mistake: Mistake) -> Problem {
        let code = match mistake.code {
            MistakeCode::BadQuery => ProblemCode::BadQuery,
            MistakeCode::BadFen => ProblemCode::BadFen,
            MistakeCode::BadMove => ProblemCode::BadMove,
            MistakeCode::NoTable => ProblemCode::NoTable,
        };
        Problem {
            column: mistake.column,
            detail: mistake.detail,
            ..Problem::new(code, mistake.message)
        }
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

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Problem {
        error.log();
        let code = match &error {
            AccountError::SignedOut => ProblemCode::Unauthorized,
            AccountError::WrongPassword
            | AccountError::WrongCode
            | AccountError::Closed
            | AccountError::NoInvitation => ProblemCode::WrongSecret,
            AccountError::BadPassword => ProblemCode::BadPassword,
            AccountError::OnlyPlays => ProblemCode::OnlyPlays,
            AccountError::MissingScope(_) => ProblemCode::MissingScope,
            AccountError::BadScopes => ProblemCode::BadQuery,
            AccountError::TooManyTokens => ProblemCode::TooManyTokens,
            AccountError::NameTaken(_) | AccountError::NameReserved(_) => ProblemCode::NameTaken,
            AccountError::BadName(_) | AccountError::BadBotName(_) => ProblemCode::BadName,
            AccountError::TooManyBots => ProblemCode::TooManyBots,
            AccountError::NoSuchSession
            | AccountError::NoSuchToken
            | AccountError::NoSuchBot(_) => ProblemCode::NotFound,
            AccountError::TooManyAttempts => ProblemCode::TooManyRequests,
            AccountError::Busy | AccountError::NoRandomness(_) | AccountError::Store(_) => {
                ProblemCode::Busy
            }
        };
        Problem::new(code, error.to_string())
    }
}

impl From<ModerationError> for Problem {
    fn from(error: ModerationError) -> Problem {
        error.log();
        let code = match &error {
            ModerationError::Suspended(_)
            | ModerationError::Muted(_)
            | ModerationError::Blocked(_)
            | ModerationError::NotAllowed(_) => ProblemCode::NotAllowed,
            ModerationError::NoSuchAccount(_) => ProblemCode::NotFound,
            ModerationError::TooManyBlocks | ModerationError::TooManyReports => {
                ProblemCode::TooManyReports
            }
            ModerationError::Oneself | ModerationError::LongText | ModerationError::BadHours => {
                ProblemCode::BadQuery
            }
            ModerationError::NotModerator | ModerationError::NotAdministrator => {
                ProblemCode::NotModerator
            }
            ModerationError::Store(_) => ProblemCode::Busy,
        };
        Problem::new(code, error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut answer = json_text(self.code.status(), &self.to_json());
        let code = self.code;
        // The interface for bots of Lichess has it in another form.
        answer.extensions_mut().insert(self);
        match code {
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
