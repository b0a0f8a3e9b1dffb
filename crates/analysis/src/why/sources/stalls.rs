//! Instructions that take longer: what was counted explains little of a large difference, so that most of it is waiting.

use super::{said, unexplained_by, Evidence, Pair, Source};

pub const SOURCE: Source = Source::of_run(look);

fn look(pair: &Pair) -> Vec<Evidence> {
    // What threads wait for is what they share, and a small difference may be one of places.
    let is_large = pair.ratio().is_some_and(|ratio| ratio.max(1.0 / ratio) > super::layout::RATIO_MAX);
    let executed = pair.values("instructions/executed").filter(|of| of.iter().all(|count| *count >= 1.0));
    let (Some(executed), [Some(base_ns), Some(new_ns)]) = (executed, pair.times_ns) else { return Vec::new() };
    if pair.works_in_threads() || !is_large {
        return Vec::new();
    }
    let [base, new] = [(base_ns, executed[0]), (new_ns, executed[1])].map(|(ns, count)| pair.cycles(ns) / count);
    let text = format!(
        "each instruction takes longer: {base:.2} cycles on the base and {new:.2} on the new side, so it waits, as for memory or for results of \
         others"
    );
    // Instructions more may cost up to a quarter of the difference: most of it is waiting.
    unexplained_by(pair, 0.4).map(|rest| said("stalls", text, pair.toward(rest))).into_iter().collect()
}
