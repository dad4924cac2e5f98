//! Sources of settings: flags, environment, file, defaults.

use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

struct ConfigDir {
    directory: TempDir,
}

impl ConfigDir {
    fn new() -> ConfigDir {
        let directory = tempfile::tempdir().unwrap();
        ConfigDir { directory }
    }

    fn file(&self, text: &str) -> PathBuf {
        let file = self.directory.path().join("checkers.toml");
        std::fs::write(&file, text).unwrap();
        file
    }
}

fn print_config(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
    command.arg("--print-config").args(arguments);
    command.env_clear().envs(environment.iter().copied());
    command.output().unwrap()
}

/// The effective settings.
fn settings(arguments: &[&str], environment: &[(&str, &str)]) -> toml::Table {
    let Output {
        status,
        stdout,
        stderr,
    } = print_config(arguments, environment);
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap().parse().unwrap()
}

/// The error for a bad configuration file.
fn complaint(text: &str) -> String {
    let place = ConfigDir::new();
    let file = place.file(text);
    let Output { status, stderr, .. } = print_config(&["--config", file.to_str().unwrap()], &[]);
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(2), "{stderr}");
    stderr.replace(file.to_str().unwrap(), "FILE")
}

#[test]
fn the_silence_timeout_exceeds_the_ping_interval() {
    let error = complaint("ping-interval = \"3s\"\nsilence-timeout = \"3s\"\n");
    assert!(
        error.contains("silence-timeout has to be longer"),
        "{error}"
    );
    settings(&["--ping-interval", "3s", "--silence-timeout", "4s"], &[]);
}

#[test]
fn flags_override_environment_file_and_defaults() {
    let place = ConfigDir::new();
    let file = place.file("port = 1\nping-interval = \"11s\"\nmessage-rate = 11\n");
    let flags = ["--config", file.to_str().unwrap(), "--port", "3"];
    let environment = [("CHECKERS_PORT", "2"), ("CHECKERS_PING_INTERVAL", "12s")];
    let settings = settings(&flags, &environment);
    assert_eq!(settings["port"].as_integer(), Some(3));
    assert_eq!(settings["ping-interval"].as_str(), Some("12s"));
    assert_eq!(settings["message-rate"].as_integer(), Some(11));
    assert_eq!(settings["write-timeout"].as_str(), Some("5s"));
}

#[test]
fn printed_settings_round_trip() {
    let place = ConfigDir::new();
    let flags = ["--port", "7", "--allowed-origins", "https://club.example"];
    let Output { stdout, .. } = print_config(&flags, &[("CHECKERS_DIRECTOR_TOKEN", "hush")]);
    let printed = String::from_utf8(stdout).unwrap();
    assert!(!printed.contains("hush"), "{printed}");
    assert!(printed.contains("# director-token = \"***\""), "{printed}");
    let file = place.file(&printed);
    let again = print_config(&["--config", file.to_str().unwrap()], &[]);
    let again = String::from_utf8(again.stdout).unwrap();
    let without_token = printed.replace("# director-token = \"***\"", "# director-token =");
    assert_eq!(again, without_token);
}

#[test]
fn the_address_of_a_database_is_not_printed() {
    let url = "postgres://anna:hush@db/games";
    let arguments = ["--store", url];
    for (arguments, environment) in [(&arguments[..], &[][..]), (&[], &[("CHECKERS_STORE", url)])] {
        let Output { stdout, .. } = print_config(arguments, environment);
        let printed = String::from_utf8(stdout).unwrap();
        assert!(printed.contains("# store = \"***\""), "{printed}");
        assert!(!printed.contains("hush"), "{printed}");
    }
    for (arguments, expected) in [
        (
            &["--store", "postgres://anna:hush@db/games?colour=hush"][..],
            "invalid value '***' for '--store <STORE>': bad address of a PostgreSQL database",
        ),
        (
            &["--store", "mysql://anna:hush@db/games"],
            "expected sqlite:DIRECTORY or postgres://USER:PASSWORD@HOST/DATABASE",
        ),
        (
            &["--store", "sqlite:data", "--in-memory"],
            "in-memory and store exclude each other",
        ),
    ] {
        let Output { status, stderr, .. } = print_config(arguments, &[]);
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        assert!(!stderr.contains("hush"), "{stderr}");
    }
    let complaint = complaint("store = \"mysql://anna:hush@db/games\"\n");
    assert!(
        complaint.contains("FILE:1: bad value of `store`"),
        "{complaint}"
    );
    assert!(!complaint.contains("hush"), "{complaint}");
}

