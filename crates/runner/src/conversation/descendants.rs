//! CPU use of a child's descendants during measurement. The child cannot report it: its own CPU time excludes theirs.

use super::Conversation;
use tare_model::Columns;
use tare_process::Descendants;

/// A child measured for this long without descendants is assumed to have none: each look costs the host some 60 µs per request.
const LOOKED_NS: f64 = 2e8;

/// What is known about a child's descendants.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// Highest CPU time seen so far, in ns. The system reports it more precisely for a living process than for one that was waited for, so
    /// the sum may fall by a tick.
    most_ns: u64,
    any: bool,
    /// The measured process is one of them.
    are_measured: bool,
    /// Total measured time, in ns.
    measured_ns: f64,
    /// CPU time before the current request, in ns; None if it was not read.
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

    /// Distributes the CPU time used since the request evenly over the iterations.
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
    /// For a child that measures a process it starts: it reports that process's work itself.
    pub fn measures_descendants(&mut self) {
        self.descendants.are_measured = true;
    }

    /// Call this before each request to measure.
    pub fn look_at_descendants(&mut self) {
        if self.descendants.is_looked_for() {
            self.descendants.before(self.child.descendants());
        }
    }

    /// Adds the CPU time since [`Conversation::look_at_descendants`].
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

    /// The column after a request of this many iterations, given the descendants before and after it.
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
        // Reported in ticks of 10 ms now: the next tick is its last 4 ms plus 6 ms of another process.
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
