//! Programs with the same machine code in another order. The place of a function can change the time by some per cent and stays the same
//! from launch to launch, so it looks like a difference between two builds. Launches that draw among several layouts average it out.
//!
//! The program is compiled once. During the build, stand-ins for the linker record the link and keep objects that the compiler would
//! delete. The same link is then repeated with the sections of code in another order, moved by a random pad:
//!
//! | linker | how |
//! |---|---|
//! | GNU ld | its own script with the order and pads written into `.text` |
//! | lld | `--symbol-ordering-file`, an object of pads |
//! | mold | `--shuffle-sections=SEED`, an object with the first pad |
//!
//! About one function in 32 begins a part of the code at a multiple of 8 kB (not with mold), so that a function of another size moves only
//! those of its own part.
//!
//! The only compiler flag needed is `-ffunction-sections`, so it works for anything that calls a linker: a single file, CMake, Cargo.

mod linker;
mod order;
mod pad;
mod record;

pub(crate) use record::Notebook;

use super::cache::{CacheError, Kept, Key};
use super::context::{text, BuildContext};
use super::entry::{now_ns, Input};
use linker::Relinker;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// Part of the key of stored layouts: increase it if this module makes different layouts.
const VERSION: u32 = 7;
/// Limit on layouts, each of which is a program on disk.
const LIMIT: u32 = 64;
/// After each time, no layouts beyond the number are linked.
const LIMITS: [(Duration, usize); 2] = [
    // Further layouts only help the longest comparisons.
    (Duration::from_secs(5), 32),
    // Programs of usual size reach this many in time even on a busy machine. With fewer layouts, comparisons often stay unclear.
    (Duration::from_secs(10), 8),
];
const NO_NOTE: &str = "its link step could not be recorded";

#[derive(Debug, Serialize, Deserialize)]
struct Layouts {
    /// Layouts other than the program itself.
    others: Vec<Input>,
    /// Why there are no other layouts.
    obstacle: Option<String>,
}

pub(crate) fn wanted(context: &BuildContext) -> bool {
    context.options.layouts > 1
}

/// Layouts of a program that was built before, the program itself first; empty if it has only one. None if they are unknown.
pub(crate) fn known(context: &BuildContext, program: &Path, hash: &str) -> Option<Vec<String>> {
    if !wanted(context) {
        return Some(Vec::new());
    }
    let content = fs::read(context.cache.path(&place(context, hash))).ok()?;
    let layouts: Layouts = serde_json::from_slice(&content).ok()?;
    layouts.others.iter().all(Input::is_unchanged).then(|| tell(context, program, &layouts))
}

pub(crate) fn make(
    context: &BuildContext,
    notes: &Notebook,
    executable: &Path,
    program: &Path,
    hash: &str,
) -> Result<Vec<String>, CacheError> {
    if let Some(known) = known(context, program, hash) {
        return Ok(known);
    }
    let layouts = match notes.find(executable, hash) {
        Some(link) => relink(context, link, program, hash)?,
        // Not stored: the next build may record its link.
        None => return Ok(none(context, NO_NOTE)),
    };
    let content = serde_json::to_vec(&layouts).unwrap_or_default();
    context.cache.write(&place(context, hash), &content)?;
    Ok(tell(context, program, &layouts))
}

/// Warns why a program has only one layout.
pub(crate) fn none(context: &BuildContext, why: &str) -> Vec<String> {
    if wanted(context) {
        context.warn(format!("the layout of its code cannot be varied: {why}"));
    }
    Vec::new()
}

fn tell(context: &BuildContext, program: &Path, layouts: &Layouts) -> Vec<String> {
    match &layouts.obstacle {
        Some(obstacle) => none(context, obstacle),
        None => std::iter::once(text(program)).chain(layouts.others.iter().map(|i| text(i.path()))).collect(),
    }
}

fn place(context: &BuildContext, hash: &str) -> String {
    let key = Key::new("layouts").with(VERSION.to_le_bytes()).with(hash);
    format!("layouts/{}-{}.json", &key.finish()[..16], count(context))
}

fn count(context: &BuildContext) -> u32 {
    context.options.layouts.clamp(2, LIMIT)
}

