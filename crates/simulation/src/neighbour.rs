//! An intermittent neighbour on the other hardware thread of the core, visible only in the core's width.

use std::collections::VecDeque;
use tare_stats::rng::Rng;

/// Work longer than this many mean stretches is slowed by the mean: the result is the same, and exact simulation would be slow.
const STRETCHES_MAX: f64 = 10_000.0;
/// After this many mean pairs of stretches, the previous state no longer matters.
const PAUSE: f64 = 50.0;

/// Length of a restless period, in s: about a launch of a quick run.
const PERIOD_S: f64 = 0.03;
/// Mean length of stretches in such a period, in s.
const RESTLESS_S: f64 = 2e-4;

/// The pattern of a neighbour. Stretches with and without it have exponential lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Mean length of a stretch without it, in s; 0: it never stops.
    pub alone_s: f64,
    /// Mean length of a stretch with it, in s; 0: it never comes.
    pub shared_s: f64,
    /// Range of the factor by which it lengthens readings of the width probe; drawn for each stretch.
    pub widens: (f64, f64),
    /// A placebo: readings and bodies see different neighbours of this kind, so readings mean nothing.
    pub placebo: bool,
    /// Share of periods of 30 ms in which it comes and goes every 0.2 ms, too fast for windows.
    pub restless: f64,
}

impl Neighbour {
    /// A neighbour with this share of the time (0 to 1), whose shorter kind of stretch has this mean length.
    pub fn of(share: f64, shorter_s: f64) -> Neighbour {
        let share = share.clamp(0.0, 1.0);
        let longer_s = |shorter: f64| if shorter > 0.0 { shorter_s * (1.0 - shorter) / shorter } else { shorter_s };
        let (alone_s, shared_s) = match share {
            1.0 => (0.0, shorter_s),
            0.0 => (shorter_s, 0.0),
            few if few <= 0.5 => (longer_s(few), shorter_s),
            many => (shorter_s, longer_s(1.0 - many)),
        };
        Neighbour { alone_s, shared_s, widens: (1.4, 1.9), placebo: false, restless: 0.0 }
    }

    /// Share of the time that it uses the core.
    pub fn share(&self) -> f64 {
        let all_s = self.alone_s + self.shared_s;
        if all_s > 0.0 {
            self.shared_s / all_s
        } else {
            0.0
        }
    }
}

/// A stretch of time with or without the neighbour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// When it ends, s.
    pub end_s: f64,
    /// Factor on readings of the width probe; None: the core is not shared.
    pub widens: Option<f64>,
}

/// The neighbour's activity over time, generated on demand and kept until it is no longer needed.
#[derive(Debug, Clone)]
pub struct Timeline {
    model: Neighbour,
    rng: Rng,
    /// Decides which periods are restless.
    periods: Rng,
    stretches: VecDeque<Stretch>,
}

impl Timeline {
    /// A neighbour in its steady state.
    pub fn new(model: Neighbour, rng: Rng) -> Timeline {
        let mut timeline = Timeline { model, periods: rng.fork(0), rng, stretches: VecDeque::new() };
        timeline.begin(0.0);
        timeline
    }

    /// The stretch at a time that was not forgotten.
    pub fn at(&mut self, at_s: f64) -> Stretch {
        while self.last().end_s <= at_s {
            let last = self.last();
            let next = self.stretch(last.end_s, last.widens.is_none());
            self.stretches.push_back(next);
        }
        self.stretches[self.stretches.partition_point(|stretch| stretch.end_s <= at_s)]
    }

    /// Discards times before this.
    pub fn forget_before(&mut self, at_s: f64) {
        while self.stretches.len() > 1 && self.stretches[0].end_s <= at_s {
            self.stretches.pop_front();
        }
        if at_s - self.last().end_s > PAUSE * (self.model.alone_s + self.model.shared_s) {
            // Exponential lengths have no memory, so after this long a fresh start is equivalent.
            self.stretches.clear();
            self.begin(at_s);
        }
    }

    /// Wall time of `work_s` seconds of work that begins at `at_s`, given the slow-down factor for a stretch, in s.
    pub fn elapsed_s(&mut self, at_s: f64, work_s: f64, slower: impl Fn(Option<f64>) -> f64) -> f64 {
        let mean_s = 0.5 * (self.model.alone_s + self.model.shared_s);
        if work_s > STRETCHES_MAX * mean_s {
            let (share, (least, most)) = (self.model.share(), self.model.widens);
            return work_s / (1.0 - share + share / slower(Some(0.5 * (least + most))));
        }
        let (mut now_s, mut left_s) = (at_s, work_s);
        loop {
            let stretch = self.at(now_s);
            let factor = slower(stretch.widens);
            let end_s = now_s + left_s * factor;
            if end_s <= stretch.end_s {
                return end_s - at_s;
            }
            left_s -= (stretch.end_s - now_s) / factor;
            now_s = stretch.end_s;
        }
    }

    fn last(&self) -> Stretch {
        self.stretches.back().copied().unwrap_or(Stretch { end_s: f64::NEG_INFINITY, widens: None })
    }

    /// Starts at a time, in a random state with its steady-state probability.
    fn begin(&mut self, at_s: f64) {
        let shared = self.rng.uniform() < self.model.share();
        let first = self.stretch(at_s, shared);
        self.stretches.push_back(first);
    }

    fn is_restless(&self, at_s: f64) -> bool {
        let period = (at_s.max(0.0) / PERIOD_S) as u64;
        self.model.restless > 0.0 && self.periods.fork(period).uniform() < self.model.restless
    }

