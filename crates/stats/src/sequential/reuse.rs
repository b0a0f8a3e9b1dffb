//! Layouts that several waves draw: what a layout costs comes again with it, and is no new evidence.

use super::look::Wave;
use crate::location::mean;
use std::collections::BTreeSet;

/// The processes of one side of a wave, each of another layout: layout and effect less the mean of the side.
type Side = Vec<(u64, f64)>;

/// What is known of layouts that came again.
#[derive(Debug, Default)]
pub(super) struct Reuse {
    /// By side and wave.
    waves: [Vec<Side>; 2],
    /// Processes of one side.
    alike: Products,
    /// A process of either side: their layouts are alike.
    across: Products,
}

/// Of processes with the same layout in two waves.
#[derive(Debug, Default)]
struct Products {
    /// Products of their effects, added, and how often the covariance of two such processes is expected in them.
    products: f64,
    expected: f64,
    /// `1 / (n m)` of each of these, where n and m are the processes of both waves.
    weights: f64,
}

impl Products {
    fn add(&mut self, earlier: &Side, later: &Side) {
        let (n, m) = (earlier.len() as f64, later.len() as f64);
        let both = earlier
            .iter()
            .flat_map(|(layout, x)| later.iter().filter(move |(other, _)| other == layout).map(move |(_, y)| x * y));
        let products: Vec<f64> = both.collect();
        let shared = products.len() as f64;
        self.products += products.iter().sum::<f64>();
        // Each effect has the mean of its wave taken off, and so a part of what the layouts cost that both waves have.
        self.expected += shared * (1.0 - 1.0 / n - 1.0 / m + shared / (n * m));
        self.weights += shared / (n * m);
    }

    /// Covariance of two such processes, at most `most` either way.
    fn covariance(&self, most: f64) -> f64 {
        if self.expected <= 0.0 {
            return 0.0;
        }
        (self.products / self.expected).clamp(-most.max(0.0), most.max(0.0))
    }
}

impl Reuse {
    pub(super) fn add(&mut self, wave: &Wave) {
        let of = |effects: &[f64], layouts: &[u64]| -> Side {
            let side: Side =
                layouts.iter().copied().zip(effects.iter().copied()).filter(|(_, e)| e.is_finite()).collect();
            let centre = mean(&side.iter().map(|&(_, effect)| effect).collect::<Vec<_>>()).unwrap_or(0.0);
            side.into_iter().map(|(layout, effect)| (layout, effect - centre)).collect()
        };
        let later = [of(&wave.a, &wave.layouts.0), of(&wave.b, &wave.layouts.1)];
        for (at, side) in later.iter().enumerate().filter(|(_, side)| !side.is_empty()) {
            self.waves[at].iter().for_each(|earlier| self.alike.add(earlier, side));
            self.waves[1 - at].iter().for_each(|earlier| self.across.add(earlier, side));
        }
        for (waves, side) in self.waves.iter_mut().zip(later) {
            waves.extend(Some(side).filter(|side| !side.is_empty()));
        }
    }

    /// Degrees of freedom of [`Self::covariance`]: it is that of so many layouts, however often each comes.
    pub(super) fn df(&self) -> f64 {
        let of_side =
            |waves: &Vec<Side>| waves.iter().flatten().map(|&(layout, _)| layout).collect::<BTreeSet<_>>().len();
        self.waves.iter().map(|waves| of_side(waves).saturating_sub(1) as f64).sum()
    }

    /// By how much the variance of the sum over waves of the difference of means is greater than independent processes make it: twice the
    /// covariance of two of a side with one layout, for all such, less that of two of different sides. `most` is the variance of a
    /// process, of which that is a part. What a side has in common with itself is no less than 0; a layout that is good for one side and bad
    /// for the other makes the variance greater.
    pub(super) fn covariance(&self, most: f64) -> f64 {
        let of = |products: &Products| products.covariance(most) * products.weights;
        2.0 * (of(&self.alike).max(0.0) - of(&self.across)).max(0.0)
    }
}
