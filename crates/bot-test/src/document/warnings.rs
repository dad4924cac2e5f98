//! What a reader of the numbers has to know, and what to do about it.

use std::time::Duration;

use crate::format::{SprtEnd, SprtReport};
use crate::standings::{BotStanding, EvidenceCount, ForfeitCount};
use crate::statistics::{Decision, Sample, Strength, Unavailable};
use crate::{
    BotId, BotLimits, BotTimes, DocumentSettings, FaultKind, Forfeits, PairRecord, Standings,
    TournamentPlan,
};

/// The fewest trials with which the normal approximation of the intervals is worth its name.
const FEW: u64 = 30;

/// What a move may take beyond its time before that is worth a word.
const TOLERANCE: Duration = Duration::from_millis(20);

pub(super) fn of(
    settings: &DocumentSettings,
    standings: &Standings,
    times: &[BotTimes],
    sprt: Option<&SprtReport>,
    reused: u64,
) -> Vec<String> {
    let evidence = &standings.evidence;
    let whole = [
        openings_ran_out(settings, reused),
        repeats(settings, evidence),
        broken_pairs(settings, evidence),
        alike(standings.sample.as_ref()),
        few(settings, standings),
        no_swap(settings, evidence),
        undecided(sprt),
    ];
    let bots = standings.bots.iter();
    (whole.into_iter().flatten())
        .chain(bots.clone().flat_map(|bot| forfeits(settings, bot)))
        .chain(bots.clone().filter_map(time_losses))
        .chain(ply_caps(&standings.bots))
        .chain(times.iter().filter_map(server_clock))
        .collect()
}

fn repeats(settings: &DocumentSettings, evidence: &EvidenceCount) -> Option<String> {
    let (distinct, finished) = (evidence.distinct_games, evidence.finished());
    let advice = match settings.openings.count {
        1 => "--openings suite gives openings that differ",
        _ => "play fewer games or give more openings",
    };
    match distinct {
        _ if distinct == finished => None,
        1 => Some(format!(
            "all {finished} games are the same game and say no more than one; {advice}"
        )),
        _ => Some(format!(
            "only {distinct} of {finished} games are distinct; the others repeat them and say \
             nothing more, and errors are computed without them; {advice}"
        )),
    }
}

fn broken_pairs(settings: &DocumentSettings, evidence: &EvidenceCount) -> Option<String> {
    let broken = evidence.broken_pairs;
    (settings.swap && broken > 0).then(|| {
        format!(
            "{} with a void game; errors are computed without {}; play as many more",
            there_are(broken, "pair"),
            if broken == 1 { "it" } else { "them" },
        )
    })
}

fn alike(sample: Option<&Sample>) -> Option<String> {
    let elo = Strength::of(sample?).elo;
    match elo.err()? {
        Unavailable::NoGames => None,
        reason @ (Unavailable::AllDrawn | Unavailable::AllPairsAlike) => Some(format!(
            "{reason}, so that the error of Elo is unknown; play more openings"
        )),
        reason @ (Unavailable::AllWon | Unavailable::AllLost) => Some(format!(
            "{reason}, so that Elo has no bound; give the weaker bot more time or depth"
        )),
    }
}

fn few(settings: &DocumentSettings, standings: &Standings) -> Option<String> {
    let evidence = &standings.evidence;
    let meetings = standings.meetings.len().max(1) as u64;
    let (trials, thing) = if settings.swap {
        (evidence.distinct_pairs, "distinct pair")
    } else {
        (evidence.distinct_games, "distinct game")
    };
    let per_meeting = trials / meetings;
    (trials > 0 && per_meeting < FEW).then(|| {
        let where_ = if meetings > 1 {
            " for each two bots that met"
        } else {
            ""
        };
        format!(
            "only {}{where_}: intervals are too narrow with fewer than {FEW}; play more",
            count(per_meeting, thing)
        )
    })
}

fn no_swap(settings: &DocumentSettings, evidence: &EvidenceCount) -> Option<String> {
    (!settings.swap && evidence.games > 0)
        .then(|| format!("{}; leave --no-swap out for fair results", settings.sides))
}

