//! How each linker is told to lay out the same code in another order.

use super::order::{self, Random};
use super::pad;
use super::record::{name_beside, Link};
use crate::toolchain::context::Variables;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tare_process::helper::{run, Limits};

/// Time limit of a link; the output limit leaves room for a linker script.
const LIMITS: Limits = Limits { time: Duration::from_secs(120), bytes: 1 << 20 };
/// Greatest pad, in steps of [`PAD_STEP`]: a page. The system already randomises positions by whole pages at each start.
const PAD_STEPS: usize = 256;
/// Default alignment of functions, bytes.
const PAD_STEP: usize = 16;

#[derive(Debug)]
enum Offer {
    /// mold shuffles by itself: the flag before the seed.
    Flag(&'static str),
    /// lld takes a list of symbols; each has its own section.
    Symbols { sections: Vec<String> },
    /// GNU ld takes a script.
    Script { usual: String, sections: Vec<String> },
}

pub(super) struct Relinker<'a> {
    link: Link,
    offer: Offer,
    variables: &'a Variables,
    scratch: &'a Path,
    /// The program as it was first linked.
    program: &'a [u8],
}

impl<'a> Relinker<'a> {
    /// Finds out what the linker of this program offers; otherwise the reason why not, for people.
    pub(super) fn new(
        link: Link,
        variables: &'a Variables,
        scratch: &'a Path,
        program: &'a [u8],
    ) -> Result<Relinker<'a>, String> {
        if let Some(obstacle) = link.obstacle() {
            return Err(obstacle.to_owned());
        }
        let done = run(variables.command(&link.linker).arg("--version"), LIMITS)
            .map_err(|e| format!("`{}` could not be started: {e}", link.linker.display()))?;
        let version = done.text().lines().next().unwrap_or_default().to_owned();
        let is = |name: &str| version.contains(name);
        let offer = if is("LLD") {
            let (_, map) = probe(&link, variables, scratch, &[])?;
            Offer::Symbols { sections: order::sections_of_lld_map(&map) }
        } else if is("mold") {
            Offer::Flag("--shuffle-sections=")
        } else if is("GNU ld") {
            let (output, map) = probe(&link, variables, scratch, &["--verbose"])?;
            let usual = order::script_of(&output).ok_or("the linker does not print its script")?;
            Offer::Script { usual: usual.to_owned(), sections: order::sections_of_map(&map) }
        } else {
            return Err(format!("the linker `{version}` is not known"));
        };
        if matches!(&offer, Offer::Symbols { sections } | Offer::Script { sections, .. } if sections.len() < 2) {
            return Err("its functions are not in separate sections (`-ffunction-sections`)".to_owned());
        }
        Ok(Relinker { link, offer, variables, scratch, program })
    }

    pub(super) fn link(&self, name: &str, seed: u64) -> Result<PathBuf, String> {
        let out = self.scratch.join(name);
        let mut random = Random(seed);
        let pad = random.below(PAD_STEPS) * PAD_STEP;
        let mut command = self.link.command(self.variables, self.scratch, &out);
        let beside = |suffix: &str| self.scratch.join(name_beside(&out, suffix));
        let ordered = |sections: &[String]| order::in_parts(order::ordered(sections, seed));
        match &self.offer {
            // mold takes a 32-bit seed.
            Offer::Flag(flag) => {
                command.arg(format!("{flag}{}", random.below(0x7fff_fffe) + 1));
                self.add_pads(&mut command, &beside("pad.o"), pad, 0)?;
            }
            Offer::Symbols { sections } => {
                let (order, parts) = ordered(sections);
                let list: Vec<String> = iter::once(pad::symbol(0)).chain(order::symbols(&order)).collect();
                write(&beside("order"), list.join("\n").as_bytes())?;
                command.arg("--no-warn-symbol-ordering").arg("--symbol-ordering-file").arg(beside("order"));
                self.add_pads(&mut command, &beside("pad.o"), pad, parts)?;
            }
            Offer::Script { usual, sections } => {
                let (order, _) = ordered(sections);
                let script = order::script(usual, &order, pad).ok_or("the linker's script has an unknown form")?;
                write(&beside("script"), script.as_bytes())?;
                command.arg("-T").arg(beside("script"));
            }
        }
        // Debug information is most of a program, and the first program has it already.
        finish(command.arg("--strip-debug"))?;
        Ok(out)
    }

    /// Adds an object of pads. If it cannot be made, only the order moves the code.
    fn add_pads(&self, command: &mut Command, path: &Path, size: usize, parts: usize) -> Result<(), String> {
        if let Some(object) = pad::object(self.program, size as u16, parts, order::PART_STEP) {
            write(path, &object)?;
            command.arg(path);
        }
        Ok(())
    }
}

/// Repeats the original link with extra flags, and returns its output and map.
fn probe(link: &Link, variables: &Variables, scratch: &Path, flags: &[&str]) -> Result<(String, String), String> {
    let map = scratch.join("map");
    let mut command = link.command(variables, scratch, &scratch.join("probe"));
    let output = finish(command.args(flags).arg("-Map").arg(&map))?;
    let content = fs::read(&map).map_err(|e| format!("the linker wrote no map: {e}"))?;
    Ok((output, String::from_utf8_lossy(&content).into_owned()))
}

fn finish(command: &mut Command) -> Result<String, String> {
    let done = run(command, LIMITS).map_err(|e| format!("the linker could not be started: {e}"))?;
    if !done.success {
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let line = text.lines().find(|line| line.contains("error")).or(text.lines().next()).unwrap_or_default();
        return Err(format!("the linker failed: {}: {line}", done.status));
    }
    Ok(done.text())
}

fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    fs::write(path, content).map_err(|e| format!("cannot write `{}`: {e}", path.display()))
}
