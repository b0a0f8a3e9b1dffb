//! Parses the transcripts; `spec/conformance/README.md` describes their format.

use std::time::Duration;

const FILES: [(&str, &str); 12] = [
    ("start.txt", include_str!("../../../../spec/conformance/start.txt")),
    ("link.txt", include_str!("../../../../spec/conformance/link.txt")),
    ("errors.txt", include_str!("../../../../spec/conformance/errors.txt")),
    ("states.txt", include_str!("../../../../spec/conformance/states.txt")),
    ("list.txt", include_str!("../../../../spec/conformance/list.txt")),
    ("measure.txt", include_str!("../../../../spec/conformance/measure.txt")),
    ("digest.txt", include_str!("../../../../spec/conformance/digest.txt")),
    ("set.txt", include_str!("../../../../spec/conformance/set.txt")),
    ("strategy.txt", include_str!("../../../../spec/conformance/strategy.txt")),
    ("diagnose.txt", include_str!("../../../../spec/conformance/diagnose.txt")),
    ("once.txt", include_str!("../../../../spec/conformance/once.txt")),
    ("end.txt", include_str!("../../../../spec/conformance/end.txt")),
];

/// How to start the process of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Start {
    Link,
    /// Without `TARE_LINK`.
    WithoutLink,
    /// With the link at other single-digit descriptors: reading, writing.
    At(String),
    /// With this value of `TARE_LINK`, but no link.
    With(String),
    /// With the link and this run folder.
    InFolder(std::path::PathBuf),
}

/// A state to reach before the scene's subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Ready,
    Opened,
}

/// Checks implemented in the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Examination {
    UniqueList,
    SameList,
    SameListAgain,
    EveryBenchmark,
    Nanoseconds,
    Growth,
    Lead,
    Overhead,
    Windows,
    Digests,
    Texts,
    LongText,
    Cost,
    Parameters,
    Strategies,
    Operations,
    IterationOperations,
    WidthProbe,
    Once,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expected {
    /// Kind of the reply; `list` means its lines and the end, `any` every kind.
    pub(super) kind: String,
    /// For `error`, its kind.
    pub(super) error: String,
    /// For an `error` of kind `exception`, the correct step.
    pub(super) step: Option<String>,
    /// For `measured` and `diagnosed`, the number of iterations if it is tested.
    pub(super) iterations: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Reach(State),
    Send(String),
    SendPart(String),
    Expect(Expected),
    Open(String),
    /// `check` returns this text and its digest.
    Says(String),
    Silent(Duration),
    HangUp,
    Exit(Option<i32>),
    NoStrays,
    NoFramesPrinted,
    PrintedLines(usize),
    Examine(Examination),
    /// Ends the preparation: the scene's subject follows.
    Then,
}

#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) rule: u32,
    pub(super) title: String,
    pub(super) place: String,
    /// A SHOULD rather than a MUST.
    pub(super) should: bool,
    /// It takes seconds or compares clock times.
    pub(super) long: bool,
    pub(super) needs: Option<String>,
    pub(super) benchmarks: Vec<String>,
    /// Why the rule cannot be observed from outside.
    pub(super) unseen: Option<String>,
    pub(super) start: Start,
    pub(super) steps: Vec<Step>,
}

/// All scenes of all files. Lines that cannot be parsed are skipped; the test of this module reports them.
pub(super) fn scenes() -> Vec<Scene> {
    FILES.iter().flat_map(|(file, text)| parse(file, text).0).collect()
}

/// The scenes, and the locations of lines that cannot be parsed.
fn parse(file: &str, text: &str) -> (Vec<Scene>, Vec<String>) {
    let mut scenes: Vec<Scene> = Vec::new();
    let mut mistakes = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", number + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let understood = match line.strip_prefix("scene ") {
            Some(rest) => scene(rest, &place).map(|scene| scenes.push(scene)),
            None => scenes.last_mut().and_then(|scene| add(scene, line)),
        };
        if understood.is_none() {
            mistakes.push(place);
        }
    }
    (scenes, mistakes)
}

fn scene(rest: &str, place: &str) -> Option<Scene> {
    let (rule, title) = rest.split_once(' ')?;
    Some(Scene {
        rule: rule.strip_prefix('R')?.parse().ok()?,
        title: title.to_owned(),
        place: place.to_owned(),
        should: false,
        long: false,
        needs: None,
        benchmarks: Vec::new(),
        unseen: None,
        start: Start::Link,
        steps: Vec::new(),
    })
}

