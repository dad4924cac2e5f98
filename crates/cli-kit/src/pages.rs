//! Man pages and completions for shells, made from the description of the command line.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{Command, ValueEnum};
use clap_complete::Shell;

use crate::exit;
use crate::message::io_reason;

/// The word after the program's name that asks for the pages. Not in `--help`: it is for packages.
const WORD: &str = "generate-pages";

/// Writes the pages of `command` if the command line is `generate-pages DIRECTORY`: man pages into
/// `DIRECTORY/man`, completions into `DIRECTORY/completions`. Returns `None` for other command
/// lines.
pub fn generate_pages(command: impl FnOnce() -> Command) -> Option<ExitCode> {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [word, directory] = words.as_slice() else {
        return None;
    };
    if word != WORD {
        return None;
    }
    let directory = Path::new(directory);
    Some(match write_pages(command(), directory) {
        Ok(()) => exit::DONE.into(),
        Err(error) => {
            let (directory, reason) = (directory.display(), io_reason(&error));
            // Nothing may read standard error; the exit code reports the failure too.
            let _ = writeln!(io::stderr(), "error: cannot write to {directory}: {reason}");
            exit::FAILED.into()
        }
    })
}

fn write_pages(mut command: Command, directory: &Path) -> io::Result<()> {
    let man = directory.join("man");
    let completions = directory.join("completions");
    std::fs::create_dir_all(&man)?;
    std::fs::create_dir_all(&completions)?;
    // First: completions complete the command with subcommands for its help.
    clap_mangen::generate_to(command.clone(), &man)?;
    let name = command.get_name().to_owned();
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut command, &name, &completions)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[test]
    fn each_command_has_a_man_page_and_each_shell_completions() {
        let depth = Arg::new("depth").long("depth").help("How deep to search");
        let hidden = Command::new("child").hide(true);
        let command = Command::new("program")
            .subcommand(Command::new("search").arg(depth))
            .subcommand(hidden);
        let directory = tempfile::tempdir().unwrap();
        write_pages(command, directory.path()).unwrap();

        let files = |folder: &str| {
            let entries = std::fs::read_dir(directory.path().join(folder)).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        };
        assert_eq!(files("man"), ["program-search.1", "program.1"]);
        let page = std::fs::read_to_string(directory.path().join("man/program-search.1"));
        assert!(page.unwrap().contains("How deep to search"));
        let expected = [
            "_program",
            "_program.ps1",
            "program.bash",
            "program.elv",
            "program.fish",
        ];
        assert_eq!(files("completions"), expected);
        let bash = std::fs::read_to_string(directory.path().join("completions/program.bash"));
        assert!(bash.unwrap().contains("--depth"));
    }
}
