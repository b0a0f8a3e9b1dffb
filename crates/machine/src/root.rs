//! A fake `/` for tests.

use std::path::PathBuf;
use tempfile::TempDir;

/// A root with these files, removed on drop; `CPUS` in a name is replaced by the processors' folder.
pub(crate) fn root(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::Builder::new().prefix("tare machine-").suffix(" ä").tempdir().unwrap();
    for (name, text) in files {
        write(&root, &name.replace("CPUS", crate::doctor::CPUS), text);
    }
    root
}

pub(crate) fn write(root: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = root.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}
