//! Guards the user's code: a panic becomes a failure with its step and its place.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};

use crate::skip::Skip;

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) step: &'static str,
    pub(crate) message: String,
    /// A panic, not an `Err`.
    pub(crate) panic: bool,
    pub(crate) place: Option<(String, u32)>,
    /// The set-up asked to skip the benchmark; the message is the reason.
    pub(crate) skipped: bool,
}

impl Failure {
    /// A failure other than a panic.
    pub(crate) fn new(step: &'static str, message: impl Into<String>) -> Failure {
        Failure { step, message: message.into(), panic: false, place: None, skipped: false }
    }

    /// What happened and where, without the step.
    pub(crate) fn what(&self) -> String {
        match (&self.place, self.panic) {
            (Some((file, line)), _) => format!("panic at {file}:{line}: {}", self.message),
            (None, true) => format!("panic: {}", self.message),
            (None, false) => self.message.clone(),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{} in {}", if self.panic { "panic" } else { "failure" }, self.step)?;
        if let Some((file, line)) = &self.place {
            write!(to, " at {file}:{line}")?;
        }
        write!(to, ": {}", self.message)
    }
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<(String, u32)>> = const { RefCell::new(None) };
}

/// Records panics of guarded code with their place instead of printing them. Panics of other threads are printed.
pub(crate) fn install_hook() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if GUARDED.with(Cell::get) && cfg!(panic = "unwind") {
            let place = info.location().map(|place| (place.file().to_owned(), place.line()));
            PLACE.with(|last| *last.borrow_mut() = place);
        } else {
            usual(info);
        }
    }));
}

/// The message of a panic.
pub(crate) fn text(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

/// Runs the user's code; a panic becomes a [`Failure`].
pub(crate) fn guard<T>(step: &'static str, run: impl FnOnce() -> Result<T, String>) -> Result<T, Failure> {
    let before = GUARDED.with(|guarded| guarded.replace(true));
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    GUARDED.with(|guarded| guarded.set(before));
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(message)) => Err(Failure::new(step, message)),
        Err(payload) => {
            let place = PLACE.with(|place| place.borrow_mut().take());
            let skipped = payload.downcast_ref::<Skip>().map(|skip| skip.0.clone());
            if let Some(reason) = skipped {
                if step != "set-up" {
                    let right = "call it in a set-up, or use `skip` in the declaration";
                    return Err(Failure::new(step, format!("`tare::skip({reason:?})` in a body: {right}")));
                }
                return Err(Failure { skipped: true, ..Failure::new(step, reason) });
            }
            let message = text(payload.as_ref());
            // Dropping the payload may run the user's code, which may panic again.
            let _ = panic::catch_unwind(AssertUnwindSafe(|| drop(payload)));
            Err(Failure { panic: true, place, ..Failure::new(step, message) })
        }
    }
}
