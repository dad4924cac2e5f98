//! Names of clients, the secrets that prove them, and how long they stay reserved.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use checkers_lib::protocol::{ErrorCode, NAME_RULE, Refusal, is_valid_name};
use event_store::TokenHash;
use subtle::ConstantTimeEq;

use crate::bots::is_bot_name;
use crate::names;
use crate::table::ClientId;

/// The result of a successful join.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Admission {
    /// The name as it is stored.
    pub(crate) name: String,
    /// The hash of the client's secret.
    pub(crate) key: TokenHash,
    /// Whether the client proved its earlier identity with its secret.
    pub(crate) resumed: bool,
    /// The earlier connection of this client.
    pub(crate) replaces: Option<ClientId>,
}

/// All names in use. No two are confusable, and no client has the name of a bot.
#[derive(Debug, Default)]
pub(super) struct NameRegistry {
    by_skeleton: HashMap<String, Identity>,
    /// The skeletons of the connected clients.
    connected: HashMap<ClientId, String>,
}

#[derive(Debug)]
struct Identity {
    name: String,
    key: TokenHash,
    client: Option<ClientId>,
    /// For a disconnected client, until when the name stays reserved.
    held_until: Option<Instant>,
    /// Whether it is reserved because of a running game.
    is_needed: bool,
}

impl NameRegistry {
    /// Registers `who` under a name: as the client that has it, if `shown` is the hash of its
    /// secret, or else as a new client with `fresh` as the hash of its secret.
    pub(super) fn join(
        &mut self,
        who: ClientId,
        name: &str,
        shown: Option<TokenHash>,
        fresh: TokenHash,
        now: Instant,
    ) -> Result<Admission, Refusal> {
        if self.connected.contains_key(&who) {
            let message = "you have joined already";
            return Err(Refusal::new(ErrorCode::AlreadyJoined, message));
        }
        if !is_valid_name(name) {
            return Err(Refusal::new(ErrorCode::BadName, NAME_RULE));
        }
        let skeleton = names::skeleton(name);
        let admission = match self.by_skeleton.get_mut(&skeleton) {
            Some(known) if known.has_key(shown) => {
                known.held_until = None;
                known.is_needed = false;
                Admission {
                    name: known.name.clone(),
                    key: known.key,
                    resumed: true,
                    replaces: known.client.replace(who),
                }
            }
            Some(known) => {
                let message = known.why_taken(now);
                return Err(Refusal::new(ErrorCode::NameTaken, message));
            }
            None if is_bot_name(name) => {
                let message = format!("the computer opponents are called {name}");
                return Err(Refusal::new(ErrorCode::NameTaken, message));
            }
            None if names::is_of_deleted(name) => {
                let message = "names like this are reserved for deleted accounts";
                return Err(Refusal::new(ErrorCode::NameTaken, message));
            }
            None => {
                let identity = Identity {
                    name: name.to_owned(),
                    key: fresh,
                    client: Some(who),
                    held_until: None,
                    is_needed: false,
                };
                self.by_skeleton.insert(skeleton.clone(), identity);
                Admission {
                    name: name.to_owned(),
                    key: fresh,
                    resumed: false,
                    replaces: None,
                }
            }
        };
        if let Some(earlier) = admission.replaces {
            self.connected.remove(&earlier);
        }
        self.connected.insert(who, skeleton);
        Ok(admission)
    }

    /// Reassigns a name to this key.
    pub(super) fn displace(&mut self, name: &str, key: TokenHash) {
        if let Some(known) = self.by_skeleton.get_mut(&names::skeleton(name)) {
            known.name = name.to_owned();
            known.key = key;
        }
    }

    /// Reserves the name of a client known before the restart until `until`, unless it is in use.
    pub(super) fn reserve(&mut self, name: &str, key: TokenHash, until: Instant) {
        let identity = Identity {
            name: name.to_owned(),
            key,
            client: None,
            held_until: Some(until),
            is_needed: false,
        };
        self.by_skeleton
            .entry(names::skeleton(name))
            .or_insert(identity);
    }

    /// Handles a closed connection. The name stays reserved for `hold`.
    pub(super) fn leave(&mut self, who: ClientId, hold: Duration, now: Instant) {
        let skeleton = self.connected.remove(&who);
        let identity = skeleton.and_then(|skeleton| self.by_skeleton.get_mut(&skeleton));
        if let Some(identity) = identity.filter(|identity| identity.client == Some(who)) {
            identity.client = None;
            identity.held_until = Some(now + hold);
        }
    }

    /// Removes clients whose reservation has ended, and returns their keys. Reservations of
    /// `needed` clients are extended by `hold`.
    pub(super) fn expire(
        &mut self,
        hold: Duration,
        now: Instant,
        needed: impl Fn(TokenHash) -> bool,
    ) -> HashSet<TokenHash> {
        let mut gone = HashSet::new();
        self.by_skeleton.retain(|_, identity| {
            let Some(until) = identity.held_until else {
                return true;
            };
            identity.is_needed = needed(identity.key);
            if identity.is_needed {
                identity.held_until = Some(now + hold);
            }
            let stays = until > now || identity.is_needed;
            if !stays {
                gone.insert(identity.key);
            }
            stays
        });
        gone
    }

