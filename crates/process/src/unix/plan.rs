//! Converts a [`Spec`] for the system. Everything that allocates happens here, because allocation is not allowed between fork and exec.

use super::system;
use crate::error::StartError;
use crate::{Limits, Spec, Treatment};
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;

/// The child's descriptor for reading requests.
pub(crate) const CHILD_READ: libc::c_int = 3;
/// The child's descriptor for writing replies.
pub(crate) const CHILD_WRITE: libc::c_int = 4;

/// Descriptors that the host asks for: each child of a large group needs five.
const FILES_WANTED: libc::rlim_t = 65_536;

#[derive(Debug)]
pub(crate) struct Plan {
    /// Absolute, or relative to the host's directory if the child has none of its own.
    pub(crate) path: CString,
    pub(crate) directory: Option<CString>,
    pub(crate) argv: Vec<CString>,
    /// `NAME=value`, sorted by name.
    pub(crate) envp: Vec<CString>,
    /// `TARE_LAUNCH=...`, in the environment of all processes of this launch.
    pub(crate) mark: Vec<u8>,
    pub(crate) limits: ChildLimits,
    pub(crate) nice: Option<libc::c_int>,
    /// Processors that it may use, as a mask.
    pub(crate) mask: Option<Vec<u64>>,
    pub(crate) no_huge_pages: bool,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ChildLimits {
    address_space: Option<libc::rlimit>,
    core: Option<libc::rlimit>,
    files: Option<libc::rlimit>,
}

impl ChildLimits {
    fn new(limits: &Limits) -> ChildLimits {
        let both = |value: libc::rlim_t| libc::rlimit { rlim_cur: value, rlim_max: value };
        ChildLimits {
            address_space: limits.address_space_bytes.map(|bytes| both(bytes as libc::rlim_t)),
            core: (!limits.core_files).then(|| both(0)),
            files: original_file_limit(),
        }
    }

    /// Applies them to this process. Only system calls, so it is safe after fork. Returns -1 on failure.
    pub(crate) fn apply(&self) -> libc::c_int {
        let mut worst = 0;
        // SAFETY: system calls with pointers to live values.
        unsafe {
            if let Some(limit) = &self.address_space {
                worst |= libc::setrlimit(libc::RLIMIT_AS, limit);
            }
            if let Some(limit) = &self.core {
                worst |= libc::setrlimit(libc::RLIMIT_CORE, limit);
            }
            if let Some(limit) = &self.files {
                worst |= libc::setrlimit(libc::RLIMIT_NOFILE, limit);
            }
        }
        worst
    }
}

/// Sets the priority of this process. Only a system call, so it is safe after fork. Returns -1 on failure.
pub(crate) fn set_nice(nice: libc::c_int) -> libc::c_int {
    // SAFETY: numbers only.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) }
}

/// Raises the host's limit of open files once. Returns the previous limit, which children get back, because programs that use select(2)
/// break beyond 1024.
fn original_file_limit() -> Option<libc::rlimit> {
    static ORIGINAL: OnceLock<Option<libc::rlimit>> = OnceLock::new();
    *ORIGINAL.get_or_init(|| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: `limit` is room for the answer.
        if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) } != 0 {
            return None;
        }
        let raised = libc::rlimit { rlim_cur: FILES_WANTED.min(limit.rlim_max), rlim_max: limit.rlim_max };
        // SAFETY: a pointer to a live value.
        let done = raised.rlim_cur > limit.rlim_cur && unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raised) } == 0;
        done.then_some(limit)
    })
}

