//! Values of parameters in steps.

use std::ops::RangeInclusive;

/// A number type for [`linear`] and [`geometric`].
pub trait Step: Copy + PartialOrd {
    /// The sum, or `None` on overflow.
    fn plus(self, other: Self) -> Option<Self>;
    /// The product, or `None` on overflow.
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

/// The values of a range. Panics if a step does not lead forward, because that would never end.
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

/// Returns values in equal steps: `linear(10..=50, 20)` is 10, 30 and 50.
///
/// # Panics
/// If the step is not greater than 0; the benchmark then fails.
pub fn linear<T: Step>(range: RangeInclusive<T>, step: T) -> Vec<T> {
    values(range, |at| at.plus(step), "the step")
}

/// Returns values in equal ratios: `geometric(1..=1000, 10)` is 1, 10, 100 and 1000.
///
/// # Panics
/// If the factor is not greater than 1, or the range starts at 0; the benchmark then fails.
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
