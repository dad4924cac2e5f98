//! The commands for a ledger that is conducted elsewhere.

use cli_kit::Signals;

use super::session::runtime;
use super::{ProgramError, load_tablebases};
use crate::cli::{ExportArgs, WorkerArgs};
use crate::journal::Journal;
use crate::ledger::{self, WorkRequest};
use crate::progress::TournamentProgress;
use crate::stderr::print_stderr;
use crate::{ExitCode, Failure};

/// Plays games of a run until it is complete.
pub(super) fn work(args: &WorkerArgs) -> Result<ExitCode, ProgramError> {
    load_tablebases();
    let request = WorkRequest {
        address: args.ledger.clone(),
        run: args.run.clone(),
        concurrency: args.concurrency.map(usize::from),
        lease: args.lease,
        program: std::env::current_exe().map_err(ProgramError::System)?,
    };
    runtime()?.block_on(serve(request))
}

async fn serve(request: WorkRequest) -> Result<ExitCode, ProgramError> {
    let mut signals = Signals::with_hangup().map_err(ProgramError::System)?;
    let mut member = tokio::select! {
        member = ledger::join(request) => member?,
        signal = signals.next() => return Ok((&Failure::from(signal)).into()),
    };
    print_stderr(&format!("playing run {}\n", member.run()));
    let mut progress = TournamentProgress::on_stderr(member.bots());
    progress.started(None);
    let ended = member.play(&mut progress, signals.next()).await;
    drop(progress);
    let (run, played) = (member.run().to_owned(), member.played());
    // Another signal ends it at once.
    let has_left = tokio::select! {
        () = member.leave() => true,
        _ = signals.next() => false,
    };
    let count = crate::text::units::count(played as u64, "pairing");
    match ended? {
        None => {
            print_stderr(&format!("run {run} is complete; {count} played here\n"));
            Ok(ExitCode::Done)
        }
        Some(signal) => {
            let rest = match has_left {
                true => "the rest is given back",
                false => "others play the rest after the lease",
            };
            print_stderr(&format!("{count} played here; {rest}\n"));
            Ok((&Failure::from(signal)).into())
        }
    }
}

/// Writes the journal of a run.
pub(super) fn export(args: &ExportArgs) -> Result<ExitCode, ProgramError> {
    let exported = ledger::export(args.ledger.clone(), args.run.as_deref());
    let (header, records) = runtime()?.block_on(exported)?;
    Journal::create(&args.file, &header)?.append(&records)?;
    Ok(ExitCode::Done)
}
