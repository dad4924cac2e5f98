//! Requests to the lobby of another node, until they are answered.

use std::collections::HashMap;

use checkers_lib::protocol::{ErrorCode, Refusal};

use super::message::{Joined, LobbyAnswer, LobbyCall, TableSnapshot};
use crate::lobby::{Admission, EventWish, PrivateLadder};
use crate::lobby_shard::{CreatedTable, Join, JoinedClient, LobbyRequest, Reply};
use crate::shard::{Shards, TableHandle};

/// The calls without an answer. Dropping them tells the callers that the lobby is gone.
#[derive(Debug, Default)]
pub(super) struct LobbyCalls {
    last: u64,
    waiting: HashMap<u64, WaitingCall>,
}

#[derive(Debug)]
enum WaitingCall {
    Join(Reply<Result<JoinedClient, Refusal>>),
    Create(Reply<Result<CreatedTable, Refusal>>),
    Kick(Reply<bool>),
    List(Reply<Result<checkers_lib::protocol::TableList, Refusal>>),
    Players(Reply<(Vec<String>, usize)>),
}

impl LobbyCalls {
    /// The call that a request makes, and its number; `None` if it concerns this server only.
    pub(super) fn begin(&mut self, request: LobbyRequest) -> Option<(u64, LobbyCall)> {
        let (call, waiting) = match request {
            LobbyRequest::Join(Join {
                who: client,
                name,
                identity,
                table,
                address,
                is_known,
                created,
                outbox: _,
                reply,
            }) => {
                let call = LobbyCall::Join {
                    client,
                    name,
                    identity,
                    table,
                    address,
                    is_known,
                    created,
                };
                (call, Some(WaitingCall::Join(reply)))
            }
            LobbyRequest::Create(who, wanted, reply) => (
                LobbyCall::Create(who, wanted),
                Some(WaitingCall::Create(reply)),
            ),
            LobbyRequest::Kick(name, reply) => {
                (LobbyCall::Kick(name), Some(WaitingCall::Kick(reply)))
            }
            LobbyRequest::List(wanted, reply) => {
                (LobbyCall::List(wanted), Some(WaitingCall::List(reply)))
            }
            LobbyRequest::Players(reply) => (LobbyCall::Players, Some(WaitingCall::Players(reply))),
            LobbyRequest::Leave(who, for_good) => (LobbyCall::Leave(who, for_good), None),
            LobbyRequest::Subscribe(who) => (LobbyCall::Subscribe(who), None),
            LobbyRequest::Unsubscribe(who) => (LobbyCall::Unsubscribe(who), None),
            LobbyRequest::WatchTv(who) => (LobbyCall::WatchTv(who), None),
            LobbyRequest::LeaveTv(who) => (LobbyCall::LeaveTv(who), None),
            LobbyRequest::Quick(who, wish, avoids) => {
                let clock = wish.clock.map(|clock| clock.to_string());
                let private = |ladder: PrivateLadder| (ladder.season.to_string(), ladder.until.0);
                let call = match wish.event {
                    Some(EventWish::Arena(arena)) => LobbyCall::Arena {
                        client: who,
                        clock,
                        rated: wish.is_rated,
                        tournament: arena.tournament.to_string(),
                        points: arena.points,
                        balance: arena.balance,
                        opening: arena.has_opening,
                        until: arena.until.0,
                    },
                    Some(EventWish::Round(tournament)) => LobbyCall::Round {
                        client: who,
                        clock,
                        rated: wish.is_rated,
                        tournament: tournament.to_string(),
                    },
                    Some(EventWish::Ladder(wish)) => LobbyCall::Ladder {
                        client: who,
                        clock,
                        rating: wish.rating,
                        owner: wish.owner,
                        private: wish.private.map(private),
                    },
                    None if !avoids.is_empty() => LobbyCall::QuickAvoiding {
                        client: who,
                        clock,
                        rated: wish.is_rated,
                        avoids,
                    },
                    None if wish.is_rated => LobbyCall::QuickRated(who, clock),
                    None => LobbyCall::Quick(who, clock),
                };
                (call, None)
            }
            LobbyRequest::CancelQuick(who) => (LobbyCall::CancelQuick(who), None),
            LobbyRequest::LeaveTournaments(name) => (LobbyCall::LeaveTournaments(name), None),
            LobbyRequest::Decline(who, table) => (LobbyCall::Decline(who, table), None),
            LobbyRequest::Announce(_) => return None,
        };
        self.last += 1;
        if let Some(waiting) = waiting {
            self.waiting.insert(self.last, waiting);
        }
        Some((self.last, call))
    }

    /// The lobby has moved: the caller is told that it is gone.
    pub(super) fn give_up(&mut self, number: u64) {
        self.waiting.remove(&number);
    }

    /// Passes an answer on. Tables in it are known from then on.
    pub(super) fn end(&mut self, number: u64, answer: LobbyAnswer, shards: &Shards) {
        let table = |table: TableSnapshot| table.status().map(|status| shards.remote(status));
        match (self.waiting.remove(&number), answer) {
            (Some(WaitingCall::Join(reply)), LobbyAnswer::Join(joined)) => {
                let joined = joined.map(|joined| joined_client(*joined, table));
                // The connection may be closed.
                let _ = reply.send(joined);
            }
            (Some(WaitingCall::Create(reply)), LobbyAnswer::Create(created)) => {
                let created = created.and_then(|(created, color)| {
                    let table = table(*created).ok_or_else(unreadable)?;
                    Ok(CreatedTable { table, color })
                });
                let _ = reply.send(created);
            }
            (Some(WaitingCall::Kick(reply)), LobbyAnswer::Kick(done)) => {
                let _ = reply.send(done);
            }
            (Some(WaitingCall::List(reply)), LobbyAnswer::List(list)) => {
                let _ = reply.send(list);
            }
            (Some(WaitingCall::Players(reply)), LobbyAnswer::Players(names, count)) => {
                let _ = reply.send((names, count));
            }
            // The caller is told that the lobby is gone.
            _ => {}
        }
    }
}

fn joined_client(
    joined: Joined,
    table: impl Fn(TableSnapshot) -> Option<TableHandle>,
) -> JoinedClient {
    JoinedClient {
        admission: Admission {
            name: joined.name,
            key: joined.key,
            resumed: joined.resumed,
            // The lobby has told that connection.
            replaces: None,
        },
        identity: joined.identity,
        table: joined.table.and_then(table),
        seats: joined.seats,
        waiting: joined.waiting,
    }
}

fn unreadable() -> Refusal {
    let message = "the table is on a node of another version";
    Refusal::new(ErrorCode::BadTable, message)
}
