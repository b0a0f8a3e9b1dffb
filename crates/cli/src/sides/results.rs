//! Finds and reads result files and folders.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::time::Duration;
use tare_analysis::{Code, Finding, Saved, Sentence, Severity};
use tare_build::discover;

/// Maximum depth of a results folder: criterion's has five levels.
const DEPTH_MAX: usize = 8;
/// Maximum number of files in one.
const FILES_MAX: usize = 20_000;

pub fn read_result(name: &str, path: &Path, criterion: &str) -> Result<Saved, Failure> {
    if !path.is_dir() {
        let bytes = unpacked(read_given(path)?, tare_import::BYTES_MAX);
        return tare_import::read(name, &bytes).map_err(Failure::Import);
    }
    let mut files = Vec::new();
    let Below { files: found, empty, left_out } = files_below(path)?;
    let below = |found: &Path| found.strip_prefix(path).unwrap_or(found).to_string_lossy().into_owned();
    for file in found {
        let bytes = read_text(&file).map_err(|source| Failure::CannotRead { path: file.clone(), source })?;
        let bytes = unpacked(bytes, tare_import::BYTES_MAX);
        files.push((below(&file), bytes));
    }
    // An empty folder belongs to a benchmark without a result.
    files.extend(empty.iter().map(|folder| (format!("{}/", below(folder)), Vec::new())));
    let mut side = tare_import::read_folder(name, &files, criterion).map_err(Failure::Import)?;
    if !left_out.is_empty() {
        let names = left_out.iter().map(|path| below(path)).collect();
        let what = "links to folders, special files and folders that lie too deep are not looked into: {names}";
        let advice = "copy the results in them into the folder";
        side.findings.push(Finding::new(
            Code::LeftOut,
            Severity::Warning,
            Sentence::new(what).names("names", names),
            advice,
        ));
    }
    Ok(side)
}

/// A file given as a side. Reading from a pipe may block for long, so the user can interrupt.
fn read_given(path: &Path) -> Result<Vec<u8>, Failure> {
    /// Interval between checks for an interrupt.
    const LOOK: Duration = Duration::from_millis(50);
    let unreadable = |source| Failure::CannotRead { path: path.to_owned(), source };
    if !is_stream(path) {
        return read_file(path).map_err(unreadable);
    }
    let (bytes, received) = channel();
    let stream = path.to_owned();
    std::thread::spawn(move || bytes.send(read_file(&stream)));
    loop {
        match received.recv_timeout(LOOK) {
            Ok(read) => return read.map_err(unreadable),
            Err(RecvTimeoutError::Timeout) if !tare_process::interrupted() => {}
            Err(_) => return Err(Failure::Interrupted),
        }
    }
}

fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|facts| !facts.is_file() && !facts.is_dir())
}

