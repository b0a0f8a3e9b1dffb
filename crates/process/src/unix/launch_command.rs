//! Starts a program on Unix systems other than Linux with the standard library, plus some steps between fork and exec. There is no death
//! signal: when the host is killed, a child ends because its link ends (R4). Tests on Linux compile it too, so that it is exercised
//! somewhere.

use super::fd;
use super::plan::{set_nice, Plan, CHILD_READ, CHILD_WRITE};
use crate::error::StartError;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// Starts the program; see the function of the same name for Linux.
pub(crate) fn launch(
    plan: &Plan,
    null: &OwnedFd,
    output: &OwnedFd,
    link: Option<(&OwnedFd, &OwnedFd)>,
) -> Result<libc::pid_t, StartError> {
    let stream = |fd: &OwnedFd| fd.try_clone().map(Stdio::from).map_err(StartError::system("duplicating a descriptor"));
    let text = |bytes: &'_ [u8]| OsStr::from_bytes(bytes).to_owned();
    let mut command = Command::new(plan.program());
    command.stdin(stream(null)?).stdout(stream(output)?).stderr(stream(output)?).process_group(0).env_clear();
    let mut arguments = plan.argv.iter();
    if let Some(name) = arguments.next() {
        command.arg0(text(name.as_bytes()));
    }
    command.args(arguments.map(|a| text(a.as_bytes())));
    for entry in &plan.envp {
        let bytes = entry.as_bytes();
        let at = bytes.iter().position(|b| *b == b'=').unwrap_or(bytes.len());
        command.env(text(&bytes[..at]), text(bytes.get(at + 1..).unwrap_or_default()));
    }
    if let Some(directory) = &plan.directory {
        let directory = std::path::PathBuf::from(text(directory.as_bytes()));
        if let Err(source) = std::fs::read_dir(&directory) {
            return Err(StartError::Directory { directory, source });
        }
        command.current_dir(directory);
    }
    if plan.mask.is_some() || plan.no_huge_pages {
        let step = if plan.mask.is_some() { "choosing the processors" } else { "turning huge pages off" };
        return Err(StartError::System { step, source: io::ErrorKind::Unsupported.into() });
    }
    let nice = plan.nice;
    let ends = link.map(|(read, write)| (read.as_raw_fd(), write.as_raw_fd()));
    let limits = plan.limits;
    // SAFETY: between fork and exec only system calls are made, on numbers that were copied before.
    unsafe {
        command.pre_exec(move || {
            if let Some((read, write)) = ends {
                fd::checked(libc::dup2(read, CHILD_READ))?;
                fd::checked(libc::dup2(write, CHILD_WRITE))?;
            }
            fd::checked(nice.map_or(0, set_nice))?;
            fd::checked(limits.apply()).map(drop)
        });
    }
    let child =
        crate::helper::spawn(&mut command).map_err(|source| StartError::Exec { program: plan.program(), source })?;
    // The standard library's handle neither kills nor reaps on drop, so the child is ours from here on.
    libc::pid_t::try_from(child.id()).map_err(|_| StartError::System {
        step: "reading the process ID",
        source: io::Error::from(io::ErrorKind::InvalidData),
    })
}

#[cfg(test)]
mod tests {
    use super::super::exit::{self, Reaped};
    use super::super::output::Output;
    use super::*;
    use crate::{Exit, ExitStatusKind, Spec};
    use std::time::Duration;

    fn run(program: &str, script: &str, directory: &str) -> Result<(Exit, Vec<u8>, Vec<u8>), StartError> {
        let args = vec!["-c".into(), script.into()];
        let spec = Spec { program: program.into(), args, directory: directory.into(), link: true, ..Spec::default() };
        let plan = Plan::new(&spec)?;
        let output = Output::new().expect("a file for the output");
        let null = std::fs::File::open("/dev/null").expect("/dev/null");
        let (request_read, request_write) = fd::pipe().expect("a pipe");
        let (reply_read, reply_write) = fd::pipe().expect("a pipe");
        let up = |fd: &OwnedFd| fd::moved_up(fd).expect("a descriptor");
        let child_ends = (up(&request_read), up(&reply_write));
        drop((request_read, reply_write));
        let (null, out) = (up(&null.into()), fd::moved_up(output.fd()).expect("a descriptor"));
        let pid = launch(&plan, &null, &out, Some((&child_ends.0, &child_ends.1)))?;
        drop(child_ends);
        fd::write(&request_write, b"ping\n").expect("the child reads");
        let mut reply = Vec::with_capacity(64);
        while fd::read(&reply_read, &mut reply, 64).expect("a pipe") != Some(0) {}
        loop {
            match exit::reap(pid) {
                Reaped::Exit(exit) => return Ok((exit, reply, output.tail(1000))),
                Reaped::Running => std::thread::sleep(Duration::from_millis(1)),
                Reaped::Lost => panic!("somebody else reaped the child"),
            }
        }
    }

    #[test]
    fn runs_with_a_link() {
        let script = "read -r word <&3; pwd; echo \"$TARE_LINK $word\" >&4; exit 5";
        let (exit, reply, printed) = run("sh", script, "/").expect("sh starts");
        assert_eq!(exit.status, ExitStatusKind::Code(5));
        assert_eq!((reply.as_slice(), printed.as_slice()), (&b"fd:3,4 ping\n"[..], &b"/\n"[..]));
    }

    #[test]
    fn tells_what_cannot_start() {
        assert!(matches!(run("/etc/passwd", "", ""), Err(StartError::Exec { .. })));
        assert!(matches!(run("sh", "", "/no/such"), Err(StartError::Directory { .. })));
    }
}
