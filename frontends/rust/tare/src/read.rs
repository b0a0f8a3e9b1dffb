//! Values of parameters set by the host: parses a text, depending on the type.

use crate::passing::Of;

/// A type whose values can be parsed from the text that `text.rs` writes.
pub trait FromText: Sized {
    /// Parses the text; `None` if it is not a value of the type.
    fn from_text(text: &str) -> Option<Self>;

    /// Describes valid texts.
    fn wanted() -> String;
}

macro_rules! parsed {
    ($($kind:ty: $wanted:expr;)*) => {
        $(impl FromText for $kind {
            fn from_text(text: &str) -> Option<Self> {
                text.parse().ok().filter(|_| !text.starts_with('+'))
            }
            fn wanted() -> String {
                $wanted
            }
        })*
    };
}
macro_rules! whole {
    ($($kind:ty)*) => {
        parsed!($($kind: format!("a whole number from {} to {}", <$kind>::MIN, <$kind>::MAX);)*);
    };
}
whole!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
parsed! {
    f32: "a number".to_owned();
    f64: "a number".to_owned();
    bool: "`true` or `false`".to_owned();
    char: "a single character".to_owned();
}

impl FromText for String {
    fn from_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
    fn wanted() -> String {
        "a text".to_owned()
    }
}
/// Leaks the text: a process opens a case only a few times.
impl FromText for &'static str {
    fn from_text(text: &str) -> Option<Self> {
        Some(Box::leak(text.to_owned().into_boxed_str()))
    }
    fn wanted() -> String {
        "a text".to_owned()
    }
}

/// Chooses between types that can be parsed and others.
pub trait Read<T> {
    /// The value of the text, or an error.
    fn read(&self, text: &str) -> Result<T, String>;
}
impl<T: FromText> Read<T> for &Of<T> {
    fn read(&self, text: &str) -> Result<T, String> {
        T::from_text(text).ok_or_else(|| format!("`{text}` is not {}", T::wanted()))
    }
}
impl<T> Read<T> for Of<T> {
    fn read(&self, _: &str) -> Result<T, String> {
        Err("it cannot be set: it is not a number, a boolean or a text".to_owned())
    }
}

/// The value of a text: `read!(TEXT, READER)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __read {
    ($text:expr, $reader:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::Read as _;
        (&&$reader).read($text)
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
