//! Runs a whole program: how long it took, and its resource use.

use super::exit;
use super::fd;
use super::system::clock_ns;
use super::watch;
use crate::helper::spawn;
use crate::Finished;
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdout, Command};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Times programs. Holds memory shared with the forked copies of this process that become programs.
#[derive(Debug)]
pub struct ProgramTimer {
    marks: *const Marks,
}

/// Recorded by the new process just before exec.
#[repr(C)]
#[derive(Debug, Default)]
struct Marks {
    started_ns: AtomicU64,
    used_ns: AtomicU64,
}

impl ProgramTimer {
    /// Err: when the system provides no shared memory.
    pub fn new() -> io::Result<ProgramTimer> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_ANON;
        // SAFETY: a new mapping, zeroed, large enough and aligned for `Marks`, for which all zero is a value.
        let begin = unsafe { libc::mmap(ptr::null_mut(), size_of::<Marks>(), access, flags, -1, 0) };
        if begin == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(ProgramTimer { marks: begin.cast() })
    }

    fn marks(&self) -> &Marks {
        // SAFETY: mapped until this is dropped, and written through atomics only.
        unsafe { &*self.marks }
    }

    /// Runs a program to its end. A piped standard output is read and dropped.
    ///
    /// The process is copied (`fork`) before exec; time and CPU time begin at the copy. With the usual `vfork`, the system would charge all
    /// memory of this process to the program. With `fork` it charges only the pages that this process has written, so a small process
    /// should do this.
    /// Err: when it cannot be started, or the system does not report how it ended.
    pub fn run(&self, mut command: Command) -> io::Result<Finished> {
        // As a number, a pointer can move into the closure, which is dropped before `self`.
        let marks = self.marks as usize;
        let mark = move || {
            // SAFETY: the mapping is shared with this copy of the process, and lives as long as that.
            let marks = unsafe { &*(marks as *const Marks) };
            marks.used_ns.store(clock_ns(libc::CLOCK_PROCESS_CPUTIME_ID), Ordering::Relaxed);
            marks.started_ns.store(clock_ns(libc::CLOCK_MONOTONIC), Ordering::Release);
            Ok(())
        };
        // SAFETY: the closure makes two system calls and two stores; it neither allocates nor locks.
        unsafe { command.pre_exec(mark) };
        let mut child = spawn(&mut command)?;
        let pid = libc::pid_t::try_from(child.id()).map_err(|_| io::ErrorKind::InvalidData)?;
        if let Some(stdout) = child.stdout.take() {
            read_away(stdout, pid);
        }
        let mut exit = exit::wait(pid)?;
        let ended_ns = clock_ns(libc::CLOCK_MONOTONIC);
        let marks = self.marks();
        let elapsed_ns = ended_ns.saturating_sub(marks.started_ns.load(Ordering::Acquire));
        // CPU time of the copy before exec is not the program's.
        let before_ns = marks.used_ns.load(Ordering::Relaxed);
        let of_user_ns = before_ns.saturating_sub(exit.system_ns);
        exit.system_ns = exit.system_ns.saturating_sub(before_ns);
        exit.user_ns = exit.user_ns.saturating_sub(of_user_ns);
        Ok(Finished { elapsed_ns, exit })
    }
}

/// Reads a program's output until it ends or closes it. Background processes may hold the output open for long; that is not waited for if
/// the system reports the program's own end.
fn read_away(mut stdout: ChildStdout, pid: libc::pid_t) {
    /// The longest wait for an event.
    const LONG: Duration = Duration::from_secs(24 * 3600);
    let mut room = [0_u8; 1 << 16];
    let ending = watch::ending(pid);
    loop {
        if let Some(ending) = &ending {
            let mut both = [fd::readable(stdout.as_raw_fd()), fd::readable(ending.as_raw_fd())];
            if fd::wait_any(&mut both, LONG).is_ok() && both[1].revents != 0 {
                return;
            }
        }
        if !matches!(stdout.read(&mut room), Ok(1..)) {
            return;
        }
    }
}

impl Drop for ProgramTimer {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`, with no references left.
        unsafe { libc::munmap(self.marks.cast_mut().cast(), size_of::<Marks>()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ExitStatusKind;
    use std::process::Stdio;

    fn sh(script: &str) -> Finished {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped());
        ProgramTimer::new().expect("shared memory").run(command).expect("sh runs")
    }

    #[test]
    fn a_program_has_its_time_its_status_and_what_it_used() {
        let slept = sh("sleep 0.05; exit 3");
        assert_eq!(slept.exit.status, ExitStatusKind::Code(3));
        assert!(slept.elapsed_ns >= 50_000_000, "{slept:?}");
        assert_eq!(sh("kill -9 $$").exit.status, ExitStatusKind::Signal(9));
        let worked = sh("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
        assert!(worked.exit.user_ns + worked.exit.system_ns > slept.exit.user_ns + slept.exit.system_ns, "{worked:?}");
        // Its background process holds the pipe for this many seconds.
        let left = sh("sleep 20 2>/dev/null &");
        assert!(left.elapsed_ns < 20_000_000_000, "{left:?}");
        // Exceeds the capacity of a pipe.
        assert_eq!(sh("head -c 300000 /dev/zero").exit.status, ExitStatusKind::Code(0));
    }

    #[test]
    fn memory_is_that_of_the_program_and_of_what_it_waited_for() {
        let peak = |script: &str| sh(script).exit.peak_memory_bytes.expect("the system tells it");
        let large = peak("x=$(head -c 40000000 /dev/zero | tr '\\0' x); : \"$x\"");
        assert!(peak(":") < 40_000_000 && large > 40_000_000, "{large}");
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let timer = ProgramTimer::new().expect("shared memory");
        let error = timer.run(Command::new("/no/such/program")).expect_err("not there");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
