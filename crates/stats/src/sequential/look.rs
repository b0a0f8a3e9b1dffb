//! From waves of process effects to repeated intervals and p-values.

use super::boundaries::Design;
use super::lambda::{centre, Between};
use super::reuse::Reuse;
use crate::interval::Interval;
use crate::location::mean;
use crate::sample::{finite_only, sum};
use crate::special::t_isf;
use crate::special::t_sf;

/// The process effects of one wave, on the natural-log scale; a dropped process is simply absent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wave {
    /// Effects of the baseline's processes, natural logs.
    pub a: Vec<f64>,
    /// Effects of the candidate's processes, natural logs.
    pub b: Vec<f64>,
    /// Processes that were started alike, with the same places of code and data as far as a seed decides them: indices into `a` and `b`.
    pub pairs: Vec<(usize, usize)>,
    /// The layout of the code of each process of `a` and of `b`, all different within a side; empty if it is unknown. What is the same
    /// on both sides has the same functions in the same order.
    pub layouts: (Vec<u64>, Vec<u64>),
}

/// What is known after a wave. Effects are candidate minus baseline on the natural-log scale: positive is slower.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Number of the wave after which this look was taken, from 1.
    pub look: usize,
    /// Processes a side in each wave; a lost process is counted as there.
    pub processes_per_side: usize,
    /// Looks that were planned at most; with the processes a side it chooses the table.
    pub planned: usize,
    /// Estimated effect: the mean over waves of the difference of means.
    pub estimate: f64,
    /// Its standard error, from the variance within waves pooled over them.
    pub standard_error: f64,
    /// Its degrees of freedom: processes minus two, added over waves; fewer where pairs or layouts that came again are part of it.
    pub df: f64,
    /// Estimate over standard error; the largest float with the sign of the estimate when the error is zero.
    pub t: f64,
    /// Two-sided p-value of this look alone, valid only if no other look is taken.
    pub p: f64,
    /// p-value that is valid at any look: weighted Bonferroni. Never rises from look to look.
    pub repeated_p: f64,
    /// The waves speak for the estimate: all have its sign while there are 2 or 3, and a t test over them finds it at 1 % from 4
    /// on. A second condition of Slower and Faster.
    pub waves_agree: bool,
    /// Repeated 90 % interval; with the 5 % one-sided equivalence test.
    pub rci_90: Interval,
    /// Repeated 95 % interval; the one shown.
    pub rci_95: Interval,
    /// Repeated 99 % interval; the one that decides a difference.
    pub rci_99: Interval,
}

impl Look {
    /// The design: processes a side and looks planned.
    pub fn design(&self) -> Design {
        Design { processes_per_side: self.processes_per_side, looks: self.planned }
    }
}

/// Waves from which a t test over their differences says something.
const TESTED: usize = 4;
/// Its level: it is a second condition, and spends nothing.
const AGREEMENT: f64 = 0.01;

/// Whether the differences of the waves speak for the estimate: all of its sign while there are 2 or 3, and different from
/// nothing by a t test over them from 4 on.
///
/// Launches of one wave can share what favours one side (pages, a neighbour on the core's other thread). The pooled variance does
/// not see that, and only more waves can. A word needs both; nothing is ever said because of this.
fn agree(differences: &[f64], estimate: f64) -> bool {
    let k = differences.len();
    if k < TESTED {
        return k < 2 || differences.iter().all(|d| d * estimate > 0.0);
    }
    Between::of(differences).is_some_and(|between| between.p(estimate) <= AGREEMENT)
}

/// Two-sided critical value times the standard error around the estimate.
fn interval(look: &Look, design: Design, alpha: f64) -> Option<Interval> {
    around(look, design.p_level(look.look, alpha)?)
}

/// The interval around the estimate at a two-sided p-level.
fn around(look: &Look, level: f64) -> Option<Interval> {
    let reach = t_isf(level / 2.0, look.df) * look.standard_error;
    Interval::new(look.estimate - reach, look.estimate + reach)
}

