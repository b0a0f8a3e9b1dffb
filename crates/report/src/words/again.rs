//! The exact command of an advice: the user's request plus what helps, minus what conflicts.

use crate::words::text::{clean, shell_word};
use tare_analysis::{Again, Decide, How, Report};
use tare_model::text::in_quotes;
use tare_model::{Argument, CommandLine, Concern, RunStatus, LAYOUTS_MIN};

const FILTER: &str = "--filter";
const LAYOUTS: &str = "--layouts";

/// The flag that an advice adds, and the flags that it replaces.
struct Change {
    added: Option<Argument>,
    /// Replaces all flags of this concern, such as other amounts.
    replaces: Option<Concern>,
    without: &'static str,
}

fn change(how: How) -> Change {
    use Concern::{Amount, Method};
    let other_amount = |added: Argument| Change { added: Some(added), replaces: Some(Amount), without: "" };
    let without = |flag| Change { added: None, replaces: None, without: flag };
    match how {
        How::AsBefore => without(""),
        How::Longer => other_amount(Argument::flag("--long", Amount)),
        How::Launches(count) => other_amount(Argument::value("--launches", count.to_string(), Amount)),
        // Overrides a budget in `tare.toml` too.
        How::InFull => other_amount(Argument::value("--budget", "none", Amount)),
        How::WithoutBudget => Change { replaces: None, ..other_amount(Argument::value("--budget", "none", Amount)) },
        How::FreeInvocations => without("--invocations"),
        How::FreeLayouts => without(LAYOUTS),
        How::MinimumEffect(share) => {
            // As few digits as necessary.
            let percent = format!("{}%", (share * 1e6).round() / 1e4);
            Change { added: Some(Argument::value("--min-effect", percent, Method)), ..without("") }
        }
    }
}

impl Change {
    fn is_in_the_way(&self, given: &Argument) -> bool {
        given.flag == self.without && !given.flag.is_empty()
            || self.replaces == Some(given.concern)
            || self.added.as_ref().is_some_and(|added| added.flag == given.flag)
    }
}

/// Omitted when a run is repeated: the first run's report must not be overwritten.
fn is_of_first(given: &Argument) -> bool {
    matches!(given.concern, Concern::Output | Concern::Stored)
}

pub(crate) fn again(request: &CommandLine, again: &Again) -> String {
    let change = change(again.how);
    // A command that decides a comparison is not a gate.
    let is_gate = |given: &Argument| request.verb == "compare" && given.concern == Concern::Gate;
    let kept = request.clone().only(|given| {
        let is_other_filter = !again.only.is_empty() && given.flag == FILTER;
        !(change.is_in_the_way(given) || is_of_first(given) || is_gate(given) || is_other_filter)
    });
    // Commands are measured together, so there is no filter.
    let only = if request.verb == "time" { &[][..] } else { &again.only };
    let [own, behind] = kept.parts();
    let added: Vec<String> = change.added.iter().flat_map(Argument::words).collect();
    let mut words = typed(&own);
    words.extend(filters(only));
    words.extend(typed(&added));
    if !behind.is_empty() {
        words.push(Argument::BEHIND.to_owned());
        words.extend(typed(&behind));
    }
    words.join(" ")
}

fn typed(words: &[String]) -> Vec<String> {
    words.iter().map(|word| shell_word(word)).collect()
}

/// Most benchmarks that a command lists; beyond, it names the stored run.
const NAMED_MAX: usize = 2;
const AGAIN: [&str; 2] = ["run", "compare"];

/// A command that names the stored run instead of many benchmarks: `tare run --again 7f3a --unclear --long`; None if they can be listed.
pub(crate) fn shorter(request: &CommandLine, again: &Again, run: &str) -> Option<String> {
    let change = change(again.how);
    // This form cannot omit a flag.
    let is_said = change.without.is_empty();
    let is_long = filters(&again.only).nth(NAMED_MAX).is_some();
    let is_possible = AGAIN.contains(&request.verb.as_str()) && is_said && is_long && !run.is_empty();
    let added = change.added.iter().flat_map(Argument::words);
    let words = ["tare", &request.verb, "--again", run, "--unclear"].map(str::to_owned).into_iter().chain(added);
    is_possible.then(|| words.collect::<Vec<_>>().join(" "))
}

