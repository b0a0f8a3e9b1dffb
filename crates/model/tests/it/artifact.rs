//! Programs and their layouts.

use tare_model::{Artifact, Draw, HARNESS};

#[test]
fn a_launch_runs_the_layout_that_it_drew() {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
    let second = Draw { layout: 3, ..Draw::default() };
    let own = Artifact { command: texts(&["a", "--x"]), layouts: texts(&["a", "b"]), ..Artifact::default() };
    assert_eq!((own.words(&second), own.program(&second)), (texts(&["b", "--x"]), Some("b")));
    let command = texts(&["tare", "measure-suite", "{}", "a", "--x"]);
    let other = Artifact { command: command.clone(), toolchain: HARNESS.to_owned(), ..own };
    assert_eq!(other.words(&second), texts(&["tare", "measure-suite", "{}", "b", "--x"]));
    let one = Artifact { layouts: Vec::new(), ..other };
    assert_eq!((one.words(&second), one.program(&second)), (command, Some("tare")));
}