#[test]
fn lists_may_be_written_as_lists() {
    let place = ConfigDir::new();
    let file = place.file("trusted-proxies = [\"10.0.0.0/8\", \"::1\"]\n");
    let file = file.to_str().unwrap();
    let settings = settings(&[], &[("CHECKERS_CONFIG", file)]);
    assert_eq!(settings["trusted-proxies"].as_str(), Some("10.0.0.0/8,::1"));
}

#[test]
fn errors_name_file_line_and_key() {
    for (text, expected) in [
        (
            "port = 1\n\nprot = 2\n",
            "FILE:3: unknown key `prot`: did you mean port?; --print-config shows all\n",
        ),
        (
            "\nport = 70000\n",
            "FILE:2: bad value of `port`: expected a whole number from 0 to 65535",
        ),
        (
            "port = 1.5\n",
            "FILE:1: bad value of `port`: expected a text, a whole number",
        ),
        (
            "port = \"abc\"\n",
            "FILE:1: bad value of `port`: expected a whole number",
        ),
        (
            "ping-interval = \"5\"\n",
            "FILE:1: bad value of `ping-interval`: expected a time with a unit, such as 5ms, 5s or 5m",
        ),
        (
            "tls-cert = \"cert.pem\"\n",
            "tls-cert and tls-key are set together or not at all",
        ),
        (
            "ping-interval = \"0s\"\n",
            "FILE:1: bad value of `ping-interval`: expected more than 0s",
        ),
        (
            "draw-rules = \"mine\"\n",
            "FILE:1: bad value of `draw-rules`: unknown draw rules",
        ),
        (
            "allowed-origins = [\"*\"]\n",
            "FILE:1: bad value of `allowed-origins`: expected an origin",
        ),
        (
            "admin-token = \"пароль\"\n",
            "FILE:1: bad value of `admin-token`: expected a token of visible ASCII characters",
        ),
        (
            "admin-token = \"word \"\n",
            "FILE:1: bad value of `admin-token`: expected a token of visible ASCII characters",
        ),
        ("port = 1\nport = 2\n", "FILE:2: duplicate key"),
        ("port =\n", "FILE:1: "),
        (
            "port = 1\nbind = 127.0.0.1\n",
            "FILE:2: expected a value: a text needs quotes: bind = \"127.0.0.1\"",
        ),
        ("[limits]\nport = 1\n", "FILE:1: unknown key `limits`"),
        ("config = \"other\"\n", "FILE:1: unknown key `config`"),
        (
            "openings = \"o\"\ndirector-token = \"t\"\n",
            "cannot be used with",
        ),
    ] {
        let complaint = complaint(text);
        assert!(complaint.contains(expected), "{text}{complaint}");
        let is_of_two_options = expected == "cannot be used with";
        assert_eq!(
            complaint.contains("Usage:"),
            is_of_two_options,
            "{complaint}"
        );
    }
}

#[test]
fn a_misspelt_variable_is_reported() {
    let Output { status, stderr, .. } = print_config(&[], &[("CHECKERS_GRAEC", "5m")]);
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("CHECKERS_GRAEC: did you mean CHECKERS_GRACE?"),
        "{stderr}"
    );
    settings(&[], &[("CHECKERS_SERVER", "ws://club.example/ws")]);
}

#[test]
fn a_bad_value_names_its_variable() {
    for (arguments, variable, text) in [
        (
            &[][..],
            ("CHECKERS_PORT", "abc"),
            "invalid value 'abc' for the environment variable CHECKERS_PORT: expected a whole number",
        ),
        (
            &["--port", "abc"],
            ("CHECKERS_PORT", "1"),
            "invalid value 'abc' for '--port <PORT>': expected a whole number",
        ),
        (
            &["--bind", "here"],
            ("HOME", "/"),
            "invalid value 'here' for '--bind <ADDRESS>': expected an IP address",
        ),
    ] {
        let Output { status, stderr, .. } = print_config(arguments, &[variable]);
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(text), "{stderr}");
    }
}

#[test]
fn a_bad_log_level_is_an_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
    command.args(["--in-memory", "--port", "0"]);
    command.env_clear().env("CHECKERS_LOG", "foo");
    let Output { status, stderr, .. } = command.output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(2), "{stderr}");
    assert!(
        stderr
            .starts_with("error: invalid value 'foo' for the environment variable CHECKERS_LOG: ")
    );
}

#[test]
fn a_missing_file_is_named() {
    let Output { status, stderr, .. } = print_config(&["--config", "/nonexistent/file"], &[]);
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(stderr.contains("cannot read /nonexistent/file"), "{stderr}");
}

#[test]
fn the_example_file_equals_the_printed_defaults() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
    let example = std::fs::read_to_string(format!("{examples}/checkers-server.toml")).unwrap();
    let printed = String::from_utf8(print_config(&[], &[]).stdout).unwrap();
    assert_eq!(printed, example, "write it anew by --print-config");
}