/// Repeats a stored run's request for `only` (empty: all); flags of `now` replace those of the same kind.
#[must_use]
pub fn once_more(stored: &CommandLine, only: &[String], now: &CommandLine) -> CommandLine {
    let has_filter = !only.is_empty() || now.has(FILTER);
    let is_in_the_way = |given: &Argument| {
        is_of_first(given)
            || given.concern == Concern::Gate
            || (!given.is_word() && now.has(&given.flag))
            || (given.concern == Concern::Amount && now.is_about(Concern::Amount))
            || (has_filter && given.flag == FILTER)
    };
    let mut request = stored.clone().only(|given| !is_in_the_way(given));
    request.given.extend(only.iter().map(|name| Argument::value(FILTER, name, Concern::Selection)));
    request.given.extend(now.given.iter().filter(|given| given.concern != Concern::Stored).cloned());
    request
}

/// The command that shows this run or another tool's file: `tare show 7f3a -v`.
pub(crate) fn show(run: &str, flag: &str) -> String {
    format!("tare show {} {flag}", shell_word(&clean(run)))
}

pub(crate) fn helps(request: &CommandLine, again: &Again) -> bool {
    match again.how {
        How::FreeLayouts => has_few_layouts(request),
        How::Longer => !request.has("--long"),
        _ => true,
    }
}

pub(crate) fn has_few_layouts(request: &CommandLine) -> bool {
    let wanted = request.value_of(LAYOUTS).and_then(|value| value.parse::<usize>().ok());
    wanted.is_some_and(|wanted| wanted < LAYOUTS_MIN)
}

pub(crate) fn decide(request: &CommandLine, how: &Decide) -> String {
    match how {
        Decide::Again(how) => again(request, how),
        Decide::Interleaved { sides, only } => {
            let [base, new] = sides.clone().unwrap_or_else(|| ["OLD", "NEW"].map(str::to_owned));
            let mut words = ["tare", "compare"].map(str::to_owned).to_vec();
            words.extend([base, new]);
            words.extend(filters(only));
            let kept = request.given.iter().filter(|given| matches!(given.concern, Concern::Gate | Concern::View));
            words.extend(kept.flat_map(|given| typed(&given.words())));
            words.join(" ")
        }
    }
}

/// The command that resumes a stopped run, which must be in the store.
pub(crate) fn resume(report: &Report) -> Option<String> {
    let words = || typed(&resumed(&report.request, report.is_comparison, &report.run).words()).join(" ");
    (report.status != RunStatus::Finished).then(words)
}

/// The request that resumes a run, with the original output settings.
#[must_use]
pub fn resumed(stored: &CommandLine, is_comparison: bool, run: &str) -> CommandLine {
    use Concern::{Conduct, Gate, Output, Stored, View};
    let request = CommandLine::new(if is_comparison { "compare" } else { "run" });
    let wanted = stored.given.iter().filter(|given| matches!(given.concern, Output | Gate | View | Conduct));
    wanted.cloned().fold(request.with(Argument::value("--resume", run, Stored)), CommandLine::with)
}

pub(crate) fn is_watch(request: &CommandLine) -> bool {
    request.verb == "watch"
}

/// Without duplicates: several jobs of a benchmark share a name.
fn filters(names: &[String]) -> impl Iterator<Item = String> + '_ {
    let once = |(at, name): &(usize, &String)| !names[..*at].contains(name);
    names.iter().enumerate().filter(once).map(|(_, name)| {
        let pattern = pattern(name);
        format!("{FILTER}{}{}", if pattern.starts_with('-') { '=' } else { ' ' }, in_quotes(&pattern))
    })
}

/// A pattern that matches this name and can be typed: `?` for invisible characters, and `*` for the middle of a long name.
pub fn pattern(name: &str) -> String {
    let shown: Vec<char> = name.chars().map(|c| if clean(&c.to_string()).starts_with(c) { c } else { '?' }).collect();
    let keep = LONGEST_TYPED / 2;
    match shown.len() > LONGEST_TYPED {
        true => shown[..keep].iter().chain(&['*']).chain(&shown[shown.len() - keep..]).collect(),
        false => shown.into_iter().collect(),
    }
}

