//! The measured processes: the relay, or servers and their database.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use event_store::ShardId;
use tempfile::TempDir;
use test_support::{PostgresServer, query};

use crate::AnyError;
use crate::parts::Side;

/// The nodes of a cluster that is measured.
const NODES: usize = 2;

/// How long two nodes have to share the tables.
const SHARING: Duration = Duration::from_secs(40);

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SubjectKind {
    Relay,
    /// One server with SQLite.
    Server,
    /// The same, with bots that play over HTTP.
    ServerOverHttp,
    /// One server with PostgreSQL.
    ServerWithPostgres,
    /// Two nodes of a cluster. Players connect to the node that has their table, or to the other one, which forwards
    /// their moves.
    Nodes {
        forward: bool,
    },
}

/// What is measured, running. Dropping it kills the processes and removes their data.
pub(crate) struct Subject {
    pub(crate) kind: SubjectKind,
    /// Where it listens: each of its nodes.
    pub(crate) addresses: Vec<SocketAddr>,
    /// The index of the node that has each part of the tables.
    owners: Vec<usize>,
    processes: Processes,
    database: Option<PostgresServer>,
    program: PathBuf,
    store: String,
    _data: TempDir,
}

/// Dropping them kills them.
struct Processes(Vec<Child>);

impl Subject {
    /// Starts a subject on its cores, and its database on those of the clients. Waits until it listens.
    pub(crate) fn start(side: &Side) -> Result<Subject, AnyError> {
        let (kind, cores) = (side.kind, &side.cores);
        let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let database = match kind {
            SubjectKind::Relay | SubjectKind::Server | SubjectKind::ServerOverHttp => None,
            SubjectKind::ServerWithPostgres | SubjectKind::Nodes { .. } => {
                Some(start_postgres(&cores.client)?)
            }
        };
        let url = database.as_ref().map(PostgresServer::database);
        let store = match &url {
            Some(url) => url.clone(),
            None => format!("sqlite:{}", data.path().display()),
        };
        let commands = match kind {
            SubjectKind::Relay => {
                let mut relay = on(&cores.subject);
                relay.arg(std::env::current_exe()?).arg("--relay");
                vec![relay]
            }
            SubjectKind::Server | SubjectKind::ServerOverHttp | SubjectKind::ServerWithPostgres => {
                vec![server(side, &store)]
            }
            SubjectKind::Nodes { .. } => (0..NODES)
                .map(|number| node(number, side, &store, data.path()))
                .collect::<Result<_, _>>()?,
        };
        let mut processes = Processes(Vec::new());
        let mut addresses = Vec::new();
        for mut command in commands {
            command.stdin(Stdio::null()).stdout(Stdio::piped());
            let started = command.spawn();
            let mut process = started.map_err(|error| format!("cannot start taskset: {error}"))?;
            let output = process.stdout.take();
            processes.0.push(process);
            let output = output.ok_or("no standard output")?;
            addresses.push(read_address(output)?);
        }
        let owners = match (kind, &url) {
            (SubjectKind::Nodes { .. }, Some(url)) => wait_for_shards(url)?,
            _ => vec![0; ShardId::COUNT],
        };
        Ok(Subject {
            kind,
            addresses,
            owners,
            processes,
            database,
            program: side.program.clone(),
            store,
            _data: data,
        })
    }

    /// Where the players and spectators of a table connect.
    pub(crate) fn address_of(&self, table: &str) -> SocketAddr {
        let ShardId(shard) = ShardId::of_table(table);
        let owner = self.owners[usize::from(shard)];
        match self.kind {
            SubjectKind::Nodes { forward: true } => self.addresses[(owner + 1) % NODES],
            _ => self.addresses[owner],
        }
    }

    /// The token of a new bot.
    pub(crate) fn create_bot(&self, name: &str) -> Result<String, AnyError> {
        let mut command = Command::new(&self.program);
        command.args(["--store", &self.store, "account", "create-bot", name]);
        let created = command.output()?;
        let printed = String::from_utf8(created.stdout)?;
        let token = printed.split(' ').next().filter(|token| token.len() >= 32);
        Ok(token
            .ok_or_else(|| format!("there is no bot {name}"))?
            .to_owned())
    }

    /// The processor time that its servers have used so far, in steps of 10 ms.
    pub(crate) fn cpu_time(&self) -> Result<Duration, AnyError> {
        self.processes
            .0
            .iter()
            .map(|process| cpu_time(process.id()))
            .sum()
    }

    /// The same for the processes of its database; zero without one.
    pub(crate) fn database_cpu_time(&self) -> Result<Duration, AnyError> {
        let Some(database) = &self.database else {
            return Ok(Duration::ZERO);
        };
        let main = database.process();
        let children = fs::read_to_string(format!("/proc/{main}/task/{main}/children"))?;
        let children = children.split_whitespace().filter_map(|id| id.parse().ok());
        // One may have ended meanwhile.
        Ok(children.filter_map(|id| cpu_time(id).ok()).sum())
    }

