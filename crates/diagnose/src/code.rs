//! `code`: the machine code of the body and of what it calls. The child says where its measuring loop is; the file that is mapped there is
//! read after the process has ended. Nothing is run.

use crate::{Belongs, Cost, Diagnoser, Entry, File, Findings, Missing, Need, Signal, Subject, Tools, Work};
use std::collections::BTreeMap;
use std::fs;
use tare_code::{collect, compare, consists, listing, Code, Request, Sameness};
use tare_model::{Artifact, Lack, LanguageFacts, LaunchChange, Maker, Remark, Side};
use tare_text::plural;

pub(crate) const CODE: Entry = Entry {
    name: NAME,
    about: "the machine code of the body and of what it calls, with source lines",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux on x86-64"),
        Need::Language("C, C++, Rust, or a front end with the capability `code`; built with `-g` for source lines"),
    ],
    metrics: &[],
    topic: "code",
    make: || Box::new(Disassembler::default()),
};

const NAME: &str = "code";
/// The capability of a child that says where its loops are.
const CAPABILITY: &str = "code";
/// Calls that are followed, one after the other.
const DEPTH: u32 = 2;
const ADVICE: &str = "`tare show --code` prints it";
/// Columns of the readable listing.
const COLUMNS: usize = 100;
/// A larger program is not read.
const PROGRAM_MAX: u64 = 1 << 30;
/// Nor is a larger source.
const SOURCE_MAX: u64 = 8 << 20;

#[derive(Default)]
struct Disassembler {
    subject: Option<Subject>,
    pid: Option<u32>,
    found: Option<Place>,
    /// The code of one side of a comparison until that of the other side is read, by benchmark and job.
    one_side: BTreeMap<(String, u32), (Side, Code)>,
}

/// Where a measuring loop is.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    /// The file that is mapped there.
    path: String,
    /// Where in the file.
    offset: u64,
}

impl Diagnoser for Disassembler {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Ok(());
        }
        let reason =
            "machine code can only be read on Linux on x86-64 yet; `objdump -d PROGRAM` can show it".to_owned();
        Err(Missing { reason, is_fatal: true })
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
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

    fn work(&self) -> Work {
        Work::Open
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        (self.subject, self.pid, self.found) = (Some(subject.clone()), None, None);
        Ok(LaunchChange::default())
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
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

    fn findings(&mut self) -> Result<Findings, String> {
        let found = self.found.take().ok_or("the process did not open the benchmark")?;
        let content = read(&found.path, PROGRAM_MAX).map_err(|why| format!("cannot read `{}`: {why}", found.path))?;
        let elf = tare_code::elf::Elf::read(&content);
        let start = elf.and_then(|elf| elf.address_of(found.offset));
        let start = start.ok_or_else(|| format!("`{}` is not an ELF program of 64 bits", found.path))?;
        let language = self.subject.as_ref().map_or("", |subject| &subject.language);
        let facts = LanguageFacts::of_any(language);
        let request = Request {
            program: &found.path,
            start,
            depth: DEPTH,
            leaves: facts.loop_is_left,
            own_files: facts.loop_files,
        };
        let code = collect(&content, &request, &|path| read(path, SOURCE_MAX).ok())?;
        let mut findings = Findings { files: files(&code), facts: numbers(&code), ..Findings::default() };
        match self.subject.as_ref().and_then(|subject| subject.side) {
            Some(side) => self.compare(side, code, &mut findings),
            None => findings.remarks = remarks(&code),
        }
        Ok(findings)
    }
}

