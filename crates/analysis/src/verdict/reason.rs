//! Why a verdict is not stronger: values, and the one place that turns them into text.

use crate::finding::{Number, Unit};
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// The same code differs by this much in data that does not grow.
    WithinNoise {
        of: NoiseSource,
        needed: f64,
    },
    BelowMinimum {
        /// The smallest change that counts, as a share.
        minimum: f64,
        /// Whether it is certainly smaller, or only perhaps.
        is_certain: bool,
    },
    Corrected {
        comparisons: usize,
        q: f64,
    },
    /// The difference is too small to mean anything.
    BelowNoise {
        difference_ns: f64,
        noise_ns: f64,
    },
    /// Something other than the numbers.
    Objection(Objection),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoiseSource {
    Processes,
    /// From session to session too.
    Sessions,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Objection {
    /// Too few processes to know how they differ.
    FewProcesses { processes: [usize; 2], needed: usize },
    /// A count that is 0 in some processes of a side and not in others has no ratio.
    SometimesZero,
    /// A count that the same code repeats exactly differs between processes of a side.
    Varies,
    /// It is unknown whether more of it is better.
    UnknownDirection { unit: String },
    /// The waves do not agree about the difference.
    WavesDisagree,
    /// A quick run has two waves that show a difference, but lacks the third, which confirms it.
    Unconfirmed,
    /// CPU time does not bear out what wall time says.
    CpuContradicts { wall: f64, cpu: f64 },
}

impl Objection {
    /// Nothing can be concluded, not even that both sides are the same.
    pub(super) fn bars_all(&self) -> bool {
        matches!(self, Objection::FewProcesses { .. } | Objection::SometimesZero | Objection::Varies)
    }

    /// No change of the code gets a verdict from such data.
    pub(super) fn bars_every_change(&self) -> bool {
        self.bars_all() || matches!(self, Objection::UnknownDirection { .. })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |value: f64| Number { value, unit: Unit::Limit };
        match self {
            Reason::WithinNoise { of, needed } => {
                let source = match of {
                    NoiseSource::Processes => "processes",
                    NoiseSource::Sessions => "sessions",
                };
                let needed = share(*needed);
                write!(f, "{source} of the same code may differ by this much: a verdict needs a change of {needed}")
            }
            Reason::BelowMinimum { minimum, is_certain } => {
                let perhaps = if *is_certain { "" } else { "perhaps " };
                write!(f, "a real difference, but {perhaps}below the minimum effect of {}", share(*minimum))
            }
            Reason::Corrected { comparisons, q } => {
                write!(f, "no verdict after correction for {comparisons} comparisons (q = {q:.2})")
            }
            Reason::BelowNoise { difference_ns, noise_ns } => {
                write!(f, "the difference of {:.2} ns is below the noise of {noise_ns} ns", difference_ns.abs())
            }
            Reason::Objection(objection) => objection.fmt(f),
        }
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objection::FewProcesses { processes, needed } => {
                match processes {
                    [1, 1] => f.write_str("one process per side")?,
                    [a, b] if a == b => write!(f, "{a} processes per side")?,
                    [a, b] => write!(f, "{a} and {b} processes")?,
                }
                write!(f, ", but a verdict needs {needed} per side: processes of the same code differ")
            }
            Objection::SometimesZero => f.write_str("it is 0 in some processes and not in others"),
            Objection::Varies => f.write_str(
                "it differs between processes of the same code, as with a random hash seed, so it has no exact verdict",
            ),
            Objection::UnknownDirection { unit } => write!(
                f,
                "the sides differ, but it is unknown whether more of `{unit}` is better"
            ),
            Objection::WavesDisagree => f.write_str("the waves do not agree that there is a difference"),
            Objection::Unconfirmed => f.write_str("no third wave confirms the difference"),
            Objection::CpuContradicts { wall, cpu } => write!(
                f,
                "the ratio is {wall:.2} in wall time and {cpu:.2} in CPU time: other programs used the processor, or the benchmark waits; choose which of the two counts"
            ),
        }
    }
}
