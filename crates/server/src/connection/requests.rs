//! Handles the requests of a client.

use std::time::{Duration, Instant};

use checkers_lib::Color;
use checkers_lib::protocol::{
    AddBot, Addressed, ClientLimits, ClientMessage, CreateTable, ErrorCode, Join, Joined, KeepName,
    NameKept, PROTOCOL_VERSION, Ping, Pong, Refusal, SeatWish, ServerMessage, Since, close_code,
};
use event_store::UnixMillis;
use tokio::time::{sleep, timeout};
use tracing::{Level, Span, enabled, info, warn};

use super::closing::ConnectionEnd;
use super::owners::LobbySubscriptions;
use super::{ClientSession, Connection};
use crate::accounts::{AccountError, Accounts, NewAccount, Scopes, Visitor};
use crate::broadcast::Frame;
use crate::cluster::TABLE_UPDATE;
use crate::http::HttpState;
use crate::lobby::secrets::{self, ClientToken, Identity};
use crate::lobby::table_request;
use crate::lobby_shard::{LobbyCommand, no_such_table};
use crate::names;
use crate::route::Place;
use crate::shard::TableHandle;
use crate::table::{Command, JoinRequest, StateView, whole_millis};

/// How long to wait for tables to process a client's leave.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a client that joins waits for a store that cannot be read, and how often it is tried.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);
const STORE_PAUSE: Duration = Duration::from_millis(250);

/// How long a client waits for the owner of a table, and how often it is looked for.
const OWNER_TIMEOUT: Duration = Duration::from_secs(5);
const OWNER_PAUSE: Duration = Duration::from_millis(50);

/// The longest delay before a node hears of a new table on another node.
const TABLE_DELAY: Duration = TABLE_UPDATE.saturating_mul(2);

/// The default table.
pub(crate) const MAIN_TABLE: &str = "main";

impl Connection {
    /// Handles a request.
    pub(super) async fn handle(
        &mut self,
        Addressed { message, table }: Addressed,
        arrived: Instant,
    ) -> Result<(), Refusal> {
        let id = self.id;
        self.subscriptions.renew(&self.shared.tables);
        match message {
            ClientMessage::Join(join) => return self.join(join, table).await,
            ClientMessage::Ping(ping) => self.pong(ping, table.as_deref()).await,
            // After a join, `leave` was handled before.
            ClientMessage::Leave => return Err(not_joined()),
            _ if self.session.is_none() => {
                return Err(not_joined());
            }
            ClientMessage::KeepName(wanted) => return self.keep_name(wanted).await,
            ClientMessage::CreateTable(wanted) => return self.create(wanted).await,
            ClientMessage::Watch(watch) => return self.watch(table, watch.since).await,
            ClientMessage::Sync(watch) => {
                let table = self.table(table.as_deref())?;
                table.command(id, Command::Sync(watch.since)).await;
            }
            ClientMessage::Unwatch => return self.unwatch(table.as_deref()).await,
            ClientMessage::AddBot(AddBot { color, bot }) => {
                let table = self.table(table.as_deref())?;
                if table.settings().rated {
                    table_request::check_rated_bot(&bot)?;
                }
                let by = self.session.as_ref().map(|session| session.key);
                let bots = &self.shared.bots;
                let by = (id, by);
                bots.request_bot(table, color.color(), &bot, by).await?;
            }
            ClientMessage::DeclineChallenge => {
                self.shared
                    .lobby
                    .decline(id, table.unwrap_or_default())
                    .await;
            }
            ClientMessage::Quick(wanted) => self.quick(wanted).await?,
            ClientMessage::CancelQuick => {
                self.update_lobby(|lobby| lobby.quick = None);
                self.shared.lobby.cancel_quick(id).await;
            }
            ClientMessage::ListTables(wanted) => {
                let list = self.shared.lobby.list(wanted).await?;
                self.send(&ServerMessage::Tables(list));
            }
            ClientMessage::SubscribeLobby => self.subscribe().await,
            ClientMessage::UnsubscribeLobby => {
                self.update_lobby(|lobby| lobby.is_subscribed = false);
                self.shared.lobby.unsubscribe(id).await;
            }
            ClientMessage::Tv => {
                self.update_lobby(|lobby| lobby.watches_tv = true);
                self.shared.lobby.watch_tv(id).await;
            }
            ClientMessage::LeaveTv => {
                self.update_lobby(|lobby| lobby.watches_tv = false);
                self.shared.lobby.leave_tv(id).await;
                self.leave_tv().await;
            }
            ClientMessage::TakeSeat {
                color: SeatWish::Random,
            } => {
                self.check_seat(table.as_deref()).await?;
                let table = self.table(table.as_deref())?;
                let first = secrets::draw_color();
                table.command(id, Command::TakeAnySeat(first)).await;
            }
            message => {
                match message {
                    ClientMessage::TakeSeat { .. } => self.check_seat(table.as_deref()).await?,
                    ClientMessage::OfferRematch(_) | ClientMessage::AcceptRematch(_) => {
                        let is_rated = self.table(table.as_deref())?.settings().rated;
                        self.check_can_be_rated(is_rated).await?;
                        self.check_players(table.as_deref()).await?;
                    }
                    ClientMessage::Say { .. } => self.check_may_talk().await?,
                    _ => {}
                }
                self.send_to_table(message, table.as_deref(), arrived)
                    .await?;
            }
        }
        Ok(())
    }

