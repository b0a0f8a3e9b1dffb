//! Call stacks with how often each was seen: what a profile holds. Their text form, one stack a line, is that of flame graph tools.

use std::collections::BTreeMap;

/// Call stacks, each from its root to its leaf, and how often each was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stacks {
    counts: BTreeMap<Vec<String>, u64>,
}

impl Stacks {
    /// The media type of their text form.
    pub const MEDIA_TYPE: &'static str = "text/x-folded-stacks";
    /// The end of the name of a frame that the compiler inlined into the one before it.
    pub const INLINED: &'static str = "_[i]";
    /// Longer stacks than any program has, and deeper trees than can be drawn.
    const DEPTH_MAX: usize = 1024;

    /// Counts a stack.
    pub fn add(&mut self, frames: Vec<String>, count: u64) {
        if count > 0 && !frames.is_empty() {
            let seen = self.counts.entry(frames).or_default();
            *seen = seen.saturating_add(count);
        }
    }

    /// Each stack with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&[String], u64)> {
        self.counts.iter().map(|(frames, count)| (frames.as_slice(), *count))
    }

    /// All counts together.
    pub fn total(&self) -> u64 {
        self.counts.values().fold(0, |total, count| total.saturating_add(*count))
    }

    /// None was seen.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The same stacks below a further frame.
    #[must_use]
    pub fn below(&self, root: &str) -> Stacks {
        let below = |(frames, count): (&[String], u64)| {
            (std::iter::once(root.to_owned()).chain(frames.iter().cloned()).collect(), count)
        };
        Stacks { counts: self.iter().map(below).collect() }
    }

    /// `root;caller;leaf 12`, one line a stack. What separates frames or lines is replaced in names.
    pub fn to_text(&self) -> String {
        let plain = |name: &String| name.replace(';', ":").replace(|c: char| c.is_control(), "?");
        let line = |(frames, count): (&[String], u64)| {
            format!("{} {count}\n", frames.iter().map(plain).collect::<Vec<String>>().join(";"))
        };
        self.iter().map(line).collect()
    }

    /// Reads [`Stacks::to_text`].
    ///
    /// # Errors
    /// Which line is not a stack with its count.
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
