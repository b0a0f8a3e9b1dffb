//! A program that is replaced while it is measured: two programs never share a row.

use crate::support::{out, reference, Place};

#[test]
fn a_program_that_is_replaced_during_a_run_is_a_named_failure() {
    let place = Place::new("replaced");
    let (own, count) = (place.join("child"), place.join("count"));
    let (own, count) = (own.display(), count.display());
    // The first start lists; the fourth and later ones put another script into its place.
    let text = format!(
        "#!/bin/sh\necho x >> '{count}'\nif [ $(wc -l < '{count}') -ge 4 ]; then\n  cp '{own}' '{own}.'$$\n  \
         echo '# another' >> '{own}.'$$\n  mv '{own}.'$$ '{own}'\nfi\nexec '{}'\n",
        reference()
    );
    let script = place.script("child", &text);
    let output = place.tare(["run", &script, "--quick"]);
    let shown = out(&output);
    assert_eq!(output.status.code(), Some(100), "{shown}");
    assert!(shown.contains("its program was replaced during the run: `"), "{shown}");
    assert!(shown.contains("do not rebuild the program during the run"), "{shown}");
}
