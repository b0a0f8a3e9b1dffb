use super::player::MISSING;
use super::{rule_title, ConformanceReport, ExchangeLine, Outcome, SceneResult, RULES};
use std::fmt::Write;
use tare_model::text::plural;

/// Most scenes shown per rule.
const TROUBLES_SHOWN: usize = 3;

/// The report as text for people: the child, a line per rule, and the log of every problem.
pub fn render(report: &ConformanceReport) -> String {
    let mut text = String::new();
    let _ = head(report, &mut text).and_then(|()| rules(report, &mut text)).and_then(|()| end(report, &mut text));
    text
}

fn head(report: &ConformanceReport, text: &mut String) -> std::fmt::Result {
    writeln!(
        text,
        "conformance of `{}` to the Tare protocol, version {}",
        report.command.join(" "),
        tare_protocol::VERSION
    )?;
    let Some(facts) = &report.facts else { return writeln!(text, "  it did not answer `hello`\n") };
    let capabilities = if facts.capabilities.is_empty() { "none".to_owned() } else { facts.capabilities.join(", ") };
    let benchmarks = plural(report.benchmarks.len(), "benchmark");
    writeln!(text, "  {} · {} · {benchmarks} · capabilities: {capabilities}\n", facts.front_end, facts.language)
}

fn rules(report: &ConformanceReport, text: &mut String) -> std::fmt::Result {
    for rule in 1..=RULES {
        let outcome = report.outcome(rule);
        writeln!(text, "  {:<4} {:<9} {}", format!("R{rule}"), word(outcome), rule_title(rule))?;
        let mut troubles: Vec<&SceneResult> = report.scenes.iter().filter(|scene| scene.rule == rule).collect();
        troubles.retain(|scene| scene.outcome >= Outcome::Advice);
        // The worst first; a few of the rest are enough.
        troubles.sort_by_key(|scene| std::cmp::Reverse(scene.outcome));
        for scene in troubles.iter().take(TROUBLES_SHOWN) {
            trouble(scene, text)?;
        }
        if troubles.len() > TROUBLES_SHOWN {
            writeln!(text, "       and {} more", troubles.len() - TROUBLES_SHOWN)?;
        }
        if outcome == Outcome::NotApplicable {
            let reason =
                report.scenes.iter().find(|scene| scene.rule == rule).map_or("", |scene| scene.reason.as_str());
            writeln!(text, "       {reason}")?;
        }
    }
    Ok(())
}

fn trouble(scene: &SceneResult, text: &mut String) -> std::fmt::Result {
    writeln!(text, "       {}: {} ({})", word(scene.outcome), scene.title, scene.place)?;
    writeln!(text, "         {}", scene.reason)?;
    for line in &scene.lines {
        match line {
            ExchangeLine::Sent(line) => writeln!(text, "         > {line}")?,
            ExchangeLine::Received(line) => writeln!(text, "         < {line}")?,
            ExchangeLine::Seen(what) => writeln!(text, "         - {what}")?,
        }
    }
    Ok(())
}

fn end(report: &ConformanceReport, text: &mut String) -> std::fmt::Result {
    let count = |outcome| (1..=RULES).filter(|rule| report.outcome(*rule) == outcome).count();
    let (pass, fail) = (count(Outcome::Pass), count(Outcome::Fail));
    writeln!(
        text,
        "\n{pass} passed, {fail} failed, {} undecided, {} advice, {} not applicable",
        count(Outcome::Undecided),
        count(Outcome::Advice),
        count(Outcome::NotApplicable)
    )?;
    let missing = missing(report);
    if !missing.is_empty() {
        writeln!(
            text,
            "note: not tested, because the child lacks the benchmarks of section 8: {}",
            missing.join(", ")
        )?;
    }
    if report.passed() {
        return Ok(());
    }
    writeln!(text, "hint: the rules are in spec/protocol.md, the transcripts in spec/conformance/")
}

fn missing(report: &ConformanceReport) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for scene in report.scenes.iter().filter(|scene| scene.outcome == Outcome::NotApplicable) {
        let name = scene.reason.strip_prefix(MISSING).and_then(|rest| rest.split('`').next());
        names.extend(name.filter(|name| !names.contains(name)));
    }
    names
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotApplicable => "n/a",
        Outcome::Pass => "pass",
        Outcome::Advice => "advice",
        Outcome::Undecided => "undecided",
        Outcome::Fail => "FAIL",
    }
}
