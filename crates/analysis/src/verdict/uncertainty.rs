//! The uncertainty of an estimate: its intervals, according to the kind of data.

use super::NoiseSource;
use tare_stats::interval::Interval;
use tare_stats::sequential::Look;
use tare_stats::special::{t_isf, t_sf};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Uncertainty {
    /// Intervals of a look at waves: valid at whatever look one stops, and narrower with more waves.
    Look(Look),
    /// Student's intervals, for data that does not grow.
    Student(Student),
}

/// A standard error with its degrees of freedom, and a further bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Student {
    pub error: f64,
    pub df: f64,
    /// Bound for further errors of the estimate (log): by the clocks of two sessions, and by neighbours.
    pub bound: f64,
    pub of: NoiseSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Decides slower and faster.
    Difference,
    Shown,
    /// Decides same.
    Same,
}

impl Purpose {
    pub fn confidence(self) -> f64 {
        match self {
            Purpose::Difference => 0.99,
            Purpose::Shown => 0.95,
            Purpose::Same => 0.90,
        }
    }
}

impl Uncertainty {
    /// The interval around this estimate, on the log scale like the estimate.
    pub fn interval(&self, estimate: f64, purpose: Purpose) -> Interval {
        match self {
            Uncertainty::Look(look) => match purpose {
                Purpose::Difference => look.rci_99,
                Purpose::Shown => look.rci_95,
                Purpose::Same => look.rci_90,
            },
            Uncertainty::Student(student) => {
                let reach = student.reach(purpose.confidence());
                Interval { lower: estimate - reach, upper: estimate + reach }
            }
        }
    }

    pub fn student(&self) -> Option<&Student> {
        match self {
            Uncertainty::Look(_) => None,
            Uncertainty::Student(student) => Some(student),
        }
    }
}

impl Student {
    /// Half of the interval at this confidence (log).
    pub fn reach(&self, confidence: f64) -> f64 {
        (t_isf((1.0 - confidence) / 2.0, self.df) * self.error).hypot(self.bound)
    }

    /// One minus the greatest confidence at which the interval around this estimate excludes no change.
    pub fn p(&self, estimate: f64) -> f64 {
        let beyond = (estimate.powi(2) - self.bound.powi(2)).max(0.0).sqrt();
        (2.0 * t_sf(beyond / self.error, self.df)).min(1.0)
    }
}
