//! `spec/run.schema.json`: the schema of a run's document, generated from its types.

use std::path::PathBuf;

pub fn path() -> PathBuf {
    crate::root().join("spec/run.schema.json")
}

/// The schema as text.
///
/// # Errors
/// If it is not valid JSON, which is a bug here.
pub fn text() -> Result<String, String> {
    let schema = schemars::schema_for!(tare_model::Run);
    let text = serde_json::to_string_pretty(&schema).map_err(|e| e.to_string())?;
    Ok(text + "\n")
}

/// Writes the file.
///
/// # Errors
/// If it cannot be written.
pub fn write() -> Result<(), String> {
    std::fs::write(path(), text()?).map_err(|e| format!("{}: {e}", path().display()))
}