    /// Sends a message to its table. `arrived` is the time that counts for the clocks.
    async fn send_to_table(
        &mut self,
        message: ClientMessage,
        table: Option<&str>,
        arrived: Instant,
    ) -> Result<(), Refusal> {
        let kind = message.type_name();
        let Some(mut command) = Command::from_message(message) else {
            let message = format!("{kind} is not for a table");
            return Err(Refusal::new(ErrorCode::UnknownType, message));
        };
        if let Command::Move(move_request) = &mut command {
            move_request.lag = self.round_trip.mean().unwrap_or_default();
        }
        if let Command::Move(request) = &command
            && request.id.is_some()
            && self.shared.tables.is_node()
        {
            let is_sent_later = self.subscriptions.note_move(table, request, arrived);
            if is_sent_later {
                return Ok(());
            }
        }
        let table = self.table(table)?;
        table.command_of(self.id, command, arrived).await;
        Ok(())
    }

    async fn join(&mut self, join: Join, table: Option<String>) -> Result<(), Refusal> {
        if self.session.is_some() {
            let message = "you have joined already";
            return Err(Refusal::new(ErrorCode::AlreadyJoined, message));
        }
        let table = match (join.lobby, table) {
            (true, _) => None,
            (false, Some(table)) => Some(table),
            (false, None) => Some(MAIN_TABLE.to_owned()),
        };
        if let Some(id) = &table {
            self.wait_for_table(id).await?;
        }
        let visitor = self.visitor(&join).await?;
        let scopes = match &visitor {
            Visitor::Owner(session) => Some(session.scopes),
            Visitor::Guest => None,
        };
        let (name, identity) = match visitor {
            Visitor::Owner(session) => (session.name, Some(session.identity)),
            Visitor::Guest if names::is_of_bot_account(&join.name) => {
                let message = "only bots with an account have names that end in [bot]";
                return Err(Refusal::new(ErrorCode::NameTaken, message));
            }
            Visitor::Guest => {
                let token = join.token.as_deref();
                let token = token.map(|text| ClientToken::parse(text).ok_or_else(bad_token));
                (join.name, token.transpose()?.map(Identity::Guest))
            }
        };
        let wanted = (name, identity, table);
        let (lobby, outbox) = (&self.shared.lobby, self.outbox.clone());
        let lobby_version = lobby.version();
        let address = self.accepted.permit.address();
        let admitted = lobby.join(self.id, wanted, address, outbox).await?;
        let admission = admitted.admission;
        // Accounts can be deleted, logs cannot: names are logged only for debugging.
        if enabled!(Level::DEBUG) {
            Span::current().record("name", admission.name.as_str());
        }
        let is_account = admitted.identity.is_account();
        let token = match join.token {
            Some(token) if is_account => token,
            _ => admitted.identity.clone().into(),
        };
        let config = &self.shared.config;
        let rules = match &admitted.table {
            Some(table) => table.settings().rules,
            None => config.draw_rules,
        };
        self.send(&ServerMessage::Joined(Joined {
            name: admission.name.clone(),
            protocol: PROTOCOL_VERSION,
            table: admitted.table.as_ref().map(|table| table.id().to_owned()),
            draw_rules: rules.to_string(),
            token: Some(token),
            resumed: admission.resumed,
            grace_ms: Some(whole_millis(config.grace)),
            seats: admitted.seats,
            account: is_account,
            registration: (self.shared.accounts.as_deref()).map(Accounts::registration),
            limits: Some(ClientLimits {
                message_burst: config.message_burst,
                message_rate: config.message_rate,
                tables: u32::try_from(config.client_tables).unwrap_or(u32::MAX),
            }),
            quick_clock: Some(config.quick_clock.to_string()),
        }));
        self.session = Some(ClientSession {
            name: admission.name,
            key: admission.key,
            identity: admitted.identity,
            scopes,
            wants_moves: join.moves,
            lobby: LobbySubscriptions::at(lobby_version),
        });
        for message in admitted.waiting {
            self.send(&message);
        }
        if let Some(table) = admitted.table {
            let view = match join.since {
                Some(_) => StateView::Table,
                None => StateView::Game,
            };
            self.enter(&table, view, join.since).await;
        }
        if join.lobby {
            self.subscribe().await;
        }
        Ok(())
    }

