use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use event_store::{Durability, Store, StoreAddress};

use super::*;
use crate::tournaments::{Entrants, Lengths, Rounds, Stage, TournamentSettings};

const MINUTE: i64 = 60_000;

/// A server with a tournament, at a time that the test moves.
struct TournamentScene {
    _directory: tempfile::TempDir,
    store: Arc<dyn Store>,
    tournaments: Tournaments,
    id: TournamentId,
    now: i64,
}

impl TournamentScene {
    async fn new(format: Format, lengths: Lengths, players: &[&str]) -> TournamentScene {
        let directory = tempfile::tempdir().unwrap();
        let address = StoreAddress::Sqlite(directory.path().to_owned());
        let store = address.open(Durability::Crash).unwrap();
        let account = Statement::new(
            "INSERT INTO account (id, name, skeleton, role, identity, created_at) VALUES (1, 'anna', 'anna', '', '', 0)",
            Vec::new(),
        );
        store.tables().transact(vec![account]).await.unwrap();
        let tournaments = Tournaments::new(store.tables());
        let now = UnixMillis::now();
        let plan = TournamentSettings {
            name: "Friday".to_owned(),
            format,
            entrants: Entrants::People,
            clock: "3m".parse().unwrap(),
            is_rated: false,
            max_rating: None,
            has_openings: true,
            starts_at: now,
            ends_at: now,
            rounds: Rounds::default(),
        };
        let plan = plan.checked(lengths, now).unwrap();
        let made = tournaments.create(1, &plan, false).await.unwrap();
        let scene = TournamentScene {
            _directory: directory,
            store,
            tournaments,
            id: made.id,
            now: now.0,
        };
        for player in players {
            scene.enter(player).await.unwrap();
        }
        scene
    }

    async fn enter(&self, player: &str) -> Result<Tournament, TournamentError> {
        self.tournaments.enter(self.id, player, None).await
    }

    async fn tournament(&self) -> Tournament {
        self.tournaments.find(self.id).await.unwrap()
    }

    /// What can begin now.
    async fn due(&self) -> Vec<DueGame> {
        // What is drawn in one pass can begin in the next one.
        for _ in 0..2 {
            let Some((tournament, round)) = self.running().await else {
                return Vec::new();
            };
            let now = UnixMillis(self.now);
            let organised = self.tournaments.organise(&tournament, round.as_ref(), now);
            organised.await.unwrap();
        }
        match self.running().await {
            Some((tournament, Some(round))) => round.due_games(&tournament),
            _ => Vec::new(),
        }
    }

    /// The tournament and its last round, if it runs.
    async fn running(&self) -> Option<(Tournament, Option<StoredRound>)> {
        let tournament = self.tournament().await;
        let runs = tournament.stage(UnixMillis(self.now)) == Stage::Running;
        let round = self.tournaments.last_round(&tournament).await.unwrap();
        runs.then_some((tournament, round))
    }

    /// The names of the players of what can begin now.
    async fn pairings(&self) -> Vec<String> {
        let due = self.due().await;
        let names = |game: &DueGame| format!("{}-{}", game.players.white, game.players.black);
        due.iter().map(names).collect()
    }

    /// Plays what can begin. `results` are from White's point of view.
    async fn play(&self, results: &[&str]) {
        let due = self.due().await;
        assert_eq!(due.len(), results.len());
        for (game, result) in due.iter().zip(results) {
            self.archive(game, result).await;
        }
    }

    async fn archive(&self, game: &DueGame, result: &str) {
        let stream = Statement::new(
            "INSERT INTO stream (name, open) VALUES ($1, 0)",
            vec![game_id(&game.table, 1).into()],
        );
        let insert = Statement::new(
            "INSERT INTO game SELECT id, 9, $2, $3, 'resignation', '3m', 8, $4, $5, NULL, NULL, x'', -1, NULL, NULL, NULL, NULL, NULL, NULL
             FROM stream WHERE name = $1",
            vec![
                game_id(&game.table, 1).into(),
                self.now.into(),
                result.into(),
                game.players.white.as_str().into(),
                game.players.black.as_str().into(),
            ],
        );
        let tables = self.store.tables();
        tables.transact(vec![stream, insert]).await.unwrap();
    }

    /// The players by their places, with their points.
    async fn standings(&self) -> Vec<(usize, String, u32)> {
        let tournament = self.tournament().await;
        self.tournaments.forget_standings().await;
        let standings = self.tournaments.standings(&tournament).await.unwrap();
        let players = standings.players.iter();
        players
            .map(|player| (player.place, player.name.clone(), player.points))
            .collect()
    }

    /// By default, as the lobby decides it.
    async fn decide(&self, game: &DueGame, result: Correction) {
        let decided = ByDefault {
            tournament: self.id,
            table: game.table.clone(),
            result,
        };
        self.tournaments
            .decide_by_default(vec![decided])
            .await
            .unwrap();
    }
}

fn swiss(rounds: u32) -> Lengths {
    Lengths {
        rounds: Some(rounds),
        ..Lengths::default()
    }
}