    fn stretch(&mut self, start_s: f64, shared: bool) -> Stretch {
        let never = self.model.share() <= 0.0;
        let shared = !never && (shared || self.model.alone_s <= 0.0);
        let mean_s = match shared {
            _ if self.is_restless(start_s) => RESTLESS_S,
            true => self.model.shared_s,
            false => self.model.alone_s,
        };
        let end_s = if never { f64::INFINITY } else { start_s + mean_s * self.rng.exponential() };
        let (least, most) = self.model.widens;
        let widens = shared.then(|| least + (most - least) * self.rng.uniform());
        Stretch { end_s, widens }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARES: [f64; 5] = [0.0, 0.2, 0.5, 0.9, 1.0];

    fn timeline(share: f64, shorter_s: f64, seed: u64) -> Timeline {
        Timeline::new(Neighbour::of(share, shorter_s), Rng::new(seed))
    }

    #[test]
    fn it_uses_the_core_for_its_share_of_the_time() {
        for share in SHARES {
            for (shorter_s, seconds) in [(4e-5, 4.0), (1e-3, 40.0), (4e-2, 1600.0)] {
                let mut timeline = timeline(share, shorter_s, 1);
                let (mut now_s, mut shared_s) = (0.0, 0.0);
                while now_s < seconds {
                    let stretch = timeline.at(now_s);
                    let end_s = stretch.end_s.min(seconds);
                    shared_s += if stretch.widens.is_some() { end_s - now_s } else { 0.0 };
                    timeline.forget_before(end_s);
                    now_s = end_s;
                }
                let found = shared_s / seconds;
                assert!((found - share).abs() < 0.015, "{found} of the time, not {share}, at {shorter_s} s");
            }
        }
    }

    #[test]
    fn stretches_are_exponential_with_their_means() {
        let model = Neighbour { alone_s: 0.0004, shared_s: 0.003, ..Neighbour::of(0.5, 1.0) };
        let mut timeline = Timeline::new(model, Rng::new(2));
        let mut lengths = [Vec::new(), Vec::new()];
        let mut now_s = 0.0;
        for _ in 0..20_000 {
            let stretch = timeline.at(now_s);
            lengths[usize::from(stretch.widens.is_some())].push(stretch.end_s - now_s);
            assert!(stretch.widens.is_none_or(|widens| (1.4..1.9).contains(&widens)));
            now_s = stretch.end_s;
        }
        for (lengths, mean_s) in lengths.iter().zip([0.0004, 0.003]) {
            let found = lengths.iter().sum::<f64>() / lengths.len() as f64;
            let beyond = lengths.iter().filter(|length| **length > 2.0 * mean_s).count() as f64 / lengths.len() as f64;
            assert!((found / mean_s - 1.0).abs() < 0.04, "{found} s");
            assert!((beyond - (-2.0_f64).exp()).abs() < 0.01, "{beyond} are longer than two means");
        }
    }

    #[test]
    fn a_restless_one_is_so_for_periods() {
        let model = Neighbour { restless: 0.3, ..Neighbour::of(0.5, 1e-3) };
        let mut timeline = Timeline::new(model, Rng::new(6));
        let (mut restless, mut now_s) = (0, 0.0);
        for period in 1..=1000 {
            let (mut stretches, end_s) = (0, f64::from(period) * PERIOD_S);
            while now_s < end_s {
                now_s = timeline.at(now_s).end_s;
                stretches += 1;
            }
            restless += i32::from(stretches > 75);
        }
        assert!((250..350).contains(&restless), "{restless} of 1000 periods");
    }

    #[test]
    fn everybody_sees_the_same_and_the_past_stays() {
        let [mut once, mut twice] = [timeline(0.4, 1e-3, 3), timeline(0.4, 1e-3, 3)];
        let far = once.at(1.0);
        for step in 0..1000 {
            let at_s = step as f64 * 1e-3;
            assert_eq!(once.at(at_s), twice.at(at_s), "asked in another order");
        }
        assert_eq!(twice.at(1.0), far);
        twice.forget_before(0.999);
        assert_eq!(twice.at(1.0), far);
        let mut late = timeline(0.4, 1e-3, 4);
        late.forget_before(1e6);
        assert!(late.at(1e6).end_s > 1e6, "a long pause costs nothing");
    }

    #[test]
    fn work_is_slowed_over_the_stretches_that_it_crosses() {
        for share in SHARES {
            let slower = |widens: Option<f64>| if widens.is_some() { 1.7 } else { 1.0 };
            let mut whole = timeline(share, 3e-4, 5);
            let mut cut = whole.clone();
            let all_s = whole.elapsed_s(0.25, 0.5, slower);
            let mut now_s = 0.25;
            for _ in 0..5000 {
                now_s += cut.elapsed_s(now_s, 1e-4, slower);
            }
            assert!((now_s - 0.25 - all_s).abs() < 1e-9, "in parts {} s, at once {all_s} s", now_s - 0.25);
            // A share of the time, not of the work.
            let expected = 0.5 / (1.0 - share + share / 1.7);
            assert!((all_s / expected - 1.0).abs() < 0.03, "{all_s} s, {expected} s are expected at {share}");
            let long_s = whole.elapsed_s(1.0, 1e6, slower);
            assert!((long_s / (2e6 * expected) - 1.0).abs() < 1e-9);
        }
    }
}
