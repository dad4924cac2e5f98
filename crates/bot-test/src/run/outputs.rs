//! The files that were asked for.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;

use super::ProgramError;
use crate::cli::{OutputArgs, Play};
use crate::files::{OutputFile, prepare_directory};
use crate::report::{PAGE, ReportDirectory};
use crate::{TournamentRecord, csv, pdn};

/// The files that were asked for.
pub(super) struct Outputs {
    json: Option<OutputFile>,
    csv: Option<OutputFile>,
    pdn: Option<OutputFile>,
    report: Option<ReportDirectory>,
}

impl Outputs {
    /// Makes sure that every file can be written, without changing existing ones.
    pub(super) fn prepare(play: &Play) -> Result<Outputs, ProgramError> {
        check_distinct(play)?;
        if let Some(directory) = &play.args.transcripts {
            prepare_directory(directory)?;
        }
        Outputs::of(&play.args.outputs)
    }

    /// The same for a tournament that is not played.
    pub(super) fn of(args: &OutputArgs) -> Result<Outputs, ProgramError> {
        let prepare = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::prepare).transpose();
        Ok(Outputs {
            json: prepare(&args.json)?,
            csv: prepare(&args.csv)?,
            pdn: prepare(&args.pdn)?,
            report: (args.report.as_deref())
                .map(ReportDirectory::prepare)
                .transpose()?,
        })
    }

    pub(super) fn write(&self, record: &TournamentRecord) -> Result<(), ProgramError> {
        // One that cannot be written must not cost the others.
        let written = [
            write(self.json.as_ref(), || record.to_json()),
            write(self.csv.as_ref(), || csv::games(record)),
            write(self.pdn.as_ref(), || pdn::games(record)),
            match &self.report {
                Some(directory) => directory.write(record).map_err(ProgramError::from),
                None => Ok(()),
            },
        ];
        written.into_iter().collect()
    }
}

fn write(file: Option<&OutputFile>, text: impl FnOnce() -> String) -> Result<(), ProgramError> {
    match file {
        Some(file) => Ok(file.write(text().as_bytes())?),
        None => Ok(()),
    }
}

/// What a path means, whether there is anything or not: links and dots are followed as far as
/// they lead.
fn place(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let parent = parent.unwrap_or(Path::new("."));
    (path.canonicalize())
        .or_else(|_| {
            Ok(parent
                .canonicalize()?
                .join(path.file_name().unwrap_or_default()))
        })
        .unwrap_or_else(|_: std::io::Error| path.to_owned())
}

fn check_distinct(play: &Play) -> Result<(), ProgramError> {
    let args = &play.args;
    let page = (args.outputs.report.as_ref()).map(|directory| place(directory).join(PAGE));
    let place = |file: &Option<PathBuf>| file.as_deref().map(place);
    let files = [
        ("--openings", place(&args.openings)),
        ("--journal", place(&args.journal)),
        ("--resume", place(&args.resume)),
        ("--json", place(&args.outputs.json)),
        ("--csv", place(&args.outputs.csv)),
        ("--pdn", place(&args.outputs.pdn)),
        ("--report", page),
    ];
    for (index, (option, file)) in files.iter().enumerate() {
        let same = files[..index]
            .iter()
            .find(|(_, other)| file.is_some() && other == file);
        if let Some((other, _)) = same {
            let message = format!("{other} and {option} cannot be the same file");
            return Err(play.error(ErrorKind::ArgumentConflict, &message).into());
        }
    }
    Ok(())
}