/// Reads up to one byte beyond the limit, which is enough to detect a file that is too large.
pub(super) fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(tare_import::BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Like `read_file`, but if the file is neither text nor compressed, only its start, which shows that.
fn read_text(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    /// Bytes to inspect for telling text from binary data.
    const LOOKED_AT: u64 = 4096;
    let (mut file, mut bytes) = (fs::File::open(path)?, Vec::new());
    file.by_ref().take(LOOKED_AT).read_to_end(&mut bytes)?;
    let zeros = bytes.iter().filter(|byte| **byte == 0).count();
    // In UTF-16 nearly every other byte is 0.
    if zeros == 0 || zeros * 5 > bytes.len() * 2 || bytes.starts_with(&GZIP) {
        file.take(tare_import::BYTES_MAX as u64 + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Unpacks gzip data as written by `-o r.json.gz`, up to one byte beyond the limit. Damaged or too large data is returned unchanged, so
/// that its reader reports it.
pub(super) fn unpacked(bytes: Vec<u8>, bytes_max: usize) -> Vec<u8> {
    use std::io::Read;
    if !bytes.starts_with(&GZIP) || bytes.len() > bytes_max {
        return bytes;
    }
    let mut content = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(&bytes[..]).take(bytes_max as u64 + 1).read_to_end(&mut content);
    if read.is_ok() {
        content
    } else {
        bytes
    }
}

#[derive(Default)]
struct Below {
    files: Vec<PathBuf>,
    empty: Vec<PathBuf>,
    left_out: Vec<PathBuf>,
}

fn files_below(folder: &Path) -> Result<Below, Failure> {
    let (mut below, mut folders) = (Below::default(), vec![(folder.to_owned(), 0)]);
    while let Some((folder, depth)) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|source| Failure::CannotRead { path: folder.clone(), source })?;
        let mut entries = entries.flatten().map(|entry| entry.path()).peekable();
        if entries.peek().is_none() {
            below.empty.push(folder);
        }
        for path in entries {
            if path.is_file() {
                below.files.push(path);
            } else if path.is_dir() && !path.is_symlink() && depth < DEPTH_MAX {
                folders.push((path, depth + 1));
            } else {
                below.left_out.push(path);
            }
        }
        // The reader refuses longer lists.
        if below.files.len() > FILES_MAX {
            break;
        }
    }
    [&mut below.files, &mut below.empty, &mut below.left_out].into_iter().for_each(|paths| paths.sort());
    Ok(below)
}

/// Whether a folder contains a result, by file name or content.
fn has_results(folder: &Path) -> bool {
    let is_one = |path: &PathBuf| {
        let is_result = |bytes| tare_import::is_result(&unpacked(bytes, tare_import::BYTES_MAX));
        tare_import::wants(&path.to_string_lossy()) || read_text(path).is_ok_and(is_result)
    };
    files_below(folder).is_ok_and(|below| below.files.iter().any(is_one))
}

/// Whether a file or folder is a saved result, by its content.
pub(super) fn is_result(path: &Path) -> bool {
    // A stream cannot be built, and inspecting its content would consume it.
    if is_stream(path) {
        return true;
    }
    if path.is_dir() {
        let run = ["run.json", "events.jsonl"].iter().any(|name| path.join(name).is_file());
        // A folder with nothing to build is a results folder if it contains any result.
        return run || (discover::discover(&[path.to_owned()]).is_err() && has_results(path));
    }
    let is_source = discover::Language::of_source(path).is_some();
    let is_project = path.file_name().and_then(|name| name.to_str()).is_some_and(tare_build::languages::is_manifest);
    if is_source || is_project {
        return false;
    }
    if tare_import::wants(&path.to_string_lossy()) {
        return true;
    }
    // Other files are recognised by content, since no program starts like a result.
    read_file(path).is_ok_and(|bytes| {
        bytes.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|b| b"{[".contains(b))
            || tare_import::is_result(&bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).expect("written");
        encoder.finish().expect("gzip")
    }

    #[test]
    fn of_what_is_no_text_the_beginning_is_read_and_what_is_compressed_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |bytes: &[u8]| {
            let path = folder.path().join("a");
            fs::write(&path, bytes).expect("written");
            read_text(&path).expect("read").len()
        };
        let numbers: String = (0..20_000_u64).map(|n| (n * n * 2_654_435_761 % 1_000_003).to_string()).collect();
        let packed = gzip(numbers.as_bytes());
        assert!(packed.len() > 5000 && packed[..4096].contains(&0));
        assert_eq!((read(&packed), read(numbers.as_bytes())), (packed.len(), numbers.len()));
        assert_eq!((read(&[&[0x7f, 0][..], &[1; 9000]].concat()), read(&[b'a', 0].repeat(9000))), (4096, 18_000));
    }

    #[test]
    fn what_is_compressed_is_unpacked_up_to_a_limit() {
        let small = gzip(b"{}");
        assert_eq!(unpacked(small.clone(), 100), b"{}");
        assert_eq!(unpacked([small.clone(), gzip(b"\n")].concat(), 100), b"{}\n", "in several parts");
        // A small file may unpack to a lot; one byte too many shows that it is too large.
        let bomb = gzip(&[b' '; 100_000]);
        assert!(bomb.len() < 1000);
        assert_eq!(unpacked(bomb, 1000).len(), 1001);
        let cut = small[..small.len() - 4].to_vec();
        assert_eq!(unpacked(cut.clone(), 100), cut);
        assert_eq!(unpacked(b"{}".to_vec(), 1), b"{}");
    }
}
