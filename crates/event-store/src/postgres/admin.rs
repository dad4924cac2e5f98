//! What an administrator asks of a cluster.

use postgres_kit::{Connector, PostgresAddress, PostgresError};
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use super::control::Control;
use super::membership::MembershipError;
use super::schema::SCHEMA;
use super::view::{self, ClusterView};

const DRAIN: &str = "
    UPDATE node SET draining = true FROM session
    WHERE session.id = node.session AND name = $1 AND NOT dead RETURNING id";

const REBALANCE: &str = "
    UPDATE node SET surplus = new.surplus FROM unnest($1::integer[], $2::integer[]) AS new (session, surplus)
    WHERE node.session = new.session RETURNING node.session";

/// A connection to the database of a cluster that is not that of a node.
#[derive(Debug)]
pub struct ClusterAdmin {
    control: Control,
}

impl ClusterAdmin {
    /// Connects to the database. Reads the authorities that verify its certificate, which blocks for a moment.
    ///
    /// # Errors
    /// See [`PostgresError`].
    pub async fn connect(address: PostgresAddress) -> Result<ClusterAdmin, PostgresError> {
        let connector = Connector::new(address, "checkers-server")?;
        let address = connector.address().clone();
        let mut control = Control::new(connector, false);
        SCHEMA.check_latest(control.open().await?, &address).await?;
        Ok(ClusterAdmin { control })
    }

    /// The nodes, and the shards of each.
    ///
    /// # Errors
    /// [`MembershipError::Unavailable`].
    pub async fn status(&mut self) -> Result<ClusterView, MembershipError> {
        self.control.call(view::read).await
    }

    /// Lets the living nodes of a name give up all their shards. Returns their sessions.
    ///
    /// # Errors
    /// [`MembershipError::UnknownNode`] and [`MembershipError::Unavailable`].
    pub async fn drain(&mut self, name: &str) -> Result<Vec<i32>, MembershipError> {
        let drain = async |client: &Client| client.query_typed(DRAIN, &[(&name, Type::TEXT)]).await;
        let drained = self.control.call(drain).await?;
        if drained.is_empty() {
            return Err(MembershipError::UnknownNode(name.to_owned()));
        }
        Ok(drained.iter().map(|row| row.get(0)).collect())
    }

    /// Lets nodes that have more shards than others give some up, so that all that are not draining have
    /// equally many. Returns the view on which that is based, with how many each gives up.
    ///
    /// # Errors
    /// [`MembershipError::Unavailable`].
    pub async fn rebalance(&mut self) -> Result<ClusterView, MembershipError> {
        let mut view = self.status().await?;
        let surplus = view.surplus();
        let each = surplus
            .iter()
            .map(|(session, count)| (*session, i32::try_from(*count).unwrap_or(0)));
        let (sessions, counts): (Vec<i32>, Vec<i32>) = each.unzip();
        let set = async |client: &Client| {
            let values: [(&(dyn ToSql + Sync), Type); 2] =
                [(&sessions, Type::INT4_ARRAY), (&counts, Type::INT4_ARRAY)];
            client.query_typed(REBALANCE, &values).await
        };
        self.control.call(set).await?;
        for session in &mut view.sessions {
            let found = surplus.iter().find(|(id, _)| *id == session.id);
            let count = found.map_or(0, |(_, count)| *count);
            session.surplus = u32::try_from(count).unwrap_or(0);
        }
        Ok(view)
    }
}