    /// Identifies the client. Retries for some seconds while the store cannot be read, as during a restart of the
    /// database.
    async fn visitor(&self, join: &Join) -> Result<Visitor, AccountError> {
        let Some(accounts) = &self.shared.accounts else {
            return Ok(Visitor::Guest);
        };
        let admitted = async {
            loop {
                match accounts.admit(&join.name, join.token.as_deref()).await {
                    Err(error @ AccountError::Store(_)) => {
                        error.log();
                        sleep(STORE_PAUSE).await;
                    }
                    visitor => return visitor,
                }
            }
        };
        let admitted = timeout(STORE_TIMEOUT, admitted).await;
        admitted.unwrap_or(Err(AccountError::Busy))
    }

    /// Creates an account for the client.
    async fn keep_name(&mut self, KeepName { invitation }: KeepName) -> Result<(), Refusal> {
        let (Some(accounts), Some(session)) = (&self.shared.accounts, &mut self.session) else {
            return Err(AccountError::Closed.into());
        };
        let Identity::Guest(token) = &session.identity else {
            return Err(AccountError::NameTaken(session.name.clone()).into());
        };
        let token = token.clone();
        let address = self.accepted.permit.address();
        let made = accounts
            .keep_name(&session.name, &token, invitation.as_deref(), address)
            .await?;
        let NewAccount { name, recovery } = made;
        info!("account created");
        session.identity = Identity::Account(token.hash());
        session.scopes = Some(Scopes::ALL);
        let token = token.to_text();
        self.send(&ServerMessage::NameKept(NameKept {
            name,
            token,
            recovery,
        }));
        Ok(())
    }

    /// Waits until this node knows a table, or can be sure that there is none: the shard may have no owner at the
    /// moment, and owners announce new tables with a delay.
    pub(super) async fn wait_for_table(&self, id: &str) -> Result<(), Refusal> {
        let tables = &self.shared.tables;
        self.load_correspondence(id).await;
        let began = tokio::time::Instant::now();
        while tables.find(id).is_none() {
            match tables.place_of(id) {
                Place::Nowhere if began.elapsed() > OWNER_TIMEOUT => return Err(out_of_reach()),
                Place::Node(_) if began.elapsed() > TABLE_DELAY => break,
                Place::Here => break,
                Place::Nowhere | Place::Node(_) => sleep(OWNER_PAUSE).await,
            }
        }
        Ok(())
    }