fn add(scene: &mut Scene, line: &str) -> Option<()> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "should" => scene.should = true,
        "long" => scene.long = true,
        "needs" => scene.needs = Some(rest.to_owned()),
        "benchmark" => scene.benchmarks.push(rest.to_owned()),
        "unseen" => scene.unseen = Some(rest.to_owned()),
        "start" => scene.start = start(rest)?,
        _ => scene.steps.push(step(word, rest)?),
    }
    Some(())
}

fn start(rest: &str) -> Option<Start> {
    Some(match rest.split_once(' ') {
        None if rest == "without-link" => Start::WithoutLink,
        Some(("at", descriptors)) => Start::At(descriptors.to_owned()),
        Some(("with", value)) => Start::With(value.to_owned()),
        _ => return None,
    })
}

fn step(word: &str, rest: &str) -> Option<Step> {
    Some(match word {
        "reach" if rest == "ready" => Step::Reach(State::Ready),
        "reach" if rest == "opened" => Step::Reach(State::Opened),
        ">" => Step::Send(rest.to_owned()),
        ">part" => Step::SendPart(rest.to_owned()),
        "<" => Step::Expect(expected(rest)?),
        "open" => Step::Open(rest.to_owned()),
        "says" => Step::Says(rest.to_owned()),
        "silent" => Step::Silent(Duration::from_millis(rest.parse().ok()?)),
        "then" => Step::Then,
        "hang-up" => Step::HangUp,
        "exit" if rest == "any" => Step::Exit(None),
        "exit" => Step::Exit(Some(rest.parse().ok()?)),
        "no-strays" => Step::NoStrays,
        "no-frames-printed" => Step::NoFramesPrinted,
        "printed-lines" => Step::PrintedLines(rest.parse().ok()?),
        "examine" => Step::Examine(examination(rest)?),
        _ => return None,
    })
}

fn expected(rest: &str) -> Option<Expected> {
    const KINDS: [&str; 11] =
        ["any", "hello", "list", "set", "opened", "checked", "measured", "randomized", "collected", "closed", "bye"];
    let (kind, more) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut expected = Expected { kind: kind.to_owned(), error: String::new(), step: None, iterations: None };
    match kind {
        "exception" => {
            expected.kind = "error".to_owned();
            expected.error = "exception".to_owned();
            expected.step = Some(more.to_owned());
        }
        "error" => expected.error = more.to_owned(),
        "diagnosed" => expected.iterations = Some(more.parse().ok()?),
        "measured" if !more.is_empty() => expected.iterations = Some(more.parse().ok()?),
        kind if KINDS.contains(&kind) && more.is_empty() => {}
        _ => return None,
    }
    Some(expected)
}

fn examination(name: &str) -> Option<Examination> {
    Some(match name {
        "unique-list" => Examination::UniqueList,
        "same-list" => Examination::SameList,
        "same-list-again" => Examination::SameListAgain,
        "every-benchmark" => Examination::EveryBenchmark,
        "nanoseconds" => Examination::Nanoseconds,
        "growth" => Examination::Growth,
        "lead" => Examination::Lead,
        "overhead" => Examination::Overhead,
        "windows" => Examination::Windows,
        "digests" => Examination::Digests,
        "texts" => Examination::Texts,
        "long-text" => Examination::LongText,
        "cost" => Examination::Cost,
        "parameters" => Examination::Parameters,
        "strategies" => Examination::Strategies,
        "operations" => Examination::Operations,
        "once" => Examination::Once,
        "iteration-operations" => Examination::IterationOperations,
        "width-probe" => Examination::WidthProbe,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_understood_and_every_rule_has_a_scene() {
        let mut rules = std::collections::BTreeSet::new();
        for (file, text) in FILES {
            let (scenes, mistakes) = parse(file, text);
            assert!(mistakes.is_empty(), "not understood: {mistakes:?}");
            assert!(
                scenes.iter().all(|scene| scene.unseen.is_some() || !scene.steps.is_empty()),
                "{file}: an empty scene"
            );
            rules.extend(scenes.iter().map(|scene| scene.rule));
        }
        assert_eq!(rules, (1..=crate::conformance::RULES).collect());
    }

    #[test]
    fn a_line_that_is_not_understood_is_told() {
        let (scenes, mistakes) = parse("f", "scene R1 t\n  fly\n  < what\n  exit 0\n");
        assert_eq!((scenes.len(), scenes[0].steps.len()), (1, 1));
        assert_eq!(mistakes, ["f:2", "f:3"]);
    }
}
