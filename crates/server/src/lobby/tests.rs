use checkers_lib::protocol::TablePhase;
use checkers_lib::{DrawRules, TimeControl};

use super::*;
use crate::table::{SeatStatus, Table, TableSettings};

const ANNA: ClientId = ClientId(1);
const BORIS: ClientId = ClientId(2);
const CLARA: ClientId = ClientId(3);
const GRACE: Duration = Duration::from_secs(60);

fn clock() -> TimeControl {
    "5m+3s".parse().expect("a clock")
}

fn wish() -> QuickWish {
    QuickWish {
        clock: Some(clock()),
        is_rated: false,
        event: None,
    }
}

fn key(who: ClientId) -> TokenHash {
    TokenHash([who.0 as u8; 32])
}

struct LobbyScene {
    lobby: Lobby,
    now: Instant,
}

impl LobbyScene {
    fn new() -> LobbyScene {
        let limits = LobbyLimits {
            grace: GRACE,
            client_tables: 2,
            address_tables: 3,
            tables: 4,
        };
        let mut scene = LobbyScene {
            lobby: Lobby::new(limits),
            now: Instant::now(),
        };
        for (who, name) in [(ANNA, "anna"), (BORIS, "boris"), (CLARA, "clara")] {
            scene.join(who, name);
        }
        scene
    }

    fn join(&mut self, who: ClientId, name: &str) -> Vec<LobbyEffect> {
        let joined = self.lobby.join(who, name, None, key(who), self.now);
        joined.expect("a free name").1
    }

    fn open(&mut self, id: &str, creator: Option<ClientId>) -> TableStatus {
        let mut settings = TableSettings::new(id, DrawRules::Fmjd64);
        settings.kind = TableKind::Challenge;
        let status = Table::open(settings).status();
        self.lobby.open(status.clone(), creator);
        status
    }

    /// Anna challenges Boris at table `t`, where she has a seat.
    fn challenge(&mut self) -> TableStatus {
        let mut status = self.open("t", Some(ANNA));
        status.seats.white = Some(seat("anna", ANNA));
        let sent = self.lobby.challenge(ANNA, "boris", "t", self.now).unwrap();
        let [LobbyEffect::Send(BORIS, ServerMessage::Challenged { table, by, .. })] = &sent[..]
        else {
            panic!("{sent:?}");
        };
        assert_eq!((table.as_str(), by.as_str()), ("t", "anna"));
        assert_eq!(self.lobby.update(status.clone()), []);
        status
    }
}

fn seat(name: &str, who: ClientId) -> SeatStatus {
    SeatStatus {
        name: name.into(),
        key: Some(key(who)),
        bot: None,
        absent_since: None,
    }
}

fn withdrawn() -> LobbyEffect {
    let table = "t".into();
    LobbyEffect::Send(BORIS, ServerMessage::ChallengeWithdrawn { table })
}

#[test]
fn a_challenge_ends_when_its_game_starts() {
    let mut scene = LobbyScene::new();
    let mut status = scene.challenge();
    status.phase = TablePhase::Running;
    assert_eq!(scene.lobby.update(status.clone()), []);
    status.is_closed = true;
    assert_eq!(scene.lobby.update(status), [], "nothing to withdraw");
}

#[test]
fn a_challenge_is_withdrawn_when_the_challenger_leaves() {
    let mut scene = LobbyScene::new();
    let mut status = scene.challenge();
    status.seats.white = None;
    assert_eq!(scene.lobby.update(status), []);
    let later = scene.now + Duration::from_secs(1);
    assert_eq!(scene.lobby.expire(later), [withdrawn()]);
    let mut scene = LobbyScene::new();
    let mut status = scene.challenge();
    status.is_closed = true;
    assert_eq!(scene.lobby.update(status), [withdrawn()]);
    let mut scene = LobbyScene::new();
    scene.open("t", Some(ANNA));
    let challenged = scene.lobby.challenge(ANNA, "boris", "t", scene.now);
    assert_eq!(challenged.unwrap().len(), 1);
    let soon = scene.now + Duration::from_secs(9);
    assert_eq!(scene.lobby.expire(soon), [], "she may sit down yet");
    let late = scene.now + Duration::from_secs(10);
    assert_eq!(scene.lobby.expire(late), [withdrawn()]);
    let mut scene = LobbyScene::new();
    scene.challenge();
    scene.lobby.leave(ANNA, false, scene.now);
    assert_eq!(scene.lobby.expire(scene.now), []);
    let closed = LobbyEffect::Close("t".into());
    assert_eq!(scene.lobby.expire(scene.now + GRACE), [withdrawn(), closed]);
}

