//! Statements on other tables than those of streams and the archive.

use futures::TryStreamExt;
use futures::future::BoxFuture;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error};

use super::readers::Readers;
use super::writing::SURVIVE_POWER_LOSS;
use crate::error::ReadError;
use crate::sql::{Row, Sql, Statement, Value};

impl Sql for Readers {
    fn select(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Row>, ReadError>> {
        Box::pin(async move {
            let select = async |client: &Client| select(client, &statement).await;
            self.read(select).await
        })
    }

    fn transact(
        &self,
        statements: Vec<Statement>,
    ) -> BoxFuture<'_, Result<Option<Vec<Vec<Row>>>, ReadError>> {
        Box::pin(async move {
            let transact = async |client: &Client| transact(client, &statements).await;
            self.read(transact).await
        })
    }

    fn scrub(&self) -> BoxFuture<'_, Result<bool, ReadError>> {
        Box::pin(async { Ok(true) })
    }
}

/// Executes all statements in one transaction; `None` if one lacks a row that it must find.
async fn transact(
    client: &Client,
    statements: &[Statement],
) -> Result<Option<Vec<Vec<Row>>>, Error> {
    client.batch_execute(SURVIVE_POWER_LOSS).await?;
    client.batch_execute("BEGIN").await?;
    let mut answers = Vec::with_capacity(statements.len());
    for statement in statements {
        let rows = select(client, statement).await?;
        if statement.is_required && rows.is_empty() {
            client.batch_execute("ROLLBACK").await?;
            return Ok(None);
        }
        answers.push(rows);
    }
    client.batch_execute("COMMIT").await?;
    Ok(Some(answers))
}

/// Executes a statement, and returns its rows.
async fn select(client: &Client, statement: &Statement) -> Result<Vec<Row>, Error> {
    let parameters = statement.parameters.iter().map(|value| match value {
        Value::Integer(number) => number as &(dyn ToSql + Sync),
        Value::Text(text) => text,
        Value::Bytes(bytes) => bytes,
    });
    let rows = client.query_raw(statement.text, parameters).await?;
    rows.map_ok(|row| Row((0..row.len()).map(|column| value(&row, column)).collect()))
        .try_collect()
        .await
}

fn value(row: &tokio_postgres::Row, column: usize) -> Value {
    let integer = || row.try_get::<_, i64>(column).map(Value::from);
    let text = || row.try_get::<_, String>(column).map(Value::from);
    let bytes = || row.try_get::<_, &[u8]>(column).map(Value::from);
    let found = integer().or_else(|_| text()).or_else(|_| bytes());
    found.unwrap_or(Value::Text(String::new()))
}
