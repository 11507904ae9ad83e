//! A PostgreSQL server in a temporary folder, which ends with its value.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// Name and password of the server's superuser.
pub(crate) const USER: &str = "tuckbox";
const PASSWORD: &str = "right";

pub(crate) struct Server {
    child: Child,
    programs: Programs,
    port: u16,
    said: Said,
    databases: AtomicUsize,
    /// Removed last.
    folder: TempDir,
}

/// Lines that the server has written.
type Said = Arc<Mutex<Vec<String>>>;

/// The folder of PostgreSQL's programs, and the user to run them as.
#[derive(Clone)]
struct Programs {
    folder: PathBuf,
    /// PostgreSQL does not run as root.
    user: Option<(u32, u32)>,
}

impl Programs {
    fn find() -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let mut versions: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
        versions.sort();
        let folders = versions.into_iter().rev().chain(std::env::split_paths(&path));
        let folder = folders
            .into_iter()
            .find(|folder| ["initdb", "postgres"].iter().all(|program| folder.join(program).is_file()))?;
        let user = rustix::process::geteuid().is_root().then(|| user_of_passwd("postgres")).flatten();
        (user.is_some() || !rustix::process::geteuid().is_root()).then_some(Self { folder, user })
    }

    fn command(&self, name: &str, home: &Path) -> Command {
        let mut command = Command::new(self.folder.join(name));
        command.current_dir(home).env_clear().env("LC_ALL", "C").env("TZ", "UTC").stdin(Stdio::null());
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }

    /// Gives a file to the server's user.
    fn give(&self, path: &Path) {
        if let Some((user, group)) = self.user {
            chown(path, Some(user), Some(group)).unwrap();
        }
    }
}

/// User and group numbers of an account.
fn user_of_passwd(name: &str) -> Option<(u32, u32)> {
    let passwd = fs::read_to_string("/etc/passwd").ok()?;
    passwd.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        (fields.first() == Some(&name))
            .then(|| Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?)))?
    })
}

impl Server {
    /// Starts a server with more settings; `None`, with a line that says so, where PostgreSQL is missing.
    pub(crate) fn start(settings: &[&str], files: &[(&str, &str)]) -> Option<Self> {
        let Some(programs) = Programs::find() else {
            eprintln!("SKIPPED: the shared log in PostgreSQL; apt-get install postgresql");
            return None;
        };
        let folder = folder_of(&programs);
        let password = folder.path().join("password");
        fs::write(&password, PASSWORD).unwrap();
        programs.give(&password);
        let mut initdb = programs.command("initdb", folder.path());
        initdb.args(["-D", "data", "-U", USER, "--pwfile=password", "--auth=scram-sha-256", "--locale=C"]);
        must(initdb.args(["-E", "UTF8", "--no-sync"]));
        for (name, contents) in files {
            let path = folder.path().join(name);
            fs::write(&path, contents).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            programs.give(&path);
        }
        Some(Self::run_in(programs, folder, settings))
    }

    /// A standby that follows this server, and has what it has.
    pub(crate) fn standby(&self) -> Self {
        let folder = folder_of(&self.programs);
        let mut copy = self.programs.command("pg_basebackup", folder.path());
        copy.env("PGPASSWORD", PASSWORD)
            .arg("-h")
            .arg(self.folder.path())
            .args(["-p", &self.port.to_string()]);
        must(copy.args(["-U", USER, "-D", "data", "-R", "--checkpoint=fast", "--no-sync"]));
        Self::run_in(self.programs.clone(), folder, &[])
    }

