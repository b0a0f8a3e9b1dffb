//! Amounts that an invocation processes: bytes, items, requests. Shown per second.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An amount that one invocation works through, whose rate is shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rate {
    /// What it is: lower-case letters, digits and `_`.
    pub name: String,
    /// Unit of the amount, such as `B`; empty for a count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// How much an invocation processes, all its threads together. 0 means no rate.
    #[serde(serialize_with = "serialize_amount")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub per_invocation: f64,
}

impl Rate {
    /// The rate for bytes, with the default unit `B`.
    pub const BYTES: &'static str = "bytes";
}

/// The work of one invocation of an instance, if known only from its set-up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct InstanceWork {
    /// Operations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operations: Option<u64>,
    /// Amounts of rates, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rates: BTreeMap<String, f64>,
    /// Bytes of input prepared for one invocation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_bytes: Option<u64>,
}

/// Serialises an amount as its front end wrote it: 4096 rather than 4096.0.
pub fn serialize_amount<S: serde::Serializer>(amount: &f64, to: S) -> Result<S::Ok, S::Error> {
    match amount.fract() == 0.0 && (0.0..9e15).contains(amount) {
        true => to.serialize_u64(*amount as u64),
        false => to.serialize_f64(*amount),
    }
}
