//! The samples that a runtime takes of itself: it knows the methods that it has compiled into each other, which no sample of the system shows.

use super::Found;
use crate::{runtime, Subject};
use std::path::PathBuf;
use tare_model::{LanguageFacts, LaunchChange, Stacks};

/// A longer list is not read, bytes.
const LIST_MAX: u64 = 256 << 20;

/// A pass over a program whose runtime takes samples.
pub(super) struct Own {
    file: PathBuf,
    /// Who takes them.
    pub by: &'static str,
}

impl Own {
    /// How the process is started; None: the system samples it.
    ///
    /// # Errors
    /// Why the samples have no place.
    pub(super) fn of(subject: &Subject) -> Result<Option<(Own, LaunchChange)>, String> {
        let facts = LanguageFacts::of_any(&subject.language);
        let Some(samples) = facts.own_samples.as_ref() else { return Ok(None) };
        let folder = subject.folder.as_deref().ok_or("there is no folder for the samples of the runtime")?;
        let own = Own { file: folder.join("stacks"), by: samples.by };
        let variables = (samples.variables)(&own.file.display().to_string());
        Ok(Some((own, runtime::change(facts, variables))))
    }

    /// What it has written, after the process has ended.
    pub(super) fn found(&self) -> Result<Found, String> {
        let wrong = |why: String| format!("the runtime wrote no samples: {why}");
        let size = std::fs::metadata(&self.file).map_err(|error| wrong(error.to_string()))?.len();
        if size > LIST_MAX {
            return Err(wrong(format!("they have more than {} MiB", LIST_MAX >> 20)));
        }
        let content = std::fs::read(&self.file).map_err(|error| wrong(error.to_string()))?;
        let stacks = Stacks::parse(&String::from_utf8_lossy(&content)).map_err(wrong)?;
        Ok(Found { stacks, ..Found::default() })
    }
}
