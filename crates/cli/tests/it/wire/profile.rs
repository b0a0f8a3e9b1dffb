//! `tare profile` where nothing was profiled.

use crate::support::{err, reference, Place};

#[test]
fn what_watches_nothing_says_so_and_a_run_without_a_profile_too() {
    let place = Place::new("profile-none");
    let words = ["run", reference(), "--filter", "strlen", "--quick", "--launches", "2", "--diagnose-for", "1s"];
    let done = place.tare(words);
    assert!(err(&done).contains("`--diagnose-for` has no effect without `--diagnose profile`"), "{}", err(&done));
    let said = place.fails_with(2, ["show", "latest", "--flame"]);
    assert!(said.contains("has no profile") && said.contains("tare profile TARGET CASE"), "{said}");
    let said = place.fails_with(4, ["show", "latest", "-o", "p.folded"]);
    assert!(said.contains("`p.folded` shows nothing: no case has a profile"), "{said}");
}
