//! What is known while a tournament goes on.

use std::time::{Duration, Instant};

use crate::statistics::{SprtAnswer, Wdl};
use crate::text::units::{count, points};
use crate::{BotId, GameRecord, PairRecord};

/// How many bots of three or more are shown.
const LEADERS: usize = 3;

/// What is known while a tournament goes on.
#[derive(Debug)]
pub(super) struct TournamentState {
    scores: Vec<Wdl>,
    games: u64,
    void: u64,
    pairs: u64,
    /// The games that were played before, and when the others began.
    resumed: u64,
    began: Option<Instant>,
    planned: Option<u64>,
    sprt: Option<SprtAnswer>,
}

impl TournamentState {
    pub(super) fn new(bots: usize) -> TournamentState {
        TournamentState {
            scores: vec![Wdl::default(); bots],
            games: 0,
            void: 0,
            pairs: 0,
            resumed: 0,
            began: None,
            planned: None,
            sprt: None,
        }
    }

    pub(super) fn start(&mut self, planned: Option<u64>, now: Instant) {
        (self.resumed, self.planned, self.began) = (self.games, planned, Some(now));
    }

    pub(super) fn game(&mut self, game: &GameRecord) {
        self.games += 1;
        self.void += u64::from(game.is_void());
        for bot in [game.seats.white, game.seats.black] {
            if let (Some(score), Some(result)) = (self.scores.get_mut(bot.0), game.score_of(bot)) {
                score.count(result);
            }
        }
    }

    pub(super) fn pair(&mut self, pair: &PairRecord) {
        self.pairs += u64::from(pair.games.len() == 2);
    }

    pub(super) fn sprt(&mut self, answer: SprtAnswer) {
        self.sprt = Some(answer);
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    pub(super) fn planned(&self) -> Option<u64> {
        self.planned
    }

    /// What was played before, if anything was.
    pub(super) fn resumed_line(&self) -> Option<String> {
        (self.resumed > 0).then(|| {
            format!(
                "{} on record already; {}",
                count(self.resumed, "game"),
                self.message()
            )
        })
    }

    /// `120 of 240 games, about 5m left; 60 pairs; bot 1: …`.
    pub(super) fn line(&self, now: Instant) -> String {
        let games = match self.planned {
            Some(planned) => format!("{} of {planned} games", self.games),
            None => count(self.games, "game"),
        };
        let left = self.time_left(now).map_or_else(String::new, |left| {
            format!(", about {} left", humantime::format_duration(left))
        });
        format!("{games}{left}; {}", self.message())
    }

    /// `60 pairs; bot 1: +20 =80 -20; LLR 1.20 (-2.94 to 2.94)`.
    pub(super) fn message(&self) -> String {
        let void = (self.void > 0).then(|| format!("{} void", self.void));
        let sprt = self.sprt.map(|answer| {
            let (llr, bounds) = (answer.llr, answer.bounds);
            format!("LLR {llr:.2} ({:.2} to {:.2})", bounds.lower, bounds.upper)
        });
        let parts = [
            Some(count(self.pairs, "pair")),
            Some(self.standings()),
            void,
            sprt,
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    fn standings(&self) -> String {
        if let [first, _] = self.scores[..] {
            return format!("bot 1: +{} ={} -{}", first.wins, first.draws, first.losses);
        }
        let mut bots: Vec<(BotId, Wdl)> = (self.scores.iter().enumerate())
            .map(|(bot, score)| (BotId(bot), *score))
            .collect();
        bots.sort_by(|(_, a), (_, b)| b.points().total_cmp(&a.points()));
        let leaders = bots.iter().take(LEADERS);
        let leaders: Vec<String> = leaders
            .map(|(bot, score)| format!("{bot} {}/{}", points(score.points()), score.games()))
            .collect();
        leaders.join(", ")
    }

    /// How long the rest will take if games go on at the same pace, in whole seconds.
    fn time_left(&self, now: Instant) -> Option<Duration> {
        let played = self.games - self.resumed;
        let rest = self.planned?.saturating_sub(self.games);
        let elapsed = now.saturating_duration_since(self.began?).as_secs_f64();
        let left = elapsed * rest as f64 / played as f64;
        Duration::try_from_secs_f64(left.round()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::game;
    use crate::statistics::{Model, Pentanomial, Sample, Sprt};
    use checkers_lib::protocol::{EndReason, GameResult};

    fn state(bots: usize) -> TournamentState {
        let mut state = TournamentState::new(bots);
        state.game(&game(1, GameResult::WhiteWon, EndReason::NoMoves));
        state.game(&game(2, GameResult::Draw, EndReason::Repetition));
        state
    }

    #[test]
    fn two_bots_are_shown_from_the_first_ones_side() {
        assert_eq!(state(2).message(), "0 pairs; bot 1: +1 =1 -0");
    }

    #[test]
    fn of_many_bots_the_first_are_shown() {
        let message = state(5).message();
        assert_eq!(message, "0 pairs; bot 1 1.5/2, bot 2 0.5/2, bot 3 0.0/0");
    }

    #[test]
    fn the_rest_takes_as_long_as_what_was_played_since_the_start() {
        let mut state = state(2);
        let began = Instant::now();
        state.start(Some(12), began);
        assert_eq!(state.line(began), "2 of 12 games; 0 pairs; bot 1: +1 =1 -0");
        for number in 3..=4 {
            state.game(&game(
                number,
                GameResult::Interrupted,
                EndReason::PlayerLeft,
            ));
        }
        let line = state.line(began + Duration::from_secs(10));
        let expected = "4 of 12 games, about 40s left; 0 pairs; bot 1: +1 =1 -0; 2 void";
        assert_eq!(line, expected);
        assert!(
            state
                .resumed_line()
                .unwrap()
                .starts_with("2 games on record already; ")
        );
    }

    #[test]
    fn a_test_shows_its_bounds() {
        let mut state = state(2);
        let test = Sprt::new([0.0, 10.0], 0.05, 0.05, Model::Normalized).unwrap();
        state.sprt(test.judge(&Sample::Pairs(Pentanomial([12, 80, 210, 110, 20]))));
        assert!(state.message().ends_with("; LLR 1.82 (-2.94 to 2.94)"));
    }
}