/// Hundreds of clients: many do not reconnect after a restart.
#[test]
fn absent_players_are_kept_and_absent_challengers_removed() {
    const PAIRS: u64 = 500;
    let mut scene = LobbyScene::new();
    let far_key = |n: u64| {
        let mut key = [0xff; 32];
        key[..8].copy_from_slice(&n.to_le_bytes());
        TokenHash(key)
    };
    for n in 0..PAIRS {
        let (player, challenger) = (format!("player {n}"), format!("challenger {n}"));
        let mut game = scene.open(&format!("game {n}"), None);
        game.phase = TablePhase::Running;
        game.seats.black = Some(SeatStatus {
            key: Some(far_key(n)),
            ..seat(&player, ANNA)
        });
        scene.lobby.reopen(game, scene.now);
        let who = ClientId(1_000 + n);
        (scene.lobby)
            .join(who, &challenger, None, far_key(PAIRS + n), scene.now)
            .expect("a free name");
        let table = format!("challenge {n}");
        scene.open(&table, Some(who));
        (scene.lobby)
            .challenge(who, "boris", &table, scene.now)
            .expect("Boris is here");
        scene.lobby.leave(who, false, scene.now);
    }
    let later = scene.now + GRACE;
    let effects = scene.lobby.expire(later);
    let is_withdrawn = |effect: &&LobbyEffect| {
        matches!(
            effect,
            LobbyEffect::Send(BORIS, ServerMessage::ChallengeWithdrawn { .. })
        )
    };
    let withdrawn = effects.iter().filter(is_withdrawn).count();
    let is_closed = |effect: &&LobbyEffect| matches!(effect, LobbyEffect::Close(_));
    let closed = effects.iter().filter(is_closed).count();
    assert_eq!((withdrawn, closed), (PAIRS as usize, PAIRS as usize));
    for n in [0, PAIRS - 1] {
        assert!(scene.lobby.belongs_to_another(&format!("player {n}"), None));
        assert!(
            !scene
                .lobby
                .belongs_to_another(&format!("challenger {n}"), None)
        );
    }
    assert_eq!(scene.lobby.expire(later), []);
}

#[test]
fn only_the_opponent_declines_a_challenge() {
    let mut scene = LobbyScene::new();
    scene.challenge();
    let refused = scene.lobby.decline(CLARA, "t").unwrap_err();
    assert_eq!(refused.code, ErrorCode::NoSuchTable);
    let declined = ServerMessage::ChallengeDeclined {
        table: "t".into(),
        by: "boris".into(),
    };
    let expected = [
        LobbyEffect::Send(BORIS, declined.clone()),
        LobbyEffect::Send(ANNA, declined),
        LobbyEffect::Close("t".into()),
    ];
    assert_eq!(scene.lobby.decline(BORIS, "t"), Ok(expected.to_vec()));
    assert!(scene.lobby.decline(BORIS, "t").is_err());
}

#[test]
fn a_challenge_waits_for_a_reconnecting_opponent() {
    let mut scene = LobbyScene::new();
    scene.challenge();
    scene.lobby.leave(BORIS, false, scene.now);
    let shown = Some(key(BORIS));
    let back = ClientId(9);
    let (admission, sent) = (scene.lobby)
        .join(back, "boris", shown, key(back), scene.now)
        .unwrap();
    assert!(admission.resumed);
    assert!(
        matches!(&sent[..], [LobbyEffect::Send(who, ServerMessage::Challenged { .. })] if *who == back),
        "{sent:?}"
    );
}