const LONGEST_TYPED: usize = 160;
#[cfg(test)]
mod tests {
    use super::*;
    use Concern::{Amount, Build, Gate, Output, View};

    fn request(verb: &str, given: &[Argument]) -> CommandLine {
        given.iter().cloned().fold(CommandLine::new(verb), CommandLine::with)
    }

    fn flag(flag: &str, value: &str, concern: Concern) -> Argument {
        Argument { joined: false, ..Argument::value(flag, value, concern) }
    }

    #[test]
    fn a_name_is_shown_as_a_pattern_that_finds_it() {
        assert_eq!(pattern("g/a b[n=1]"), "g/a b[n=1]");
        assert_eq!(pattern("g/new\nline\u{1b}[31m\u{202e}"), "g/new?line?[31m?");
        let long = pattern(&format!("group/{}/end", "é".repeat(5000)));
        assert!(long.starts_with("group/é") && long.ends_with("é/end"), "{long}");
        assert_eq!((long.chars().count(), long.matches('*').count()), (161, 1));
        assert_eq!(filters(&["-x".to_owned()]).collect::<Vec<_>>(), ["--filter='-x'"]);
    }

    #[test]
    fn what_was_run_stays_and_what_is_in_the_way_goes() {
        let sixteen = |request: &CommandLine, keys: &[&str]| {
            again(request, &Again::only(How::Launches(16), keys.iter().copied()))
        };
        let run = request(
            "run",
            &[
                Argument::word("a b.cpp"),
                Argument::flag("--quick", Amount),
                flag(FILTER, "s*", Concern::Selection),
                flag("--job", "-O2 -g", Build),
                flag("--rounds", "2", Amount),
                flag("--output", "x.md", Output),
                flag("--top", "3", View),
                Argument { flag: Argument::BEHIND.to_owned(), ..Argument::word("./p") },
                Argument { flag: Argument::BEHIND.to_owned(), ..Argument::word("--quick") },
            ],
        );
        assert_eq!(
            sixteen(&run, &["a.cpp:sort/it's", "a.cpp:sort/it's"]),
            r"tare run 'a b.cpp' --job '-O2 -g' --top 3 --filter 'a.cpp:sort/it'\''s' --launches 16 -- ./p --quick"
        );
        assert_eq!(
            sixteen(&run, &[]),
            "tare run 'a b.cpp' --filter 's*' --job '-O2 -g' --top 3 --launches 16 -- ./p --quick"
        );
        let time = request("time", &[Argument::word("a"), flag("--runs", "20", Amount)]);
        assert_eq!(sixteen(&time, &["a"]), "tare time a --launches 16", "commands have no filter");
        assert_eq!(sixteen(&CommandLine::default(), &["a"]), "tare run --filter 'a' --launches 16");
    }

    #[test]
    fn many_benchmarks_are_those_of_the_run() {
        let short = |verb: &str, how, only: &[&str]| {
            shorter(&request(verb, &[]), &Again::only(how, only.iter().copied()), "7f3a")
        };
        let of_three = |verb: &str, how| short(verb, how, &["a", "b", "c"]);
        for (verb, how, command) in [
            ("run", How::Longer, "tare run --again 7f3a --unclear --long"),
            ("compare", How::Launches(16), "tare compare --again 7f3a --unclear --launches 16"),
            ("run", How::AsBefore, "tare run --again 7f3a --unclear"),
            ("compare", How::MinimumEffect(0.02), "tare compare --again 7f3a --unclear --min-effect 2%"),
        ] {
            assert_eq!(of_three(verb, how).as_deref(), Some(command));
        }
        assert_eq!(of_three("run", How::FreeInvocations), None, "a flag cannot be taken back");
        assert_eq!(of_three("time", How::Longer), None);
        assert_eq!(short("run", How::Longer, &["a", "b", "a"]), None, "two can be named");
    }

