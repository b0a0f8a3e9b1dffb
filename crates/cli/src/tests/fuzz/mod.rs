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
    /// What is called.
    pub body: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "protocol", body: texts::protocol },
    Target { name: "run_reader", body: texts::run_reader },
    Target { name: "import", body: texts::import },
    Target { name: "import_folder", body: texts::import_folder },
    Target { name: "config", body: texts::config },
    Target { name: "command_line", body: texts::command_line },
    Target { name: "words", body: texts::words },
    Target { name: "filters", body: texts::filters },
    Target { name: "events", body: files::events },
    Target { name: "history", body: files::history },
    Target { name: "elf", body: files::elf },
    Target { name: "runtime", body: files::runtime },
    Target { name: "run_shown", body: shown::run },
    Target { name: "saved_shown", body: shown::saved },
    Target { name: "template", body: shown::template },
    Target { name: "attachments", body: shown::attachments },
];

/// The target of a name.
///
/// # Panics
/// There is none.
pub fn target(name: &str) -> fn(&[u8]) {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target `{name}`")).body
}
