//! Finds the measuring loop of a benchmark and reads its machine code.

use crate::{Belongs, File, Missing, Signal, Subject};
use std::fs;
use tare_code::{collect, Code, LoopRequest};
use tare_model::{Artifact, Lack, LanguageFacts, Maker};

/// The capability of a child that reports where its loops are.
const CAPABILITY: &str = "code";
/// Depth to which calls are followed if the plan does not say.
pub(crate) const DEPTH: u32 = 2;
/// Larger programs are not read, bytes.
const PROGRAM_MAX: u64 = 1 << 30;
/// Larger sources are not read, bytes.
const SOURCE_MAX: u64 = 32 << 20;

/// The body of a benchmark in a process: the child reports where its measuring loop is, and the file mapped there is read after the process
/// has ended.
#[derive(Default)]
pub(crate) struct Body {
    subject: Option<Subject>,
    pid: Option<u32>,
    found: Option<LoopPlace>,
}

#[derive(Debug, PartialEq, Eq)]
struct LoopPlace {
    path: String,
    /// Offset in the file.
    offset: u64,
}

/// Whether machine code can be read here.
pub(crate) fn possible() -> Result<(), Missing> {
    if cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
        return Ok(());
    }
    let reason =
        "machine code can only be read on Linux on x86-64 and AArch64; `objdump -d PROGRAM` can show it".to_owned();
    Err(Missing { reason, is_fatal: true })
}

/// Why the code of a program cannot be read.
pub(crate) fn lacks(program: &Artifact) -> Option<Lack> {
    let child = program.child.as_ref()?;
    if child.can(CAPABILITY) {
        return None;
    }
    let reason = match child.compiles_late {
        true => format!("`{}` is compiled while it runs, and its machine code is in no file", program.name),
        false => format!("the front end of `{}` does not say where its loops are", program.name),
    };
    Some(Lack { reason, advice: String::new() })
}

impl Body {
    pub(crate) fn of(subject: &Subject) -> Body {
        Body { subject: Some(subject.clone()), ..Body::default() }
    }

    pub(crate) fn subject(&self) -> Option<&Subject> {
        self.subject.as_ref()
    }

    /// Locates the loop once its address is known.
    pub(crate) fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        match signal {
            Signal::Started { pid } => self.pid = Some(*pid),
            Signal::Opened { loop_address } => {
                let address = loop_address.ok_or("the front end does not say where the loop of this benchmark is")?;
                let pid = self.pid.ok_or("the process is not known")?;
                let path = format!("/proc/{pid}/maps");
                let maps = fs::read_to_string(&path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
                self.found = Some(place(&maps, address)?);
            }
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn read(&mut self) -> Result<Code, String> {
        let found = self.found.take().ok_or("the process did not open the benchmark")?;
        let content = read(&found.path, PROGRAM_MAX).map_err(|why| format!("cannot read `{}`: {why}", found.path))?;
        let elf = tare_code::elf::Elf::read(&content);
        let start = elf.and_then(|elf| elf.address_of(found.offset));
        let start = start.ok_or_else(|| format!("`{}` is not an ELF program of 64 bits", found.path))?;
        let language = self.subject.as_ref().map_or("", |subject| &subject.language);
        let facts = LanguageFacts::of_any(language);
        let request = LoopRequest {
            program: &found.path,
            start,
            depth: self.subject.as_ref().and_then(|subject| subject.depth).unwrap_or(DEPTH),
            leaves: facts.loop_is_left,
            is_last: facts.loop_is_last,
            own_files: facts.loop_files,
        };
        collect(&content, &request, &|path| read(path, SOURCE_MAX).ok())
    }
}

pub(crate) fn file(name: &str, title: &str, media_type: &str, content: Vec<u8>) -> File {
    File {
        of: Belongs::Case,
        name: name.to_owned(),
        title: title.to_owned(),
        media_type: media_type.to_owned(),
        maker: Maker::Tare,
        content: Ok(content),
    }
}

/// The file mapped at an address, from the list of a process's mappings.
fn place(maps: &str, address: u64) -> Result<LoopPlace, String> {
    for line in maps.lines() {
        let Some((range, rest)) = line.split_once(' ') else { continue };
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let Some((start, end)) = range.split_once('-').and_then(|(start, end)| Some((hex(start)?, hex(end)?))) else {
            continue;
        };
        if !(start..end).contains(&address) {
            continue;
        }
        let mut words = rest.splitn(5, ' ');
        let offset = words.nth(1).and_then(hex).unwrap_or_default();
        let path = words.nth(2).unwrap_or_default().trim_start();
        if !path.starts_with('/') {
            return Err("the loop of this benchmark is in memory that belongs to no file".to_owned());
        }
        return Ok(LoopPlace { path: path.to_owned(), offset: offset + (address - start) });
    }
    Err(format!("the front end says that its loop is at {address:#x}, where the process has nothing"))
}

/// The content of a regular file that is not too large.
fn read(path: &str, bytes_max: u64) -> Result<Vec<u8>, String> {
    let facts = fs::metadata(path).map_err(|error| error.to_string())?;
    match (facts.is_file(), facts.len() <= bytes_max) {
        (false, _) => Err("it is not a file".to_owned()),
        (_, false) => Err(format!("it has more than {} MiB", bytes_max >> 20)),
        _ => fs::read(path).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
55d0c0a00000-55d0c0a01000 r--p 00000000 fe:00 1234                       /tmp/a b/bench\n\
55d0c0a01000-55d0c0a09000 r-xp 00001000 fe:00 1234                       /tmp/a b/bench\n\
7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0                          [stack]\n\
7ffe00000000-7ffe00001000 rwxp 00000000 00:00 0 \n";

    #[test]
    fn the_file_of_an_address_is_found() {
        let found = place(MAPS, 0x55d0_c0a0_1234).expect("it is mapped");
        assert_eq!(found, LoopPlace { path: "/tmp/a b/bench".to_owned(), offset: 0x1234 });
        for (address, why) in [(0x7ffd_0000_0010, "no file"), (0x7ffe_0000_0010, "no file"), (0x10, "has nothing")] {
            let wrong = place(MAPS, address).expect_err("no file");
            assert!(wrong.contains(why), "{wrong}");
        }
        assert!(place("nonsense\n1-2\n\n", 1).is_err());
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let mut body = Body::default();
        let why = body.signal(&Signal::Opened { loop_address: None }).expect_err("no address");
        assert!(why.contains("does not say where"), "{why}");
        assert!(read("/proc", 10).is_err_and(|why| why.contains("not a file")));
        body.found = Some(LoopPlace { path: "/etc/passwd".to_owned(), offset: 0 });
        assert!(body.read().is_err_and(|why| why.contains("not an ELF program")));
    }
}
