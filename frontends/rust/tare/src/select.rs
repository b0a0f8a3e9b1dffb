//! Selects cases by the filters of `cargo bench -- FILTER...`.

/// Filters, joined by "or", minus those of `--skip`.
#[derive(Default)]
pub(crate) struct Selection {
    pub(crate) filters: Vec<String>,
    pub(crate) skips: Vec<String>,
    pub(crate) exact: bool,
}

/// Passes the selection on to the children of the host that this program becomes.
const VARIABLE: &str = "TARE_RUST_SELECTION";

impl Selection {
    /// Whether a case of this name is selected.
    pub(crate) fn takes(&self, name: &str) -> bool {
        let fits = |pattern: &String| if self.exact { name == pattern } else { name.contains(pattern.as_str()) };
        (self.filters.is_empty() || self.filters.iter().any(fits)) && !self.skips.iter().any(fits)
    }

    /// Stores the selection in the host's environment, so that `takes` gives the same answers in its children.
    #[cfg_attr(not(unix), allow(dead_code))]
    pub(crate) fn bequeath(&self, command: &mut std::process::Command) {
        if self.filters.is_empty() && self.skips.is_empty() {
            return;
        }
        let mut lines = vec![if self.exact { "exact" } else { "" }.to_owned()];
        lines.extend(self.filters.iter().map(|pattern| format!("+{pattern}")));
        lines.extend(self.skips.iter().map(|pattern| format!("-{pattern}")));
        command.env(VARIABLE, lines.join("\n"));
    }

    /// Restores the selection stored by [`Selection::bequeath`].
    pub(crate) fn inherited() -> Selection {
        let mut selection = Selection::default();
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let mut lines = text.split('\n');
        selection.exact = lines.next() == Some("exact");
        for line in lines {
            selection.filters.extend(line.strip_prefix('+').map(str::to_owned));
            selection.skips.extend(line.strip_prefix('-').map(str::to_owned));
        }
        selection
    }
}
