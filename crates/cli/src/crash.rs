//! A mistake in Tare itself: said like any other failure, with the exit code of its own, and without a backtrace, which means
//! nothing to a user.

use crate::failure::Failure;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Mutex;
use tare_report::clean;

/// What the first panic said, and where; those that follow from it in other threads say nothing new.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// From now on a panic is remembered for [`caught`] and prints nothing, unless a backtrace is wanted (`RUST_BACKTRACE`).
pub fn say_it_plainly() {
    let wordy = panic::take_hook();
    let is_wanted = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    panic::set_hook(Box::new(move |info| {
        let mut first = FIRST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        first.get_or_insert_with(|| text(info));
        drop(first);
        if is_wanted {
            wordy(info);
        }
    }));
}

fn text(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let said = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let said = said.unwrap_or("no message");
    let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
    clean(&format!("{said}{place}"))
}

/// Does the work; a panic in it is a failure.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // Nothing that the work has touched is looked at afterwards.
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let first = FIRST.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        Err(Failure::Bug { what: first.unwrap_or_default() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::failure_lines;
    use tare_model::ExitCode;

    #[test]
    fn a_panic_is_a_failure_with_its_own_exit_code() {
        let before = panic::take_hook();
        say_it_plainly();
        let failure = caught(|| -> Result<(), Failure> { panic!("index {} of 0", 3) }).expect_err("it panics");
        panic::set_hook(before);
        assert_eq!(failure.exit_code(), ExitCode::Bug);
        let lines: Vec<String> = failure_lines(&failure).iter().map(|line| line.plain()).collect();
        assert_eq!(lines[0], "error: internal error in tare");
        assert!(lines[1].starts_with("  index 3 of 0 ("), "{lines:?}");
        assert!(lines[3].starts_with("hint: please report this bug"), "{lines:?}");
    }
}
