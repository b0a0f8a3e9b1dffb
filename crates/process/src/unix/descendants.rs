//! CPU time of a child's descendants.

use super::tree;
use super::watch::{tick_ns, CpuTicks};
use crate::Descendants;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// A process whose descendants are read repeatedly, through files that stay open. `None` on systems without `/proc`.
#[derive(Debug)]
pub(crate) struct Family {
    process: libc::pid_t,
    stat: File,
    /// The children of its first thread.
    children: Option<File>,
}

impl Family {
    pub(crate) fn of(process: libc::pid_t) -> Option<Family> {
        let stat = File::open(format!("/proc/{process}/stat")).ok()?;
        let children = File::open(format!("/proc/{process}/task/{process}/children")).ok();
        Some(Family { process, stat, children })
    }

    /// Their resource use so far. It misses processes whose parent has ended, and those never waited for because the parent ignores
    /// SIGCHLD.
    pub(crate) fn descendants(&self) -> Option<Descendants> {
        let tick_ns = tick_ns()?;
        let mut text = String::new();
        let stat = CpuTicks::in_stat(again(&self.stat, &mut text)?)?;
        let mut found = Descendants { cpu_ns: stat.reaped.saturating_mul(tick_ns), living: 0 };
        let mut processes = self.children(stat.threads);
        while let Some(process) = processes.pop() {
            // A process that just ended will be waited for, and counted next time.
            let Some(ticks) = CpuTicks::of(process) else { continue };
            let own_ns = clock_ns(process).unwrap_or(ticks.own.saturating_mul(tick_ns));
            let cpu_ns = own_ns.saturating_add(ticks.reaped.saturating_mul(tick_ns));
            found.cpu_ns = found.cpu_ns.saturating_add(cpu_ns);
            found.living += 1;
            processes.extend(tree::children(process));
        }
        Some(found)
    }

    fn children(&self, threads: u64) -> Vec<libc::pid_t> {
        let mut text = String::new();
        match self.children.as_ref().filter(|_| threads == 1).and_then(|file| again(file, &mut text)) {
            Some(list) => tree::parse(list),
            None => tree::children(self.process),
        }
    }
}

/// Re-reads a file of `/proc`.
fn again<'a>(file: &File, text: &'a mut String) -> Option<&'a str> {
    let mut bytes = Vec::with_capacity(512);
    loop {
        let from = bytes.len();
        bytes.resize(from + 512, 0);
        let read = file.read_at(&mut bytes[from..], from as u64).ok()?;
        bytes.truncate(from + read);
        if read == 0 {
            break;
        }
    }
    // A program's name may contain any bytes.
    *text = String::from_utf8_lossy(&bytes).into_owned();
    Some(text)
}

/// CPU time of all threads of a process, in ns.
#[cfg(target_os = "linux")]
fn clock_ns(process: libc::pid_t) -> Option<u64> {
    let mut clock: libc::clockid_t = 0;
    // SAFETY: `clock` is room for the number of a clock.
    let refused = unsafe { libc::clock_getcpuclockid(process, &mut clock) };
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is room for a time.
    let known = refused == 0 && unsafe { libc::clock_gettime(clock, &mut time) } == 0;
    let (seconds, ns) = (u64::try_from(time.tv_sec).ok()?, u64::try_from(time.tv_nsec).ok()?);
    known.then(|| seconds.saturating_mul(1_000_000_000).saturating_add(ns))
}

#[cfg(not(target_os = "linux"))]
fn clock_ns(_process: libc::pid_t) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    /// A shell that starts another one, which counts for a while and says so. It exits when its input ends.
    const NESTED: &str =
        "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo counted; read line'; echo waited; read line";

    #[test]
    fn those_that_live_and_those_that_were_waited_for_are_seen() {
        if !super::super::tree::is_told() {
            println!("skipped: the system does not tell which processes a process has started");
            return;
        }
        let mut shell = Command::new("sh").args(["-c", NESTED]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let shell = shell.as_mut().expect("a shell");
        let pid = libc::pid_t::try_from(shell.id()).expect("a number");
        let mut said = BufReader::new(shell.stdout.take().expect("its output")).lines();
        let mut says = || said.next().expect("a line").expect("text");
        let mut input = shell.stdin.take().expect("its input");
        assert_eq!(says(), "counted");
        let family = Family::of(pid).expect("it lives");
        let found = family.descendants().expect("it lives");
        assert!(found.living == 1 && found.cpu_ns > 0, "{found:?}");
        writeln!(input).expect("it reads");
        assert_eq!(says(), "waited");
        let after = family.descendants().expect("it lives");
        // User and system time are each in whole ticks.
        let ticks_ns = 2 * tick_ns().expect("known");
        assert!(after.living == 0 && after.cpu_ns + ticks_ns > found.cpu_ns, "{after:?} after {found:?}");
        drop(input);
        shell.wait().expect("it ends");
    }
}
