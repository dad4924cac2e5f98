//! A PostgreSQL server for tests: in a temporary directory, behind a socket there.

use std::env;
use std::fs::{self, Permissions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tokio_postgres::{NoTls, Row};

use crate::process::run;

/// Without this variable, tests are skipped where there is no PostgreSQL.
const REQUIRED: &str = "CHECKERS_POSTGRES";

/// How long a server may take to start.
const START: Duration = Duration::from_secs(60);

/// Runs the server. Its input ends with the test program, however that ends; then the server stops, and
/// the directory is removed. A line there only stops the server.
const KEEPER: &str = r#"
    directory=$1; shift
    "$@" & server=$!
    read -r order
    kill -QUIT $server
    wait $server
    [ -n "$order" ] || rm -rf "$directory"
"#;

/// A running server, with databases of its own.
///
/// Without PostgreSQL there is none, and a test says that it is skipped, or fails where `CHECKERS_POSTGRES` is set.
#[derive(Debug)]
pub struct PostgresServer {
    directory: PathBuf,
    port: String,
    options: Vec<String>,
    keeper: Child,
}

impl PostgresServer {
    /// The server that all tests of this program share; `None` if there is no PostgreSQL.
    pub fn shared() -> Option<&'static PostgresServer> {
        static SHARED: OnceLock<Option<PostgresServer>> = OnceLock::new();
        SHARED
            .get_or_init(|| {
                PostgresServer::start_with(&["fsync=off"], |data| {
                    initialise(data);
                    copy(data, &template_beside(data));
                })
            })
            .as_ref()
    }

    /// A server for one test, with these settings; `None` if there is no PostgreSQL.
    pub fn start(settings: &[&str]) -> Option<PostgresServer> {
        PostgresServer::start_prepared(settings, |_| {})
    }

    /// The same; `prepare` changes the directory of its data before it starts.
    pub fn start_prepared(
        settings: &[&str],
        prepare: impl FnOnce(&Path),
    ) -> Option<PostgresServer> {
        let shared = PostgresServer::shared()?;
        let template = template_beside(&shared.directory.join("data"));
        PostgresServer::start_with(settings, |data| {
            copy(&template, data);
            prepare(data);
        })
    }

    /// As `start`; `make` makes the directory of its data.
    fn start_with(settings: &[&str], make: impl FnOnce(&Path)) -> Option<PostgresServer> {
        binaries()?;
        let directory = tempfile::Builder::new().prefix("checkers-pg").tempdir();
        let directory = directory.unwrap().keep();
        give(&directory);
        let data = directory.join("data");
        make(&data);
        let sockets = format!("unix_socket_directories={}", directory.display());
        let own = ["listen_addresses=", &sockets, "max_connections=200"];
        let settings = own.iter().chain(settings);
        let options = settings.flat_map(|setting| ["-c".to_owned(), (*setting).to_owned()]);
        let options: Vec<String> = options.collect();
        let keeper = keep(&directory, &options);
        let port = options
            .iter()
            .find_map(|option| option.strip_prefix("port="));
        let server = PostgresServer {
            port: port.unwrap_or("5432").to_owned(),
            directory,
            options,
            keeper,
        };
        server.wait();
        Some(server)
    }

    /// Makes a database. Returns its URL.
    pub fn database(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("test_{}", NEXT.fetch_add(1, Relaxed));
        self.query("postgres", &format!("CREATE DATABASE {name}"));
        self.url("postgres", &name)
    }

    /// The URL of a database for a user, or for `user:password`.
    pub fn url(&self, user: &str, database: &str) -> String {
        let sockets = self.directory.to_str().unwrap().replace('/', "%2F");
        format!("postgres://{user}@{sockets}:{}/{database}", self.port)
    }

    /// Executes a query in a database, from any thread.
    pub fn query(&self, database: &str, text: &str) -> Vec<Row> {
        query(&self.url("postgres", database), text).unwrap()
    }

    /// The directory with the socket.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The process of the server.
    pub fn process(&self) -> u32 {
        let file = self.directory.join("data/postmaster.pid");
        let text = fs::read_to_string(file).unwrap();
        text.lines().next().unwrap().parse().unwrap()
    }

    /// Limits the size of the files that it writes for its clients, in bytes: a full disk, but for what fits into
    /// files of that size. `None` lifts the limit.
    pub fn limit_files(&self, bytes: Option<u64>) {
        let limit = bytes.map_or("unlimited".to_owned(), |bytes| bytes.to_string());
        let set = |process: u32| {
            let process = process.to_string();
            let limits = as_user(Path::new("prlimit"))
                .args(["--pid", &process, &format!("--fsize={limit}:")])
                .output();
            // A client may have gone meanwhile.
            limits.unwrap().status.success()
        };
        // Later processes inherit its limit.
        assert!(set(self.process()), "the limit cannot be set");
        let clients = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'";
        for client in self.query("postgres", clients) {
            set(client.get::<_, i32>(0).cast_unsigned());
        }
    }

    /// Stops the server at once, as a crash does.
    pub fn stop(&mut self) {
        let mut input = self.keeper.stdin.take().unwrap();
        input.write_all(b"stop\n").unwrap();
        drop(input);
        self.keeper.wait().unwrap();
    }

    /// Starts it again.
    pub fn start_again(&mut self) {
        self.keeper = keep(&self.directory, &self.options);
        self.wait();
    }

    /// Makes this server, which has been stopped, a synchronous standby of another one: it gets a copy of its data.
    pub fn follow(&mut self, primary: &PostgresServer) {
        let data = self.directory.join("data");
        fs::remove_dir_all(&data).unwrap();
        let copied = as_user(&binaries().unwrap().join("pg_basebackup"))
            .args(["-U", "postgres", "-p", &primary.port, "-h"])
            .arg(&primary.directory)
            .args([
                "--write-recovery-conf",
                "--checkpoint=fast",
                "--no-sync",
                "-D",
            ])
            .arg(&data)
            .current_dir(&self.directory)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&copied.stderr);
        assert!(copied.status.success(), "{errors}");
        self.start_again();
        primary.query(
            "postgres",
            "ALTER SYSTEM SET synchronous_standby_names = '*'",
        );
        primary.query("postgres", "SELECT pg_reload_conf()");
        let follows = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
        let deadline = Instant::now() + START;
        while primary.query("postgres", follows).is_empty() {
            assert!(Instant::now() < deadline, "the standby does not follow");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Makes this standby accept writes.
    pub fn promote(&self) {
        self.query("postgres", "SELECT pg_promote()");
    }

    fn wait(&self) {
        let url = self.url("postgres", "postgres");
        let deadline = Instant::now() + START;
        while let Err(error) = query(&url, "SELECT 1") {
            let log = || fs::read_to_string(self.directory.join("log")).unwrap_or_default();
            assert!(Instant::now() < deadline, "{error}\n{}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn initialise(data: &Path) {
    run(as_user(&binaries().unwrap().join("initdb"))
        .args(["-A", "trust", "--no-sync", "-U", "postgres", "-E", "UTF8"])
        .args(["--locale=C", "--wal-segsize=1", "-D"])
        .arg(data)
        .current_dir(data.parent().unwrap()));
}

/// A copy of new data: to copy it takes a fifth of the time that it takes to make it.
fn template_beside(data: &Path) -> PathBuf {
    data.with_file_name("template")
}

fn copy(from: &Path, to: &Path) {
    run(as_user(Path::new("cp"))
        .arg("--archive")
        .args([from, to])
        .current_dir(to.parent().unwrap()));
}

fn keep(directory: &Path, options: &[String]) -> Child {
    let log = fs::File::options()
        .create(true)
        .append(true)
        .open(directory.join("log"))
        .unwrap();
    let server = as_user(&binaries().unwrap().join("postgres"));
    Command::new("sh")
        .args(["-c", KEEPER, "keeper"])
        .arg(directory)
        .arg(server.get_program())
        .args(server.get_args())
        .arg("-D")
        .arg(directory.join("data"))
        .args(options)
        .current_dir(directory)
        // A signal to the group of the tests does not end it before it has cleaned up.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

/// Executes a query on a connection of its own.
pub fn query(url: &str, text: &str) -> Result<Vec<Row>, tokio_postgres::Error> {
    let work = async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        let connection = tokio::spawn(connection);
        let rows = client.query(text, &[]).await;
        drop(client);
        let _ = connection.await;
        rows
    };
    // The caller's thread may run another runtime.
    std::thread::scope(|scope| {
        let run = || {
            tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap()
                .block_on(work)
        };
        scope.spawn(run).join().unwrap()
    })
}

/// The directory with the programs of PostgreSQL.
fn binaries() -> Option<PathBuf> {
    let found = find_binaries();
    if found.is_none() {
        let missing = "no PostgreSQL: install it, or set PG_BIN to the directory of its programs";
        assert!(env::var_os(REQUIRED).is_none(), "{missing}");
        // Written through its own buffer, so that it is seen although the test succeeds.
        let _ = writeln!(BufWriter::new(std::io::stderr()), "skipped: {missing}");
    }
    found
}

fn find_binaries() -> Option<PathBuf> {
    let given = env::var_os("PG_BIN").map(PathBuf::from);
    let is_there = |directory: &PathBuf| directory.join("initdb").exists();
    given
        .or_else(|| {
            let output = Command::new("pg_config").arg("--bindir").output().ok()?;
            let text = String::from_utf8(output.stdout).ok()?;
            Some(PathBuf::from(text.trim())).filter(is_there)
        })
        .or_else(|| {
            let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
            let directories = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
            directories.filter(is_there).max()
        })
}

/// The user that runs the server: PostgreSQL refuses to run as root.
fn user() -> Option<(u32, u32)> {
    static USER: OnceLock<Option<(u32, u32)>> = OnceLock::new();
    *USER.get_or_init(find_user)
}

fn find_user() -> Option<(u32, u32)> {
    let id = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if id(&["-u"]) != Some(0) {
        return None;
    }
    let of = |name| Some((id(&["-u", name])?, id(&["-g", name])?));
    of("postgres").or_else(|| of("nobody"))
}

/// A program, to be run as the user of the server.
pub fn as_user(program: &Path) -> Command {
    let Some((user, group)) = user() else {
        return Command::new(program);
    };
    let mut command = Command::new("setpriv");
    command.arg(format!("--reuid={user}"));
    command.arg(format!("--regid={group}"));
    command.arg("--clear-groups").arg(program);
    command
}

/// Gives a file or directory to the user of the server, and to nobody else.
pub fn give(path: &Path) {
    let mode = if path.is_dir() { 0o700 } else { 0o600 };
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    if let Some((user, group)) = user() {
        chown(path, Some(user), Some(group)).unwrap();
    }
}
