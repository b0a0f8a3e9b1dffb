//! What fuzzing calls: bytes of strangers in, and nothing may panic. `fuzz/` runs these functions with inputs that it invents; here they are
//! called with the inputs that were kept, so that every `./test` replays them without the fuzzer.

mod files;
mod json;
#[cfg(test)]
mod replay;
mod shown;
mod texts;

pub use json::mutate;

/// A function that takes any bytes.
pub struct Target {
    /// The folder of its inputs below `fuzz/corpus`, and the name of its program.
    pub name: &'static str,
    pub body: fn(&[u8]),
    /// Another whose inputs are of the same form.
    pub like: Option<&'static str>,
}

/// All of them.
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
    /// The folders of its inputs.
    pub fn folders(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.like)
    }
}

/// The target of a name.
///
/// # Panics
/// There is none.
pub fn target(name: &str) -> fn(&[u8]) {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target `{name}`")).body
}
