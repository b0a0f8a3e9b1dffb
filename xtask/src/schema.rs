//! `spec/run.schema.json`: the form of the one document, generated from the types that write it.

use std::path::PathBuf;

/// Where it stands.
pub fn path() -> PathBuf {
    crate::root().join("spec/run.schema.json")
}

/// The schema as text.
///
/// # Errors
/// When it is no JSON, which is a mistake here.
pub fn text() -> Result<String, String> {
    let schema = schemars::schema_for!(tare_model::Run);
    let text = serde_json::to_string_pretty(&schema).map_err(|e| e.to_string())?;
    Ok(text + "\n")
}

/// Writes the file.
///
/// # Errors
/// When it cannot be written.
pub fn write() -> Result<(), String> {
    std::fs::write(path(), text()?).map_err(|e| format!("{}: {e}", path().display()))
}