    /// Lets a game by correspondence be loaded that is not in memory. Its shard may have no owner at the moment.
    async fn load_correspondence(&self, id: &str) {
        let HttpState {
            tables,
            lobby,
            correspondence,
            ..
        } = &*self.shared;
        let Some(correspondence) = correspondence else {
            return;
        };
        if tables.find(id).is_some() {
            return;
        }
        match correspondence.has(id).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return warn!(%error, "games by correspondence cannot be read"),
        }
        let loading = async {
            loop {
                tables.load(id).await;
                let place = tables.place_of(id);
                let began = tokio::time::Instant::now();
                // Another node announces it with a delay.
                while began.elapsed() < TABLE_DELAY && tables.place_of(id) == place {
                    if tables.find(id).is_some() {
                        return;
                    }
                    sleep(OWNER_PAUSE).await;
                }
            }
        };
        let _ = timeout(OWNER_TIMEOUT, loading).await;
        if lobby.place() != Place::Here {
            // The lobby's node has to hear of the table, too.
            sleep(TABLE_DELAY).await;
        }
    }

    async fn subscribe(&mut self) {
        self.update_lobby(|lobby| lobby.is_subscribed = true);
        self.shared.lobby.subscribe(self.id).await;
    }

    /// Changes what a lobby on another node is asked for if the lobby moves there.
    pub(super) fn update_lobby(&mut self, change: impl FnOnce(&mut LobbySubscriptions)) {
        if let Some(session) = &mut self.session {
            change(&mut session.lobby);
        }
    }

    async fn create(&mut self, wanted: CreateTable) -> Result<(), Refusal> {
        self.check_table(&wanted).await?;
        self.make_room().await?;
        let wanted = Box::new(wanted);
        let created = self.shared.lobby.create(self.id, wanted).await?;
        self.note_created(&created.table);
        let table = created.table.id().to_owned();
        self.send(&ServerMessage::TableCreated { table });
        self.enter(&created.table, StateView::Table, None).await;
        if let Some(color) = created.color {
            let seat = Command::TakeSeat(color);
            created.table.command(self.id, seat).await;
        }
        Ok(())
    }

    async fn watch(&mut self, table: Option<String>, since: Option<Since>) -> Result<(), Refusal> {
        if let Ok(table) = self.table(table.as_deref()).cloned() {
            self.subscriptions.join(&table);
            table.command(self.id, Command::Sync(since)).await;
            return Ok(());
        }
        let id = table.as_deref().unwrap_or(MAIN_TABLE);
        self.wait_for_table(id).await?;
        let table = self.shared.tables.find(id);
        let table = table.ok_or_else(|| no_such_table(id))?;
        self.make_room().await?;
        self.enter(&table, StateView::Table, since).await;
        Ok(())
    }

    async fn unwatch(&mut self, table: Option<&str>) -> Result<(), Refusal> {
        let table = self.table(table)?.id().to_owned();
        self.leave_table(table).await;
        Ok(())
    }

    async fn leave_table(&mut self, table: String) {
        if let Some(handle) = self.subscriptions.leave(&table) {
            handle.command(self.id, Command::Unwatch).await;
        }
        self.send(&ServerMessage::Unwatched { table });
    }

    /// Whether the request is `leave` of a client that has joined.
    pub(super) fn is_leave(&self, request: &Addressed) -> bool {
        self.session.is_some() && request.message == ClientMessage::Leave
    }

    /// Leaves all tables, and then the lobby: after the close, the seats and the name are free.
    pub(super) async fn leave_for_good(&mut self) -> ConnectionEnd {
        let tables = self.subscriptions.leave_all();
        for table in &tables {
            table.command(self.id, Command::Exit).await;
        }
        let flushed = async {
            for table in &tables {
                table.flush().await;
            }
        };
        // While a table waits for the event log, the name stays reserved.
        let _ = timeout(LEAVE_TIMEOUT, flushed).await;
        self.shared.lobby.leave(self.id, true).await;
        self.session = None;
        ConnectionEnd::close(close_code::NORMAL, "you have left")
    }

    /// Joins a table, unless the client is there already.
    async fn enter(&mut self, table: &TableHandle, view: StateView, since: Option<Since>) {
        if self.subscriptions.join(table) {
            self.send_join(table, view, since).await;
        }
    }

    pub(super) async fn send_join(
        &mut self,
        table: &TableHandle,
        view: StateView,
        since: Option<Since>,
    ) {
        let Some(session) = &self.session else {
            return;
        };
        let join_request = JoinRequest {
            key: Some(session.key),
            view,
            since,
            wants_moves: session.wants_moves,
            ..JoinRequest::named(&session.name)
        };
        table
            .enter(self.id, self.outbox.clone(), join_request)
            .await;
    }

    /// Executes a command of the lobby; returns the end of the connection if it closes.
    pub(super) async fn execute(&mut self, command: LobbyCommand) -> Option<ConnectionEnd> {
        match command {
            LobbyCommand::Sit(table, color) => {
                self.update_lobby(|lobby| lobby.quick = None);
                if color == Color::White && table.settings().event.is_none() {
                    self.note_created(&table);
                }
                self.send(&ServerMessage::Paired {
                    table: table.id().to_owned(),
                    color: color.into(),
                });
                self.enter(&table, StateView::Table, None).await;
                table.command(self.id, Command::TakeSeat(color)).await;
            }
            LobbyCommand::ShowTv(table) => {
                self.leave_tv().await;
                let id = table.as_ref().map(|table| table.id().to_owned());
                self.send(&ServerMessage::Tv { table: id });
                if let Some(table) = table {
                    if self.subscriptions.show_on_tv(&table) {
                        self.send_join(&table, StateView::Table, None).await;
                    } else {
                        table.command(self.id, Command::Sync(None)).await;
                    }
                }
            }
            LobbyCommand::NotQueued => self.update_lobby(|lobby| lobby.quick = None),
            LobbyCommand::Replaced => {
                self.send(&ServerMessage::Replaced);
                let reason = "another connection has taken over";
                return Some(ConnectionEnd::close(close_code::REPLACED, reason));
            }
            LobbyCommand::Kicked => {
                let reason = "the server has closed the connection of this name";
                return Some(ConnectionEnd::close(close_code::POLICY, reason));
            }
        }
        None
    }

    async fn leave_tv(&mut self) {
        if let Some(table) = self.subscriptions.leave_tv() {
            table.command(self.id, Command::Exit).await;
        }
    }

    /// Answers a ping; about a table where the client is, through the table.
    async fn pong(&mut self, Ping { t }: Ping, table: Option<&str>) {
        let pong = Pong {
            t,
            rtt_ms: self.round_trip.mean().map(whole_millis),
            server_ms: u64::try_from(UnixMillis::now().0).unwrap_or_default(),
        };
        match table.and_then(|table| self.subscriptions.get(Some(table))) {
            Some(table) => table.command(self.id, Command::Pong(pong)).await,
            None => self.send(&ServerMessage::Pong(pong)),
        }
    }

    /// Keeps a table that only TV has shown, since the client wants to play there.
    pub(super) async fn keep_tv_table(&mut self, id: Option<&str>) -> Result<(), Refusal> {
        let table = self.table(id)?.clone();
        if self.subscriptions.is_tv_only(&table) {
            self.make_room().await?;
            self.subscriptions.join(&table);
        }
        Ok(())
    }

    /// The table with this id, or else the last one joined.
    pub(super) fn table(&self, id: Option<&str>) -> Result<&TableHandle, Refusal> {
        let table = self.subscriptions.get(id);
        let table = table.ok_or_else(|| match id {
            Some(id) => no_such_table(id),
            None => Refusal::new(ErrorCode::NoSuchTable, "you are at no table: say which"),
        })?;
        if table.place() == Place::Nowhere {
            return Err(out_of_reach());
        }
        Ok(table)
    }

    /// Makes room for one more table; if necessary, leaves one whose game is over.
    pub(super) async fn make_room(&mut self) -> Result<(), Refusal> {
        let most = self.shared.config.client_tables;
        if self.subscriptions.count() < most {
            return Ok(());
        }
        let own = self.session.as_ref().map(|session| session.key);
        let over = self.subscriptions.first_over(own);
        let over = over.map(|table| table.id().to_owned());
        let Some(over) = over else {
            let message =
                format!("you are at {most} tables where a game runs or is to begin: unwatch one");
            return Err(Refusal::new(ErrorCode::TooManyTables, message));
        };
        self.leave_table(over).await;
        Ok(())
    }

    /// Queues a message behind those of the tables.
    pub(super) fn send(&self, message: &ServerMessage) {
        if !self.outbox.send(&Frame::new(message)) {
            self.outbox.close();
        }
    }
}

/// The table moves to another node, or its node is not connected to this one.
fn out_of_reach() -> Refusal {
    let message =
        "the table cannot be reached now; nothing has happened: try again in some seconds";
    Refusal::new(ErrorCode::NotStored, message)
}

fn not_joined() -> Refusal {
    Refusal::new(ErrorCode::NotJoined, "join first")
}

fn bad_token() -> Refusal {
    let message = "the token is wrong: this server has no accounts, and that of a guest has 32 hexadecimal digits";
    Refusal::new(ErrorCode::BadToken, message)
}
