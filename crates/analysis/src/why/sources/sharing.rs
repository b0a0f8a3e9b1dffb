//! What threads share: they execute the same on both sides, so what differs is what they wait for. No counter here sees it.

use super::{said, Evidence, Pair, Source};

pub const SOURCE: Source = Source::of_run(look);

/// Beside what costs fewer cycles it comes first.
const SUSPECT: f64 = 10.0;

fn look(pair: &Pair) -> Vec<Evidence> {
    if !pair.works_in_threads() || !pair.is_same_work() {
        return Vec::new();
    }
    let who = match pair.threads() {
        0 | 1 => "other threads of the program work beside it, and it".to_owned(),
        threads => format!("{threads} threads run it, and each"),
    };
    let text = format!(
        "{who} executes the same on both sides: what differs is what they share, such as a cache line that several of them write (false \
         sharing) or a lock"
    );
    vec![said("sharing", text, pair.toward(SUSPECT))]
}
