//! Finds the compiler of this program: rustc writes its name into the section `.comment` of ELF files. (A build script could tell
//! as well, but would cost each build more than the rest of this crate.)

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The maximum number of sections, and of bytes per section, that are read.
const MOST: usize = 1 << 16;

fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + size)?;
    bytes.iter().rev().try_fold(0_usize, |sum, &byte| sum.checked_mul(256).map(|sum| sum + usize::from(byte)))
}

fn read(file: &mut File, from: usize, size: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; size.min(MOST)];
    file.seek(SeekFrom::Start(from as u64)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// `rustc 1.95.0 (59807616e 2026-04-14)`; `None` if the file is not 64-bit little-endian ELF, or is stripped.
pub(crate) fn name() -> Option<String> {
    let mut file = File::open(std::env::current_exe().ok()?).ok()?;
    let header = read(&mut file, 0, 64)?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (sections, size, count) = (number(&header, 40, 8)?, number(&header, 58, 2)?, number(&header, 60, 2)?);
    let table = read(&mut file, sections, size * count)?;
    for section in table.chunks_exact(size.max(64)) {
        // Program data (type 1) that are strings (flags 0x30) and not loaded (address 0).
        if number(section, 4, 4)? == 1 && number(section, 8, 8)? == 0x30 && number(section, 16, 8)? == 0 {
            let text = read(&mut file, number(section, 24, 8)?, number(section, 32, 8)?)?;
            let mut pieces = text.split(|&byte| byte == 0);
            if let Some(found) = pieces.find_map(|piece| piece.strip_prefix(b"rustc version ".as_slice())) {
                return Some(format!("rustc {}", String::from_utf8_lossy(found)));
            }
        }
    }
    None
}
