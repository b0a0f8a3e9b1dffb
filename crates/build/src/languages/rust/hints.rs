use crate::toolchain::hints::Hint;

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

pub(super) const HINTS: &[Hint] = &[
    (&["linker `cc` not found"], "install a linker: `apt install gcc libc6-dev`"),
    (&["requires rustc {} "], "update Rust: `rustup update` (at least {})"),
    (&["feature `edition2024` is required"], "update Rust: `rustup update`; or use `edition = \"2021\"`"),
    (
        &["only allowed in Rust 2024"],
        "use a newer edition: `edition = \"2024\"` in Cargo.toml, `// tare-edition: 2024` in a file",
    ),
    (
        &["is not permitted in Rust 2015", "only allowed in Rust 2021 or later"],
        "use a newer edition: `edition = \"2021\"` in Cargo.toml, `// tare-edition: 2021` in a file",
    ),
    (&["failed to parse the `edition` key"], "use an edition that this Rust knows: `// tare-edition: 2021`"),
    (&["ignoring invalid dependency `tare` which is missing a lib target"], ANOTHER_TARE),
    (&["this file contains ... `tare`", "unresolved module or unlinked crate `tare`"], ADD_TARE),
    (
        &["use of unresolved module or unlinked crate `{}`"],
        "add the crate: `// tare-dependencies: {} = \"*\"` in a single file, `cargo add --dev {}` in a package",
    ),
    (
        &["unresolved import `{}`"],
        "if `{}` is another crate, add it: `// tare-dependencies: NAME = \"*\"` in a single file, `cargo add --dev NAME` in a package",
    ),
    (
        &["E0554"],
        "it needs a nightly compiler: set `RUSTUP_TOOLCHAIN=nightly`; or `RUSTC_BOOTSTRAP=1`, by which this one has what nightly has",
    ),
    (&["`main` function not found in crate"], "a benchmark file ends with `fn main() { tare::main() }`"),
    (
        &["failed to download", "failed to get ... Could not resolve host"],
        "a dependency must be downloaded: run `cargo fetch` with network access first",
    ),
    (&["no matching package named"], "check the name and version of the dependency"),
];

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