impl Plan {
    pub(crate) fn new(spec: &Spec) -> Result<Plan, StartError> {
        let mark = unique_mark();
        let environment = environment(spec, &mark);
        let program = find(&spec.program, environment.get(OsStr::new("PATH")).map(OsString::as_os_str))?;
        let mut argv = vec![c_string(spec.program.as_os_str(), "the program's name")?];
        for argument in &spec.args {
            argv.push(c_string(argument, "an argument")?);
        }
        let mut envp = Vec::with_capacity(environment.len());
        for (name, value) in &environment {
            let mut entry = name.clone();
            entry.push("=");
            entry.push(value);
            envp.push(c_string(&entry, "a variable of the environment")?);
        }
        let directory = match spec.directory.as_os_str() {
            empty if empty.is_empty() => None,
            directory => Some(c_string(directory, "the directory's name")?),
        };
        let path = c_string(program.as_os_str(), "the program's name")?;
        let mark = [b"TARE_LAUNCH=", mark.as_bytes()].concat();
        let Treatment { nice, processors, no_huge_pages } = &spec.treatment;
        let mask = (!processors.is_empty()).then(|| system::mask(processors));
        let (nice, no_huge_pages) = (*nice, *no_huge_pages);
        let limits = ChildLimits::new(&spec.limits);
        Ok(Plan { path, directory, argv, envp, mark, limits, nice, mask, no_huge_pages })
    }

    /// The path that is executed, for messages.
    pub(crate) fn program(&self) -> PathBuf {
        PathBuf::from(OsStr::from_bytes(self.path.as_bytes()))
    }
}

fn environment(spec: &Spec, mark: &str) -> BTreeMap<OsString, OsString> {
    let mut environment: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    // The host may itself be a child of another host.
    environment.remove(OsStr::new("TARE_LINK"));
    for (name, value) in &spec.environment {
        match value {
            Some(value) => environment.insert(name.clone(), value.clone()),
            None => environment.remove(name),
        };
    }
    environment.insert("TARE_LAUNCH".into(), mark.into());
    if spec.link {
        environment.insert("TARE_LINK".into(), format!("fd:{CHILD_READ},{CHILD_WRITE}").into());
    }
    environment
}

/// A text unique to this launch, even among other hosts, past or present.
fn unique_mark() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}-{:x}", std::process::id(), system::clock_ns(libc::CLOCK_REALTIME))
}

fn find(program: &Path, path: Option<&OsStr>) -> Result<PathBuf, StartError> {
    let missing = || StartError::NotFound { program: program.to_owned() };
    let bytes = program.as_os_str().as_bytes();
    if bytes.is_empty() {
        return Err(missing());
    }
    if bytes.contains(&b'/') {
        if !program.exists() {
            return Err(missing());
        }
        return std::path::absolute(program).map_err(StartError::system("finding the working directory"));
    }
    let folders = path.unwrap_or(OsStr::new("/usr/local/bin:/usr/bin:/bin"));
    let found = std::env::split_paths(folders).map(|folder| folder.join(program)).find(|file| is_executable(file));
    std::path::absolute(found.ok_or_else(missing)?).map_err(StartError::system("finding the working directory"))
}

fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

fn c_string(text: &OsStr, what: &'static str) -> Result<CString, StartError> {
    CString::new(text.to_owned().into_vec()).map_err(|_| StartError::ZeroByte { what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_is_changed_in_order() {
        let spec = Spec {
            program: "sh".into(),
            link: true,
            environment: vec![
                ("TARE_TEST_A".into(), Some("1".into())),
                ("TARE_TEST_A".into(), None),
                ("TARE_TEST_B".into(), Some("2".into())),
            ],
            ..Spec::default()
        };
        let plan = Plan::new(&spec).expect("sh exists");
        let has = |text: &str| plan.envp.iter().any(|e| e.as_bytes().starts_with(text.as_bytes()));
        assert!(!has("TARE_TEST_A=") && has("TARE_TEST_B=2") && has("TARE_LINK=fd:3,4") && has("TARE_LAUNCH="));
        assert!(plan.program().is_absolute());
        assert_ne!(plan.mark, Plan::new(&spec).expect("sh exists").mark);
    }

    #[test]
    fn refuses_what_cannot_be_run() {
        let refused = |program: &str| Plan::new(&Spec { program: program.into(), ..Spec::default() });
        assert!(matches!(refused(""), Err(StartError::NotFound { .. })));
        assert!(matches!(refused("no-such-program-tare"), Err(StartError::NotFound { .. })));
        assert!(matches!(refused("./no/such/program"), Err(StartError::NotFound { .. })));
        assert!(matches!(refused("s\0h"), Err(StartError::NotFound { .. } | StartError::ZeroByte { .. })));
    }
}
