use std::fs;
use std::path::Path;
use tare_model::Artifact;

pub(super) use tare_code::elf::{Elf, Function};

/// Reading larger programs would delay the start of a run.
const SIZE_MAX: u64 = 256 << 20;

pub(super) fn content(artifact: &Artifact) -> Option<Vec<u8>> {
    let path = artifact.command.first().map(Path::new).filter(|path| path.is_absolute())?;
    let is_read = fs::metadata(path).is_ok_and(|facts| facts.is_file() && facts.len() <= SIZE_MAX);
    is_read.then(|| fs::read(path).ok())?
}