/// The start alone is meant to be played again and again: [`repeats`] says what that is worth.
fn openings_ran_out(settings: &DocumentSettings, reused: u64) -> Option<String> {
    let openings = settings.openings.count;
    (reused > 0 && openings > 1).then(|| {
        format!(
            "the {openings} openings ran out: {} from one that was played before; give more openings \
             or play fewer pairs",
            match reused {
                1 => "1 pairing began".to_owned(),
                _ => format!("{reused} pairings began"),
            }
        )
    })
}

fn undecided(sprt: Option<&SprtReport>) -> Option<String> {
    let report = sprt.filter(|report| report.answer.decision == Decision::Continue)?;
    let why = match report.end {
        Some(SprtEnd::OnlyRepeats) => {
            "there was nothing new to learn: more pairs would only repeat those played; give more \
             openings, by --more-openings, --opening-plies 6 or a file that checkers-lab openings \
             makes, or bots that vary their play"
        }
        Some(SprtEnd::MaxPairs) => "--max-pairs were played; go on by --resume and more of them",
        Some(SprtEnd::Decided) | None => "it was broken off; go on with it by --resume",
    };
    Some(format!(
        "the sequential test has not decided, and what it says so far is no result: {why}"
    ))
}

fn forfeits(settings: &DocumentSettings, bot: &BotStanding) -> impl Iterator<Item = String> {
    (bot.forfeits.iter()).map(|count| forfeit(settings.forfeits, bot, count))
}

fn forfeit(rule: Forfeits, bot: &BotStanding, forfeits: &ForfeitCount) -> String {
    let ForfeitCount { kind, games, last } = forfeits;
    let words = match last.stderr.last() {
        Some(line) if !last.fault.to_string().contains(line) => {
            format!(", and its last words were {line:?}")
        }
        Some(_) | None => String::new(),
    };
    format!(
        "{} forfeited {} ({kind}): the last time it {}{words}; {}",
        bot.bot,
        count(*games, "game"),
        last.fault,
        remedy(rule, *kind)
    )
}

fn remedy(rule: Forfeits, kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NeverConnected => "check that it connects, or raise --connect-timeout",
        FaultKind::TimeOut => "raise --move-timeout or lower its limits",
        FaultKind::Disconnected | FaultKind::Crashed | FaultKind::Panicked
            if rule == Forfeits::Loss =>
        {
            "correct it; with --forfeit void its games would count for nothing"
        }
        FaultKind::Disconnected
        | FaultKind::Crashed
        | FaultKind::Panicked
        | FaultKind::IllegalMove
        | FaultKind::Protocol
        | FaultKind::GaveUp => "correct it",
    }
}

fn time_losses(bot: &BotStanding) -> Option<String> {
    (bot.time_losses > 0).then(|| {
        format!(
            "{} lost {} on time; give it a longer clock or increment, or run fewer games at the \
             same time",
            bot.bot,
            count(bot.time_losses, "game")
        )
    })
}

fn ply_caps(bots: &[BotStanding]) -> Option<String> {
    let games = bots.iter().map(|bot| bot.ply_caps).sum::<u64>() / 2;
    (games > 0).then(|| {
        format!(
            "{} by the ply cap and not by the rules; raise --max-plies to play on",
            match games {
                1 => "1 game was drawn".to_owned(),
                _ => format!("{games} games were drawn"),
            }
        )
    })
}

/// Bots that took longer for a move than they may.
pub(super) fn overruns(
    plan: &TournamentPlan,
    pairs: &[PairRecord],
) -> impl Iterator<Item = String> {
    (plan.participants.iter().enumerate()).filter_map(|(index, participant)| {
        let (bot, limit) = (BotId(index), participant.limits.movetime?);
        let most = (limit + TOLERANCE).as_micros();
        let games = pairs.iter().flat_map(|pair| &pair.games);
        let times = games.filter(|game| [game.seats.white, game.seats.black].contains(&bot));
        let late = times
            .flat_map(|game| game.moves_of(bot))
            .map(|played| played.time_us)
            .filter(|&time| u128::from(time) > most);
        let (count, worst) = late.fold((0_u64, 0), |(count, worst), time| {
            (count + 1, time.max(worst))
        });
        (count > 0).then(|| {
            format!(
                "{bot} took longer than its movetime of {} ms for {}, {} ms at most; give it a \
                 clock to hold it to its time",
                limit.as_secs_f64() * 1e3,
                self::count(count, "move"),
                worst / 1000
            )
        })
    })
}

