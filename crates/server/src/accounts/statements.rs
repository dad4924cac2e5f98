//! Statements that several requests share.

use event_store::{Statement, UnixMillis, Value};

use super::{Scopes, SecretCode};

/// A new account of a person, or of a bot with its owner, which is 0 for the operator; finds no row if a confusable
/// name is registered.
pub(super) fn insert_account(
    name: &str,
    skeleton: &str,
    identity: &str,
    now: UnixMillis,
    owner: Option<i64>,
) -> Statement {
    let role = match owner {
        Some(_) => "bot",
        None => "person",
    };
    let insert = Statement::new(
        "INSERT INTO account (name, skeleton, role, identity, created_at, owner) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (skeleton) DO NOTHING RETURNING id",
        vec![
            name.into(),
            skeleton.into(),
            role.into(),
            identity.into(),
            now.0.into(),
            owner.unwrap_or(0).into(),
        ],
    );
    insert.required()
}

/// A credential of the account with this skeleton, or of account 0 if there is none.
pub(super) fn insert_credential(
    kind: &str,
    code: &SecretCode,
    label: &str,
    skeleton: &str,
    now: UnixMillis,
    lasts: i64,
) -> Statement {
    Statement::new(
        "INSERT INTO credential (hash, account, kind, label, created_at, used_at, expires_at)
         VALUES ($1, coalesce((SELECT id FROM account WHERE skeleton = $2), 0), $3, $4, $5, $5, $6)",
        vec![
            code.hash()[..].into(),
            skeleton.into(),
            kind.into(),
            label.into(),
            now.0.into(),
            now.0.saturating_add(lasts).into(),
        ],
    )
}

/// A token of the account with this skeleton, which does not expire.
pub(super) fn insert_token(
    token: &SecretCode,
    label: &str,
    skeleton: &str,
    scopes: Scopes,
    now: UnixMillis,
) -> Statement {
    Statement::new(
        "INSERT INTO credential (hash, account, kind, label, created_at, used_at, expires_at, scopes)
         SELECT $1, id, 'token', $2, $3, $3, $4, $5 FROM account WHERE skeleton = $6",
        vec![
            token.hash()[..].into(),
            label.into(),
            now.0.into(),
            i64::MAX.into(),
            scopes.0.into(),
            skeleton.into(),
        ],
    )
}

/// Recovery codes of the account with this skeleton.
pub(super) fn insert_recovery(
    codes: &[SecretCode],
    skeleton: &str,
    now: UnixMillis,
) -> impl Iterator<Item = Statement> {
    let insert = move |code| insert_credential("recovery", code, "", skeleton, now, i64::MAX);
    codes.iter().map(insert)
}

/// Uses up a single-use credential; finds no row if it is not valid.
pub(super) fn use_up(kind: &str, hash: &[u8; 32], now: UnixMillis) -> Statement {
    let delete = Statement::new(
        "DELETE FROM credential WHERE hash = $1 AND kind = $2 AND expires_at > $3 RETURNING id",
        vec![Value::from(&hash[..]), kind.into(), now.0.into()],
    );
    delete.required()
}

/// Ends the sessions of an account beyond a number, those that were not used for longest. The account is that of this
/// session.
pub(super) fn end_old_sessions(session: &SecretCode, most: i64) -> Statement {
    Statement::new(
        "DELETE FROM credential WHERE kind = 'session' AND account = (SELECT account FROM credential WHERE hash = $1)
         AND id NOT IN (
            SELECT id FROM credential WHERE kind = 'session' AND account = (SELECT account FROM credential WHERE hash = $1)
            ORDER BY used_at DESC, id DESC LIMIT $2)",
        vec![session.hash()[..].into(), most.into()],
    )
}
