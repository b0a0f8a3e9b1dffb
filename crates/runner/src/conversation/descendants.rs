//! What the processes that a child has started work while it is measured. The child itself cannot tell: its CPU time leaves theirs out.

use super::Conversation;
use tare_model::Columns;
use tare_process::Descendants;

/// A child that was measured for so long without a descendant has none: looking costs the host some 60 µs a request.
const LOOKED_NS: f64 = 2e8;

/// What is known of the descendants of a child.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// Most CPU time that they had used, ns. What is told of one that lives is more exact than what is told once it was waited for, so
    /// that the sum may fall by a tick.
    most_ns: u64,
    /// It had some.
    any: bool,
    /// What is measured is one of them.
    are_measured: bool,
    /// How long the child was measured, ns.
    measured_ns: f64,
    /// What they had used before the present request, ns; None where that was not read.
    before_ns: Option<u64>,
}

impl Seen {
    fn is_looked_for(&self) -> bool {
        !self.are_measured && (self.any || self.measured_ns < LOOKED_NS)
    }

    fn before(&mut self, now: Option<Descendants>) {
        self.most_ns = self.most_ns.max(now.map_or(0, |now| now.cpu_ns));
        self.before_ns = now.map(|_| self.most_ns);
    }

    /// Gives the iterations of a reply their share of what the descendants used since the request.
    fn after(&mut self, now: Option<Descendants>, columns: &mut Columns) {
        self.measured_ns += columns.elapsed_ns.iter().sum::<f64>();
        let (Some(before_ns), Some(now)) = (self.before_ns.take(), now) else { return };
        self.most_ns = self.most_ns.max(now.cpu_ns);
        let used_ns = self.most_ns - before_ns;
        self.any |= now.living > 0 || used_ns > 0;
        if used_ns > 0 {
            columns.descendants_cpu_ns = vec![used_ns as f64 / columns.len() as f64; columns.len()];
        }
    }
}

impl Conversation {
    /// The child measures a process that it starts: what that works is told by the child.
    pub fn measures_descendants(&mut self) {
        self.descendants.are_measured = true;
    }

    /// To be called before each request to measure.
    pub fn look_at_descendants(&mut self) {
        if self.descendants.is_looked_for() {
            self.descendants.before(self.child.descendants());
        }
    }

    /// Adds what the descendants used since then.
    pub fn add_descendants(&mut self, columns: &mut Columns) {
        let now = if self.descendants.before_ns.is_some() { self.child.descendants() } else { None };
        self.descendants.after(now, columns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cpu_ns: u64, living: usize) -> Option<Descendants> {
        Some(Descendants { cpu_ns, living })
    }

    fn columns(iterations: usize) -> Columns {
        Columns { elapsed_ns: vec![1e6; iterations], ..Columns::default() }
    }

    /// What a request of so many iterations gives, with the descendants before and after it.
    fn measured(
        seen: &mut Seen,
        before: Option<Descendants>,
        after: Option<Descendants>,
        iterations: usize,
    ) -> Vec<f64> {
        let mut columns = columns(iterations);
        seen.before(before);
        seen.after(after, &mut columns);
        columns.descendants_cpu_ns
    }

    #[test]
    fn what_they_use_between_the_requests_is_not_counted() {
        let mut seen = Seen::default();
        assert_eq!(measured(&mut seen, at(7, 0), at(7, 0), 2), [0.0; 0], "what the set-up started");
        assert_eq!(measured(&mut seen, at(7, 1), at(4_000_007, 1), 2), [2e6; 2]);
        assert_eq!(measured(&mut seen, at(9_000_007, 1), at(9_000_007, 1), 1), [0.0; 0]);
    }

    #[test]
    fn one_that_was_waited_for_is_not_counted_again() {
        let mut seen = Seen::default();
        assert_eq!(measured(&mut seen, at(0, 0), at(14_000_000, 1), 1), [14e6]);
        // It is told in ticks of 10 ms now; the next tick is its last 4 ms and 6 ms of another one.
        assert_eq!(measured(&mut seen, at(10_000_000, 0), at(10_000_000, 0), 1), [0.0; 0]);
        assert_eq!(measured(&mut seen, at(10_000_000, 0), at(20_000_000, 0), 1), [6e6]);
    }

    #[test]
    fn a_child_without_any_is_left_alone_after_a_while() {
        let mut seen = Seen::default();
        let requests = (0..1000).take_while(|_| {
            let looked = seen.is_looked_for();
            measured(&mut seen, at(5_000_000, 0), at(5_000_000, 0), 1);
            looked
        });
        assert_eq!(requests.count(), 200);
        let mut idle = Seen::default();
        (0..1000).for_each(|_| drop(measured(&mut idle, at(0, 1), at(0, 1), 1)));
        assert!(idle.is_looked_for(), "one that waits for work");
        let mut unknown = Seen::default();
        assert_eq!(measured(&mut unknown, None, None, 1), [0.0; 0]);
    }
}
