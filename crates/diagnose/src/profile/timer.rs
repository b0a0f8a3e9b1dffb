//! Samples taken by a timer in the process, if the kernel permits no sampling from outside.

use super::sampler::{Losses, Registers, Sample};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The source of the library.
pub(super) const SOURCE: &str = include_str!("timer.c");
pub(super) const NAME: &str = "timer";
/// The variable with the path of the library's output file.
pub(super) const VARIABLE: &str = "TARE_TIMER";

/// As in `timer.c`.
const PAGE: u64 = 4096;
const SLOTS: u64 = 256;
const HEAD: usize = 64;
const STACK: usize = 16 << 10;

/// The file of a process with a timer.
pub(super) struct Timer {
    file: File,
    /// Number of samples read.
    read: u64,
    pub(super) losses: Losses,
}

impl Timer {
    /// Creates an empty file at this path, before the process starts.
    pub(super) fn at(path: &Path) -> Result<Timer, String> {
        let wrong = |error: std::io::Error| format!("cannot make `{}`: {error}", path.display());
        let file = File::options().read(true).write(true).create_new(true).open(path).map_err(wrong)?;
        file.set_len(PAGE + SLOTS * (HEAD + STACK) as u64).map_err(wrong)?;
        Ok(Timer { file, read: 0, losses: Losses::default() })
    }

    /// Turns sampling on or off.
    pub(super) fn switch(&mut self, is_on: bool) -> Result<(), String> {
        let wrong = |error: std::io::Error| format!("the timer cannot be switched: {error}");
        self.file.write_all_at(&u64::from(is_on).to_le_bytes(), 0).map_err(wrong)
    }

    /// Passes on the samples since the last call.
    pub(super) fn drain(&mut self, mut take: impl FnMut(&Sample)) {
        let mut slot = vec![0; HEAD + STACK];
        let taken = self.number(8);
        if taken.saturating_sub(self.read) > SLOTS {
            self.losses.lost += taken - self.read - SLOTS;
            self.read = taken - SLOTS;
        }
        while self.read < taken {
            let place = PAGE + self.read % SLOTS * (HEAD + STACK) as u64;
            if self.file.read_exact_at(&mut slot, place).is_err() {
                return;
            }
            let [number, pid, ip, sp, fp, lr, size, _] = std::array::from_fn(|at| word(&slot, at));
            if number < self.read + 1 {
                // Being written.
                return;
            }
            self.read += 1;
            if number > self.read {
                self.losses.lost += 1;
                continue;
            }
            let stack = &slot[HEAD..HEAD + (size as usize).min(STACK)];
            let registers = Registers { ip, sp, fp, lr };
            take(&Sample { pid: pid as u32, registers, stack, in_kernel: false });
        }
    }

    fn number(&self, at: u64) -> u64 {
        let mut bytes = [0; 8];
        self.file.read_exact_at(&mut bytes, at).map_or(0, |()| u64::from_le_bytes(bytes))
    }
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at * 8..at * 8 + 8).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u64::from_le_bytes)
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn samples_are_taken_while_it_is_switched_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        // Runs for some processor time, however busy the machine is.
        let program = "#include <time.h>\nint main(void) { while (clock() < CLOCKS_PER_SEC / 10) {} return 0; }\n";
        let compiled = |name: &str, source: &str, flags: &[&str]| {
            std::fs::write(place("source.c"), source).expect("written");
            let mut command = Command::new("gcc");
            command.args(flags).args(["-O1", "-o", name, "source.c"]).current_dir(folder.path());
            command.status().is_ok_and(|status| status.success())
        };
        if !compiled("program", program, &[]) {
            return println!("skipped: it needs `gcc`");
        }
        assert!(compiled("timer.so", SOURCE, &["-shared", "-fPIC"]));
        let taken = |is_on: bool, name: &str| {
            let mut timer = Timer::at(&place(name)).expect("a file");
            timer.switch(is_on).expect("it is switched");
            let mut command = Command::new(place("program"));
            command.env("LD_PRELOAD", place("timer.so")).env(VARIABLE, place(name));
            let mut child = command.spawn().expect("it starts");
            assert!(child.wait().is_ok_and(|status| status.success()));
            let mut count = 0;
            timer.drain(|sample| {
                assert!(sample.pid == child.id() && sample.registers.ip != 0 && !sample.stack.is_empty());
                count += 1;
            });
            count
        };
        assert!(taken(true, "on") > 0);
        assert_eq!(taken(false, "off"), 0);
    }
}