/// Links the program again, several times in parallel.
fn relink(context: &BuildContext, link: record::Link, program: &Path, hash: &str) -> Result<Layouts, CacheError> {
    let scratch = context.cache.scratch()?;
    let content = fs::read(program).map_err(|e| CacheError::new("read", program, e))?;
    let relinker = match Relinker::new(link, context.variables, &scratch.path, &content) {
        Ok(relinker) => relinker,
        Err(obstacle) => return Ok(Layouts { others: Vec::new(), obstacle: Some(obstacle) }),
    };
    let name = program.file_name().map_or_else(|| "program".to_owned(), |n| n.to_string_lossy().into_owned());
    let last = count(context) as usize;
    let (next, results) = (AtomicUsize::new(1), Mutex::new(Vec::new()));
    let start = Instant::now();
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let is_late = |&(time, enough): &(Duration, usize)| number >= enough && start.elapsed() > time;
        if number >= last || LIMITS.iter().any(is_late) {
            break;
        }
        let made = relinker.link(&format!("{number}"), seed(number));
        let kept = made.map(|path| context.cache.keep_program(&path, &name));
        results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, kept));
    };
    thread::scope(|scope| {
        for _ in 0..context.jobs.clamp(1, last) {
            // If no more threads can be started, this one does it.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                work();
            }
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    in_order(results, hash)
}

/// A layout in the cache, or why it could not be linked.
type Made = Result<Result<Kept, CacheError>, String>;

/// The layouts before the first missing one: both sides of a comparison use the position in the list as the number of the layout.
fn in_order(results: Vec<(usize, Made)>, hash: &str) -> Result<Layouts, CacheError> {
    let mut layouts = Layouts { others: Vec::new(), obstacle: None };
    let mut is_varied = false;
    for (number, result) in results {
        let kept = match result {
            Ok(kept) => kept?,
            Err(failure) => {
                layouts.obstacle = Some(failure);
                break;
            }
        };
        let input = Input::of(&kept.path, now_ns()).filter(|_| number == layouts.others.len() + 1);
        let Some(input) = input else { break };
        is_varied |= kept.hash != hash;
        layouts.others.push(input);
    }
    if is_varied {
        // Some layouts are better than none.
        layouts.obstacle = None;
    } else {
        layouts.others.clear();
        layouts.obstacle = layouts.obstacle.or_else(|| Some("every layout produces the same program".to_owned()));
    }
    Ok(layouts)
}

/// The seed depends only on the number of the layout: functions that two programs share have the same order in layouts of the same number.
fn seed(number: usize) -> u64 {
    let digits = Key::new("layout").with((number as u64).to_le_bytes()).finish();
    u64::from_str_radix(&digits[..16], 16).unwrap_or(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(results: &[(usize, Result<&str, &str>)]) -> Layouts {
        let folder = tempfile::tempdir().unwrap();
        let kept = |hash: &str| {
            let path = folder.path().join(hash);
            fs::write(&path, hash).unwrap();
            Kept { path, hash: hash.to_owned() }
        };
        let results =
            results.iter().map(|&(number, made)| (number, made.map(|hash| Ok(kept(hash))).map_err(str::to_owned)));
        in_order(results.collect(), "first").unwrap()
    }

    #[test]
    fn the_place_of_a_layout_is_its_number() {
        let count = |results: &[(usize, Result<&str, &str>)]| ordered(results).others.len();
        assert_eq!(count(&[(1, Ok("a")), (2, Ok("a")), (3, Ok("b"))]), 3, "the same program twice");
        assert_eq!(count(&[(1, Ok("a")), (3, Ok("b"))]), 1, "one is missing");
        assert_eq!(count(&[(1, Ok("a")), (2, Err("full")), (3, Ok("b"))]), 1, "one could not be linked");
        let none = ordered(&[(1, Err("full")), (2, Ok("a"))]);
        assert_eq!((none.others.len(), none.obstacle.as_deref()), (0, Some("full")));
        let alike = ordered(&[(1, Ok("first")), (2, Ok("first"))]);
        assert_eq!(
            (alike.others.len(), alike.obstacle.as_deref()),
            (0, Some("every layout produces the same program"))
        );
    }
}
