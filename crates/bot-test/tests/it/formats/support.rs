//! A world in which every pairing has the result it always has, and a tournament in it.

use std::collections::BTreeMap;

use checkers_bot_test::format::{Format, FormatReport, Next, Schedule};
use checkers_bot_test::{GameRecord, MoveRecord, PairRecord, Pairing, Results, TournamentPlan};
use checkers_lib::Position;
use checkers_lib::openings::Opening;
use checkers_lib::protocol::{EndReason, GameResult};
use proptest::prelude::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::support;

pub(crate) fn plan(
    format: Format,
    participants: usize,
    swap: bool,
    openings: usize,
) -> TournamentPlan {
    let openings = vec![Opening::new(Position::start()); openings];
    TournamentPlan {
        swap,
        ..support::plan(format, participants, openings)
    }
}

/// What decides all results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) seed: u64,
    /// How many games of a hundred are drawn.
    pub(crate) draws: u32,
    /// How many games of a hundred count for nothing.
    pub(crate) voids: u32,
    /// How many of a hundred games that are won are won by the bot that comes first in the list.
    pub(crate) order: u32,
    /// In how many ways two bots can play.
    pub(crate) varieties: u64,
}

impl World {
    pub(crate) const USUAL: World = World {
        seed: 1,
        draws: 30,
        voids: 0,
        order: 60,
        varieties: u64::MAX,
    };

    /// Plays a pairing. It has the same games whenever it is played, and those of any pairing with
    /// an opening so many openings away.
    pub(crate) fn play(&self, plan: &TournamentPlan, pairing: &Pairing) -> PairRecord {
        let games = (plan.orders(pairing).iter())
            .map(|order| {
                let seats = order.seats;
                let variety = pairing.opening % self.varieties;
                let place = [variety, seats.white.0 as u64, seats.black.0 as u64];
                let mut rng =
                    Pcg64Mcg::seed_from_u64(place.iter().fold(self.seed, |hash, word| {
                        (hash ^ word)
                            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                            .rotate_left(31)
                    }));
                let first_won = if seats.white < seats.black {
                    (GameResult::WhiteWon, GameResult::BlackWon)
                } else {
                    (GameResult::BlackWon, GameResult::WhiteWon)
                };
                GameRecord {
                    number: order.number,
                    seats,
                    start: Position::start(),
                    moves: moves(&mut rng),
                    result: match rng.random_range(0..100) {
                        roll if roll < self.voids => GameResult::Interrupted,
                        roll if roll < self.voids + self.draws => GameResult::Draw,
                        _ if rng.random_range(0..100) < self.order => first_won.0,
                        _ => first_won.1,
                    },
                    reason: EndReason::Agreement,
                    article: None,
                    ruling: None,
                }
            })
            .collect();
        PairRecord {
            pairing: *pairing,
            games,
        }
    }
}

/// A few moves, which differ from game to game.
fn moves(rng: &mut impl Rng) -> Vec<MoveRecord> {
    let mut position = Position::start();
    let mut moves = Vec::new();
    for _ in 0..16 {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[rng.random_range(0..legal.len())];
        moves.push(MoveRecord::of_opening(m));
        position.play_unchecked(m);
    }
    moves
}

/// How pairings are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) seed: u64,
    /// How many are played at the same time.
    pub(crate) concurrency: usize,
    /// After how many results of a thousand everything is broken off and taken up again.
    pub(crate) kills: u32,
}

impl Manner {
    pub(crate) const ONE_BY_ONE: Manner = Manner {
        seed: 0,
        concurrency: 1,
        kills: 0,
    };
}

/// A tournament from its first pairing to its last.
pub(crate) struct TestTournament<'a> {
    plan: &'a TournamentPlan,
    world: World,
    rng: Pcg64Mcg,
    manner: Manner,
    /// In the order in which they finished.
    journal: Vec<PairRecord>,
    /// Everything any run was told to play.
    told: BTreeMap<u64, Pairing>,
}