/// All looks of a comparison, one for each wave, in the usual design for as many processes a side as the largest wave has.
///
/// See [`looks_with`], which takes the design and the suite's variance inflation; use it where the design is known.
pub fn looks(waves: &[Wave]) -> Vec<Look> {
    looks_with(waves, Design::of(largest(waves)), 1.0)
}

/// The most processes that a side has in a wave.
fn largest(waves: &[Wave]) -> usize {
    waves.iter().map(|w| w.a.len().max(w.b.len())).max().unwrap_or(0)
}

/// All looks of a comparison of a design.
///
/// All waves count the same, also one that misses a process. `est = mean(d)`, `var = s² / k² · sum(1/nA + 1/nB)`, `df = sum(nA + nB - 2)`,
/// where pairs say nothing else ([`PooledSpread`]), plus what layouts that came again have in common ([`Reuse`]).
/// `variance_inflation` multiplies the variance when it exceeds 1 ([`super::Lambda::inflation`]). Non-finite effects count as
/// missing. A wave in which a side has no process adds nothing but its number. There is no look before the first degree of
/// freedom, none beyond the table (4 to 32 looks), and none at all for fewer than 2 processes a side.
pub fn looks_with(waves: &[Wave], design: Design, variance_inflation: f64) -> Vec<Look> {
    let Some(limit) = design.max_looks() else { return Vec::new() };
    let inflation = if variance_inflation.is_finite() { variance_inflation.max(1.0) } else { 1.0 };
    let mut looks = Vec::new();
    let mut repeated_p: f64 = 1.0;
    for number in 1..=waves.len().min(limit) {
        let Some(mut look) = Sums::of(&waves[..number]).look(number, design, inflation) else { continue };
        let (Some(weight), Some(rci_90), Some(rci_95), Some(rci_99)) = (
            design.weight(look.look),
            interval(&look, design, 0.10),
            interval(&look, design, 0.05),
            interval(&look, design, 0.01),
        ) else {
            continue;
        };
        repeated_p = repeated_p.min(look.p / weight);
        look.repeated_p = repeated_p;
        (look.rci_90, look.rci_95, look.rci_99) = (rci_90, rci_95, rci_99);
        looks.push(look);
    }
    looks
}

/// The newest look where no other will follow, whatever it says: its time is over, or its plan. From the fourth on it may spend all that earlier
/// looks left of alpha ([`Design::last_p_level`]). Before, when no test over waves has to agree, it keeps its levels: a few launches of two
/// speeds may all be fast on one side by chance. `None` where there is no look.
///
/// Source: Lan and DeMets, *Discrete sequential boundaries for clinical trials*, Biometrika 70 (1983), for a study that ends by the calendar.
/// That a look is the last one must not depend on the effects.
pub fn last_look(waves: &[Wave], design: Design, variance_inflation: f64) -> Option<Look> {
    let looks = looks_with(waves, design, variance_inflation);
    let (look, earlier) = looks.split_last()?;
    if look.look < TESTED {
        return Some(*look);
    }
    let interval = |alpha: f64| around(look, design.last_p_level(look.look, alpha)?);
    let before = earlier.last().map_or(1.0, |before| before.repeated_p);
    let repeated_p = before.min(look.p / design.last_weight(look.look)?);
    Some(Look { repeated_p, rci_90: interval(0.10)?, rci_95: interval(0.05)?, rci_99: interval(0.01)?, ..*look })
}

