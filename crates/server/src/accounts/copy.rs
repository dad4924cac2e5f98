//! Copies the accounts of one store to another.

use event_store::{ReadError, Row, Sql, Statement};

/// Statements in one transaction.
const CHUNK: usize = 500;

/// Whether there is no account.
pub(crate) async fn is_empty(tables: &dyn Sql) -> Result<bool, ReadError> {
    let first = Statement::new("SELECT id FROM account LIMIT 1", Vec::new());
    Ok(tables.select(first).await?.is_empty())
}

/// Replaces the accounts of `target`, with their private ladders and notifications, with those of `source`, and returns their number. Reads all of them into memory.
/// After an interruption `target` may lack some; repeat it.
pub(crate) async fn copy(source: &dyn Sql, target: &dyn Sql) -> Result<usize, ReadError> {
    let accounts = Statement::new(
        "SELECT name, skeleton, role, identity, password, created_at, muted_until, suspended_until,
            (SELECT owner.skeleton FROM account AS owner WHERE owner.id = account.owner)
         FROM account ORDER BY id",
        Vec::new(),
    );
    let credentials = Statement::new(
        "SELECT hash, coalesce(skeleton, ''), kind, label, credential.created_at, used_at, expires_at,
            scopes
         FROM credential LEFT JOIN account ON account.id = credential.account ORDER BY credential.id",
        Vec::new(),
    );
    let ladders = Statement::new(
        "SELECT private_ladder.id, skeleton, private_ladder.name, clock, until, private_ladder.created_at, code
         FROM private_ladder JOIN account ON account.id = private_ladder.owner",
        Vec::new(),
    );
    let subscriptions = Statement::new(
        "SELECT endpoint, session, origin, created_at FROM push_subscription ORDER BY number",
        Vec::new(),
    );
    let key = Statement::new("SELECT number, key FROM push_key", Vec::new());
    let accounts = source.select(accounts).await?;
    let credentials = source.select(credentials).await?;
    let ladders = source.select(ladders).await?;
    let subscriptions = source.select(subscriptions).await?;
    let key = source.select(key).await?;
    let count = accounts.len();
    let mut statements = vec![
        Statement::new("DELETE FROM push_subscription", Vec::new()),
        Statement::new("DELETE FROM push_key", Vec::new()),
        Statement::new("DELETE FROM private_ladder", Vec::new()),
        Statement::new("DELETE FROM credential", Vec::new()),
        Statement::new("DELETE FROM account", Vec::new()),
    ];
    let insert = |text| move |row: Row| Statement::new(text, row.into_values());
    statements.extend(accounts.into_iter().map(insert(
        "INSERT INTO account (name, skeleton, role, identity, password, created_at, muted_until, suspended_until, owner)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce((SELECT id FROM account WHERE skeleton = $9), 0))",
    )));
    statements.extend(credentials.into_iter().map(insert(
        "INSERT INTO credential (hash, account, kind, label, created_at, used_at, expires_at, scopes)
         VALUES ($1, coalesce((SELECT id FROM account WHERE skeleton = $2), 0), $3, $4, $5, $6, $7, $8)",
    )));
    statements.extend(ladders.into_iter().map(insert(
        "INSERT INTO private_ladder (id, owner, name, clock, until, created_at, code)
         SELECT $1, id, $3, $4, $5, $6, $7 FROM account WHERE skeleton = $2",
    )));
    statements.extend(subscriptions.into_iter().map(insert(
        "INSERT INTO push_subscription (endpoint, session, origin, created_at) VALUES ($1, $2, $3, $4)",
    )));
    statements.extend(
        key.into_iter()
            .map(insert("INSERT INTO push_key (number, key) VALUES ($1, $2)")),
    );
    for chunk in statements.chunks(CHUNK) {
        target.transact(chunk.to_vec()).await?;
    }
    Ok(count)
}
