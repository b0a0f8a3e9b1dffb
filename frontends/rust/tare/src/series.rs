//! Values of parameters in steps.

use std::ops::RangeInclusive;

/// A number that ranges are made of.
pub trait Step: Copy + PartialOrd {
    /// The sum; None if the type has no such number.
    fn plus(self, other: Self) -> Option<Self>;
    /// The product; None if the type has no such number.
    fn times(self, other: Self) -> Option<Self>;
}

macro_rules! whole {
    ($($kind:ty)*) => {
        $(impl Step for $kind {
            fn plus(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
            fn times(self, other: Self) -> Option<Self> {
                self.checked_mul(other)
            }
        })*
    };
}
whole!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! float {
    ($($kind:ty)*) => {
        $(impl Step for $kind {
            fn plus(self, other: Self) -> Option<Self> {
                Some(self + other)
            }
            fn times(self, other: Self) -> Option<Self> {
                Some(self * other)
            }
        })*
    };
}
float!(f32 f64);

/// Values of a range; a step that does not lead forward would never end.
fn values<T: Step>(range: RangeInclusive<T>, next: impl Fn(T) -> Option<T>, step: &str) -> Vec<T> {
    let (mut at, end) = range.into_inner();
    let mut all = Vec::new();
    while at <= end {
        all.push(at);
        match next(at) {
            Some(further) if further > at => at = further,
            Some(_) => panic!("{step} leads nowhere from the start of this range"),
            None => break,
        }
    }
    all
}

/// Values in equal steps: `linear(10..=50, 20)` are 10, 30 and 50.
///
/// # Panics
/// With a step that is not greater than 0, which makes the benchmark fail.
pub fn linear<T: Step>(range: RangeInclusive<T>, step: T) -> Vec<T> {
    values(range, |at| at.plus(step), "the step")
}

/// Values in equal ratios: `geometric(1..=1000, 10)` are 1, 10, 100 and 1000.
///
/// # Panics
/// With a factor that is not greater than 1 or a range from 0, which makes the benchmark fail.
pub fn geometric<T: Step>(range: RangeInclusive<T>, factor: T) -> Vec<T> {
    values(range, |at| at.times(factor), "the factor")
}

#[cfg(test)]
mod tests {
    use super::{geometric, linear};

    #[test]
    fn ranges_hold_what_is_not_beyond_their_end() {
        assert_eq!(linear(10..=50, 20), [10, 30, 50]);
        assert_eq!(linear(0.0..=1.0, 0.4), [0.0, 0.4, 0.8]);
        assert_eq!(geometric(8..=8 << 10, 8), [8, 64, 512, 4096]);
        assert_eq!(geometric(100..=255_u8, 2), [100, 200]);
        let (from, to) = (2, 1);
        assert!(linear(from..=to, 1).is_empty());
    }

    #[test]
    #[should_panic = "leads nowhere"]
    fn from_nothing_no_factor_leads_anywhere() {
        geometric(0..=8, 2);
    }
}