/// Limits that a bot has no use for, and options that its limits replace.
pub(super) fn without_effect(plan: &TournamentPlan) -> impl Iterator<Item = String> {
    (plan.participants.iter().enumerate()).flat_map(|(index, participant)| {
        let (bot, limits) = (BotId(index), participant.limits);
        let Some(spec) = participant.player.spec() else {
            return Vec::new();
        };
        let heeded = limits.heeded_by(spec);
        let idle = BotLimits {
            depth: limits.depth.filter(|_| heeded.depth.is_none()),
            nodes: limits.nodes.filter(|_| heeded.nodes.is_none()),
            movetime: limits.movetime.filter(|_| heeded.movetime.is_none()),
            clock: None,
        };
        let idle = (idle != BotLimits::default()).then(|| {
            format!(
                "{bot} ({}) has no use for {idle}; leave it out",
                spec.name()
            )
        });
        let replaced = (spec.replaced_key(&heeded.of_first_move()))
            .filter(|key| !spec.has_default(key))
            .map(|key| format!("the {key} of {bot}'s spec has no effect beside @{heeded}"));
        idle.into_iter().chain(replaced).collect()
    })
}

/// Bots with searches that were stopped before the first depth was complete.
pub(super) fn cut_short(
    plan: &TournamentPlan,
    pairs: &[PairRecord],
) -> impl Iterator<Item = String> {
    (plan.participants.iter().enumerate()).filter_map(|(index, participant)| {
        let bot = BotId(index);
        let games = pairs.iter().flat_map(|pair| &pair.games);
        let searches = (games.filter(|game| [game.seats.white, game.seats.black].contains(&bot)))
            .flat_map(|game| game.moves_of(bot))
            .filter_map(|played| played.search.as_ref())
            .filter(|search| search.nodes > 1);
        let (all, cut) = searches.fold((0_u64, 0_u64), |(all, cut), search| {
            (all + 1, cut + u64::from(search.depth == 0))
        });
        let spec = participant.player.spec()?;
        let advice = match spec.settings().any(|setting| setting.key == "id") {
            true => "; give it id=on, less depth or more time",
            false => "; give it less depth or more time",
        };
        (cut > 0).then(|| {
            format!(
                "{bot} was cut short in {cut} of {}, and then played the best of the first moves \
                 it had tried{advice}",
                searches_text(all),
            )
        })
    })
}

fn server_clock(times: &BotTimes) -> Option<String> {
    let looked_up = times.from_book + times.from_tables;
    let (clocked, moves) = (times.server_clocked, times.moves + times.forced + looked_up);
    (clocked > 0).then(|| {
        format!(
            "{clocked} of {}'s {moves} moves are timed by the server: whole milliseconds, with \
             the round trip; let it report its own times to compare them with others",
            times.bot
        )
    })
}

fn searches_text(number: u64) -> String {
    match number {
        1 => "1 search".to_owned(),
        _ => format!("{number} searches"),
    }
}

fn there_are(number: u64, thing: &str) -> String {
    let verb = if number == 1 { "there is" } else { "there are" };
    format!("{verb} {}", count(number, thing))
}

