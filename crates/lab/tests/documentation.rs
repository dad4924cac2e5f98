//! The commands shown in the documentation print what is shown there.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

use std::process::Command;

const OPENINGS: &str = include_str!("../../../docs/openings.md");
const RULES: &str = include_str!("../../../docs/rules.md");

/// A command as it was typed and the output that is shown below it.
struct Example {
    command: &'static str,
    output: String,
}

/// The lines after `$ checkers-lab ` and what follows each, up to the next one or the fence.
fn examples(text: &'static str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut is_output = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ checkers-lab ") {
            let output = String::new();
            examples.push(Example { command, output });
            is_output = true;
        } else if line == "```" {
            is_output = false;
        } else if let (true, Some(example)) = (is_output, examples.last_mut()) {
            example.output.push_str(line);
            example.output.push('\n');
        }
    }
    examples
}

fn run(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_checkers-lab"))
        .args(command.split(' '))
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_rules_show_what_the_program_prints() {
    let examples = examples(RULES);
    assert!(examples.len() >= 10, "only {} found", examples.len());
    assert_shown(examples);
}

#[test]
fn the_page_on_openings_shows_what_the_program_prints() {
    let examples = examples(OPENINGS);
    assert!(!examples.is_empty());
    assert_shown(examples);
}

fn assert_shown(examples: Vec<Example>) {
    for Example { command, output } in examples {
        assert_eq!(run(command), output, "checkers-lab {command}");
    }
}
