//! Fuzz targets: they take arbitrary bytes, and must not panic. `fuzz/` runs them with generated inputs; `./test` replays the stored inputs
//! without the fuzzer.

mod files;
mod json;
#[cfg(test)]
mod replay;
mod shown;
mod texts;

pub use json::mutate;

pub struct Target {
    /// Name of its folder below `fuzz/corpus` and of its program.
    pub name: &'static str,
    pub body: fn(&[u8]),
    /// Another target with the same input format.
    pub like: Option<&'static str>,
}

pub const TARGETS: &[Target] = &[
    Target { name: "protocol", body: texts::protocol, like: None },
    Target { name: "run_reader", body: texts::run_reader, like: None },
    Target { name: "import", body: texts::import, like: None },
    Target { name: "import_folder", body: texts::import_folder, like: None },
    Target { name: "config", body: texts::config, like: None },
    Target { name: "command_line", body: texts::command_line, like: None },
    Target { name: "words", body: texts::words, like: None },
    Target { name: "filters", body: texts::filters, like: None },
    Target { name: "events", body: files::events, like: None },
    Target { name: "history", body: files::history, like: None },
    Target { name: "elf", body: files::elf, like: None },
    Target { name: "runtime", body: files::runtime, like: None },
    Target { name: "run_shown", body: shown::run, like: Some("run_reader") },
    Target { name: "saved_shown", body: shown::saved, like: Some("import") },
    Target { name: "template", body: shown::template, like: None },
    Target { name: "attachments", body: shown::attachments, like: None },
];

impl Target {
    pub fn folders(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.like)
    }
}

/// The target with this name. Panics if there is none.
pub fn target(name: &str) -> fn(&[u8]) {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target `{name}`")).body
}
