//! A mistake in Tare itself: said like any other failure, with the exit code of its own, and without a backtrace, which means
//! nothing to a user.
//!
//! Nothing is unwound: the code for that would be a sixth of the program. What a run has measured is in its events, and what it leaves in
//! the folder for temporary files is removed by the next one.

use crate::console::{failure_lines, ColorChoice, Console};
use crate::failure::Failure;
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;
use std::{process, thread};
use tare_report::{clean, Glyphs, Volume};

static CONSOLE: OnceLock<Console> = OnceLock::new();

/// From now on a panic ends the process with what it says as a failure. With a backtrace before it where one is wanted (`RUST_BACKTRACE`).
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
    // Once for a process.
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
        // What follows from the first panic in other threads says nothing new.
        thread::park();
    }
    tare_process::kill_children();
    // What fails after an interrupt fails by it.
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
