//! The relevant parts of Cargo's `--message-format=json`.

use serde::Deserialize;

/// A line of Cargo's output; other members are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    reason: String,
    target: TargetMessage,
    executable: Option<String>,
    fresh: bool,
    profile: Profile,
    message: Option<Diagnostic>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TargetMessage {
    name: String,
    kind: Vec<String>,
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
struct Profile {
    opt_level: String,
    debug_assertions: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Diagnostic {
    level: String,
    rendered: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Executable {
    pub(crate) target: String,
    pub(crate) path: String,
    pub(crate) fresh: bool,
    pub(crate) opt_level: String,
    pub(crate) debug_assertions: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Messages {
    pub(crate) executables: Vec<Executable>,
    /// Rendered errors and warnings of rustc, with the name of the target.
    pub(crate) diagnostics: Vec<(String, String)>,
}

impl Messages {
    /// Skips lines that are not messages, such as output of build scripts.
    pub(crate) fn of(stdout: &[u8]) -> Messages {
        let mut found = Messages::default();
        for line in stdout.split(|&byte| byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
            match (line.reason.as_str(), line.message, line.executable) {
                ("compiler-message", Some(Diagnostic { level, rendered: Some(text) }), _) => {
                    let is_summary = text.starts_with("error: aborting due to") || text.starts_with("warning: `");
                    if (level.starts_with("error") || level == "warning" || level == "failure-note") && !is_summary {
                        found.diagnostics.push((line.target.name, text));
                    }
                }
                ("compiler-artifact", _, Some(path)) if line.target.kind.iter().any(|k| k == "bench" || k == "bin") => {
                    found.executables.push(Executable {
                        target: line.target.name,
                        path,
                        fresh: line.fresh,
                        opt_level: line.profile.opt_level,
                        debug_assertions: line.profile.debug_assertions,
                    });
                }
                _ => {}
            }
        }
        found
    }

    pub(crate) fn executable(&self, target: &str) -> Option<&Executable> {
        self.executables.iter().find(|e| e.target == target)
    }

    /// Errors for people: those of rustc, then Cargo's own on stderr without its progress.
    pub(crate) fn text(&self, target: Option<&str>, stderr: &[u8]) -> String {
        let of_target = self.diagnostics.iter().filter(|(name, _)| target.is_none_or(|t| t == name));
        let errors = of_target.filter(|(_, text)| text.starts_with("error")).map(|(_, text)| text.trim_end());
        let mut parts: Vec<String> = errors.map(str::to_owned).collect();
        let progress = [
            "Compiling",
            "Finished",
            "Updating",
            "Locking",
            "Blocking",
            "Fresh",
            "Downloaded",
            "Downloading",
            "Adding",
        ];
        let stderr = String::from_utf8_lossy(stderr).into_owned();
        let own = stderr.lines().filter(|line| !progress.iter().any(|p| line.trim_start().starts_with(p)));
        let own: Vec<&str> = own.filter(|line| !line.starts_with("warning: build failed")).collect();
        parts.push(own.join("\n").trim().to_owned());
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n")
    }
}

impl Executable {
    /// Anything that makes its times meaningless.
    pub(crate) fn concern(&self) -> Option<String> {
        let profile = match (self.opt_level.as_str(), self.debug_assertions) {
            ("0", _) => "`opt-level = 0`",
            (_, true) => "`debug-assertions = true`",
            _ => return None,
        };
        Some(format!(
            "built with {profile}: these are not the times of a release build\nhint: remove the line from `[profile.bench]` \
             or `[profile.release]` of Cargo.toml"
        ))
    }
}
