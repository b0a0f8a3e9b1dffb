//! Call stacks with counts, as in a profile. Their text form, one stack per line, is that of flame graph tools.

use std::collections::BTreeMap;

/// Call stacks from root to leaf, with counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stacks {
    counts: BTreeMap<Vec<String>, u64>,
}

/// The unit of the counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Samples out of all occurrences.
    #[default]
    Samples,
    /// Allocated bytes, complete.
    Bytes,
    /// Allocations, complete.
    Allocations,
}

impl Weight {
    const ALL: [(Weight, &'static str); 3] =
        [(Weight::Samples, "samples"), (Weight::Bytes, "bytes"), (Weight::Allocations, "blocks")];

    pub fn text(self) -> &'static str {
        Weight::ALL.iter().find(|(weight, _)| *weight == self).map_or("", |(_, text)| text)
    }

    /// Everything was counted, so every difference is real.
    pub fn is_exact(self) -> bool {
        self != Weight::Samples
    }
}

impl Stacks {
    pub const MEDIA_TYPE: &'static str = "text/x-folded-stacks";

    /// The same with unit and number of operations.
    pub fn media_type(weight: Weight, operations: u64) -> String {
        format!("{}; unit={}; operations={operations}", Self::MEDIA_TYPE, weight.text())
    }

    /// Unit and number of operations in a media type; None if it is not for stacks.
    pub fn weight_of(media_type: &str) -> Option<(Weight, u64)> {
        let mut parts = media_type.split(';').map(str::trim);
        if parts.next() != Some(Self::MEDIA_TYPE) {
            return None;
        }
        let value = |name: &str| parts.clone().find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        let weight = value("unit").and_then(|unit| Weight::ALL.iter().find(|(_, text)| *text == unit));
        let operations = value("operations").and_then(|count| count.parse().ok()).unwrap_or(1);
        Some((weight.map_or(Weight::Samples, |(weight, _)| *weight), operations))
    }
    /// Suffix of a frame that the compiler inlined into the one before.
    pub const INLINED: &'static str = "_[i]";
    /// More than the stacks of any program, and deeper trees cannot be drawn.
    const DEPTH_MAX: usize = 1024;

    pub fn add(&mut self, frames: Vec<String>, count: u64) {
        if count > 0 && !frames.is_empty() {
            let seen = self.counts.entry(frames).or_default();
            *seen = seen.saturating_add(count);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&[String], u64)> {
        self.counts.iter().map(|(frames, count)| (frames.as_slice(), *count))
    }

    pub fn total(&self) -> u64 {
        self.counts.values().fold(0, |total, count| total.saturating_add(*count))
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The same stacks below another frame.
    pub fn below(&self, root: &str) -> Stacks {
        let below = |(frames, count): (&[String], u64)| {
            (std::iter::once(root.to_owned()).chain(frames.iter().cloned()).collect(), count)
        };
        Stacks { counts: self.iter().map(below).collect() }
    }

    /// The same stacks, rescaled to another number of operations.
    pub fn scaled(&self, from: u64, to: u64) -> Stacks {
        let factor = to.max(1) as f64 / from.max(1) as f64;
        let scaled = |(frames, count): (&[String], u64)| (frames.to_vec(), (count as f64 * factor).round() as u64);
        Stacks { counts: self.iter().map(scaled).collect() }
    }

    /// `root;caller;leaf 12`, one line per stack. Separators inside names are replaced.
    pub fn to_text(&self) -> String {
        let plain = |name: &String| name.replace(';', ":").replace(|c: char| c.is_control(), "?");
        let line = |(frames, count): (&[String], u64)| {
            format!("{} {count}\n", frames.iter().map(plain).collect::<Vec<String>>().join(";"))
        };
        self.iter().map(line).collect()
    }

    /// Parses [`Stacks::to_text`]. The error names the invalid line.
    pub fn parse(text: &str) -> Result<Stacks, String> {
        let mut stacks = Stacks::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let read = line.rsplit_once(' ').and_then(|(frames, count)| Some((frames, count.parse().ok()?)));
            let Some((frames, count)) = read.filter(|(frames, _): &(&str, u64)| !frames.is_empty()) else {
                return Err(format!("line {} is not a stack with its count", at + 1));
            };
            stacks.add(frames.split(';').take(Self::DEPTH_MAX).map(str::to_owned).collect(), count);
        }
        Ok(stacks)
    }
}
