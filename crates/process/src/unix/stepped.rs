//! Runs a child's thread instruction by instruction (`ptrace`), on Linux on x86-64.
//!
//! The system accepts requests about a thread only from the thread that attached to it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Longest instruction, bytes.
pub const INSTRUCTION_MAX: usize = 15;
/// How often to check whether a running thread has stopped.
const LOOK: Duration = Duration::from_micros(100);
/// Added to a stop at a system call, with `PTRACE_O_TRACESYSGOOD`.
const AT_CALL: i32 = 0x80;
/// Result register of a system call that has not begun.
const NOT_BEGUN: i64 = -(libc::ENOSYS as i64);

/// A thread stopped between two instructions.
pub struct Stepped {
    thread: libc::pid_t,
    memory: File,
    /// A signal to deliver when it resumes.
    signal: i32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Registers {
    /// Address of the next instruction.
    pub next: u64,
    /// `rax`, `rcx`, `rdx`, `rbx`, `rsp`, `rbp`, `rsi`, `rdi`, `r8` to `r15`, in instruction encoding order.
    pub general: [u64; 16],
    /// Base addresses of the segments `fs` and `gs`.
    pub segments: [u64; 2],
}

/// A system call of a thread: its number and first argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemCall {
    pub number: u64,
    pub first: u64,
}

impl SystemCall {
    /// Whether it reads the CPU clock of the calling thread.
    pub fn reads_own_clock(self) -> bool {
        // A thread clock by number: its last three bits encode that it belongs to a thread, and its kind.
        let is_of_a_thread = (self.first as i32) < 0 && self.first & 7 == 6;
        self.number == libc::SYS_clock_gettime as u64
            && (is_of_a_thread || self.first == libc::CLOCK_THREAD_CPUTIME_ID as u64)
    }
}

/// The thread of a process that waits to read from a descriptor; None if there is none or the system does not say.
pub fn reader(process: u32, descriptor: i32) -> Option<u32> {
    let wanted = format!("{} {descriptor:#x} ", libc::SYS_read);
    let reads = |entry: &fs::DirEntry| {
        fs::read_to_string(entry.path().join("syscall")).is_ok_and(|text| text.starts_with(&wanted))
    };
    let mut threads = fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten();
    threads.find(reads)?.file_name().to_str()?.parse().ok()
}

impl Stepped {
    /// Attaches to a thread and stops it.
    /// Err: when the system does not allow it.
    pub fn attach(thread: u32) -> io::Result<Stepped> {
        let memory = File::open(format!("/proc/{thread}/mem"))?;
        let thread = libc::pid_t::try_from(thread).map_err(io::Error::other)?;
        let mut stepped = Stepped { thread, memory, signal: 0 };
        stepped.request(libc::PTRACE_SEIZE as i32, libc::PTRACE_O_TRACESYSGOOD as usize)?;
        stepped.request(libc::PTRACE_INTERRUPT as i32, 0)?;
        stepped.wait(0)?;
        Ok(stepped)
    }

    /// Runs it to its next system call of this kind, and past it. False: `is_over` came first, and the thread runs freely.
    /// Err: when the thread is gone.
    pub fn run_to(&mut self, wanted: impl Fn(SystemCall) -> bool, is_over: impl Fn() -> bool) -> io::Result<bool> {
        let mut is_behind = false;
        loop {
            self.go_on(libc::PTRACE_SYSCALL as i32)?;
            let stop = loop {
                if let Some(stop) = self.wait(libc::WNOHANG)? {
                    break stop;
                }
                if is_over() {
                    self.request(libc::PTRACE_INTERRUPT as i32, 0)?;
                    self.wait(0)?;
                    return Ok(false);
                }
                std::thread::sleep(LOOK);
            };
            if stop == libc::SIGTRAP | AT_CALL {
                if is_behind {
                    return Ok(true);
                }
                let (_, call, result) = self.read()?;
                is_behind = result == NOT_BEGUN && wanted(call);
            }
        }
    }

    /// Runs one instruction.
    /// Err: when the thread is gone.
    pub fn step(&mut self) -> io::Result<()> {
        self.go_on(libc::PTRACE_SINGLESTEP as i32)?;
        self.wait(0).map(|_| ())
    }

    /// Reads the registers.
    /// Err: when the thread is gone.
    pub fn registers(&self) -> io::Result<Registers> {
        self.read().map(|(registers, ..)| registers)
    }

