//! `--diagnose code` and `tare show --code` where there is none.

use crate::support::{reference, Place};

#[test]
fn what_has_no_code_to_show_is_named() {
    let place = Place::new("code-none");
    let words = ["run", reference(), "--diagnose", "code", "--ascii"];
    let said = place.fails_with(2, words);
    assert!(said.contains("the front end of `reference-child` does not say where its loops are"), "{said}");
    assert!(said.contains("`tare help code` explains what it needs"), "{said}");
    place.ends_with(0, ["run", reference(), "--quick", "--launches", "2", "--rounds", "3", "--filter", "sum"]);
    let none = place.fails_with(2, ["show", "--code"]);
    assert!(none.contains("has no machine code") && none.contains("`--diagnose code`"), "{none}");
}
