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

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_text_form_is_read_back_whatever_names_hold() {
        let mut stacks = Stacks::default();
        stacks.add(frames(&["main", "f(int, char const*)", "g_[i]"]), 3);
        stacks.add(frames(&["main"]), 1);
        stacks.add(frames(&["main"]), 1);
        stacks.add(frames(&["none"]), 0);
        stacks.add(Vec::new(), 7);
        assert_eq!(stacks.to_text(), "main 2\nmain;f(int, char const*);g_[i] 3\n");
        assert_eq!((Stacks::parse(&stacks.to_text()), stacks.total()), (Ok(stacks.clone()), 5));
        let mut hostile = Stacks::default();
        hostile.add(frames(&["a;b", "c\nd 9", "\u{1b}[31m"]), 2);
        assert_eq!(hostile.to_text(), "a:b;c?d 9;?[31m 2\n");
        assert_eq!(Stacks::parse(&hostile.to_text()).expect("stacks").total(), 2);
        assert_eq!(stacks.below("case").to_text(), "case;main 2\ncase;main;f(int, char const*);g_[i] 3\n");
    }

    #[test]
    fn a_damaged_line_is_named() {
        for text in ["a 1\nb\n", "a 1\nb x\n", "a 1\n 3\n", "a 1\nb -1\n"] {
            assert_eq!(Stacks::parse(text), Err("line 2 is not a stack with its count".to_owned()), "{text:?}");
        }
        assert!(Stacks::parse("\n").expect("nothing").is_empty());
        let large = Stacks::parse(&format!("a {0}\nb {0}\n", u64::MAX)).expect("large counts");
        assert_eq!(large.total(), u64::MAX);
        let deep = Stacks::parse(&format!("{}x 1\n", "f;".repeat(5000))).expect("a deep stack");
        assert_eq!(deep.iter().next().expect("it").0.len(), 1024);
    }
}