    pub(super) fn identity_of(&self, who: ClientId) -> Option<(&str, TokenHash)> {
        let identity = self.by_skeleton.get(self.connected.get(&who)?)?;
        Some((&identity.name, identity.key))
    }

    /// The connected client with this name.
    pub(super) fn find(&self, name: &str) -> Option<(ClientId, TokenHash)> {
        let identity = self.by_skeleton.get(&names::skeleton(name))?;
        (identity.name == name).then_some(())?;
        Some((identity.client?, identity.key))
    }

    /// The connection of the client with this name and key.
    pub(super) fn client_of(&self, name: &str, key: TokenHash) -> Option<ClientId> {
        let (who, known) = self.find(name)?;
        (known == key).then_some(who)
    }

    /// Whether another client has this name or a confusable one; `shown` is the hash of the
    /// caller's secret.
    pub(super) fn belongs_to_another(&self, name: &str, shown: Option<TokenHash>) -> bool {
        let known = self.by_skeleton.get(&names::skeleton(name));
        known.is_some_and(|known| !known.has_key(shown))
    }

    /// The first `max` names of connected clients, in alphabetical order. O(n log n).
    pub(super) fn first_connected(&self, max: usize) -> Vec<String> {
        let skeletons = self.connected.values();
        let mut names: Vec<&str> = skeletons
            .filter_map(|skeleton| Some(self.by_skeleton.get(skeleton)?.name.as_str()))
            .collect();
        names.sort_unstable();
        names.into_iter().take(max).map(str::to_owned).collect()
    }

    /// The number of connected clients.
    pub(super) fn count(&self) -> usize {
        self.connected.len()
    }
}

impl Identity {
    /// Why the name is taken, and when it becomes free.
    fn why_taken(&self, now: Instant) -> String {
        let name = &self.name;
        let Some(until) = self.held_until else {
            return format!("somebody here is called {name}");
        };
        let seconds = until.saturating_duration_since(now).as_secs() + 1;
        if self.is_needed {
            let free = format!("the name is free {seconds} s after its end");
            return format!("{name} is away from a game that goes on: {free}");
        }
        format!("{name} was here a moment ago: the name is free in {seconds} s if nobody returns")
    }

