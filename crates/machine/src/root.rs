//! A folder in place of `/`, for tests.

use std::path::PathBuf;
use tempfile::TempDir;

/// A root with these files; `CPUS` in a name stands for the folder of the processors. Gone when dropped.
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
