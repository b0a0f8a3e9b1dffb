//! The address of a database and its user. The password comes from the environment or a private file, never from the address: everyone who
//! reads the project can read `tare.toml`.

use super::errors;
use super::tls::Tls;
use crate::HistoryError;
use postgres::config::{Host, SslMode};
use postgres::Config;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest wait for an unresponsive database.
const PATIENCE: Duration = Duration::from_secs(5);
/// The socket folder of Debian's PostgreSQL.
const SOCKETS: &str = "/var/run/postgresql";

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

#[derive(Clone)]
pub struct Address {
    config: Config,
    tls: Mode,
    place: String,
    /// A file that may contain the password, if the environment does not.
    passwords: Option<PathBuf>,
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Address").field("place", &self.place).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Mode {
    Off,
    /// Accepts any certificate; `prefer` also accepts no TLS.
    Unverified,
    /// Requires a certificate for the host, signed by an authority in this file or trusted by the system.
    Verified {
        roots: Option<String>,
    },
}

impl Address {
    /// Parses `postgres://user@host:5432/database`. Omitted parts and the password come from the environment, as for PostgreSQL's own
    /// clients.
    pub fn parse(url: &str) -> Result<Address, HistoryError> {
        Address::of(url, &|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    /// Like [`Address::parse`], with another environment.
    pub fn of(url: &str, environment: Environment) -> Result<Address, HistoryError> {
        let (bare, mut settings) = parts(url)?;
        let mut taken = |name: &str| {
            let at = settings.iter().position(|(key, _)| key == name)?;
            Some(settings.remove(at).1)
        };
        let mode = taken("sslmode").or_else(|| environment("PGSSLMODE"));
        let roots = taken("sslrootcert");
        let left: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let parsed: Result<Config, _> = format!("{bare}?{}", left.join("&")).parse();
        let mut config = parsed.map_err(|error| wrong(errors::reason(&error)))?;
        fill(&mut config, environment)?;
        let tls = match mode.as_deref().unwrap_or("prefer") {
            "disable" => Mode::Off,
            "prefer" | "require" => Mode::Unverified,
            "verify-full" => Mode::Verified { roots },
            _ => return Err(wrong("`sslmode` is `disable`, `prefer`, `require` or `verify-full`".to_owned())),
        };
        config.ssl_mode(match (&tls, mode.as_deref()) {
            (Mode::Off, _) => SslMode::Disable,
            (_, None | Some("prefer")) => SslMode::Prefer,
            _ => SslMode::Require,
        });
        let usual = || Some(Path::new(&environment("HOME")?).join(".pgpass"));
        let passwords = match environment("PGPASSWORD") {
            Some(password) => {
                config.password(password);
                None
            }
            None => environment("PGPASSFILE").map(PathBuf::from).or_else(usual),
        };
        Ok(Address { place: place(&config), config, tls, passwords })
    }

    pub fn place(&self) -> &str {
        &self.place
    }

    /// With the password, if a file has one.
    pub(super) fn config(&self) -> Result<Config, HistoryError> {
        let mut config = self.config.clone();
        let file = self.passwords.as_deref().filter(|file| file.exists());
        let Some((file, text)) = file.and_then(|file| Some((file, std::fs::read_to_string(file).ok()?))) else {
            return Ok(config);
        };
        if std::fs::metadata(file).is_ok_and(|data| data.permissions().mode() & 0o077 != 0) {
            return Err(wrong(format!("other users may read the passwords in `{0}`: `chmod 600 {0}`", file.display())));
        }
        let host = match config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            _ => "localhost".to_owned(),
        };
        let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
        let user = config.get_user().unwrap_or_default();
        let asked = [host.as_str(), port.as_str(), config.get_dbname().unwrap_or(user), user];
        password_in(&text, asked).into_iter().for_each(|password| _ = config.password(password));
        Ok(config)
    }

    pub(super) fn tls(&self) -> Result<Option<Tls>, HistoryError> {
        // Local sockets are not encrypted.
        let is_here = matches!(self.config.get_hosts(), [host] if !matches!(host, Host::Tcp(_)));
        match &self.tls {
            Mode::Off => Ok(None),
            _ if is_here => Ok(None),
            Mode::Unverified => Tls::unverified().map(Some),
            Mode::Verified { roots } => Tls::verified(roots.as_deref()).map(Some),
        }
    }
}

fn wrong(reason: String) -> HistoryError {
    HistoryError::Address { reason }
}

fn parts(url: &str) -> Result<(String, Vec<(String, String)>), HistoryError> {
    let rest = ["postgres://", "postgresql://"].iter().find_map(|start| url.strip_prefix(start));
    let Some(rest) = rest else {
        return Err(wrong("it begins with `postgres://`, as in `postgres://user@host/database`".to_owned()));
    };
    let (bare, settings) = rest.split_once('?').unwrap_or((rest, ""));
    let pair = |text: &str| {
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        (key.to_owned(), value.to_owned())
    };
    let settings: Vec<(String, String)> = settings.split('&').filter(|text| !text.is_empty()).map(pair).collect();
    let (authority, path) = bare.split_once('/').unwrap_or((bare, ""));
    let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
    // A `/` in a password ends the apparent host.
    if user.contains(':') || path.contains('@') || settings.iter().any(|(key, _)| key.contains("password")) {
        return Err(wrong("it holds a password".to_owned()));
    }
    Ok((format!("postgres://{bare}"), settings))
}

fn fill(config: &mut Config, environment: Environment) -> Result<(), HistoryError> {
    if config.get_hosts().is_empty() {
        let usual = if Path::new(SOCKETS).is_dir() { SOCKETS } else { "localhost" };
        config.host(environment("PGHOST").as_deref().unwrap_or(usual));
    }
    if config.get_ports().is_empty() {
        if let Some(port) = environment("PGPORT") {
            config.port(port.parse().map_err(|_| wrong("`PGPORT` is not a port".to_owned()))?);
        }
    }
    if config.get_user().is_none_or(str::is_empty) {
        let user = ["PGUSER", "USER", "USERNAME"].into_iter().find_map(environment);
        config.user(&user.ok_or_else(|| wrong("it names no user, and neither does `PGUSER`".to_owned()))?);
    }
    if config.get_dbname().is_none_or(str::is_empty) {
        let database = environment("PGDATABASE").or_else(|| config.get_user().map(str::to_owned));
        database.into_iter().for_each(|name| _ = config.dbname(&name));
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    if config.get_application_name().is_none() {
        config.application_name("tare");
    }
    // A network failure during a write must not block a run.
    config.tcp_user_timeout(3 * PATIENCE).keepalives_idle(3 * PATIENCE);
    Ok(())
}

fn place(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => String::new(),
    };
    let port = config.get_ports().first().map(|port| format!(":{port}")).unwrap_or_default();
    let user = config.get_user().unwrap_or_default();
    format!("postgres://{user}@{host}{port}/{}", config.get_dbname().unwrap_or_default())
}

/// The password of the first matching line, `host:port:database:user:password`, where `*` matches anything and `\` escapes `:` and `\`.
fn password_in(text: &str, asked: [&str; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut fields = vec![String::new()];
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            match (letter, fields.len(), fields.last_mut()) {
                // Everything after the fourth `:` is the password, with escapes resolved.
                (':', 1..=4, _) => fields.push(String::new()),
                ('\\', _, Some(field)) => field.extend(letters.next()),
                (letter, _, Some(field)) => field.push(letter),
                _ => {}
            }
        }
        let fits = fields.len() == 5 && fields.iter().zip(asked).all(|(field, asked)| field == "*" || field == asked);
        fits.then(|| fields.pop())?
    })
}
