//! Context of the run, set by the program.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

static ENTRIES: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Adds context to the run, such as the data set.
///
/// It is shown above the table, and in file formats that support it. Call it before [`main`](crate::main()). The last value of a name
/// counts.
/// ```
/// # let path = "big.txt";
/// tare::context("data", path);
/// tare::context("threads", 4);
/// ```
///
/// # Panics
/// If the name is empty.
#[track_caller]
pub fn context(name: impl Into<String>, value: impl Display) {
    let (name, value) = (name.into(), value.to_string());
    assert!(!name.is_empty(), "tare::context: the name is empty");
    let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    match entries.iter_mut().find(|(known, _)| *known == name) {
        Some((_, known)) => *known = value,
        None => entries.push((name, value)),
    }
}

/// Names and values, in the order of their first call.
pub(crate) fn all() -> Vec<(String, String)> {
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
