//! What threads share: what each executes does not explain the difference, so that it is what they wait for. No counter here sees it.

use super::{branches, caches, instructions, memory, said, syscalls, Evidence, Pair, Source};

pub const SOURCE: Source = Source::of_run(look);

/// Beside what costs fewer cycles it comes first.
const SUSPECT: f64 = 10.0;
/// The greatest share of the difference of the times that what is counted may cost.
const LITTLE: f64 = 0.1;

fn look(pair: &Pair) -> Vec<Evidence> {
    if !pair.works_in_threads() {
        return Vec::new();
    }
    let (what, cycles) = match (pair.is_same_work(), unexplained(pair)) {
        (true, _) => ("executes the same on both sides", SUSPECT),
        (false, Some(rest)) => ("executes almost the same, which does not explain the difference", rest),
        (false, None) => return Vec::new(),
    };
    let who = match pair.threads() {
        0 | 1 => "other threads of the program work beside it, and it".to_owned(),
        threads => format!("{threads} threads run it, and each"),
    };
    let text = format!(
        "{who} {what}: what differs is what they share, such as a cache line that several of them write (false sharing) or a lock"
    );
    vec![said("sharing", text, pair.toward(cycles))]
}

/// What is left of the difference of the times without what was counted, in cycles; None where that costs a fair part of it, or nothing was
/// counted.
fn unexplained(pair: &Pair) -> Option<f64> {
    pair.values("instructions/executed")?;
    let difference = pair.cycles(pair.time_ns()?).abs();
    let sources = [branches::SOURCE, caches::SOURCE, instructions::SOURCE, memory::SOURCE, syscalls::SOURCE];
    let counted = sources.iter().flat_map(|source| (source.look)(pair)).map(|found| found.cycles.abs());
    // Costs of one kind contain those of another: the greatest alone counts.
    let counted = counted.fold(0.0, f64::max);
    (counted < LITTLE * difference).then_some(difference - counted)
}
