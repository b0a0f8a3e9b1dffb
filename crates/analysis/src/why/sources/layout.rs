//! Places alone: both sides execute the same, so what differs is where code and data are.

use super::super::failed;
use super::super::pair::Side;
use super::{said, unexplained, Evidence, Pair, Source};
use std::collections::BTreeMap;
use tare_model::Artifact;

pub const SOURCE: Source = Source::of_run(look);

/// Places alone rarely make one side take more than this many times as long as the other.
pub const RATIO_MAX: f64 = 1.5;
/// More mispredictions or misses than these are not a matter of places.
const FEW: f64 = 0.2;

fn look(pair: &Pair) -> Vec<Evidence> {
    let few = |name: &&str| pair.difference(name).abs() < FEW;
    let is_alike = ["instructions/mispredicted", "instructions/l1_misses"].iter().all(few);
    let is_elsewhere = pair.programs().is_none_or(|[base, new]| !is_one_build(base, new));
    let is_little = pair.ratio().is_none_or(|ratio| ratio.max(1.0 / ratio) <= RATIO_MAX);
    let is_suspect = pair.is_same_work() && is_alike && is_little && !pair.works_in_threads() && is_elsewhere;
    let spreads = [pair.base, pair.new].map(|side| spread(&side));
    let rest = is_suspect.then(|| unexplained(pair)).flatten();
    let all = [pair.base, pair.new].iter().all(|side| failed(side).next().is_none());
    rest.map(|rest| said("layout", text(all, spreads, pair.ratio()), pair.toward(rest))).into_iter().collect()
}

/// What the layouts of both sides say, as shares by which the time differs from one to another.
fn text(all: bool, spreads: [Option<f64>; 2], ratio: Option<f64>) -> String {
    let start = match all {
        true => "both sides execute the same, and only places of code and data differ",
        false => {
            "both sides execute the same, and places of code and data are one suspect beside what was not looked at"
        }
    };
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let [Some(base), Some(new)] = spreads else {
        return format!("{start}: each has one layout, so that the layout may be all of the difference");
    };
    let seen = format!(
        "from layout to layout the time differs by {} on the base and {} on the new side",
        percent(base),
        percent(new)
    );
    match ratio.map(|ratio| ratio.max(1.0 / ratio) - 1.0) {
        Some(between) if between > base.max(new) => format!(
            "{start}: {seen}, less than the {} between the sides, so look at the places of data rather than of code",
            percent(between)
        ),
        _ => format!("{start}: {seen}"),
    }
}

/// Both sides are one file, in which nothing can be elsewhere. Two benchmarks of one program are elsewhere all the same.
fn is_one_build(base: &Artifact, new: &Artifact) -> bool {
    !std::ptr::eq(base, new) && !base.hash.is_empty() && base.hash == new.hash
}

/// How far the means of the layouts lie apart, as a share of their mean; None of one layout.
fn spread(side: &Side) -> Option<f64> {
    let mut by_layout: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for launch in &side.estimates.launches {
        let draw = side.run.launches.get(launch.launch as usize)?.draw;
        by_layout.entry(draw.layout).or_default().push(launch.raw_ns);
    }
    let means: Vec<f64> = by_layout.values().filter_map(|values| tare_stats::location::mean(values)).collect();
    let (least, most) =
        (means.iter().copied().fold(f64::INFINITY, f64::min), means.iter().copied().fold(0.0, f64::max));
    (means.len() > 1 && least > 0.0).then(|| most / least - 1.0)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn layouts_that_matter_less_than_the_sides_differ_are_not_the_suspect() {
        let between = |ratio| text(true, [Some(0.02), Some(0.01)], Some(ratio));
        assert!(between(1.3).contains("less than the 30.0 % between the sides"), "{}", between(1.3));
        assert!(between(0.5).contains("less than the 100.0 %"), "{}", between(0.5));
        assert!(between(1.01).ends_with("2.0 % on the base and 1.0 % on the new side"), "{}", between(1.01));
        assert!(text(false, [None, None], None).contains("one suspect beside what was not looked at"));
        assert!(text(true, [None, Some(0.1)], Some(1.1)).contains("each has one layout"));
    }
}
