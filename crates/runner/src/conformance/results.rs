//! Results of a played scene.

use super::script::Scene;
use super::trouble::Trouble;
use super::{ExchangeLine, Outcome, SceneResult};

/// A problem outside the subject of the scene.
pub(super) fn not_about(what: &str, trouble: Trouble) -> Trouble {
    if trouble.rule.is_some() || trouble.outcome != Outcome::Fail {
        return trouble;
    }
    Trouble::undecided(format!("{what}: {}", trouble.reason))
}

pub(super) fn passed(scene: &Scene) -> SceneResult {
    result(scene, &Trouble { rule: None, outcome: Outcome::Pass, reason: String::new() }, Vec::new())
}

pub(super) fn result(scene: &Scene, trouble: &Trouble, lines: Vec<ExchangeLine>) -> SceneResult {
    let outcome = match trouble.outcome {
        Outcome::Fail if scene.should && trouble.rule.is_none() => Outcome::Advice,
        outcome => outcome,
    };
    SceneResult {
        rule: trouble.rule.unwrap_or(scene.rule),
        title: scene.title.clone(),
        place: scene.place.clone(),
        outcome,
        reason: trouble.reason.clone(),
        lines,
    }
}

/// If another rule is broken, the scene's own is undecided.
pub(super) fn with_other_rule(scene: &Scene, trouble: &Trouble, lines: Vec<ExchangeLine>) -> Vec<SceneResult> {
    let mut results = Vec::new();
    if let Some(other) = trouble.rule.filter(|rule| *rule != scene.rule) {
        let own = Trouble::undecided(format!("R{other} is violated: {}", trouble.reason));
        results.push(result(scene, &own, Vec::new()));
    }
    results.push(result(scene, trouble, lines));
    results
}
