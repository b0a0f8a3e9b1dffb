//! Layouts that several waves draw: what a layout costs comes again with it, and is no new evidence.

use super::look::Wave;
use crate::location::mean;

/// The processes of one side of a wave, each of another layout: layout and effect less the mean of the side.
type Side = Vec<(u64, f64)>;

/// What is known of layouts that came again.
#[derive(Debug, Default)]
pub(super) struct Reuse {
    /// By side and wave.
    waves: [Vec<Side>; 2],
    /// Products of the effects of two processes with the same layout in two waves of a side, added, and how often the variance of a
    /// layout is expected in them.
    products: f64,
    expected: f64,
    /// `1 / (n m)` of each of these, where n and m are the processes of both waves.
    weights: f64,
}

impl Reuse {
    pub(super) fn add(&mut self, wave: &Wave) {
        for (at, (effects, layouts)) in [(&wave.a, &wave.layouts.0), (&wave.b, &wave.layouts.1)].into_iter().enumerate()
        {
            let side: Side =
                layouts.iter().copied().zip(effects.iter().copied()).filter(|(_, e)| e.is_finite()).collect();
            let Some(centre) = mean(&side.iter().map(|&(_, effect)| effect).collect::<Vec<_>>()) else { continue };
            let side: Side = side.into_iter().map(|(layout, effect)| (layout, effect - centre)).collect();
            for earlier in std::mem::take(&mut self.waves[at]) {
                self.compare(&earlier, &side);
                self.waves[at].push(earlier);
            }
            self.waves[at].push(side);
        }
    }

    fn compare(&mut self, earlier: &Side, later: &Side) {
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

    /// By how much the variance of the sum over waves of the difference of means is greater than independent processes make it: twice the
    /// covariance of two with one layout, for all such. `most` is the variance of a process, of which that is a part.
    pub(super) fn covariance(&self, most: f64) -> f64 {
        if self.expected <= 0.0 {
            return 0.0;
        }
        2.0 * (self.products / self.expected).clamp(0.0, most.max(0.0)) * self.weights
    }
}
