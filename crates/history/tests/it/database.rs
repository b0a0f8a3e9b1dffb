//! A PostgreSQL server for a test: in a private folder, reached by a socket in it, and removed with the test.

use std::fs;
use std::os::unix::fs::{chown, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tare_history::{Address, HistoryDb, HistoryError};
use tempfile::TempDir;

/// Longest wait for a database to start, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Database {
    folder: TempDir,
    tools: PathBuf,
    process: Option<Child>,
    user: Option<[u32; 2]>,
    settings: Vec<String>,
}

impl Database {
    /// Starts one; None, with a message, if PostgreSQL is not installed.
    pub fn start(settings: &[&str]) -> Option<Database> {
        let Some(tools) = tools() else {
            println!("skipped: PostgreSQL is not installed (`apt install postgresql`)");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        // PostgreSQL does not run as root.
        let user = is_root().then(|| user_of("postgres").or_else(|| user_of("nobody"))).flatten();
        if is_root() && user.is_none() {
            println!("skipped: this runs as root, and there is neither a user `postgres` nor `nobody`");
            return None;
        }
        if let Some([user, group]) = user {
            chown(folder.path(), Some(user), Some(group)).expect("given away");
        }
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("open to the clients");
        let mut database = Database {
            folder,
            tools,
            process: None,
            user,
            settings: settings.iter().map(|setting| (*setting).to_owned()).collect(),
        };
        let made = database
            .tool("initdb")
            .args(["--username=owner", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "-D"])
            .arg(database.data())
            .output()
            .expect("`initdb` starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        database.up();
        Some(database)
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The address for a user, with further settings.
    pub fn url(&self, user: &str, more: &str) -> String {
        format!("postgres://{user}@/postgres?host={}{more}", self.folder.path().display())
    }

    pub fn address(&self) -> Address {
        self.address_of("owner")
    }

    pub fn address_of(&self, user: &str) -> Address {
        Address::of(&self.url(user, ""), &|_| None).expect("an address")
    }

    pub fn open(&self) -> HistoryDb {
        HistoryDb::connect(&self.address()).expect("a history")
    }

    /// Settings for the next start.
    pub fn change(&mut self, settings: &[&str]) {
        self.settings.extend(settings.iter().map(|setting| (*setting).to_owned()));
    }

    fn port(&self) -> &str {
        self.settings.iter().find_map(|setting| setting.strip_prefix("port=")).unwrap_or("5432")
    }

    pub fn up(&mut self) {
        let log = fs::File::create(self.folder.path().join("log")).expect("a log");
        let mut command = self.tool("postgres");
        command.arg("-D").arg(self.data()).arg("-k").arg(self.folder.path()).args(["-c", "listen_addresses="]);
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        self.process = Some(command.stdout(Stdio::null()).stderr(log).spawn().expect("`postgres` starts"));
        let until = Instant::now() + PATIENCE;
        while self.sql("SELECT 1").is_err() {
            assert!(
                Instant::now() < until,
                "{}",
                fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Kills it, like a machine crash.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("killed");
            process.wait().expect("gone");
        }
    }

    /// Runs SQL as the owner, with PostgreSQL's own client.
    pub fn sql(&self, sql: &str) -> Result<String, String> {
        let mut command = self.tool("psql");
        command.args([
            "-X",
            "-A",
            "-t",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-U",
            "owner",
            "-d",
            "postgres",
            "-p",
            self.port(),
            "-h",
        ]);
        let done = command.arg(self.folder.path()).args(["-c", sql]).output().expect("`psql` starts");
        match done.status.success() {
            true => Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned()),
            false => Err(String::from_utf8_lossy(&done.stderr).into_owned()),
        }
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.tools.join(name));
        command.current_dir(self.folder.path()).env("PGPASSFILE", "/dev/null");
        if let Some([user, group]) = self.user {
            command.uid(user).gid(group);
        }
        command
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        // Also ends its connection processes, without further output.
        let _ = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
        let until = Instant::now() + Duration::from_secs(20);
        while matches!(process.try_wait(), Ok(None)) {
            if Instant::now() > until {
                let _ = process.kill();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The folder of `initdb`, `postgres` and `psql`: Debian's newest version, or from `PATH`.
fn tools() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    found.sort();
    let in_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let all = found.into_iter().rev().chain(in_path.unwrap_or_default());
    let has_all = |folder: &PathBuf| ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).is_file());
    all.into_iter().find(has_all)
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0)
}

fn user_of(name: &str) -> Option<[u32; 2]> {
    let text = fs::read_to_string("/etc/passwd").ok()?;
    let line = text.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2).map(str::parse);
    Some([fields.next()?.ok()?, fields.next()?.ok()?])
}

/// The error of a call that must fail.
pub fn refused<T: std::fmt::Debug>(done: Result<T, HistoryError>) -> HistoryError {
    done.expect_err("refused")
}