#[test]
fn only_connected_clients_can_be_challenged() {
    let mut scene = LobbyScene::new();
    for name in ["nobody", "anna"] {
        let refused = scene.lobby.check_opponent(ANNA, name).unwrap_err();
        assert_eq!(refused.code, ErrorCode::NoSuchPlayer, "{name}");
    }
    scene.lobby.leave(BORIS, false, scene.now);
    assert!(scene.lobby.check_opponent(ANNA, "boris").is_err());
}

#[test]
fn tables_are_limited() {
    let mut scene = LobbyScene::new();
    scene.open("a", Some(ANNA));
    scene.open("b", Some(ANNA));
    let code =
        |scene: &LobbyScene, who| scene.lobby.check_room(who).map_err(|refusal| refusal.code);
    assert_eq!(code(&scene, ANNA), Err(ErrorCode::TooManyTables));
    assert_eq!(code(&scene, BORIS), Ok(()));
    scene.open("c", None);
    let mut last = scene.open("d", None);
    assert_eq!(code(&scene, BORIS), Err(ErrorCode::TooManyTables));
    let refused = scene
        .lobby
        .quick(BORIS, wish(), Vec::new(), Color::White, scene.now)
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::TooManyTables);
    last.is_closed = true;
    scene.lobby.update(last);
    assert_eq!(code(&scene, BORIS), Ok(()));
    assert_eq!(code(&scene, ClientId(9)), Err(ErrorCode::NotJoined));
}

#[test]
fn restored_tables_count_against_the_limit_of_their_creator() {
    let mut scene = LobbyScene::new();
    for id in ["a", "b"] {
        let settings = TableSettings::new(id, DrawRules::Fmjd64);
        scene
            .lobby
            .reopen(Table::open(settings).status(), scene.now);
    }
    assert!(scene.lobby.check_room(ANNA).is_ok());
    scene.lobby.restore_creator("a", ANNA);
    scene.lobby.restore_creator("b", ANNA);
    scene.lobby.restore_creator("b", BORIS);
    scene.lobby.restore_creator("unknown", ANNA);
    let refusal = scene.lobby.check_room(ANNA).unwrap_err();
    assert_eq!(refusal.code, ErrorCode::TooManyTables);
    assert!(scene.lobby.check_room(BORIS).is_ok());
}

#[test]
fn an_unused_table_makes_room_for_another() {
    let mut scene = LobbyScene::new();
    let tables = ["a", "b"].map(|id| scene.open(id, Some(ANNA)));
    let [mut first, mut second] = tables;
    for status in [&mut first, &mut second] {
        status.seats.white = Some(seat("anna", ANNA));
        scene.lobby.update(status.clone());
    }
    assert_eq!(scene.lobby.make_room(ANNA), None, "she waits at both");
    for status in [&mut second, &mut first] {
        status.phase = TablePhase::Over;
        status.seats.white = None;
        scene.lobby.update(status.clone());
    }
    let closed = LobbyEffect::Close("a".into());
    assert_eq!(scene.lobby.make_room(ANNA), Some(closed));
    assert!(scene.lobby.check_room(ANNA).is_ok());
    assert_eq!(scene.lobby.make_room(ANNA), None, "there is room");
    // A table without a game counts as unused once she has left it, unless it is the latest.
    second.phase = TablePhase::Waiting;
    scene.lobby.update(second);
    scene.open("c", Some(ANNA));
    let closed = LobbyEffect::Close("b".into());
    assert_eq!(scene.lobby.make_room(ANNA), Some(closed));
    scene.open("d", Some(ANNA));
    let closed = LobbyEffect::Close("c".into());
    assert_eq!(scene.lobby.make_room(ANNA), Some(closed));
}

