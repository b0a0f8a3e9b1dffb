//! The number of calls that a value averages: fewer calls in less total time are a user's choice, and colder.

use super::evidence::centre_ns;
use super::SavedCase;

/// If a tool chose both numbers, fewer calls take at least this share of the time of many.
const CHOSEN: f64 = 0.25;
/// Below this share it is reported for values of more than one call too.
const ASKED_FOR: f64 = 0.1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calls {
    /// As a tool chooses them, or unknown.
    Alike,
    /// One side averages so many fewer calls that its values show colder code.
    Fewer,
    /// The values of one side are single calls, those of the other are means.
    Single,
}

impl Calls {
    pub fn of(base: &SavedCase, new: &SavedCase) -> Calls {
        let known = |case: &SavedCase| Some((case.calls?, centre_ns(case)?));
        let Some((base, new)) = known(base).zip(known(new)) else { return Calls::Alike };
        let (([_, few], few_ns), ([many, _], many_ns)) = match (base.0[1] < new.0[0], new.0[1] < base.0[0]) {
            (true, _) => (base, new),
            (_, true) => (new, base),
            _ => return Calls::Alike,
        };
        match (few * few_ns) / (many * many_ns) {
            share if share >= CHOSEN => Calls::Alike,
            _ if few <= 1.0 => Calls::Single,
            share if share < ASKED_FOR => Calls::Fewer,
            _ => Calls::Alike,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_calls_are_told_where_the_cost_of_a_call_does_not_explain_them() {
        let case = |calls: f64, ns: f64| SavedCase {
            calls: Some([calls, calls]),
            launches: vec![vec![ns]],
            ..SavedCase::new("a", "a")
        };
        let of = |a: (f64, f64), b: (f64, f64)| {
            let found = Calls::of(&case(a.0, a.1), &case(b.0, b.1));
            assert_eq!(found, Calls::of(&case(b.0, b.1), &case(a.0, a.1)), "whichever side it is");
            found
        };
        assert_eq!(of((1.0, 5e3), (1000.0, 1e3)), Calls::Single);
        assert_eq!(of((10.0, 5e3), (1e6, 1e3)), Calls::Fewer);
        // One second per call, and a tool that measures for a second.
        assert_eq!(of((1.0, 1.1e9), (1000.0, 1.1e6)), Calls::Alike);
        assert_eq!(of((1.0, 1e3), (1.0, 8e3)), Calls::Alike);
        assert_eq!(Calls::of(&SavedCase::new("a", "a"), &case(1.0, 1.0)), Calls::Alike);
    }
}