    /// The memory it occupies, in KiB.
    pub(crate) fn memory(&self) -> Result<f64, AnyError> {
        let process = self.processes.0.first().ok_or("nothing was started")?;
        let status = fs::read_to_string(format!("/proc/{}/status", process.id()))?;
        let size = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:")?.strip_suffix(" kB"))
            .ok_or("no memory size in /proc")?;
        Ok(size.trim().parse()?)
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for process in &mut self.0 {
            // It may have ended by itself.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

fn on(cores: &str) -> Command {
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", cores]);
    command
}

fn server(side: &Side, store: &str) -> Command {
    let mut command = on(&side.cores.subject);
    command
        .arg(&side.program)
        .args(["--bind", "127.0.0.1", "--port", "0"])
        .args(["--max-connections", "20000"])
        // Bots would play games of their own beside the measured ones.
        .args(["--house-games", "0"])
        .args(["--durability", "crash", "--store", store])
        .env("CHECKERS_LOG", "warn");
    command
}

fn node(number: usize, side: &Side, store: &str, data: &Path) -> Result<Command, AnyError> {
    let key = data.join("key");
    fs::write(&key, "a key of a cluster that is measured, long enough")?;
    // The port is free again when this listener is dropped.
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut command = server(side, store);
    command
        .args(["--node", &number.to_string()])
        .args(["--cluster-address", &address.to_string()])
        .arg("--cluster-key-file")
        .arg(key);
    Ok(command)
}

/// Starts a server of PostgreSQL on these cores.
fn start_postgres(cores: &str) -> Result<PostgresServer, AnyError> {
    let server = PostgresServer::start(&[]).ok_or("PostgreSQL is not installed")?;
    let mut pin = Command::new("taskset");
    pin.args(["--all-tasks", "--pid", "--cpu-list", cores]);
    pin.arg(server.process().to_string()).stdout(Stdio::null());
    // Its other processes are forks that are started later.
    if !pin.status()?.success() {
        return Err("cannot pin PostgreSQL to its cores".into());
    }
    Ok(server)
}

/// Waits until each node has its share of the tables. Returns the index of the owner of each part.
fn wait_for_shards(url: &str) -> Result<Vec<usize>, AnyError> {
    let begin = Instant::now();
    let owners = "SELECT name FROM shard JOIN session ON session.id = session ORDER BY shard.id";
    while begin.elapsed() < SHARING {
        let owners = query(url, owners)?;
        let owners: Vec<usize> = owners
            .iter()
            .map(|row| row.get::<_, &str>(0).parse())
            .collect::<Result<_, _>>()?;
        let share = owners.iter().filter(|&&owner| owner == 0).count();
        if owners.len() == ShardId::COUNT && share.abs_diff(ShardId::COUNT / NODES) <= 1 {
            return Ok(owners);
        }
        sleep(Duration::from_millis(200));
    }
    Err("the nodes have not shared the tables".into())
}

/// The processor time of a process, in steps of 10 ms.
fn cpu_time(process: u32) -> Result<Duration, AnyError> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, fields) = stat.rsplit_once(") ").ok_or("no processor time in /proc")?;
    let user_and_system = fields.split(' ').skip(11).take(2);
    let ticks: u64 = user_and_system
        .map(str::parse::<u64>)
        .sum::<Result<_, _>>()?;
    // The unit of /proc is 1/100 s whatever the kernel's own tick.
    Ok(Duration::from_millis(ticks * 10))
}

/// Reads the address that a process prints once it listens.
fn read_address(output: ChildStdout) -> Result<SocketAddr, AnyError> {
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    let address = line.trim_end().strip_prefix("listening on ws://");
    Ok(address.ok_or("the process does not listen")?.parse()?)
}

/// Restricts this thread to a list of cores, and with it the threads that it starts.
///
/// Call it on the main thread, whose id is that of the process.
pub(crate) fn pin_main_thread(cores: &str) -> Result<(), AnyError> {
    let pinned = Command::new("taskset")
        .args([
            "--cpu-list",
            "--pid",
            cores,
            &std::process::id().to_string(),
        ])
        .output()
        .map_err(|error| format!("cannot start taskset: {error}"))?;
    if !pinned.status.success() {
        return Err(String::from_utf8_lossy(&pinned.stderr).trim().into());
    }
    Ok(())
}

/// Lowers the priority of this thread, so that ten thousand spectators do not delay the players that
/// they watch. It stays as it is if the system does not allow that.
pub(crate) fn lower_priority() {
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19);
}