#[test]
fn a_reconnecting_client_learns_its_seats() {
    let mut scene = LobbyScene::new();
    let mut status = scene.open("a", Some(ANNA));
    assert_eq!(scene.lobby.seats_of(key(ANNA)), []);
    status.seats.black = Some(seat("anna", ANNA));
    scene.lobby.update(status.clone());
    let held = |state| {
        [HeldSeat {
            table: "a".into(),
            color: Color::Black.into(),
            state,
        }]
    };
    assert_eq!(scene.lobby.seats_of(key(ANNA)), held(TablePhase::Waiting));
    status.phase = TablePhase::Running;
    scene.lobby.update(status.clone());
    assert_eq!(scene.lobby.seats_of(key(ANNA)), held(TablePhase::Running));
    assert_eq!(scene.lobby.seats_of(key(BORIS)), []);
    status.is_closed = true;
    scene.lobby.update(status);
    assert_eq!(scene.lobby.seats_of(key(ANNA)), []);
}

#[test]
fn leaving_frees_the_name() {
    let mut scene = LobbyScene::new();
    scene.lobby.leave(ANNA, false, scene.now);
    scene.lobby.leave(BORIS, true, scene.now);
    scene.lobby.expire(scene.now);
    let mut join = |name| {
        let joined = scene
            .lobby
            .join(ClientId(9), name, None, key(CLARA), scene.now);
        joined.is_ok()
    };
    assert_eq!([join("anna"), join("boris")], [false, true]);
}

#[test]
fn tables_are_limited_per_address() {
    let mut scene = LobbyScene::new();
    let [club, elsewhere] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
    for (who, address) in [(ANNA, club), (BORIS, club), (CLARA, elsewhere)] {
        scene.lobby.set_address(who, address);
    }
    scene.open("a", Some(ANNA));
    scene.open("b", Some(BORIS));
    let mut quick = TableSettings::new("q", DrawRules::Fmjd64);
    quick.kind = TableKind::Quick;
    let mut quick = Table::open(quick).status();
    scene.lobby.open(quick.clone(), Some(ANNA));
    let code =
        |scene: &LobbyScene, who| scene.lobby.check_room(who).map_err(|refusal| refusal.code);
    assert_eq!(code(&scene, BORIS), Err(ErrorCode::TooManyTables));
    assert_eq!(code(&scene, CLARA), Ok(()));
    let refused = scene
        .lobby
        .quick(BORIS, wish(), Vec::new(), Color::White, scene.now)
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::TooManyTables);
    // A finished game does not count against the limit.
    quick.phase = TablePhase::Over;
    scene.lobby.update(quick);
    assert_eq!(code(&scene, BORIS), Ok(()));
    assert_eq!(code(&scene, ANNA), Ok(()), "a quick game is not hers");
}

#[test]
fn two_waiting_players_are_paired() {
    let mut scene = LobbyScene::new();
    let queued = |who| {
        let (clock, rated) = (Some("5m+3s".into()), false);
        LobbyEffect::Send(
            who,
            ServerMessage::Queued {
                clock,
                rated,
                tournament: None,
            },
        )
    };
    let first = scene
        .lobby
        .quick(ANNA, wish(), Vec::new(), Color::Black, scene.now);
    assert_eq!(first, Ok(vec![queued(ANNA)]));
    assert_eq!(scene.lobby.overview(scene.now).quick, ["5m+3s"]);
    let players = ByColor {
        white: BORIS,
        black: ANNA,
    };
    let second = scene
        .lobby
        .quick(BORIS, wish(), Vec::new(), Color::Black, scene.now);
    let expected = vec![queued(BORIS), LobbyEffect::Pair(players, wish())];
    assert_eq!(second, Ok(expected));
    assert!(scene.lobby.overview(scene.now).quick.is_empty());
}

#[test]
fn players_who_left_or_cancelled_are_not_paired() {
    let mut scene = LobbyScene::new();
    scene
        .lobby
        .quick(ANNA, wish(), Vec::new(), Color::White, scene.now)
        .unwrap();
    scene.lobby.cancel_quick(ANNA);
    scene
        .lobby
        .quick(BORIS, wish(), Vec::new(), Color::White, scene.now)
        .unwrap();
    scene.lobby.leave(BORIS, false, scene.now);
    let sent = scene
        .lobby
        .quick(CLARA, wish(), Vec::new(), Color::White, scene.now)
        .unwrap();
    assert_eq!(sent.len(), 1, "{sent:?}");
}

