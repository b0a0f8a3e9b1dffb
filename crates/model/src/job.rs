//! How programs are built and run.

use crate::Policy;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A way to build and run a benchmark. It is sparse: what it does not set keeps its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Job {
    /// Unique within the run; empty for the only job of a run that declares none.
    pub id: String,
    /// Compilers by language (`c`, `c++`), with leading arguments.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub toolchain: BTreeMap<String, String>,
    /// Extra compiler flags, appended last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Environment variables of a launch.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// A program with its arguments that runs the built one: an interpreter or a virtual machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runtime: Vec<String>,
    /// Rules of measuring in place of those of the plan.
    #[serde(default, skip_serializing_if = "PolicyOverlay::is_empty")]
    pub policy: PolicyOverlay,
}

/// The rules of a [`Policy`] that may differ between cases which are measured together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct PolicyOverlay {
    /// See [`Policy::invocations`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u64>,
    /// See [`Policy::warmup_ns`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warmup_ns: Option<f64>,
    /// See [`Policy::visit_ns`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visit_ns: Option<f64>,
}

impl PolicyOverlay {
    /// It names nothing.
    pub fn is_empty(&self) -> bool {
        *self == PolicyOverlay::default()
    }

    /// The policy with what the overlay names.
    pub fn over(&self, policy: &Policy) -> Policy {
        Policy {
            invocations: self.invocations.or(policy.invocations),
            warmup_ns: self.warmup_ns.or(policy.warmup_ns),
            visit_ns: self.visit_ns.unwrap_or(policy.visit_ns),
            ..policy.clone()
        }
    }
}