#[tokio::test]
async fn a_swiss_goes_on_when_a_round_is_over() {
    let mut scene =
        TournamentScene::new(Format::Swiss, swiss(2), &["anna", "boris", "clara"]).await;
    assert_eq!(scene.pairings().await, ["anna-boris"]);
    // A late player is in from the next round on.
    scene.enter("dora").await.unwrap();
    assert_eq!(scene.pairings().await, ["anna-boris"]);
    scene.play(&["black_won"]).await;
    assert_eq!(scene.pairings().await, [""; 0], "during the break");
    scene.now += MINUTE;
    // Clara had a bye, which is worth a win.
    let met = scene.pairings().await;
    assert_eq!(met.len(), 2);
    assert!(
        met.iter()
            .any(|pair| pair.contains("boris") && pair.contains("clara"))
    );
    scene.play(&["draw", "draw"]).await;
    scene.now += MINUTE;
    assert_eq!(scene.pairings().await, [""; 0]);
    let tournament = scene.tournament().await;
    assert_eq!(tournament.stage(UnixMillis(scene.now)), Stage::Over);
    assert_eq!(tournament.drawn, 2);
    let standings = scene.standings().await;
    assert_eq!(standings[0], (1, "boris".to_owned(), 3));
    assert_eq!(standings[1], (2, "clara".to_owned(), 3));
}

#[tokio::test]
async fn all_meet_in_a_round_robin_also_those_who_leave() {
    let lengths = Lengths {
        break_minutes: Some(0),
        ..Lengths::default()
    };
    let names = ["anna", "boris", "clara", "dora"];
    let mut scene = TournamentScene::new(Format::RoundRobin, lengths, &names).await;
    assert_eq!(scene.pairings().await, ["anna-dora", "boris-clara"]);
    assert!(matches!(
        scene.enter("vera").await,
        Err(TournamentError::Begun)
    ));
    scene.play(&["white_won", "white_won"]).await;
    scene.tournaments.leave(scene.id, "dora").await.unwrap();
    // A player who has left loses by default, and may come back.
    assert_eq!(scene.pairings().await, ["anna-boris"]);
    scene.enter("dora").await.unwrap();
    scene.play(&["draw"]).await;
    scene.now += MINUTE;
    assert_eq!(scene.pairings().await, ["boris-dora", "clara-anna"]);
    scene.play(&["black_won", "white_won"]).await;
    let tournament = scene.tournament().await;
    assert!(scene.pairings().await.is_empty());
    assert_eq!(tournament.drawn, 3);
    let standings = scene.standings().await;
    let expected = [
        (1, "clara".to_owned(), 4),
        // Boris has won against the winner.
        (2, "boris".to_owned(), 3),
        (3, "anna".to_owned(), 3),
        (4, "dora".to_owned(), 2),
    ];
    assert_eq!(standings, expected);
}

#[tokio::test]
async fn level_pairings_of_a_knockout_go_on() {
    let lengths = Lengths {
        games: Some(2),
        break_minutes: Some(0),
        ..Lengths::default()
    };
    let scene = TournamentScene::new(Format::Knockout, lengths, &["anna", "boris", "clara"]).await;
    assert_eq!(scene.pairings().await, ["boris-clara"]);
    scene.play(&["white_won"]).await;
    assert_eq!(
        scene.pairings().await,
        ["clara-boris"],
        "colours are swapped"
    );
    scene.play(&["white_won"]).await;
    assert_eq!(scene.pairings().await, ["boris-clara"], "another game");
    scene.play(&["black_won"]).await;
    assert_eq!(scene.pairings().await, ["clara-anna"]);
    for _ in 0..4 {
        scene.play(&["draw"]).await;
    }
    assert!(scene.due().await.is_empty());
    let tournament = scene.tournament().await;
    assert_eq!(tournament.stage(UnixMillis(scene.now)), Stage::Over);
    // The better seed has won.
    let names = scene.standings().await.into_iter();
    let names: Vec<(usize, String)> = names.map(|(place, name, _)| (place, name)).collect();
    let expected = [(1, "anna"), (2, "clara"), (3, "boris")];
    assert_eq!(
        names,
        expected.map(|(place, name)| (place, name.to_owned()))
    );
}

#[tokio::test]
async fn a_game_has_one_result_whatever_happens() {
    let scene =
        TournamentScene::new(Format::Swiss, swiss(1), &["anna", "boris", "clara", "dora"]).await;
    let due = scene.due().await;
    assert_eq!(due[0].wait, Duration::from_secs(300));
    assert!(due[0].opening.is_some() && due[0].opening == due[1].opening);
    // A node that is late decides nothing about a game that has begun, or that is decided.
    scene.archive(&due[0], "white_won").await;
    scene.decide(&due[0], Correction::Void).await;
    scene.decide(&due[1], Correction::BlackWon).await;
    scene.decide(&due[1], Correction::WhiteWon).await;
    let standings = scene.standings().await;
    let points = |name: &str| {
        let found = standings.iter().find(|(_, player, _)| player == name);
        found.map(|(.., points)| *points)
    };
    assert_eq!(points(&due[0].players.white), Some(2));
    assert_eq!(points(&due[1].players.black), Some(2));
    assert_eq!(points(&due[1].players.white), Some(0));
    // The organiser has the last word.
    let game = game_id(&due[0].table, 1);
    let corrected = scene
        .tournaments
        .correct(1, scene.id, &game, Correction::Draw);
    corrected.await.unwrap();
    let first = scene.standings().await;
    assert!(
        first.contains(&(2, due[0].players.white.clone(), 1)),
        "{first:?}"
    );
}

