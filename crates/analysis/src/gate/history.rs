//! Gates of a history: lasting changes in its newest runs.

use super::checker::ratio_text;
use super::{Gate, Judgement, Rule, Violation};
use crate::history::{History, Trend, TrendCreep, TrendStep};
use crate::verdict::Verdict;

/// Steps within this many newest runs count: by then a real step can be confirmed.
pub const RECENT_RUNS: usize = 10;

/// A confirmed step in the newest runs breaks a rule about its direction; a continuing creep counts by its sum. Accepted changes break no
/// rule, and what failed in the newest run has no value to judge.
pub fn judge_history(history: &History, gate: &Gate) -> Judgement {
    let mut judgement = Judgement::default();
    for trend in &history.trends {
        let violation = |rule: &Rule, evidence: String| Violation {
            benchmark: trend.name.clone(),
            rule: rule.to_string(),
            evidence,
        };
        if let Some((creep, rule)) = trend.creep.as_ref().and_then(|creep| broken_by_creep(history, trend, creep, gate))
        {
            let runs = history.runs_of(trend, creep);
            let ratio = ratio_text(creep.ratio, Some(creep.interval));
            judgement.failed.push(violation(rule, format!("became gradually slower over {runs} runs: {ratio}")));
        }
        // Of all runs, so that a step of a removed benchmark ages too.
        let is_recent =
            |step: &&TrendStep| step.confirmed && !step.accepted && history.runs_since(trend, step) <= RECENT_RUNS;
        for step in trend.steps.iter().filter(is_recent) {
            if let Some(rule) = gate.rules.iter().find(|rule| is_broken_by(step, rule)) {
                let ratio = ratio_text(step.ratio, Some(step.interval));
                judgement.failed.push(violation(rule, format!("became {}: {ratio}", step.verdict.word())));
            }
        }
    }
    let undecided = |benchmark: &str, evidence: String| {
        let of = move |rule: &Rule| Violation {
            benchmark: benchmark.to_owned(),
            rule: rule.to_string(),
            evidence: evidence.clone(),
        };
        gate.rules.iter().map(of).collect::<Vec<Violation>>()
    };
    match history.runs.last() {
        None => judgement.undecided = undecided("", "there is no history".to_owned()),
        Some(newest) => {
            for failed in &newest.failed {
                let why = format!("it failed in the newest run: {}", failed.why);
                judgement.undecided.extend(undecided(&failed.name, why));
            }
        }
    }
    judgement
}

fn is_broken_by(step: &TrendStep, rule: &Rule) -> bool {
    let is_of_rule = match rule {
        Rule::Slower { .. } => step.verdict == Verdict::Slower,
        Rule::Faster { .. } => step.verdict == Verdict::Faster,
        _ => false,
    };
    is_of_rule && step.ratio.max(1.0 / step.ratio) >= 1.0 + rule.from().unwrap_or(0.0)
}

fn broken_by_creep<'a>(
    history: &History,
    trend: &Trend,
    creep: &'a TrendCreep,
    gate: &'a Gate,
) -> Option<(&'a TrendCreep, &'a Rule)> {
    let breaks = |rule: &&Rule| matches!(rule, Rule::Creep { from } if creep.ratio >= 1.0 + from.unwrap_or(0.0));
    let goes_on = history.runs_after(trend, creep) < RECENT_RUNS && !creep.accepted && creep.verdict == Verdict::Slower;
    gate.rules.iter().find(breaks).filter(|_| goes_on).map(|rule| (creep, rule))
}
