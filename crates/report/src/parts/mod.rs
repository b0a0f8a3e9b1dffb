//! Parts shared by documents about runs and comparisons.

pub(crate) mod attachments;
pub(crate) mod charts;
pub(crate) mod comparison;
pub(crate) mod failures;
pub(crate) mod findings;
pub(crate) mod header;
pub(crate) mod jobs;
pub(crate) mod machine_code;
pub(crate) mod metric;
pub(crate) mod profile;
pub(crate) mod statistics;
pub(crate) mod tabulate;
