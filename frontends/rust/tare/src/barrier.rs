//! The sink, and a `black_box` that keeps values in registers.
//!
//! `std::hint::black_box` would store each value to the stack and load it again. Here values of 1, 2, 4, 8 and 16 bytes
//! (24 and 32 when they are returned) pass through an empty `asm!` in registers. It also counts as a read and write of all
//! escaped memory, so that no body is hoisted out of the loop or merged with its neighbour.

use std::any::TypeId;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
use std::arch::asm;
use std::marker::PhantomData;
use std::mem::{self, size_of, MaybeUninit};

pub(crate) use native::{in_registers, launder, launder_floats};

/// Whether `T` is `U`, lifetimes aside. Folds to a constant in optimised code.
#[inline(always)]
fn is<T: ?Sized, U: 'static>() -> bool {
    trait Ask {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> Ask for PhantomData<T> {
        #[inline(always)]
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<PhantomData<T>>()
        }
    }
    let mark = PhantomData::<T>;
    let ask: &dyn Ask = &mark;
    // SAFETY: only the lifetime changes, and `id` reads no value: it returns the id of the type with its lifetimes erased.
    let ask: &(dyn Ask + 'static) = unsafe { mem::transmute(ask) };
    ask.id() == TypeId::of::<PhantomData<U>>()
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
mod native {
    use super::*;

    /// An empty `asm!("", OPERANDS)` that counts as reading and writing memory.
    macro_rules! nothing {
        ($text:literal, $($operand:tt)*) => {
            asm!(concat!("/* ", $text, " */"), $($operand)*, options(nostack, preserves_flags))
        };
    }

    #[cfg(target_arch = "x86_64")]
    macro_rules! byte { ($value:expr) => { nothing!("{0}", in(reg_byte) $value) }; }
    #[cfg(target_arch = "aarch64")]
    macro_rules! byte { ($value:expr) => { nothing!("{0:w}", in(reg) $value) }; }
    #[cfg(target_arch = "x86_64")]
    macro_rules! short { ($value:expr) => { nothing!("{0:x}", in(reg) $value) }; }
    #[cfg(target_arch = "aarch64")]
    macro_rules! short { ($value:expr) => { nothing!("{0:w}", in(reg) $value) }; }
    #[cfg(target_arch = "x86_64")]
    macro_rules! word { ($way:ident $value:expr) => { nothing!("{0:e}", $way(reg) $value) }; }
    #[cfg(target_arch = "aarch64")]
    macro_rules! word { ($way:ident $value:expr) => { nothing!("{0:w}", $way(reg) $value) }; }
    #[cfg(target_arch = "x86_64")]
    macro_rules! float { ($way:ident $value:expr, $modifier:literal) => { nothing!("{0}", $way(xmm_reg) $value) }; }
    #[cfg(target_arch = "aarch64")]
    macro_rules! float { ($way:ident $value:expr, $modifier:literal) => { nothing!($modifier, $way(vreg) $value) }; }

    type Bits<N> = MaybeUninit<N>;

    /// Bytes that are probably a floating-point number, unaligned and possibly uninitialised.
    #[repr(C, packed)]
    struct Float<F>(Bits<F>);

    /// Uses the value behind `value`, which may be uninitialised.
    ///
    /// # Safety
    /// `value` is valid for reads of `size_of::<T>()` bytes and aligned.
    #[inline(always)]
    pub(super) unsafe fn take<T>(value: *const T) {
        // SAFETY: sizes are checked, `MaybeUninit` allows padding, and alignment is not needed for unaligned reads.
        unsafe {
            match size_of::<T>() {
                0 => asm!("", options(nostack, preserves_flags)),
                1 => byte!(value.cast::<Bits<u8>>().read_unaligned()),
                2 => short!(value.cast::<Bits<u16>>().read_unaligned()),
                4 if is::<T, f32>() => float!(in value.cast::<Bits<f32>>().read_unaligned(), "{0:s}"),
                4 => word!(in value.cast::<Bits<u32>>().read_unaligned()),
                8 if is::<T, f64>() => float!(in value.cast::<Bits<f64>>().read_unaligned(), "{0:d}"),
                8 => nothing!("{0}", in(reg) value.cast::<Bits<u64>>().read_unaligned()),
                16 => {
                    let pair = value.cast::<[Bits<u64>; 2]>().read_unaligned();
                    nothing!("{0} {1}", in(reg) pair[0], in(reg) pair[1])
                }
                _ => nothing!("{0}", in(reg) value),
            }
        }
    }

    /// Passes the value through registers (or memory) that are opaque to the optimiser. It comes back unchanged.
    #[inline(always)]
    pub(crate) fn launder<T>(value: &mut T) {
        let at: *mut T = value;
        macro_rules! through {
            ($kind:ty, |$bits:ident| $pass:expr) => {{
                let mut $bits = at.cast::<$kind>().read_unaligned();
                $pass;
                at.cast::<$kind>().write_unaligned($bits);
            }};
        }
        // SAFETY: the bytes of `value` are read and written back as they were, as `MaybeUninit`, so that padding is allowed.
        unsafe {
            // Match on the size first: it is known before the optimiser splits the value into scalars.
            match size_of::<T>() {
                0 => {}
                4 if is::<T, f32>() || is::<T, Float<f32>>() => through!(Bits<f32>, |bits| float!(inout bits, "{0:s}")),
                4 => through!(Bits<u32>, |bits| word!(inout bits)),
                8 if is::<T, f64>() || is::<T, Float<f64>>() => through!(Bits<f64>, |bits| float!(inout bits, "{0:d}")),
                8 => through!(Bits<u64>, |bits| nothing!("{0}", inout(reg) bits)),
                16 => through!([Bits<u64>; 2], |bits| nothing!("{0} {1}", inout(reg) bits[0], inout(reg) bits[1])),
                24 => through!([Bits<u64>; 3], |bits| nothing!(
                    "{0} {1} {2}", inout(reg) bits[0], inout(reg) bits[1], inout(reg) bits[2]
                )),
                32 => through!([Bits<u64>; 4], |bits| nothing!(
                    "{0} {1} {2} {3}", inout(reg) bits[0], inout(reg) bits[1], inout(reg) bits[2], inout(reg) bits[3]
                )),
                _ => nothing!("{0}", in(reg) at),
            }
        }
    }

    /// Like [`launder`], for one or two floating-point numbers that may be wrapped in another type.
    #[inline(always)]
    pub(crate) fn launder_floats<T>(value: &mut T) {
        let at: *mut T = value;
        // SAFETY: as for `launder`.
        unsafe {
            match size_of::<T>() {
                4 => launder(&mut *at.cast::<Float<f32>>()),
                8 => launder(&mut *at.cast::<Float<f64>>()),
                16 => {
                    launder(&mut *at.cast::<Float<f64>>());
                    launder(&mut *at.cast::<Float<f64>>().add(1));
                }
                _ => launder(value),
            }
        }
    }

    /// Whether [`launder`] keeps a `T` in registers.
    pub(crate) const fn in_registers<T>() -> bool {
        matches!(size_of::<T>(), 0 | 4 | 8 | 16 | 24 | 32)
    }
}

#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
mod native {
    use super::*;

    /// # Safety
    /// `value` may be anything.
    #[inline(always)]
    pub(super) unsafe fn take<T>(value: *const T) {
        std::hint::black_box(value);
    }

    #[inline(always)]
    pub(crate) fn launder<T>(value: &mut T) {
        std::hint::black_box(value);
    }

    #[inline(always)]
    pub(crate) fn launder_floats<T>(value: &mut T) {
        launder(value);
    }

    pub(crate) const fn in_registers<T>() -> bool {
        size_of::<T>() == 0
    }
}

/// Takes a result and drops it. The optimiser has to compute it, because it cannot see that it is unused.
#[inline(always)]
pub fn sink<T>(value: T) {
    // SAFETY: `value` is alive.
    unsafe { native::take(&value) }
}

/// The empty body: does what [`sink`] does for a result of the type that `_witness` returns, without calling it.
#[inline(always)]
pub fn sink_empty<T, W: FnOnce() -> T>(_witness: W) {
    mem::forget(_witness);
    let nothing = MaybeUninit::<T>::uninit();
    // SAFETY: the memory is allocated; `take` allows it to be uninitialised.
    unsafe { native::take(nothing.as_ptr()) }
}

/// A placeholder for an argument of a call that is never made.
pub fn never<T>() -> T {
    unreachable!("the empty body calls nothing")
}

/// A copy of a parameter.
#[inline(always)]
pub fn copy<T: Copy>(value: &T) -> T {
    *value
}

/// Returns `value` unchanged, but the optimiser no longer knows anything about it.
///
/// Wrap *inputs* of a body that are known at compile time in it; otherwise the compiler may compute the result in advance.
/// Results of a body need no `keep`. It resembles [`std::hint::black_box`], but numbers and other values of 4, 8, 16, 24
/// and 32 bytes stay in registers instead of being stored and reloaded.
///
/// ```
/// let text = tare::keep("123456789");
/// assert_eq!(text.parse::<i64>(), Ok(123_456_789));
/// ```
#[inline(always)]
pub fn keep<T>(mut value: T) -> T {
    native::launder(&mut value);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_values_are_unchanged() {
        assert_eq!(keep(-7_i8), -7);
        assert_eq!(keep(0x1234_u16), 0x1234);
        assert_eq!((keep(1.5_f32), keep(-0.25_f64)), (1.5, -0.25));
        assert_eq!(keep(u128::MAX - 5), u128::MAX - 5);
        assert_eq!(keep((1_u8, 2_u64, 3_u8)), (1, 2, 3));
        assert_eq!(keep([1_u64, 2, 3, 4]), [1, 2, 3, 4]);
        assert_eq!(keep(Some(Box::new(3))), Some(Box::new(3)));
        assert_eq!(keep(String::from("text")), "text");
        assert_eq!(keep([7_u8; 100]), [7; 100]);
        let mut pair = (1.5_f64, 2_u64);
        launder_floats(&mut pair);
        assert_eq!(pair, (1.5, 2));
        keep(());
    }

    #[test]
    fn types_are_told_apart() {
        assert!(is::<f64, f64>() && !is::<f32, f64>() && !is::<u64, f64>());
        fn with_lifetime<'a>(_: &'a str) -> bool {
            is::<&'a str, &'static str>()
        }
        assert!(with_lifetime(&String::from("x")));
    }

    #[test]
    fn results_are_dropped_once() {
        use std::rc::Rc;
        let one = Rc::new(());
        sink(one.clone());
        sink_empty(|| one.clone());
        assert_eq!(Rc::strong_count(&one), 1);
    }
}
