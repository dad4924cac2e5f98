//! Conversations without threads: the test does what the searching thread would.

use std::time::Duration;

use super::*;

fn session() -> HubSession {
    HubSession::new("alpha-beta:depth=3".parse().unwrap())
}

/// What is said to a line; orders are left out.
fn said(effects: &[Effect]) -> Vec<String> {
    let lines = effects.iter().filter_map(|effect| match effect {
        Effect::Say(line) | Effect::Mention(line) => Some(line.to_string()),
        Effect::Order(_) | Effect::Quit => None,
    });
    lines.collect()
}

/// The job that is ordered.
fn job(effects: Vec<Effect>) -> HubJob {
    let job = effects.into_iter().find_map(|effect| match effect {
        Effect::Order(SearchOrder::Search(job)) => Some(*job),
        Effect::Order(_) | Effect::Say(_) | Effect::Mention(_) | Effect::Quit => None,
    });
    job.expect("a search")
}

/// The error that a line is answered with.
fn refusal(session: &mut HubSession, line: &str) -> String {
    let said = said(&session.hear(line));
    match &said[..] {
        [error] if error.starts_with("error message=") => error.clone(),
        _ => panic!("{line}: {said:?}"),
    }
}

fn found(session: &HubSession, nodes: u64) -> SearchedPosition {
    let position = session.game.position();
    let best = position.legal_moves()[0];
    let after = position.clone().play(best).unwrap();
    SearchedPosition {
        depth: 3,
        score: checkers_engine::Score::new(640),
        nodes,
        time: Duration::from_millis(500),
        pv: vec![best, after.legal_moves()[0]],
    }
}

#[test]
fn the_introduction_names_every_parameter() {
    let lines = said(&session().hear("hub"));
    assert!(
        lines[0].starts_with("id name=checkers version="),
        "{lines:?}"
    );
    let rest = [
        "param name=variant value=russian type=enum values=russian",
        "param name=bot value=alpha-beta type=string",
        "param name=depth value=3 type=int min=1 max=64",
        "param name=seed value=0 type=int min=0 max=18446744073709551615",
        "param name=order value=off type=enum values=\"off on best worst\"",
        "param name=id value=off type=enum values=\"off on\"",
        "wait",
    ];
    assert_eq!(lines[1..], rest);
}

#[test]
fn parameters_are_set_or_refused() {
    let mut session = session();
    for line in [
        "set-param name=variant value=russian",
        "set-param name=depth value=5",
    ] {
        assert_eq!(said(&session.hear(line)), [] as [&str; 0]);
    }
    assert_eq!(session.spec.to_string(), "alpha-beta:depth=5");
    session.hear("set-param name=bot value=\"champion:depth=7\"");
    assert_eq!(session.spec.to_string(), "champion:depth=7");
    for line in [
        "set-param",
        "set-param name=depth",
        "set-param name=depth value=0",
        "set-param name=book value=true",
        "set-param name=variant value=normal",
        "set-param name=bot value=\"hub:cmd=sh\"",
    ] {
        refusal(&mut session, line);
    }
    assert_eq!(session.spec.to_string(), "champion:depth=7");
}

#[test]
fn a_search_is_reported_and_ends_with_a_move() {
    let mut session = session();
    let job = job(session.hear("go think"));
    assert_eq!(job.game.ply(), 0);
    let half = found(&session, 1_000_000);
    let line = "info depth=3 score=0.50 nodes=1000000 time=0.500 nps=2.000 pv=\"22-17 9-13\"";
    assert_eq!(said(&session.learn(HubEvent::Found(half.clone()))), [line]);
    // Unchanged values are not repeated.
    assert_eq!(
        said(&session.learn(HubEvent::Done(half))),
        ["done move=22-17 ponder=9-13"]
    );
    session.hear("go think");
    let end = found(&session, 5);
    assert_eq!(said(&session.learn(HubEvent::Done(end))).len(), 2);
}

#[test]
fn during_a_search_pings_are_answered_and_little_else() {
    let mut session = session();
    let job = job(session.hear("go analyze"));
    assert_eq!(said(&session.hear("ping")), ["pong"]);
    for line in [
        "hub",
        "init",
        "new-game",
        "go think",
        "set-param",
        "level",
        "x",
    ] {
        refusal(&mut session, line);
    }
    assert!(!job.limits.stop.is_set());
    assert!(session.hear("stop").is_empty());
    assert!(job.limits.stop.is_set());
    assert!(session.hear("stop").is_empty(), "it may have come too late");
}

#[test]
fn pondering_waits_for_its_hit() {
    let mut session = session();
    assert!(session.hear("ponder-hit").is_empty());
    let pondering = job(session.hear("go ponder")).limits;
    assert!(pondering.ponder.is_some());
    assert!(session.hear("ponder-hit").is_empty());
    let end = found(&session, 5);
    session.learn(HubEvent::Done(end));
    assert!(job(session.hear("go think")).limits.ponder.is_none());
}

#[test]
fn positions_come_with_their_history() {
    let mut session = session();
    let start = super::super::board::position_text(&Position::start());
    session.hear(&format!("pos pos={start} moves=\"22-18 9-13\""));
    assert_eq!(job(session.hear("go think")).game.ply(), 2);
}

#[test]
fn a_draw_on_the_way_does_not_end_the_game() {
    let mut session = session();
    // Two kings that go to and fro: the third repetition, and more.
    let board: String = "W"
        .chars()
        .chain((1..=32).map(|n| match n {
            1 => 'B',
            29 => 'W',
            32 => 'W',
            12 => 'b',
            _ => 'e',
        }))
        .collect();
    let round = "32-27 1-5 27-32 5-1";
    let moves = [round; 4].join(" ");
    assert_eq!(
        said(&session.hear(&format!("pos pos={board} moves=\"{moves}\""))),
        [] as [&str; 0]
    );
    assert!(session.game.outcome().is_none());
    assert!(!job(session.hear("go think")).game.legal_moves().is_empty());
}

#[test]
fn nonsense_is_reported_and_changes_nothing() {
    let mut session = session();
    let start = super::super::board::position_text(&Position::start());
    session.hear(&format!("pos pos={start} moves=22-18"));
    for line in [
        "xyzzy",
        "pos",
        "pos pos=W",
        &format!("pos pos={start} moves=\"1-5\""),
        &format!("pos pos={start} moves=\"22-18 22-18\""),
        "level depth=x",
        "go",
        "go home",
        "pos pos=\"",
    ] {
        refusal(&mut session, line);
    }
    assert!(session.hear("  ").is_empty());
    assert_eq!(said(&session.overhear()).len(), 1);
    assert_eq!(job(session.hear("go think")).game.ply(), 1);
}

#[test]
fn a_game_that_is_over_has_nothing_to_search() {
    let mut session = session();
    session.hear(&format!("pos pos=B{}w{}", "e".repeat(20), "e".repeat(11)));
    assert!(refusal(&mut session, "go think").contains("over"));
}

#[test]
fn a_bot_is_built_once_and_again_when_it_changes() {
    let mut session = session();
    let built = |effects: Vec<Effect>| {
        let orders = effects.iter();
        let builds = orders.filter(|e| matches!(e, Effect::Order(SearchOrder::Build { .. })));
        builds.count()
    };
    assert_eq!(built(session.hear("set-param name=depth value=4")), 0);
    assert_eq!(built(session.hear("init")), 1);
    assert_eq!(built(session.hear("new-game")), 0);
    assert_eq!(built(session.hear("set-param name=depth value=5")), 1);
    assert_eq!(built(session.hear("go think")), 0);
}