/// A number of things, for people.
fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::{EndReason, GameResult};

    use crate::fixtures::{crash, pair, plan, record};
    use crate::{BotId, Forfeits, PairRecord, Ruling, TournamentPlan};

    const WHITE: (GameResult, EndReason) = (GameResult::WhiteWon, EndReason::NoMoves);
    const DRAW: (GameResult, EndReason) = (GameResult::Draw, EndReason::Repetition);

    /// The warnings about these games, apart from those about few games and the server's clock.
    fn warnings(pairs: Vec<PairRecord>) -> Vec<String> {
        warnings_of(&plan(&["random", "alpha-beta"]), pairs)
    }

    fn warnings_of(plan: &TournamentPlan, pairs: Vec<PairRecord>) -> Vec<String> {
        let record = record(plan, pairs);
        let is_common =
            |warning: &String| warning.contains("too narrow") || warning.contains("timed");
        (record.warnings.into_iter())
            .filter(|warning| !is_common(warning))
            .collect()
    }

    #[test]
    fn one_game_over_and_over_is_one_game() {
        let mut same = pair(0, [WHITE, WHITE]);
        same.games[1] = same.games[0].clone();
        let warnings = warnings(vec![same]);
        assert_eq!(
            warnings[0],
            "all 2 games are the same game and say no more than one; --openings suite gives \
             openings that differ"
        );
    }

    #[test]
    fn rulings_of_the_harness_are_reported() {
        let mut pairs = vec![pair(0, [WHITE, DRAW])];
        pairs[0].games[0].reason = EndReason::Time;
        pairs[0].games[1].ruling = Some(Ruling::PlyCap { plies: 3 });
        let warnings = warnings(pairs);
        assert!(
            warnings[1].starts_with("bot 2 lost 1 game on time; give it"),
            "{warnings:?}"
        );
        assert!(
            warnings[2].starts_with("1 game was drawn by the ply cap"),
            "{warnings:?}"
        );
    }

    #[test]
    fn each_kind_of_failure_has_its_remedy() {
        let mut pairs = vec![pair(0, [WHITE, WHITE])];
        pairs[0].games[0].ruling = Some(crash(BotId::SECOND));
        let mut plan = plan(&["random", "alpha-beta"]);
        plan.forfeits = Forfeits::Loss;
        let warnings = warnings_of(&plan, pairs);
        assert_eq!(
            warnings[1],
            "bot 2 forfeited 1 game (crashed): the last time it ended with exit code 3, and its \
             last words were \"oh <no>\"; correct it; with --forfeit void its games would count for \
             nothing"
        );
    }

    #[test]
    fn limits_without_effect_are_reported() {
        let plan = plan(&["mcts@depth=3,nodes=9", "champion:depth=9@movetime=20ms"]);
        let warnings = warnings_of(&plan, vec![pair(0, [WHITE, DRAW])]);
        for reported in [
            "bot 1 (mcts) has no use for depth=3; leave it out",
            "the depth of bot 2's spec has no effect beside @movetime=20ms",
        ] {
            assert!(
                warnings.iter().any(|warning| warning == reported),
                "{warnings:?}"
            );
        }
    }

    #[test]
    fn searches_that_finished_no_depth_are_reported() {
        let mut pairs = vec![pair(0, [WHITE, DRAW])];
        for search in pairs[0].games[0]
            .moves
            .iter_mut()
            .flat_map(|m| &mut m.search)
        {
            search.depth = 0;
        }
        let plan = plan(&["alpha-beta:depth=30@movetime=5ms", "random"]);
        let warnings = warnings_of(&plan, pairs);
        let reported = "bot 1 was cut short in 2 of 2 searches, and then played the best of the first \
                    moves it had tried; give it id=on, less depth or more time";
        assert!(
            warnings.iter().any(|warning| warning == reported),
            "{warnings:?}"
        );
    }

    #[test]
    fn warnings_advise_nothing_that_was_done() {
        let mut pairs = vec![pair(0, [WHITE, WHITE])];
        pairs[0].games[0].ruling = Some(crash(BotId::SECOND));
        pairs[0].games[0].result = GameResult::Interrupted;
        // The plan counts forfeits as void.
        let warnings = warnings(pairs);
        let reported = warnings.iter().find(|warning| warning.contains("crashed"));
        assert!(reported.unwrap().ends_with("; correct it"), "{warnings:?}");
    }
}
