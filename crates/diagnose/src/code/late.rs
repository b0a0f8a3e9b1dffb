//! Machine code of a runtime that compiles while the benchmark runs, and lists the result.

use super::body::DEPTH;
use crate::{runtime, Subject};
use std::path::PathBuf;
use tare_code::{of_runtime, Code};
use tare_model::{Artifact, Lack, LanguageFacts, LateCode, LaunchChange};

/// A pass over a program whose runtime lists its code.
pub(super) struct Late {
    subject: Subject,
    list: PathBuf,
}

/// How the runtime of a program lists its code; `None` if it compiles nothing or does not list it.
fn listing(program: &Artifact) -> Option<&'static LateCode> {
    runtime::facts(program)?.late_code.as_ref()
}

/// For a runtime that can list its code, why this one cannot.
pub(super) fn lacks(program: &Artifact) -> Option<Option<Lack>> {
    let listing = listing(program)?;
    if !cfg!(target_arch = "x86_64") {
        let reason =
            format!("`{}` is compiled while it runs, and such machine code can only be read on x86-64", program.name);
        return Some(Some(Lack { reason, advice: String::new() }));
    }
    Some(runtime::lack(program, listing.lacks))
}

/// Whether the code of a program comes from its runtime.
pub(super) fn is_listed(program: &Artifact) -> bool {
    listing(program).is_some()
}

impl Late {
    /// `None` if its code is in a file. The error says why there is no place for the list.
    pub(super) fn of(subject: &Subject) -> Result<Option<Late>, String> {
        let is_listed = subject.compiles_late && LanguageFacts::of_any(&subject.language).late_code.is_some();
        if !is_listed {
            return Ok(None);
        }
        let folder = subject.folder.as_deref().ok_or("there is no folder for the list of what the runtime compiles")?;
        Ok(Some(Late { subject: subject.clone(), list: folder.join("compiled.txt") }))
    }

    pub(super) fn change(&self) -> LaunchChange {
        let facts = LanguageFacts::of_any(&self.subject.language);
        let code = self.subject.code.clone().unwrap_or_default();
        let variables = facts.late_code.as_ref().map(|late| (late.variables)(&self.list.display().to_string(), &code));
        runtime::change(facts, variables.unwrap_or_default())
    }

    /// The code of the benchmark's method, after the process has ended.
    pub(super) fn read(&self) -> Result<Code, String> {
        let list = runtime::written(&self.list, "list of what it compiled")?;
        let list = String::from_utf8_lossy(&list);
        let method = self.subject.method()?;
        of_runtime(&list, &method, &self.subject.program, self.subject.depth.unwrap_or(DEPTH))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::ChildFacts;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_runtime_that_does_not_list_its_code_is_named() {
        let program = |language: &str, runtime: &str| {
            let (language, runtime) = (language.to_owned(), Some(runtime.to_owned()));
            let child = ChildFacts { language, runtime, compiles_late: true, ..ChildFacts::default() };
            Artifact { name: "p".to_owned(), child: Some(child), ..Artifact::default() }
        };
        for runtime in [".NET 7.0.20", ".NET 10.0.1"] {
            assert_eq!(lacks(&program("c#", runtime)), Some(None), "{runtime}");
        }
        for runtime in [".NET 6.0.36", ".NET Core 3.1.23", ".NET Framework 4.8.1", "Mono 6.12.0"] {
            let why = lacks(&program("f#", runtime)).flatten().expect("it cannot").reason;
            assert_eq!(
                why,
                format!("`p`: {runtime} does not list the machine code that it compiles; .NET 7 and later do")
            );
        }
        assert!(lacks(&program("python", "CPython 3.13")).is_none());
    }
}
