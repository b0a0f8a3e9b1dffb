//! The ratio of two costs after subtracting an overhead that both include: the loop around a body.
//!
//! With the cost of the base as 1, a share `b` of it is overhead, and the new cost includes overhead `n` in the same unit. A ratio `r` with
//! overhead is `(r - n) / (1 - b)` without it. If both have the same overhead (`n = b`), a ratio of 1 stays 1 for any share, so an
//! uncertain share cannot create a difference where there is none.

use crate::interval::Interval;

/// A share of the cost of the base, with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// From 0 (nothing) to 1 (all of it).
    pub value: f64,
    /// Lower end, at most `value`.
    pub lower: f64,
    /// Upper end, at least `value`.
    pub upper: f64,
}

/// The overhead in both costs of a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overhead {
    base: Share,
    new: Share,
    is_common: bool,
}

/// At least this much of a cost remains: a ratio is greater than 0.
const LEFT_MIN: f64 = 1e-3;
/// Above this share of the base, a ratio without overhead says nothing.
const SHARE_MAX: f64 = 0.95;

impl Overhead {
    /// The same overhead in both; `None` if it is nearly all of the base.
    pub fn common(share: Share) -> Option<Overhead> {
        Overhead { base: share, new: share, is_common: true }.valid()
    }

    /// Separate overheads with independent errors; `None` if the base is nearly all overhead.
    pub fn of_each(base: Share, new: Share) -> Option<Overhead> {
        Overhead { base, new, is_common: false }.valid()
    }

    fn valid(self) -> Option<Overhead> {
        let is_share =
            |of: &Share| of.lower <= of.value && of.value <= of.upper && of.lower >= 0.0 && of.upper.is_finite();
        (is_share(&self.base) && is_share(&self.new) && self.base.upper < SHARE_MAX).then_some(self)
    }

    /// Whether both have the same overhead.
    pub fn is_common(&self) -> bool {
        self.is_common
    }

    /// The log ratio without overhead, from the one with it.
    pub fn net(&self, log_ratio: f64) -> f64 {
        net(log_ratio, self.base.value, self.new.value)
    }

    /// The log ratio with overhead, from the one without it.
    pub fn with(&self, log_ratio: f64) -> f64 {
        (self.new.value + (1.0 - self.base.value) * log_ratio.exp()).ln()
    }

    /// The overhead's share of the cost of the base.
    pub fn of_base(&self) -> f64 {
        self.base.value
    }

    /// Derivative of the log ratio without overhead by the one with it: the factor by which an error grows.
    pub fn slope(&self, log_ratio: f64) -> f64 {
        let ratio = log_ratio.exp();
        ratio / (ratio - self.new.value).max(LEFT_MIN * ratio)
    }

    /// Half of the 95 % interval of the log ratio without overhead that comes from uncertain shares.
    pub fn error(&self, log_ratio: f64) -> f64 {
        let centre = self.net(log_ratio);
        let away = |base: f64, new: f64| (net(log_ratio, base, new) - centre).abs();
        let Overhead { base, new, is_common } = self;
        if *is_common {
            return away(base.lower, new.lower).max(away(base.upper, new.upper));
        }
        let of_base = away(base.lower, new.value).max(away(base.upper, new.value));
        let of_new = away(base.value, new.lower).max(away(base.value, new.upper));
        of_base.hypot(of_new)
    }

    /// An interval of the log ratio without overhead, from the one with it. Both errors are independent and add up as squares. If the
    /// overhead is common, an interval that excludes no change still does.
    pub fn interval(&self, log_ratio: f64, with: Interval) -> Interval {
        let (centre, error) = (self.net(log_ratio), self.error(log_ratio));
        let lower = centre - (centre - self.net(with.lower)).hypot(error);
        let upper = centre + (self.net(with.upper) - centre).hypot(error);
        if !self.is_common {
            return Interval { lower, upper };
        }
        let at = |end: f64| [self.base.lower, self.base.value, self.base.upper].map(|share| net(end, share, share));
        let furthest_down = at(with.lower).into_iter().fold(f64::INFINITY, f64::min);
        let furthest_up = at(with.upper).into_iter().fold(f64::NEG_INFINITY, f64::max);
        Interval { lower: lower.max(furthest_down), upper: upper.min(furthest_up) }
    }
}

fn net(log_ratio: f64, base: f64, new: f64) -> f64 {
    let ratio = log_ratio.exp();
    (ratio - new).max(LEFT_MIN * ratio).ln() - (1.0 - base).ln()
}
