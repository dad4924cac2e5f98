//! What ended a match, judged from everything that happened around its end.
//!
//! One failure brings others along: when the server dies both bots lose their connection, and
//! when a bot dies its opponent's game is broken off. The order in which the news arrive says
//! nothing, so they are gathered first and judged together.

use std::time::Duration;

use checkers_bot::ExitCode as BotExitCode;

use crate::failure::milliseconds;
use crate::telemetry::Telemetry;
use crate::{BotId, Exit, Failure, Fault, Referee, ServerFault};

/// How long evidence is gathered.
pub(crate) const SETTLE: Duration = Duration::from_secs(2);

/// What happened that should not have.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// The bots whose processes ended, in that order.
    pub(crate) bot_exits: Vec<(BotId, Exit)>,
    /// The end of the server's process.
    pub(crate) server_exit: Option<Exit>,
    /// The first thing that was wrong with what the server said, or the end of it.
    pub(crate) server_fault: Option<ServerFault>,
}

impl Evidence {
    /// Why the match ended; `None` without evidence. What may be the cause of the rest comes
    /// first: the server, then a bot whose process failed, then one that lost its connection.
    /// Stderr is left to be filled in.
    pub(crate) fn judge(&self, referee: &Referee, telemetry: &Telemetry) -> Option<Failure> {
        self.of_server()
            .or_else(|| self.of_exit(referee, telemetry, |exit| exit != Exit::Code(0)))
            .or_else(|| self.of_absence(referee))
            .or_else(|| self.of_early_end(referee, telemetry))
            .or_else(|| {
                referee
                    .broken_game()
                    .map(|game| Failure::Abandoned { game })
            })
    }

    fn of_server(&self) -> Option<Failure> {
        let died = self.server_exit.map(|exit| ServerFault::Died { exit });
        let fault = died.or_else(|| self.server_fault.clone())?;
        Some(Failure::Server {
            fault,
            stderr: Vec::new(),
        })
    }

    fn of_exit(
        &self,
        referee: &Referee,
        telemetry: &Telemetry,
        counts: impl Fn(Exit) -> bool,
    ) -> Option<Failure> {
        let &(bot, exit) = self.bot_exits.iter().find(|&&(_, exit)| counts(exit))?;
        let complaint = telemetry.complaint(bot).map(str::to_owned);
        Some(bot_failure(
            bot,
            referee,
            fault_of_exit(exit, complaint, referee),
        ))
    }

    /// A bot that ended in good order, but too early: not the one that had just seen its last game
    /// left by an opponent that is still there.
    fn of_early_end(&self, referee: &Referee, telemetry: &Telemetry) -> Option<Failure> {
        let had_all = referee.broken_game() == Some(referee.wanted());
        if had_all && self.bot_exits.len() == 1 {
            return None;
        }
        self.of_exit(referee, telemetry, |_| true)
    }

    /// A bot that is gone from the server while its process lives.
    fn of_absence(&self, referee: &Referee) -> Option<Failure> {
        referee.broken_game()?;
        let has_ended = |bot| self.bot_exits.iter().any(|&(ended, _)| ended == bot);
        let absent = |bot: &BotId| !referee.sees(*bot) && !has_ended(*bot);
        let bot = BotId::BOTH.into_iter().find(absent)?;
        let waited_ms = milliseconds(SETTLE);
        Some(bot_failure(bot, referee, Fault::Disconnected { waited_ms }))
    }
}

fn bot_failure(bot: BotId, referee: &Referee, fault: Fault) -> Failure {
    Failure::Bot {
        bot,
        game: referee.unfinished_game(),
        fault,
        stderr: Vec::new(),
    }
}

/// What a bot's exit code says. During a game the only thing a bot says is its move, so that is
/// what was refused.
fn fault_of_exit(exit: Exit, message: Option<String>, referee: &Referee) -> Fault {
    let unexplained = |message: Option<String>| message.unwrap_or_else(|| format!("{exit}"));
    let is_refused = exit == code(BotExitCode::Refused);
    if is_refused && referee.unfinished_game().is_some() {
        return Fault::IllegalMove {
            fen: referee.last_fen().to_owned(),
            message: unexplained(message),
        };
    }
    if is_refused || exit == code(BotExitCode::Protocol) {
        return Fault::Protocol {
            message: unexplained(message),
        };
    }
    Fault::Crashed { exit, message }
}

