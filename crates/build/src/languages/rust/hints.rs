//! What to do about what Cargo and rustc said.

use crate::toolchain::hints::{first, naming, rule, Rule};

macro_rules! add_from_clone {
    () => {
        "add the front end from a clone of Tare: `cargo add --dev tare --path PATH-TO-TARE/frontends/rust/tare`"
    };
}
macro_rules! not_ours {
    () => {
        "the `tare` on crates.io is another project"
    };
}
const ADD_TARE: &str = concat!(add_from_clone!(), "; ", not_ours!());
const ANOTHER_TARE: &str = concat!(not_ours!(), ": `cargo remove --dev tare`, then ", add_from_clone!());

const RULES: &[Rule] = &[
    rule(&["linker `cc` not found"], "install a linker: `apt install gcc libc6-dev`"),
    naming(
        &["requires rustc "],
        ("requires rustc ", " "),
        "update Rust: `rustup update` (at least {})",
    ),
    rule(&["is not permitted in Rust 2015"], "use a newer edition: `edition = \"2021\"` in Cargo.toml, `// tare-edition: 2021` in a file"),
    rule(&["feature `edition2024` is required"], "update Rust: `rustup update`; or use `edition = \"2021\"`"),
    rule(&["only allowed in Rust 2024"], "use a newer edition: `edition = \"2024\"` in Cargo.toml, `// tare-edition: 2024` in a file"),
    rule(&["only allowed in Rust 2021 or later"], "use a newer edition: `edition = \"2021\"` in Cargo.toml, `// tare-edition: 2021` in a file"),
    rule(&["failed to parse the `edition` key"], "use an edition that this Rust knows: `// tare-edition: 2021`"),
    rule(&["ignoring invalid dependency `tare` which is missing a lib target"], ANOTHER_TARE),
    rule(&["this file contains", "`tare`"], ADD_TARE),
    rule(&["unresolved module or unlinked crate `tare`"], ADD_TARE),
    naming(
        &["use of unresolved module or unlinked crate `"],
        ("use of unresolved module or unlinked crate `", "`"),
        "add the crate: `// tare-dependencies: {} = \"*\"` in a single file, `cargo add --dev {}` in a package",
    ),
    naming(
        &["unresolved import `"],
        ("unresolved import `", "`"),
        "if `{}` is another crate, add it: `// tare-dependencies: NAME = \"*\"` in a single file, `cargo add --dev NAME` in a package",
    ),
    rule(&["E0554"], "it needs a nightly compiler: set `RUSTUP_TOOLCHAIN=nightly`; or `RUSTC_BOOTSTRAP=1`, by which this one has what nightly has"),
    rule(&["`main` function not found in crate"], "a benchmark file ends with `fn main() { tare::main() }`"),
    rule(&["Could not resolve host"], "a dependency must be downloaded and there is no network: run `cargo fetch` with network access first"),
    rule(&["failed to download"], "a dependency must be downloaded: check the network, or run `cargo fetch` first"),
    rule(&["no matching package named"], "check the name and version of the dependency"),
];

/// The hint for what was printed, where one is known.
pub(super) fn of(output: &str) -> Option<String> {
    first(RULES, output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::hints::of_output;

    #[test]
    fn what_nightly_has_says_how_to_get_it() {
        let said = "error[E0554]: `#![feature]` may not be used on the stable release channel\n --> benches/b.rs:1:1\n";
        assert!(of_output(said).is_some_and(|hint| hint.contains("RUSTUP_TOOLCHAIN=nightly")));
    }

    #[test]
    fn the_crate_of_the_same_name_is_not_recommended() {
        let missing = "error[E0433]: cannot find module or crate: use of unresolved module or unlinked crate `tare`\n";
        assert_eq!(of_output(missing).as_deref(), Some(ADD_TARE));
        let cargo = "warning: b v0.1.0 (/b) ignoring invalid dependency `tare` which is missing a lib target\n";
        assert_eq!(of_output(&format!("{cargo}{missing}")).as_deref(), Some(ANOTHER_TARE));
    }
}
