//! What threads share: what each executes does not explain the difference, so that it is what they wait for. No counter here sees it.

use super::{said, unexplained, Evidence, Pair, Source};

pub const SOURCE: Source = Source::of_run(look);

fn look(pair: &Pair) -> Vec<Evidence> {
    if !pair.works_in_threads() {
        return Vec::new();
    }
    let Some(rest) = unexplained(pair) else { return Vec::new() };
    let what = match pair.is_same_work() {
        true => "executes the same on both sides",
        false => "executes almost the same, which does not explain the difference",
    };
    let who = match pair.threads() {
        0 | 1 => "other threads of the program work beside it, and it".to_owned(),
        threads => format!("{threads} threads run it, and each"),
    };
    let text = format!(
        "{who} {what}: what differs is what they share, such as a cache line that several of them write (false sharing) or a lock"
    );
    vec![said("sharing", text, pair.toward(rest))]
}
