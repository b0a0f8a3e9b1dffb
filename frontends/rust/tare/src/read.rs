//! Values of parameters set by the host: parses a text, depending on the type.

use std::fmt::Display;
use std::str::FromStr;

use crate::passing::Of;

/// Chooses between types that can be parsed and others.
pub trait Read<T> {
    /// The value of the text, or an error.
    fn read(&self, text: &str) -> Result<T, String>;
}
impl<T: FromStr> Read<T> for &&Of<T>
where
    T::Err: Display,
{
    fn read(&self, text: &str) -> Result<T, String> {
        text.parse().map_err(|error| format!("`{text}` is not a value of `{}`: {error}", std::any::type_name::<T>()))
    }
}
/// Leaks the text: a process opens a case only a few times.
impl Read<&'static str> for &Of<&'static str> {
    fn read(&self, text: &str) -> Result<&'static str, String> {
        Ok(Box::leak(text.into()))
    }
}
impl<T> Read<T> for Of<T> {
    fn read(&self, _: &str) -> Result<T, String> {
        Err("it cannot be set: its type cannot be parsed from a text".to_owned())
    }
}

/// The value of a text: `read!(TEXT, READER)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __read {
    ($text:expr, $reader:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::Read as _;
        (&&&$reader).read($text)
    }};
}

/// The values of a parameter set by the host, or else the declared ones.
pub fn chosen<T>(
    values: impl IntoIterator<Item = T>,
    given: &[String],
    read: fn(&str, Of<T>) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    match given {
        [] => Ok(values.into_iter().collect()),
        given => given.iter().map(|text| read(text, Of::new())).collect(),
    }
}
