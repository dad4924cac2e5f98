//! Why a request about an account fails.

use checkers_lib::protocol::{ErrorCode, NAME_RULE, Refusal};
use event_store::ReadError;
use tracing::warn;

use super::Scope;
use super::bots::MAX_BOTS;
use super::password::{LONGEST, SHORTEST};
use super::tokens::MAX_TOKENS;
use crate::names::BOT_MARK;

/// Why a request about an account fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AccountError {
    #[error("the name {0} is registered: sign in, or choose another name")]
    NameTaken(String),
    #[error("the name {0} is reserved: choose another name")]
    NameReserved(String),
    #[error("{0:?} is no name: {NAME_RULE}")]
    BadName(String),
    #[error("this server accepts no new accounts")]
    Closed,
    #[error("a new account needs an invitation on this server")]
    NoInvitation,
    #[error(
        "the token is missing, wrong or no longer valid: sign in again, or make a new one for your bot on the page /account"
    )]
    SignedOut,
    #[error("the name or the password is wrong")]
    WrongPassword,
    #[error("the code is wrong, too old, or has been used")]
    WrongCode,
    #[error("a password has {SHORTEST} to {LONGEST} characters")]
    BadPassword,
    #[error("a token cannot do this: sign in as its owner")]
    OnlyPlays,
    #[error("the token lacks the scope {}", .0.as_str())]
    MissingScope(Scope),
    #[error(
        "choose one scope at least; the token of a person has read, tournament or both: programs play as bots"
    )]
    BadScopes,
    #[error("an account has at most {MAX_TOKENS} tokens: revoke one of them")]
    TooManyTokens,
    #[error("there is no such token")]
    NoSuchToken,
    #[error("{0:?} is no name of a bot, which ends in {BOT_MARK}: {NAME_RULE}")]
    BadBotName(String),
    #[error("an account has at most {MAX_BOTS} bots: delete one of them")]
    TooManyBots,
    #[error("you have no bot {0}")]
    NoSuchBot(String),
    #[error("there is no such session")]
    NoSuchSession,
    #[error("too many attempts: try again in a quarter of an hour")]
    TooManyAttempts,
    #[error("the server is busy: try again")]
    Busy,
    #[error("the server has no randomness now")]
    NoRandomness(#[from] getrandom::Error),
    #[error("accounts cannot be read or written now: try again")]
    Store(#[from] ReadError),
}

impl From<AccountError> for Refusal {
    fn from(error: AccountError) -> Refusal {
        let code = match &error {
            AccountError::NameTaken(_) | AccountError::NameReserved(_) => ErrorCode::NameTaken,
            AccountError::BadName(_) | AccountError::BadBotName(_) => ErrorCode::BadName,
            AccountError::Closed | AccountError::NoInvitation => ErrorCode::RegistrationClosed,
            AccountError::SignedOut
            | AccountError::WrongPassword
            | AccountError::WrongCode
            | AccountError::BadPassword
            | AccountError::OnlyPlays
            | AccountError::BadScopes
            | AccountError::TooManyTokens
            | AccountError::NoSuchToken
            | AccountError::TooManyBots
            | AccountError::NoSuchBot(_)
            | AccountError::NoSuchSession => ErrorCode::BadToken,
            AccountError::MissingScope(_) => ErrorCode::Forbidden,
            AccountError::TooManyAttempts => ErrorCode::TooManyMessages,
            AccountError::Busy | AccountError::NoRandomness(_) | AccountError::Store(_) => {
                ErrorCode::NotStored
            }
        };
        error.log();
        Refusal::new(code, error.to_string())
    }
}

impl AccountError {
    /// Logs errors that the operator should know.
    pub(crate) fn log(&self) {
        if let AccountError::Store(source) = self {
            warn!(error = %cli_kit::explain(source), "accounts cannot be read or written");
        }
    }
}