#[tokio::test]
async fn an_interrupted_game_is_played_again() {
    let scene = TournamentScene::new(Format::Swiss, swiss(1), &["anna", "boris"]).await;
    let due = scene.due().await;
    scene.archive(&due[0], "interrupted").await;
    let again = scene.due().await;
    assert_eq!(again[0].players, due[0].players);
    assert_ne!(again[0].table, due[0].table);
}

#[tokio::test]
async fn nodes_draw_a_round_once() {
    let names: Vec<String> = (0..20).map(|number| format!("player{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let scene = TournamentScene::new(Format::Swiss, swiss(3), &names).await;
    tokio::join!(scene.due(), scene.due(), scene.due());
    assert_eq!(scene.due().await.len(), 10);
    let tables = scene.store.tables();
    let rounds = read_rounds(&*tables, scene.id, 0).await.unwrap();
    assert_eq!((rounds.len(), rounds[0].boards.len()), (1, 10));
}

#[tokio::test]
async fn a_tournament_without_players_ends() {
    let mut scene = TournamentScene::new(Format::Swiss, swiss(3), &["anna"]).await;
    assert!(scene.due().await.is_empty());
    assert_eq!(
        scene.tournament().await.stage(UnixMillis(scene.now)),
        Stage::Running
    );
    scene.now += LACKING + 1;
    assert!(scene.due().await.is_empty());
    assert_eq!(
        scene.tournament().await.stage(UnixMillis(scene.now)),
        Stage::Over
    );
}

#[tokio::test]
async fn who_leaves_or_is_removed_loses_what_has_not_begun() {
    let names = ["anna", "boris", "clara", "dora"];
    let scene = TournamentScene::new(Format::Swiss, swiss(2), &names).await;
    let due = scene.due().await;
    let [gone, removed] = [&due[0].players.white, &due[1].players.black];
    scene.tournaments.leave(scene.id, gone).await.unwrap();
    scene
        .tournaments
        .remove(1, scene.id, removed)
        .await
        .unwrap();
    assert!(scene.due().await.is_empty());
    let standings = scene.standings().await;
    let points = |name: &str| {
        let found = standings.iter().find(|(_, player, _)| player == name);
        found.map(|(.., points)| *points)
    };
    assert_eq!(points(&due[0].players.black), Some(2));
    assert_eq!(points(&due[1].players.white), Some(2));
    assert_eq!((points(gone), points(removed)), (Some(0), None));
}

#[tokio::test]
async fn a_deleted_player_is_not_paired_any_more() {
    let mut scene =
        TournamentScene::new(Format::Swiss, swiss(2), &["anna", "boris", "clara", "dora"]).await;
    scene.play(&["draw", "draw"]).await;
    let renamed = super::super::rename("boris", "deleted-7f3a").collect();
    scene.store.tables().transact(renamed).await.unwrap();
    scene.now += MINUTE;
    let met = scene.pairings().await;
    assert_eq!(met.len(), 1);
    assert!(
        !met[0].contains("deleted") && !met[0].contains("boris"),
        "{met:?}"
    );
    let standings = scene.standings().await;
    assert!(
        standings.contains(&(3, "deleted-7f3a".to_owned(), 1)),
        "{standings:?}"
    );
}

#[tokio::test]
async fn a_name_that_a_player_has_lost_meanwhile_is_not_stored() {
    let scene = TournamentScene::new(Format::Swiss, swiss(2), &["vera", "gleb"]).await;
    let tables = scene.store.tables();
    let store = async |names: [&str; 2], game: &str| {
        let games = [((7, 1, 1), names, game.to_owned())];
        let statements = insert_games(scene.id, &games);
        let guarded = with_present_names(scene.id, 7, statements);
        tables.transact(guarded).await.unwrap().is_some()
    };
    assert!(!store(["vera", "boris"], "aaaaaaaa-1").await);
    assert!(!store(["boris", ""], "bbbbbbbb-1").await);
    assert!(store(["vera", "gleb"], "cccccccc-1").await);
}

#[tokio::test]
async fn only_one_of_many_games_is_played_at_a_time() {
    let lengths = Lengths {
        games: Some(4),
        ..swiss(1)
    };
    let names: Vec<String> = (0..60).map(|number| format!("player{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let scene = TournamentScene::new(Format::Swiss, lengths, &names).await;
    let due = scene.due().await;
    assert_eq!(due.len(), 30);
    let tables = scene.store.tables();
    let rounds = read_rounds(&*tables, scene.id, 0).await.unwrap();
    assert!(rounds[0].boards.iter().all(|board| board.games.len() == 4));
    let ids: HashSet<&str> = rounds[0].games().map(|game| &*game.id).collect();
    assert_eq!(ids.len(), 120);
}