    /// Runs a server whose data are in a folder.
    fn run_in(programs: Programs, folder: TempDir, settings: &[&str]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = folder.path().join("data/postgresql.auto.conf");
        let before = fs::read_to_string(&config).unwrap_or_default();
        let own = |line: &&str| {
            !["port =", "unix_socket_directories ="].iter().any(|name| line.trim_start().starts_with(name))
        };
        let mut lines: Vec<String> = before.lines().filter(own).map(str::to_owned).collect();
        lines.extend([
            "listen_addresses = '127.0.0.1'".to_owned(),
            format!("port = {port}"),
            format!("unix_socket_directories = '{}'", folder.path().display()),
            "shared_buffers = '16MB'".to_owned(),
        ]);
        lines.extend(settings.iter().map(|&setting| setting.to_owned()));
        fs::write(&config, lines.join("\n") + "\n").unwrap();
        programs.give(&config);
        let said = Said::default();
        let child = run(&programs, folder.path(), &said).unwrap_or_else(|| panic!("{:#?}", said.lock()));
        Self { child, programs, port, said, databases: AtomicUsize::new(0), folder }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The folder of its socket.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The address of a database, over the socket.
    pub(crate) fn url(&self, database: &str) -> String {
        self.url_of(USER, PASSWORD, database)
    }

    /// The address of a database on any of these servers.
    pub(crate) fn url_of_all(servers: &[&Self], database: &str) -> String {
        let hosts = servers.iter().map(|server| {
            format!("{}:{}", server.folder.path().display().to_string().replace('/', "%2F"), server.port)
        });
        let hosts: Vec<_> = hosts.collect();
        format!("postgres://{USER}:{PASSWORD}@{}/{database}", hosts.join(","))
    }

    pub(crate) fn url_of(&self, user: &str, password: &str, database: &str) -> String {
        let folder = self.folder.path().display();
        format!("postgres:///{database}?host={folder}&port={}&user={user}&password={password}", self.port)
    }

    /// The address of a database, over TCP to this host name and port.
    pub(crate) fn url_over_tcp(host: &str, port: u16, database: &str, rest: &str) -> String {
        format!("postgres://{USER}:{PASSWORD}@{host}:{port}/{database}?{rest}")
    }

    /// An empty database.
    pub(crate) async fn database(&self) -> String {
        let name = format!("t{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.run("postgres", &format!("CREATE DATABASE {name}")).await;
        name
    }

    /// Runs statements.
    pub(crate) async fn run(&self, database: &str, statements: &str) {
        self.client(database).await.batch_execute(statements).await.unwrap();
    }

    /// A connection as the superuser.
    pub(crate) async fn client(&self, database: &str) -> tokio_postgres::Client {
        let (client, connection) = tokio_postgres::connect(&self.url(database), NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }

    /// Ends all connections of nodes to a database.
    pub(crate) async fn end_sessions(&self, database: &str) {
        let ended = format!(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
             WHERE datname = '{database}' AND pid <> pg_backend_pid()"
        );
        self.run("postgres", &ended).await;
    }

    /// Takes a database out of service, so that it can be renamed, copied or dropped, or puts it back.
    pub(crate) async fn allow_connections(&self, database: &str, allow: bool) {
        self.run("postgres", &format!("ALTER DATABASE {database} ALLOW_CONNECTIONS {allow}")).await;
        if !allow {
            self.end_sessions(database).await;
        }
    }

    /// Kills the server as a power cut does, and starts it again.
    pub(crate) fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        // It does not start while a process of the old one is still on its way out.
        self.child = (0..1_000)
            .find_map(|_| run(&self.programs, self.folder.path(), &self.said))
            .unwrap_or_else(|| panic!("{:#?}", self.said.lock()));
    }

    /// Stops the server.
    pub(crate) fn stop(&mut self) {
        let pid = Pid::from_child(&self.child);
        // Its memory and its socket are cleaned up, unlike after SIGKILL.
        _ = kill_process(pid, Signal::QUIT);
        drop(self.child.wait());
    }
}

/// A temporary folder of the server's user.
fn folder_of(programs: &Programs) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    programs.give(folder.path());
    folder
}

/// Runs a program that must succeed.
fn must(command: &mut Command) {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Starts the program and waits until it takes connections; `None` if it ends instead.
fn run(programs: &Programs, home: &Path, said: &Said) -> Option<Child> {
    let mut command = programs.command("postgres", home);
    let mut child =
        command.args(["-D", "data"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let (ready, is_ready) = mpsc::channel();
    let said_by = Arc::clone(said);
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if line.contains("ready to accept ") {
                _ = ready.send(());
            }
            said_by.lock().push(line);
        }
    });
    if is_ready.recv().is_err() {
        child.wait().unwrap();
        return None;
    }
    Some(child)
}
