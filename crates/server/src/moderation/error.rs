//! Why a request about blocks, reports or sanctions fails.

use checkers_lib::protocol::{ErrorCode, Refusal};
use event_store::{ReadError, UnixMillis};
use tracing::warn;

use super::blocks::MAX_BLOCKS;
use super::reports::{MAX_OPEN, MAX_TEXT};

/// Why a request about blocks, reports or sanctions fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ModerationError {
    #[error("this account is suspended until {}: it cannot begin games", .0.to_text())]
    Suspended(UnixMillis),
    #[error("this account is muted until {}", .0.to_text())]
    Muted(UnixMillis),
    #[error("{0} does not play with you, or you have blocked {0}")]
    Blocked(String),
    #[error("there is no account {0:?}")]
    NoSuchAccount(String),
    #[error("this is your own account")]
    Oneself,
    #[error("an account blocks at most {MAX_BLOCKS} players: remove one of them")]
    TooManyBlocks,
    #[error("{MAX_OPEN} of your reports are open: wait until moderators have read them")]
    TooManyReports,
    #[error("text: expected at most {MAX_TEXT} characters")]
    LongText,
    #[error("only moderators can do this")]
    NotModerator,
    #[error("only administrators can do this")]
    NotAdministrator,
    #[error("this cannot be done with the account {0:?}: it may be your own, or one with a role")]
    NotAllowed(String),
    #[error(
        "hours: expected a whole number from 1 to {}",
        super::action::MAX_HOURS
    )]
    BadHours,
    #[error("accounts cannot be read or written now: try again")]
    Store(#[from] ReadError),
}

impl From<ModerationError> for Refusal {
    fn from(error: ModerationError) -> Refusal {
        error.log();
        let code = match &error {
            ModerationError::Store(_) => ErrorCode::NotStored,
            ModerationError::Suspended(_) => ErrorCode::Suspended,
            ModerationError::Muted(_) => ErrorCode::Muted,
            ModerationError::Blocked(_) => ErrorCode::Blocked,
            _ => ErrorCode::Forbidden,
        };
        Refusal::new(code, error.to_string())
    }
}

impl ModerationError {
    /// Logs errors that the operator should know.
    pub(crate) fn log(&self) {
        if let ModerationError::Store(source) = self {
            warn!(error = %cli_kit::explain(source), "blocks, reports or sanctions cannot be read or written");
        }
    }
}