impl Disassembler {
    /// Says how the code of the two sides differs, where both are read.
    fn compare(&mut self, side: Side, code: Code, findings: &mut Findings) {
        let key = self.subject.as_ref().map(|subject| (subject.key.clone(), subject.job)).unwrap_or_default();
        let Some((other, code_of_other)) = self.one_side.remove(&key).filter(|(other, _)| *other != side) else {
            self.one_side.insert(key, (side, code));
            return;
        };
        let (base, new) = if other == Side::Base { (&code_of_other, &code) } else { (&code, &code_of_other) };
        let difference = compare(base, new);
        let text = difference.lines(COLUMNS).join("\n") + "\n";
        findings.files.push(file("code-diff.txt", "differences of the machine code", "text/plain", text.into_bytes()));
        findings.facts.push(("same", f64::from(u8::from(difference.sameness == Sameness::Same))));
        let body = |code: &Code| code.functions.first().map(|body| consists(&body.summary)).unwrap_or_default();
        let text = match difference.sameness {
            Sameness::Different => {
                format!("{}; the body is {} in the base and {} now", difference.summary(), body(base), body(new))
            }
            _ => format!("{}; the body is {}", difference.summary(), body(new)),
        };
        let text = difference.inlined_differently().into_iter().fold(text, |text, line| format!("{text}; {line}"));
        findings.remarks.push(Remark { is_warning: false, text, advice: ADVICE.to_owned() });
    }
}

/// What the body and what it calls consist of.
fn numbers(code: &Code) -> Vec<(&'static str, f64)> {
    let of = &code.total;
    vec![
        ("bytes", of.bytes as f64),
        ("instructions", f64::from(of.instructions)),
        ("calls", f64::from(of.calls)),
        ("functions", code.functions.len() as f64),
        ("vector_bits", f64::from(of.vector_bits)),
    ]
}

/// The listing for people, and the values for programs.
fn files(code: &Code) -> Vec<File> {
    let text = listing(code, COLUMNS).join("\n") + "\n";
    vec![
        file("code.txt", "machine code", "text/plain", text.into_bytes()),
        file(Code::FILE, "machine code for programs", Code::MEDIA_TYPE, code.to_json()),
    ]
}

fn file(name: &str, title: &str, media_type: &str, content: Vec<u8>) -> File {
    File {
        of: Belongs::Case,
        name: name.to_owned(),
        title: title.to_owned(),
        media_type: media_type.to_owned(),
        maker: Maker::Tare,
        content: Ok(content),
    }
}

fn remarks(code: &Code) -> Vec<Remark> {
    let Some(body) = code.functions.first() else { return Vec::new() };
    let called = code.functions.len() - 1;
    let mut text = format!("the body is {}", consists(&body.summary));
    if called > 0 {
        let functions = plural(called, "function");
        text.push_str(&format!("; with {functions} that it calls, {}", consists(&code.total)));
    }
    vec![Remark { is_warning: false, text, advice: ADVICE.to_owned() }]
}

/// The file that is mapped at an address, from the list of what a process has mapped.
fn place(maps: &str, address: u64) -> Result<Place, String> {
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
        return Ok(Place { path: path.to_owned(), offset: offset + (address - start) });
    }
    Err(format!("the front end says that its loop is at {address:#x}, where the process has nothing"))
}

/// The content of a file, if it is one and not too large.
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
        assert_eq!(found, Place { path: "/tmp/a b/bench".to_owned(), offset: 0x1234 });
        for (address, why) in [(0x7ffd_0000_0010, "no file"), (0x7ffe_0000_0010, "no file"), (0x10, "has nothing")] {
            let wrong = place(MAPS, address).expect_err("no file");
            assert!(wrong.contains(why), "{wrong}");
        }
        assert!(place("nonsense\n1-2\n\n", 1).is_err());
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let mut diagnoser = Disassembler::default();
        let why = diagnoser.signal(&Signal::Opened { loop_address: None }).expect_err("no address");
        assert!(why.contains("does not say where"), "{why}");
        assert!(read("/proc", 10).is_err_and(|why| why.contains("not a file")));
        diagnoser.found = Some(Place { path: "/etc/passwd".to_owned(), offset: 0 });
        assert!(diagnoser.findings().is_err_and(|why| why.contains("not an ELF program")));
    }
}
