//! Values from the declaration of a benchmark: its parameters as the function takes them, the number of operations, the instance of
//! a type. Chosen by type, as in `form.rs`.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::barrier::launder;
use crate::form::Way;

/// Holds a type for which method resolution chooses a trait, as in `form.rs`.
pub struct Of<T>(PhantomData<fn() -> T>);

impl<T> Of<T> {
    /// For a known type.
    pub(crate) fn new() -> Self {
        Of(PhantomData)
    }

    /// For the type of a value.
    pub fn value(_: &T) -> Self {
        Of::new()
    }
}

/// Chooses how a parameter is passed to a body: `Copy` types are copied; others never get here, because another form is chosen.
pub trait Pass<T> {
    /// Returns a copy, and hides the parameter from the optimiser.
    fn give(&self, value: &mut T) -> T;
}
impl<T: Copy> Pass<T> for &Of<T> {
    #[inline(always)]
    fn give(&self, value: &mut T) -> T {
        launder(value);
        *value
    }
}
impl<T> Pass<T> for Of<T> {
    fn give(&self, _: &mut T) -> T {
        unreachable!("a function whose parameters cannot be copied consumes clones of them")
    }
}

/// A copy of a parameter: `parameter!(PLACE)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __parameter {
    ($place:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::Pass as _;
        (&&$crate::__private::Of::value(&$place)).give(&mut $place)
    }};
}

/// Chooses between a reference and a value. A value is leaked: a process opens a case only a few times.
pub trait Lend<T> {
    /// A reference.
    type Reference;
    /// Returns the reference, or a reference to the value.
    fn lend(&self, value: T) -> Self::Reference;
}
impl<'a, T: ?Sized> Lend<&'a T> for &Of<&'a T> {
    type Reference = &'a T;
    fn lend(&self, value: &'a T) -> &'a T {
        value
    }
}
impl<T: 'static> Lend<T> for Of<T> {
    type Reference = &'static T;
    fn lend(&self, value: T) -> &'static T {
        Box::leak(Box::new(value))
    }
}

/// A reference to the value of a parameter: `lend!(EXPRESSION)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __lend {
    ($value:expr) => {
        match $value {
            value => {
                #[allow(unused_imports)]
                use $crate::__private::Lend as _;
                (&&$crate::__private::Of::value(&value)).lend(value)
            }
        }
    };
}

/// A type for numbers of operations: integers. (A fraction is a type error.)
pub trait Operations {
    /// The number, at least 1, or an error.
    fn operations(self) -> Result<u64, String>;
    /// The amount of a rate, which may be 0, or an error.
    fn amount(self, name: &str) -> Result<u64, String>;
}

macro_rules! operations {
    ($($kind:ty)*) => {
        $(impl Operations for $kind {
            fn operations(self) -> Result<u64, String> {
                match u64::try_from(self) {
                    Ok(count) if count != 0 => Ok(count),
                    _ => Err(format!("`operations` is {self}; it must be a whole number of at least 1")),
                }
            }
            fn amount(self, name: &str) -> Result<u64, String> {
                u64::try_from(self).map_err(|_| format!("`{name}` is {self}; it must be a whole number of at least 0"))
            }
        })*
    };
}
operations!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// A type that a constructor may return: the instance, or a `Result` or an `Option` of it. `M` tells the implementations apart.
pub trait IntoInstance<S, M> {
    /// The instance, or the error.
    fn into_instance(self) -> Result<S, String>;
}
impl<S> IntoInstance<S, Way<(), 0>> for S {
    fn into_instance(self) -> Result<S, String> {
        Ok(self)
    }
}
impl<S, E: Debug> IntoInstance<S, Way<(), 1>> for Result<S, E> {
    fn into_instance(self) -> Result<S, String> {
        self.map_err(|error| format!("{error:?}"))
    }
}
impl<S> IntoInstance<S, Way<(), 2>> for Option<S> {
    fn into_instance(self) -> Result<S, String> {
        self.ok_or_else(|| "the set-up returned `None` instead of an instance".to_owned())
    }
}
