//! `spec/run.schema.json`: the schema of run documents, generated from the types that write them.

use std::path::PathBuf;

/// Its path.
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
/// If the file cannot be written.
pub fn write() -> Result<(), String> {
    std::fs::write(path(), text()?).map_err(|e| format!("{}: {e}", path().display()))
}
