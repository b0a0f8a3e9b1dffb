//! Skipped cases.

use std::borrow::Cow;

/// The reason for `skip_if`.
pub fn by_condition() -> Option<String> {
    Some("`skip_if` says so".to_owned())
}

/// A type for `skip = ...`: a `bool`, or a reason.
pub trait Ignore {
    /// The reason, or `None` to measure it.
    fn reason(self) -> Option<String>;
}

impl Ignore for bool {
    fn reason(self) -> Option<String> {
        self.then(|| "it is declared with `skip`".to_owned())
    }
}
impl Ignore for &str {
    fn reason(self) -> Option<String> {
        Some(self.to_owned())
    }
}
impl Ignore for String {
    fn reason(self) -> Option<String> {
        Some(self)
    }
}
impl Ignore for Cow<'_, str> {
    fn reason(self) -> Option<String> {
        Some(self.into_owned())
    }
}
impl<T: Ignore> Ignore for Option<T> {
    fn reason(self) -> Option<String> {
        self.and_then(T::reason)
    }
}

/// The payload of the panic by which a set-up skips its benchmark.
pub(crate) struct Skip(pub(crate) String);

/// Skips the benchmark from within its set-up. It is listed with the reason, and does not count as a failure.
///
/// ```
/// #[tare::bench]
/// fn read_device() -> impl FnMut() -> usize {
///     let Ok(device) = std::fs::read("/dev/example") else { tare::skip("there is no /dev/example") };
///     move || device.len()
/// }
/// # fn main() {}
/// ```
/// # Panics
/// Always, to leave the set-up. In a program built with `panic = "abort"` this is a failure.
pub fn skip(reason: impl Into<String>) -> ! {
    let reason = reason.into();
    if cfg!(panic = "abort") {
        panic!("skipped: {reason} (with panic = \"abort\" a skipped benchmark ends the process)");
    }
    std::panic::panic_any(Skip(reason))
}