    /// Compares in constant time.
    fn has_key(&self, shown: Option<TokenHash>) -> bool {
        shown.is_some_and(|shown| shown.0.ct_eq(&self.key.0).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNA: ClientId = ClientId(1);
    const BORIS: ClientId = ClientId(2);
    const GRACE: Duration = Duration::from_secs(60);

    fn key(n: u8) -> TokenHash {
        TokenHash([n; 32])
    }

    fn code(answer: Result<Admission, Refusal>) -> ErrorCode {
        answer.expect_err("refused").code
    }

    #[test]
    fn names_and_confusable_names_are_unique() {
        let mut all = NameRegistry::default();
        let anna = all
            .join(ANNA, "anna", None, key(1), Instant::now())
            .unwrap();
        assert!(!anna.resumed);
        for name in ["anna", "Anna", "аnna"] {
            assert!(
                all.belongs_to_another(name, None) && all.belongs_to_another(name, Some(key(9)))
            );
            assert!(!all.belongs_to_another(name, Some(key(1))));
            let refused = all.join(BORIS, name, None, key(2), Instant::now());
            assert_eq!(code(refused), ErrorCode::NameTaken, "{name}");
        }
        let wrong = all.join(BORIS, "anna", Some(key(9)), key(2), Instant::now());
        assert_eq!(code(wrong), ErrorCode::NameTaken);
        let again = all.join(ANNA, "other", None, key(3), Instant::now());
        assert_eq!(code(again), ErrorCode::AlreadyJoined);
        assert_eq!(
            code(all.join(BORIS, "", None, key(2), Instant::now())),
            ErrorCode::BadName
        );
        assert_eq!(
            (all.count(), all.identity_of(ANNA)),
            (1, Some(("anna", key(1))))
        );
    }

    #[test]
    fn names_of_bots_are_reserved() {
        let mut all = NameRegistry::default();
        for name in ["Level 3", "level 3 (2)", "alpha-beta bot"] {
            let refused = all.join(ANNA, name, None, key(1), Instant::now());
            assert_eq!(code(refused), ErrorCode::NameTaken, "{name}");
        }
        assert_eq!(all.count(), 0);
        // A client that had the name before the restart keeps it.
        all.reserve("Level 3", key(1), Instant::now() + GRACE);
        assert!(
            all.join(ANNA, "Level 3", Some(key(1)), key(2), Instant::now())
                .is_ok()
        );
    }

    #[test]
    fn names_of_deleted_accounts_are_reserved() {
        let mut all = NameRegistry::default();
        let refused = all.join(ANNA, "Deleted-abc", None, key(1), Instant::now());
        assert_eq!(code(refused), ErrorCode::NameTaken);
        assert!(
            all.join(ANNA, "deleted", None, key(1), Instant::now())
                .is_ok()
        );
    }

    #[test]
    fn the_owner_of_an_account_displaces_a_guest() {
        let mut all = NameRegistry::default();
        all.join(ANNA, "anna", None, key(1), Instant::now())
            .unwrap();
        all.displace("Anna", key(2));
        let owner = all
            .join(BORIS, "Anna", Some(key(2)), key(2), Instant::now())
            .unwrap();
        assert_eq!((owner.name.as_str(), owner.replaces), ("Anna", Some(ANNA)));
        assert_eq!((all.identity_of(ANNA), all.count()), (None, 1));
    }

    #[test]
    fn the_secret_resumes_the_name() {
        let mut all = NameRegistry::default();
        all.join(ANNA, "anna", None, key(1), Instant::now())
            .unwrap();
        let back = all
            .join(BORIS, "Anna", Some(key(1)), key(2), Instant::now())
            .unwrap();
        let expected = Admission {
            name: "anna".into(),
            key: key(1),
            resumed: true,
            replaces: Some(ANNA),
        };
        assert_eq!(back, expected);
        assert_eq!((all.identity_of(ANNA), all.count()), (None, 1));
        // The end of the old connection does not affect the new one.
        all.leave(ANNA, GRACE, Instant::now());
        assert_eq!(all.find("anna"), Some((BORIS, key(1))));
    }

    #[test]
    fn a_name_stays_reserved_for_the_grace_period_and_while_needed() {
        let now = Instant::now();
        let mut all = NameRegistry::default();
        all.join(ANNA, "anna", None, key(1), Instant::now())
            .unwrap();
        all.leave(ANNA, GRACE, now);
        assert_eq!(all.find("anna"), None);
        let just_before = now + GRACE - Duration::from_nanos(1);
        assert!(all.expire(GRACE, just_before, |_| false).is_empty());
        let needs = |key: TokenHash| key.0[0] == 1;
        assert!(all.expire(GRACE, now + GRACE, needs).is_empty());
        // The grace period starts again.
        let later = now + GRACE * 2;
        let just_before = later - Duration::from_nanos(1);
        assert!(all.expire(GRACE, just_before, |_| false).is_empty());
        let refused = all.join(BORIS, "anna", None, key(2), Instant::now());
        assert_eq!(code(refused), ErrorCode::NameTaken);
        assert_eq!(all.expire(GRACE, later, |_| false), [key(1)].into());
        let new = all
            .join(BORIS, "anna", Some(key(1)), key(2), Instant::now())
            .unwrap();
        assert_eq!((new.resumed, new.key), (false, key(2)));
    }

    #[test]
    fn a_refusal_says_how_long_the_name_is_taken() {
        let now = Instant::now();
        let mut all = NameRegistry::default();
        all.join(ANNA, "anna", None, key(1), now).unwrap();
        let mut why = |change: fn(&mut NameRegistry, Instant)| {
            change(&mut all, now);
            let refused = all.join(BORIS, "anna", None, key(2), now + GRACE / 2);
            refused.unwrap_err().message
        };
        assert_eq!(why(|_, _| {}), "somebody here is called anna");
        let held = why(|all, now| all.leave(ANNA, GRACE, now));
        assert!(held.contains("free in 31 s"), "{held}");
        let needed = why(|all, now| drop(all.expire(GRACE, now, |_| true)));
        assert!(needed.contains("a game that goes on"), "{needed}");
    }

    #[test]
    fn a_player_from_before_the_restart_reconnects() {
        let now = Instant::now();
        let mut all = NameRegistry::default();
        all.reserve("anna", key(1), now + GRACE);
        let refused = all.join(BORIS, "anna", None, key(2), Instant::now());
        assert_eq!(code(refused), ErrorCode::NameTaken);
        let back = all
            .join(ANNA, "anna", Some(key(1)), key(3), Instant::now())
            .unwrap();
        assert_eq!((back.resumed, back.key), (true, key(1)));
        assert_eq!(all.client_of("anna", key(1)), Some(ANNA));
        // A later client with this name has another key.
        assert_eq!(all.client_of("anna", key(2)), None);
    }

    #[test]
    fn connected_clients_are_listed_by_name() {
        let mut all = NameRegistry::default();
        for (who, name) in [(BORIS, "boris"), (ANNA, "anna"), (ClientId(3), "olga")] {
            all.join(who, name, None, key(1), Instant::now()).unwrap();
        }
        assert_eq!(all.first_connected(2), ["anna", "boris"]);
        all.leave(ANNA, GRACE, Instant::now());
        assert_eq!(all.first_connected(9), ["boris", "olga"]);
    }
}
