//! Problems of a scene, and whether a reply is the expected one.

use super::script::Expected;
use super::Outcome;
use tare_protocol::Reply;

/// Why a scene stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    /// The broken rule; `None` for the rule of the scene.
    pub(super) rule: Option<u32>,
    pub(super) outcome: Outcome,
    pub(super) reason: String,
}

impl Trouble {
    pub(super) fn broken(reason: impl Into<String>) -> Trouble {
        Trouble { rule: None, outcome: Outcome::Fail, reason: reason.into() }
    }

    pub(super) fn broken_rule(rule: u32, reason: impl Into<String>) -> Trouble {
        Trouble { rule: Some(rule), outcome: Outcome::Fail, reason: reason.into() }
    }

    pub(super) fn undecided(reason: impl Into<String>) -> Trouble {
        Trouble { rule: None, outcome: Outcome::Undecided, reason: reason.into() }
    }

    pub(super) fn not_applicable(reason: impl Into<String>) -> Trouble {
        Trouble { rule: None, outcome: Outcome::NotApplicable, reason: reason.into() }
    }
}

pub(super) fn fits(reply: &Reply, expected: &Expected) -> Result<(), Trouble> {
    if expected.kind == "any" {
        return Ok(());
    }
    let wanted = if expected.kind == "list" { "end" } else { &expected.kind };
    if reply.kind() != wanted {
        return Err(Trouble::broken(format!("the reply is `{}`, not `{wanted}`{}", reply.kind(), detail(reply))));
    }
    let Reply::Error(error) = reply else { return Ok(()) };
    let kind = error.kind.name();
    if expected.error == kind {
        if expected.step.is_none() || expected.step == error.step {
            return Ok(());
        }
        let (wanted, step) = (expected.step.as_deref().unwrap_or(""), error.step.as_deref().unwrap_or("none"));
        return Err(Trouble::broken(format!("the step of the exception is `{step}`, not `{wanted}`")));
    }
    Err(Trouble::broken(format!("the error is of kind `{kind}`, not `{}`", expected.error)))
}

fn detail(reply: &Reply) -> String {
    match reply {
        Reply::Error(error) => format!(" of kind `{}`", error.kind.name()),
        _ => String::new(),
    }
}