    /// Memory from an address on, as much as is readable.
    pub fn bytes(&self, address: u64) -> [u8; INSTRUCTION_MAX] {
        let mut bytes = [0; INSTRUCTION_MAX];
        // There is less at the end of a mapping.
        let _ = self.memory.read_at(&mut bytes, address);
        bytes
    }

    fn read(&self) -> io::Result<(Registers, SystemCall, i64)> {
        // SAFETY: all-zero is a valid `user_regs_struct`.
        let mut all: libc::user_regs_struct = unsafe { std::mem::zeroed() };
        let place: *mut libc::user_regs_struct = &mut all;
        // SAFETY: the place is writable, and as large as the system's.
        let done = unsafe { libc::ptrace(libc::PTRACE_GETREGS, self.thread, 0, place) };
        if done < 0 {
            return Err(io::Error::last_os_error());
        }
        let general = [
            all.rax, all.rcx, all.rdx, all.rbx, all.rsp, all.rbp, all.rsi, all.rdi, all.r8, all.r9, all.r10, all.r11,
            all.r12, all.r13, all.r14, all.r15,
        ];
        let registers = Registers { next: all.rip, general, segments: [all.fs_base, all.gs_base] };
        Ok((registers, SystemCall { number: all.orig_rax, first: all.rdi }, all.rax as i64))
    }

    /// The signal at which it stopped; None: still running, with `WNOHANG`.
    fn wait(&mut self, flags: i32) -> io::Result<Option<i32>> {
        let mut status = 0;
        loop {
            // SAFETY: the place is writable.
            match unsafe { libc::waitpid(self.thread, &mut status, flags | libc::__WALL) } {
                0 => return Ok(None),
                got if got == self.thread => break,
                _ => {
                    let error = io::Error::last_os_error();
                    if error.kind() != io::ErrorKind::Interrupted {
                        return Err(error);
                    }
                }
            }
        }
        if !libc::WIFSTOPPED(status) {
            return Err(io::Error::other("it has ended"));
        }
        let signal = libc::WSTOPSIG(status);
        let is_of_tracing = signal & !AT_CALL == libc::SIGTRAP || status >> 16 != 0;
        self.signal = if is_of_tracing { 0 } else { signal };
        Ok(Some(signal))
    }

    fn go_on(&mut self, how: i32) -> io::Result<()> {
        let signal = std::mem::take(&mut self.signal);
        self.request(how, signal as usize)
    }

    fn request(&self, which: i32, with: usize) -> io::Result<()> {
        // SAFETY: numbers only; none of these requests has an address.
        let done = unsafe { libc::ptrace(which as _, self.thread, 0, with) };
        if done < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}

impl Drop for Stepped {
    /// Detaches, so that it runs freely again.
    fn drop(&mut self) {
        let signal = self.signal;
        let _ = self.request(libc::PTRACE_DETACH as i32, signal as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn the_clock_of_the_thread_is_known_by_name_and_by_number() {
        let reads = |number, first: i32| SystemCall { number, first: first as u32 as u64 }.reads_own_clock();
        assert!(reads(228, 3) && reads(228, !77 << 3 | 6));
        assert!(!reads(228, 1) && !reads(228, 2) && !reads(228, !77 << 3 | 2) && !reads(0, 3));
    }

    #[test]
    fn a_process_is_followed_from_a_system_call_on() {
        let command = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = command else { return eprintln!("skipped: there is no `cat`") };
        let (pid, mut to) = (child.id(), child.stdin.take().expect("a pipe"));
        let waits = |_: &u32| {
            std::thread::sleep(Duration::from_millis(1));
            reader(pid, 0).is_some()
        };
        assert!((0..10_000).any(|turn| waits(&turn)), "it waits for its input");
        assert_eq!(reader(pid, 0), Some(pid));
        let mut stepped = match Stepped::attach(pid) {
            Ok(stepped) => stepped,
            Err(error) => {
                let _ = child.kill();
                return eprintln!("skipped: processes cannot be followed here: {error}");
            }
        };
        io::Write::write_all(&mut to, b"x").expect("written");
        let is_read = |call: SystemCall| call.number == libc::SYS_read as u64;
        assert!(stepped.run_to(is_read, || false).expect("it lives"));
        let before = stepped.registers().expect("it lives");
        stepped.step().expect("it lives");
        let after = stepped.registers().expect("it lives");
        assert_ne!(before.next, after.next);
        assert_ne!(stepped.bytes(after.next), [0; INSTRUCTION_MAX]);
        // It waits for more input until it is detached.
        assert!(!stepped.run_to(|_| false, || true).expect("it lives"));
        drop(stepped);
        drop(to);
        assert!(child.wait().expect("it ends").success());
    }
}