/// The look of a plan whose number of waves is fixed: it is the only one, at the end, so no table limits the waves and nothing was
/// spent before. Its intervals are plain t intervals; `None` before the first degree of freedom. Where launches have no partners, what
/// waves differ by is a part of their error, as launches are ([`PooledSpread::add_between`]).
pub fn only_look(waves: &[Wave], variance_inflation: f64) -> Option<Look> {
    let mut all = Sums::of(waves);
    all.spread.add_between(waves);
    let inflation = if variance_inflation.is_finite() { variance_inflation.max(1.0) } else { 1.0 };
    let design = Design { processes_per_side: largest(waves), looks: waves.len() };
    let look = all.look(waves.len(), design, inflation)?;
    let interval = |alpha: f64| around(&look, alpha);
    Some(Look { repeated_p: look.p, rci_90: interval(0.10)?, rci_95: interval(0.05)?, rci_99: interval(0.01)?, ..look })
}

/// One wave reduced: difference of means, sum of squares within sides, degrees of freedom, and `1/nA + 1/nB`.
pub(super) struct Reduced {
    pub difference: f64,
    pub squares: f64,
    pub df: f64,
    pub inverse_n: f64,
    /// Sum of squares of the differences of its pairs about their mean, and its degrees of freedom.
    pub pair_squares: f64,
    pub pair_df: f64,
    /// `2p / (nA nB)` with p pairs: what their covariance takes from the variance of the difference of means.
    pub overlap: f64,
}

/// `None` when a side has no finite effect.
pub(super) fn reduce(wave: &Wave) -> Option<Reduced> {
    let (a, b) = (side(&wave.a)?, side(&wave.b)?);
    let of_pair = |&(a, b): &(usize, usize)| Some(wave.b.get(b)? - wave.a.get(a)?);
    let pairs = side(&wave.pairs.iter().filter_map(of_pair).collect::<Vec<_>>());
    let (pair_squares, pairs) = pairs.map_or((0.0, 0.0), |(_, squares, count)| (squares, count));
    let reduced = Reduced {
        difference: b.0 - a.0,
        squares: a.1 + b.1,
        df: a.2 + b.2 - 2.0,
        inverse_n: 1.0 / a.2 + 1.0 / b.2,
        pair_squares,
        pair_df: (pairs - 1.0).max(0.0),
        overlap: 2.0 * pairs / (a.2 * b.2),
    };
    (reduced.difference.is_finite() && reduced.squares.is_finite() && pair_squares.is_finite()).then_some(reduced)
}

/// What the launches of some waves say of the error of their differences.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct PooledSpread {
    /// Sum of squares within sides, and its degrees of freedom.
    squares: f64,
    df: f64,
    /// The same of the differences of pairs.
    pair_squares: f64,
    pair_df: f64,
    /// `1/nA + 1/nB` of the waves, added.
    inverse_n: f64,
    /// [`Reduced::overlap`] of the waves, added.
    overlap: f64,
}

impl PooledSpread {
    pub fn add(&mut self, wave: &Reduced) {
        self.squares += wave.squares;
        self.df += wave.df;
        self.pair_squares += wave.pair_squares;
        self.pair_df += wave.pair_df;
        self.inverse_n += wave.inverse_n;
        self.overlap += wave.overlap;
    }

    /// Adds what the differences of waves vary by, as further degrees of freedom of the variance of a process. Two waves of two launches
    /// that happen to agree within their sides would else say that launches differ by next to nothing, whatever their waves say. Not where
    /// launches have partners: what those share is a part of the differences of waves.
    fn add_between(&mut self, waves: &[Wave]) {
        let differences: Vec<(f64, f64)> =
            waves.iter().filter_map(reduce).map(|wave| (wave.difference, 1.0 / wave.inverse_n)).collect();
        if self.overlap > 0.0 || differences.len() < 2 {
            return;
        }
        self.squares += centre(&differences).1;
        self.df += (differences.len() - 1) as f64;
    }

    /// Variance of a process within waves, as the sides show it.
    fn of_process(&self) -> f64 {
        self.squares / self.df
    }

    /// Covariance of the processes of a pair, as far as their differences show it: half of the variance of a difference is that of a process less
    /// the covariance.
    fn of_pair(&self) -> f64 {
        if self.pair_df < 1.0 {
            return 0.0;
        }
        self.of_process() - self.pair_squares / self.pair_df / 2.0
    }

