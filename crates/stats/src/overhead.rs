//! A ratio of two costs after what both hold beside the thing that is compared is taken off: the loop around a body.
//!
//! With the cost of the base as 1, a share `b` of it is not the base's own, and a share `n` of the same unit is in the new cost. A ratio
//! `r` of both with it is `(r - n) / (1 - b)` without it. Where both hold the same (`n = b`), a ratio of 1 stays 1 whatever the share is,
//! so what is not known of the share can make no difference where there is none.

use crate::interval::Interval;

/// A share of the cost of the base, with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// From 0 (nothing) up to 1 (all of it).
    pub value: f64,
    /// Lower end, at most `value`.
    pub lower: f64,
    /// Upper end, at least `value`.
    pub upper: f64,
}

/// What both costs of a ratio hold beside what is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overhead {
    base: Share,
    new: Share,
    is_common: bool,
}

/// Of a cost so much is left at least: a ratio is greater than 0.
const LEFT_MIN: f64 = 1e-3;
/// Above this share of the base a ratio without it says nothing.
const SHARE_MAX: f64 = 0.95;

impl Overhead {
    /// The same in both; `None` where it is nearly all of the base.
    pub fn common(share: Share) -> Option<Overhead> {
        Overhead { base: share, new: share, is_common: true }.valid()
    }

    /// One for each, whose errors are independent; `None` where the base is nearly nothing else.
    pub fn of_each(base: Share, new: Share) -> Option<Overhead> {
        Overhead { base, new, is_common: false }.valid()
    }

    fn valid(self) -> Option<Overhead> {
        let is_share =
            |of: &Share| of.lower <= of.value && of.value <= of.upper && of.lower >= 0.0 && of.upper.is_finite();
        (is_share(&self.base) && is_share(&self.new) && self.base.upper < SHARE_MAX).then_some(self)
    }

    /// Both hold the same.
    pub fn is_common(&self) -> bool {
        self.is_common
    }

    /// The log of the ratio without it, of one with it.
    pub fn net(&self, log_ratio: f64) -> f64 {
        net(log_ratio, self.base.value, self.new.value)
    }

    /// The log of the ratio with it, of one without it.
    pub fn with(&self, log_ratio: f64) -> f64 {
        (self.new.value + (1.0 - self.base.value) * log_ratio.exp()).ln()
    }

    /// The share of the cost of the base.
    pub fn of_base(&self) -> f64 {
        self.base.value
    }

    /// By how much the log of the ratio without it changes with the one with it: an error of that is so many times as large.
    pub fn slope(&self, log_ratio: f64) -> f64 {
        let ratio = log_ratio.exp();
        ratio / (ratio - self.new.value).max(LEFT_MIN * ratio)
    }

    /// How far the log of the ratio without it may be off because the shares are not known: half of a 95 % interval.
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

    /// An interval of the log of the ratio without it, from that with it: both errors are independent, and add up as squares. Where both
    /// costs hold the same, an interval that excludes no change still does.
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
