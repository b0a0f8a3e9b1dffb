//! Every input that was kept, once.

use super::TARGETS;
use std::fs;
use std::path::Path;

#[test]
fn no_kept_input_panics() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut bytes = 0;
    for target in TARGETS {
        let folder = corpus.join(target.name);
        let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut count = 0;
        for file in files.flatten() {
            let content = fs::read(file.path()).expect("a kept input");
            bytes += content.len();
            count += 1;
            // The name of the input, when it panics.
            println!("{}", file.path().display());
            (target.body)(&content);
        }
        assert!(count > 0, "{} has no input", target.name);
    }
    assert!(bytes < 1 << 20, "the kept inputs have {bytes} bytes");
}