    /// How far the covariance of pairs is believed: few of them show it badly.
    fn belief(&self) -> f64 {
        self.pair_df / (self.pair_df + 1.0)
    }

    /// Variance of the sum over the waves of the difference of means, and its degrees of freedom.
    ///
    /// Only processes with a partner share something: of nA and nB processes, p of them in pairs, the variance of the difference of means is
    /// `s² (1/nA + 1/nB) - c 2p/(nA nB)`.
    pub fn variance(&self) -> (f64, f64) {
        let belief = self.belief();
        let variance = self.of_process() * self.inverse_n - belief * self.of_pair() * self.overlap;
        (variance.max(0.0), self.df_with(belief))
    }

    /// Variance of the difference of means of one of the waves, where the covariance of pairs is believed.
    pub fn of_wave(&self, wave: &Reduced) -> f64 {
        self.of_process() * wave.inverse_n - self.of_pair() * wave.overlap
    }

    /// Degrees of freedom of a variance that is in part that of the differences of pairs. They are those of uncorrelated pairs: the
    /// variance within sides is then part of that of the differences.
    pub fn df_with(&self, belief: f64) -> f64 {
        if belief == 0.0 || self.pair_df < 1.0 {
            return self.df;
        }
        let share = belief * self.overlap / self.inverse_n;
        1.0 / ((1.0 - share * share) / self.df + share * share / self.pair_df)
    }
}

/// Mean, sum of squares about it, and count.
fn side(effects: &[f64]) -> Option<(f64, f64, f64)> {
    let effects = finite_only(effects);
    let centre = crate::location::mean(&effects)?;
    let squares = sum(effects.iter().map(|e| (e - centre) * (e - centre)));
    Some((centre, squares, effects.len() as f64))
}

#[derive(Default)]
struct Sums {
    differences: Vec<f64>,
    spread: PooledSpread,
    reuse: Reuse,
}

impl Sums {
    fn of(waves: &[Wave]) -> Sums {
        let mut sums = Sums::default();
        for (wave, reduced) in waves.iter().filter_map(|wave| Some((wave, reduce(wave)?))) {
            sums.reuse.add(wave);
            sums.differences.push(reduced.difference);
            sums.spread.add(&reduced);
        }
        sums
    }

    /// The look without its repeated values, which need the table.
    fn look(&self, look: usize, design: Design, inflation: f64) -> Option<Look> {
        let k = self.differences.len() as f64;
        if self.spread.df < 1.0 {
            return None;
        }
        let estimate = mean(&self.differences)?;
        let (within, df) = self.spread.variance();
        let again = self.reuse.covariance(self.spread.of_process());
        let variance = (within + again) / (k * k);
        // By Satterthwaite, where layouts that came again are a part of it.
        let df = match again > 0.0 {
            true => (within + again).powi(2) / (within.powi(2) / df + again.powi(2) / self.reuse.df().max(1.0)),
            false => df,
        };
        let standard_error = (variance * inflation).sqrt();
        // Effects without any spread: no difference is then no evidence, and a difference is certain.
        let (t, p) = match (standard_error == 0.0, estimate == 0.0) {
            (true, true) => (0.0, 1.0),
            (true, false) => (f64::MAX.copysign(estimate), 0.0),
            _ => {
                let t = (estimate / standard_error).clamp(-f64::MAX, f64::MAX);
                (t, (2.0 * t_sf(t.abs(), df)).min(1.0))
            }
        };
        let unknown = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        Some(Look {
            look,
            processes_per_side: design.processes_per_side,
            planned: design.looks,
            estimate,
            standard_error,
            df,
            t,
            p,
            repeated_p: 1.0,
            waves_agree: agree(&self.differences, estimate),
            rci_90: unknown,
            rci_95: unknown,
            rci_99: unknown,
        })
    }
}