#[test]
fn a_second_connection_replaces_the_first() {
    let mut scene = LobbyScene::new();
    scene.lobby.subscribe(ANNA);
    scene
        .lobby
        .quick(ANNA, wish(), Vec::new(), Color::White, scene.now)
        .unwrap();
    let back = ClientId(9);
    let shown = Some(key(ANNA));
    let (_, effects) = (scene.lobby)
        .join(back, "anna", shown, key(back), scene.now)
        .unwrap();
    assert_eq!(effects, [LobbyEffect::Replace(ANNA)]);
    assert!(scene.lobby.subscribers().is_empty());
    let sent = scene
        .lobby
        .quick(CLARA, wish(), Vec::new(), Color::White, scene.now)
        .unwrap();
    assert_eq!(
        sent.len(),
        1,
        "the connection that waited is gone: {sent:?}"
    );
}

#[test]
fn players_of_a_game_from_before_the_restart_keep_their_names() {
    let mut scene = LobbyScene::new();
    let mut status = scene.open("t", None);
    status.phase = TablePhase::Running;
    let dora = ClientId(7);
    status.seats.black = Some(seat("dora", dora));
    scene.lobby.reopen(status.clone(), scene.now);
    let much_later = scene.now + 10 * GRACE;
    let mut join = |shown, now| {
        let new = ClientId(8);
        scene.lobby.join(new, "dora", shown, key(new), now)
    };
    assert_eq!(
        join(None, much_later).unwrap_err().code,
        ErrorCode::NameTaken
    );
    let (back, _) = join(Some(key(dora)), much_later).unwrap();
    assert_eq!((back.resumed, back.key), (true, key(dora)));
}

#[test]
fn showcase_games_run_while_clients_watch_and_no_people_play() {
    let mut scene = LobbyScene::new();
    assert_eq!(scene.lobby.missing_showcase_games(1), 0);
    scene.lobby.subscribe(ANNA);
    assert_eq!(scene.lobby.missing_showcase_games(1), 1);
    scene.lobby.unsubscribe(ANNA);
    scene.lobby.watch_tv(BORIS, scene.now).unwrap();
    assert_eq!(scene.lobby.missing_showcase_games(1), 1);
    let mut settings = TableSettings::new("h", DrawRules::Fmjd64);
    settings.kind = TableKind::Showcase;
    scene.lobby.open(Table::open(settings).status(), None);
    assert_eq!(scene.lobby.missing_showcase_games(1), 0);
    assert_eq!(scene.lobby.missing_showcase_games(2), 1);
    let mut game = scene.open("t", None);
    game.phase = TablePhase::Running;
    game.seats.white = Some(seat("anna", ANNA));
    scene.lobby.update(game);
    assert_eq!(scene.lobby.missing_showcase_games(2), 0);
}

#[test]
fn tv_followers_move_from_game_to_game() {
    let mut scene = LobbyScene::new();
    let sent = scene.lobby.watch_tv(CLARA, scene.now).unwrap();
    assert_eq!(sent, [LobbyEffect::ShowTv(CLARA, None)]);
    let mut game = scene.open("t", None);
    game.phase = TablePhase::Running;
    scene.lobby.update(game);
    let on = LobbyEffect::ShowTv(CLARA, Some("t".into()));
    assert_eq!(scene.lobby.choose_tv(scene.now), [on]);
    assert_eq!(scene.lobby.choose_tv(scene.now), []);
    scene.lobby.leave_tv(CLARA);
    let sent = scene.lobby.watch_tv(ANNA, scene.now).unwrap();
    assert_eq!(sent, [LobbyEffect::ShowTv(ANNA, Some("t".into()))]);
}