fn code(code: BotExitCode) -> Exit {
    Exit::Code(i32::from(code.code()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timeouts;
    use checkers_lib::DrawRules;
    use checkers_lib::protocol::{
        EndReason, GameResult, GameState, Player, Role, ServerMessage, WireColor,
    };
    use std::time::Instant;

    /// A referee in whose first game of so many a player left; these bots are still there.
    fn left(wanted: u64, here: &[BotId]) -> Referee {
        let now = Instant::now();
        let mut referee = Referee::new(wanted, DrawRules::Fmjd64, Timeouts::default(), now);
        let fen = checkers_lib::Position::start().to_string();
        let started = ServerMessage::GameStarted(GameState {
            game: 1,
            white: BotId::FIRST.name(),
            black: BotId::SECOND.name(),
            start_fen: fen.clone(),
            moves: Vec::new(),
            fen: fen.clone(),
            ply: 0,
            turn: WireColor::White,
            clocks: None,
        });
        let over = ServerMessage::GameOver {
            game: 1,
            result: GameResult::Interrupted,
            reason: EndReason::PlayerLeft,
            article: None,
            left: None,
            ply: 0,
            fen,
        };
        let player = |bot: &BotId| Player {
            name: bot.name(),
            role: Role::Spectator,
        };
        let players = here.iter().map(player).collect();
        for message in [started, over, ServerMessage::Players { players }] {
            referee.handle(&message, now).unwrap();
        }
        referee
    }

    fn exits(bot_exits: &[(BotId, Exit)]) -> Evidence {
        Evidence {
            bot_exits: bot_exits.to_vec(),
            ..Evidence::default()
        }
    }

    fn judge(evidence: &Evidence, referee: &Referee) -> Failure {
        evidence.judge(referee, &Telemetry::new(9)).unwrap()
    }

    fn blamed(evidence: &Evidence, referee: &Referee) -> (BotId, Fault) {
        match judge(evidence, referee) {
            Failure::Bot { bot, fault, .. } => (bot, fault),
            failure => panic!("{failure:?}"),
        }
    }

    #[test]
    fn a_dead_server_explains_dead_bots() {
        let mut evidence = exits(&[(BotId::FIRST, Exit::Code(9))]);
        evidence.server_fault = Some(ServerFault::Unreachable {
            message: "hung up".to_owned(),
        });
        evidence.server_exit = Some(Exit::Signal(9));
        let failure = judge(&evidence, &left(1, &[]));
        let fault = ServerFault::Died {
            exit: Exit::Signal(9),
        };
        assert!(matches!(failure, Failure::Server { fault: found, .. } if found == fault));
    }

    #[test]
    fn a_crash_explains_an_opponent_that_is_done() {
        let done_then_crashed = [
            (BotId::FIRST, Exit::Code(0)),
            (BotId::SECOND, Exit::Signal(11)),
        ];
        let (bot, fault) = blamed(&exits(&done_then_crashed), &left(1, &[]));
        assert_eq!(bot, BotId::SECOND);
        assert!(matches!(fault, Fault::Crashed { .. }));
    }

    #[test]
    fn a_bot_that_is_gone_but_lives_has_lost_its_connection() {
        let done = exits(&[(BotId::FIRST, Exit::Code(0))]);
        let (bot, fault) = blamed(&done, &left(1, &[]));
        assert_eq!(bot, BotId::SECOND);
        assert!(matches!(fault, Fault::Disconnected { .. }));
    }

    #[test]
    fn a_bot_that_ends_too_early_in_good_order() {
        let early = exits(&[(BotId::FIRST, Exit::Code(0))]);
        let (bot, _) = blamed(&early, &left(2, &[BotId::SECOND]));
        assert_eq!(bot, BotId::FIRST);
        let both = exits(&[
            (BotId::SECOND, Exit::Code(0)),
            (BotId::FIRST, Exit::Code(0)),
        ]);
        assert_eq!(blamed(&both, &left(1, &[])).0, BotId::SECOND);
    }

    #[test]
    fn a_seat_given_up_is_nobodys_by_name() {
        let abandoned = Failure::Abandoned { game: 1 };
        assert_eq!(judge(&exits(&[]), &left(1, &BotId::BOTH)), abandoned);
        let done = exits(&[(BotId::FIRST, Exit::Code(0))]);
        assert_eq!(judge(&done, &left(1, &[BotId::SECOND])), abandoned);
    }

    #[test]
    fn exit_codes_of_our_bots_say_what_happened() {
        let now = Instant::now();
        let idle = Referee::new(1, DrawRules::Fmjd64, Timeouts::default(), now);
        let fault = |code, referee| blamed(&exits(&[(BotId::FIRST, Exit::Code(code))]), referee).1;
        let playing = left(1, &[]);
        assert!(matches!(fault(7, &playing), Fault::IllegalMove { .. }));
        assert!(matches!(fault(7, &idle), Fault::Protocol { .. }));
        assert!(matches!(fault(8, &playing), Fault::Protocol { .. }));
        assert!(matches!(fault(3, &idle), Fault::Crashed { .. }));
    }
}
