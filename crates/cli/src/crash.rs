//! An internal error: reported like any other failure, with its own exit code and without a backtrace, which does not help users.
//!
//! Panics abort without unwinding, since that code would be a sixth of the program. Measurements are in the events of the run, and the next
//! run removes leftover temporary files.

use crate::console::{failure_lines, ColorChoice, Console};
use crate::failure::Failure;
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;
use std::{process, thread};
use tare_report::{clean, Glyphs, Volume};

static CONSOLE: OnceLock<Console> = OnceLock::new();

/// From now on a panic ends the process and is reported as a failure, after a backtrace if `RUST_BACKTRACE` asks for one.
pub fn say_it_plainly() {
    let wordy = panic::take_hook();
    let is_wanted = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    panic::set_hook(Box::new(move |info| {
        if is_wanted {
            wordy(info);
        }
        end(text(info))
    }));
}

pub fn say_it_on(console: &Console) {
    let _ = CONSOLE.set(console.clone());
}

fn text(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let said = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let said = said.unwrap_or("no message");
    let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
    clean(&format!("{said}{place}"))
}

fn end(what: String) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    while ENDS.swap(true, Ordering::SeqCst) {
        // Later panics in other threads follow from the first one.
        thread::park();
    }
    tare_process::kill_children();
    // A failure after an interrupt is caused by it.
    let failure = if tare_process::interrupted() { Failure::Interrupted } else { Failure::Bug { what } };
    let plain = || Console::new(ColorChoice::Auto, Volume::Default, Glyphs::Unicode);
    let console = CONSOLE.get_or_init(plain);
    if console.paints {
        console.prompt("\r\x1b[K");
    }
    console.say(&failure_lines(&failure, &console.request));
    process::exit(failure.exit_code().number())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use tare_model::ExitCode;

    const PANICS: &str = "TARE_TEST_PANICS";

    #[test]
    fn a_panic_is_a_failure_with_its_own_exit_code() {
        if std::env::var_os(PANICS).is_some() {
            say_it_plainly();
            panic!("index {} of 0", 3);
        }
        let this = ["--exact", "crash::tests::a_panic_is_a_failure_with_its_own_exit_code", "--nocapture"];
        let mut again = Command::new(std::env::current_exe().expect("this program"));
        let done = again.args(this).env(PANICS, "1").env_remove("RUST_BACKTRACE").output().expect("it runs");
        assert_eq!(done.status.code(), Some(ExitCode::Bug.number()));
        let said = String::from_utf8(done.stderr).expect("text");
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[0], "error: internal error in tare", "{said}");
        assert!(lines[1].starts_with("  index 3 of 0 ("), "{said}");
        assert!(lines[3].starts_with("hint: please report this bug"), "{said}");
    }
}
