//! What the machines of a run must have in common besides its settings.

use checkers_engine::tablebase::Tablebases;
use ledger_kit::LedgerError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::LedgerFailure;
use crate::hexadecimal::hexadecimal;
use crate::{MatchPlayer, Participant, TournamentPlan};

/// What decides games, but is not in the settings of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Terms {
    /// The program with its version and commit.
    pub(super) program: String,
    /// The files with weights.
    pub(super) weights: Vec<FileDigest>,
    /// The most pieces of the tablebases, where they are used; 0 otherwise.
    pub(super) table_pieces: u32,
}

/// A file and what is in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct FileDigest {
    path: String,
    /// In hexadecimal digits.
    sha256: String,
}

impl Terms {
    /// Those of this program on this machine. Reads the files.
    pub(super) fn of(plan: &TournamentPlan) -> Result<Terms, LedgerFailure> {
        let weights = plan.participants.iter().filter_map(weights);
        let of_bots = plan.table_pieces().into_iter().max().unwrap_or(0);
        let of_rules = match plan.adjudication.tablebase {
            true => Tablebases::shared().most_pieces().into(),
            false => 0,
        };
        Ok(Terms {
            program: program(),
            weights: weights.collect::<Result<_, _>>()?,
            table_pieces: of_bots.max(of_rules),
        })
    }

    /// Checks that this is the program that began a run.
    pub(super) fn check_program(recorded: &Terms, run: &str) -> Result<(), LedgerError> {
        let found = program();
        match recorded.program == found {
            true => Ok(()),
            false => Err(LedgerError::Terms {
                run: run.to_owned(),
                recorded: recorded.program.clone(),
                found,
            }),
        }
    }

    /// Checks that this machine, with these terms, plays the games of a run with the terms `recorded`.
    pub(super) fn check(&self, recorded: &Terms, run: &str) -> Result<(), LedgerError> {
        let shown = |terms: &Terms| {
            let files = terms.weights.iter();
            let files: Vec<String> = files
                .map(|file| format!("{} with the SHA-256 {}", file.path, file.sha256))
                .collect();
            [
                terms.program.clone(),
                format!("the weights {}", files.join(", ")),
                format!("tablebases of {} pieces", terms.table_pieces),
            ]
        };
        let mut pairs = shown(recorded).into_iter().zip(shown(self));
        let differs = pairs.find(|(recorded, found)| recorded != found);
        differs.map_or(Ok(()), |(recorded, found)| {
            Err(LedgerError::Terms {
                run: run.to_owned(),
                recorded,
                found,
            })
        })
    }
}

/// This program with its version, in release builds also its commit.
pub(super) fn program() -> String {
    format!("{} {}", env!("CARGO_PKG_NAME"), cli_kit::VERSION)
}

fn weights(participant: &Participant) -> Option<Result<FileDigest, LedgerFailure>> {
    let MatchPlayer::Weighted { weights, .. } = &participant.player else {
        return None;
    };
    let path = weights.display().to_string();
    Some(match std::fs::read(weights) {
        Ok(bytes) => Ok(FileDigest {
            path,
            sha256: hexadecimal(&Sha256::digest(bytes)),
        }),
        Err(error) => Err(LedgerFailure::File {
            path,
            reason: cli_kit::io_reason(&error),
        }),
    })
}