    #[test]
    fn a_stored_command_is_given_again() {
        let stored = request(
            "run",
            &[
                Argument::word("."),
                Argument::flag("--quick", Amount),
                flag("--output", "x.md", Output),
                flag(FILTER, "a", Concern::Selection),
                flag("--fail-on", "slower", Gate),
                Argument { flag: Argument::BEHIND.to_owned(), ..Argument::word("./p") },
            ],
        );
        let words = |only: &[&str], now: &[Argument]| {
            let only: Vec<String> = only.iter().map(|name| (*name).to_owned()).collect();
            once_more(&stored, &only, &request("run", now)).words().join(" ")
        };
        assert_eq!(words(&[], &[]), "tare run . --quick --filter a -- ./p");
        let now = [flag("--launches", "9", Amount), flag("--again", "7f3a", Concern::Stored)];
        assert_eq!(words(&["g/x", "g/y"], &now), "tare run . --filter g/x --filter g/y --launches 9 -- ./p");
        assert_eq!(words(&[], &[flag(FILTER, "b", Concern::Selection)]), "tare run . --quick --filter b -- ./p");
    }

    #[test]
    fn few_layouts_are_those_that_were_asked_for() {
        for (layouts, few) in [("1", true), ("7", true), ("8", false)] {
            assert_eq!(has_few_layouts(&request("compare", &[flag(LAYOUTS, layouts, Build)])), few, "{layouts}");
        }
        assert!(!has_few_layouts(&request("compare", &[])));
    }

    #[test]
    fn a_long_run_is_not_told_to_run_for_longer() {
        let (short, long) = (request("run", &[]), request("run", &[Argument::flag("--long", Amount)]));
        let how = [How::Longer, How::Launches(24)].map(Again::new);
        assert_eq!(
            [&short, &long].map(|request| how.each_ref().map(|how| helps(request, how))),
            [[true; 2], [false, true]]
        );
    }

    #[test]
    fn each_change_has_its_flags() {
        let given = [
            Argument::word("main"),
            Argument::flag("--quick", Amount),
            flag("--rounds", "9", Amount),
            flag("--budget", "9s", Amount),
            flag("--min-effect", "1%", Concern::Method),
            flag("--invocations", "1", Concern::Method),
            flag(LAYOUTS, "1", Build),
            flag("--fail-on", "slower", Gate),
        ];
        let all = request("compare", &given);
        for (how, command) in [
            (How::AsBefore, "--quick --rounds 9 --budget 9s --min-effect 1% --invocations 1 --layouts 1"),
            (How::Longer, "--min-effect 1% --invocations 1 --layouts 1 --long"),
            (How::InFull, "--min-effect 1% --invocations 1 --layouts 1 --budget none"),
            (How::WithoutBudget, "--quick --rounds 9 --min-effect 1% --invocations 1 --layouts 1 --budget none"),
            (How::FreeInvocations, "--quick --rounds 9 --budget 9s --min-effect 1% --layouts 1"),
            (How::FreeLayouts, "--quick --rounds 9 --budget 9s --min-effect 1% --invocations 1"),
            (How::MinimumEffect(0.015), "--quick --rounds 9 --budget 9s --invocations 1 --layouts 1 --min-effect 1.5%"),
        ] {
            // A command that decides a comparison is not a gate.
            assert_eq!(again(&all, &Again::new(how)), format!("tare compare main {command}"));
        }
        let run = request("run", &[flag("--fail-on", "slower", Gate)]);
        assert_eq!(again(&run, &Again::new(How::AsBefore)), "tare run --fail-on slower");
    }

    #[test]
    fn both_sides_are_measured_in_turn() {
        let saved =
            request("compare", &[Argument::word("old/"), flag("--output", "x.md", Output), flag("--top", "3", View)]);
        let reported = |sides: Option<[&str; 2]>| {
            let sides = sides.map(|sides| sides.map(str::to_owned));
            decide(&saved, &Decide::Interleaved { sides, only: vec!["a".to_owned()] })
        };
        assert_eq!(reported(None), "tare compare OLD NEW --filter 'a' --top 3");
        assert_eq!(reported(Some(["1f", "2e"])), "tare compare 1f 2e --filter 'a' --top 3");
    }
}
