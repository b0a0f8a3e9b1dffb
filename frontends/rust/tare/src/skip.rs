//! Cases that are not to be measured.

use std::borrow::Cow;

/// The reason where `skip_if` holds.
pub fn by_condition() -> Option<String> {
    Some("`skip_if` says so".to_owned())
}

/// What `skip = ...` may be: a truth value, or a reason.
pub trait Ignore {
    /// The reason; None: it is measured.
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

/// Of the panic by which a set-up says that its benchmark is not to be measured.
pub(crate) struct Skip(pub(crate) String);

/// Says in a set-up that the benchmark cannot be measured here: it is shown with the reason, and is no failure.
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
/// Always: that is how it leaves the set-up. In a program that is built with `panic = "abort"` it is a failure.
pub fn skip(reason: impl Into<String>) -> ! {
    let reason = reason.into();
    if cfg!(panic = "abort") {
        panic!("skipped: {reason} (with panic = \"abort\" a skipped benchmark ends the process)");
    }
    std::panic::panic_any(Skip(reason))
}