/// What a tournament was.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TournamentLog {
    /// The pairings that count.
    pub(crate) pairings: Vec<Pairing>,
    pub(crate) total: Option<u64>,
    pub(crate) counted: Option<u64>,
    pub(crate) report: FormatReport,
}

/// Plays a tournament.
pub(crate) fn play(plan: &TournamentPlan, world: World, manner: Manner) -> TournamentLog {
    let mut tournament = TestTournament {
        plan,
        world,
        rng: Pcg64Mcg::seed_from_u64(manner.seed),
        manner,
        journal: Vec::new(),
        told: BTreeMap::new(),
    };
    loop {
        if let Some(played) = tournament.run() {
            return played;
        }
    }
}

/// Plays a tournament as usual.
pub(crate) fn play_usually(plan: &TournamentPlan) -> TournamentLog {
    play(plan, World::USUAL, Manner::ONE_BY_ONE)
}

impl TestTournament<'_> {
    /// Goes on from the journal to the end; `None` if it was broken off.
    fn run(&mut self) -> Option<TournamentLog> {
        let mut schedule = self.plan.format.schedule(self.plan).unwrap();
        let mut results = Results::new(self.plan.participants.len());
        for record in &self.journal {
            results.insert(record).unwrap();
        }
        let (mut id, mut in_play) = (0, Vec::new());
        loop {
            let is_done = self.fill(&mut id, &mut in_play, schedule.as_mut(), &results);
            if in_play.is_empty() {
                assert!(is_done, "nothing to play and nothing to wait for");
                return Some(self.played(schedule.as_ref(), &results));
            }
            let pairing = in_play.swap_remove(self.rng.random_range(0..in_play.len()));
            let record = self.world.play(self.plan, &pairing);
            results.insert(&record).unwrap();
            self.journal.push(record);
            if self.rng.random_range(0..1000) < self.manner.kills {
                return None;
            }
        }
    }

    /// Begins as many pairings as may be played; tells whether there are no more.
    fn fill(
        &mut self,
        id: &mut u64,
        in_play: &mut Vec<Pairing>,
        schedule: &mut dyn Schedule,
        results: &Results,
    ) -> bool {
        while in_play.len() < self.manner.concurrency {
            match schedule.next(*id, results) {
                Next::Wait => return false,
                Next::Done => return true,
                Next::Play(pairing) => {
                    assert_eq!(pairing.id, *id);
                    assert_eq!(*self.told.entry(*id).or_insert(pairing), pairing);
                    if results.get(*id).is_none() {
                        in_play.push(pairing);
                    }
                    *id += 1;
                }
            }
        }
        false
    }

    fn played(&self, schedule: &dyn Schedule, results: &Results) -> TournamentLog {
        let counted = schedule.counted();
        let counts = |id: &u64| counted.is_none_or(|counted| *id < counted);
        let counting = self.told.iter().filter(|(id, _)| counts(id));
        TournamentLog {
            pairings: counting.map(|(_, pairing)| *pairing).collect(),
            total: schedule.total(),
            counted,
            report: schedule.report(results),
        }
    }
}

/// Any world, and bots that play in only a few ways now and then.
pub(crate) fn world() -> impl Strategy<Value = World> {
    let varieties = prop_oneof![Just(u64::MAX), 1..50_u64];
    let order = prop_oneof![Just(50), 0..=100_u32];
    (any::<u64>(), 0..=70_u32, 0..20_u32, order, varieties).prop_map(
        |(seed, draws, voids, order, varieties)| World {
            seed,
            draws,
            voids,
            order,
            varieties,
        },
    )
}

pub(crate) fn manner() -> impl Strategy<Value = Manner> {
    (any::<u64>(), 1..9_usize, 0..200_u32).prop_map(|(seed, concurrency, kills)| Manner {
        seed,
        concurrency,
        kills,
    })
}
