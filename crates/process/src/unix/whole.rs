//! A program from its start to its end: how long it took, and what it used.

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

/// Takes the time of programs. Memory that a process shares with the copies of itself which become programs.
#[derive(Debug)]
pub struct ProgramTimer {
    marks: *const Marks,
}

/// What the new process writes down before it becomes the program.
#[repr(C)]
#[derive(Debug, Default)]
struct Marks {
    started_ns: AtomicU64,
    used_ns: AtomicU64,
}

impl ProgramTimer {
    /// Makes it.
    /// Err: when the system gives no shared memory.
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

    /// Runs a program to its end. A standard output that is piped is read until then and dropped.
    ///
    /// The process is copied (`fork`) before it becomes the program: time and CPU time begin when the copy is made. With the usual
    /// `vfork` the system would count all memory of this process as the program's; so it counts what this process has written to,
    /// which is why a small process should do this.
    /// Err: when it cannot be started, or the system does not say how it ended.
    pub fn run(&self, mut command: Command) -> io::Result<Finished> {
        // A pointer can go to the copy, which is dropped before this is.
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
        // What the copy used before it became the program is the system's work for us.
        let before_ns = marks.used_ns.load(Ordering::Relaxed);
        let of_user_ns = before_ns.saturating_sub(exit.system_ns);
        exit.system_ns = exit.system_ns.saturating_sub(before_ns);
        exit.user_ns = exit.user_ns.saturating_sub(of_user_ns);
        Ok(Finished { elapsed_ns, exit })
    }
}

/// Reads what a program writes until it has ended, or has closed its output. What it left behind in the background may hold the
/// output open for long: nobody waits for that where the system says when the program itself has ended.
fn read_away(mut stdout: ChildStdout, pid: libc::pid_t) {
    /// Longest wait: until something happens.
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
        // SAFETY: the mapping of `new`, to which no reference is left.
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
        // What it leaves behind holds the pipe for so many seconds.
        let left = sh("sleep 20 2>/dev/null &");
        assert!(left.elapsed_ns < 20_000_000_000, "{left:?}");
        // More than a pipe holds.
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
