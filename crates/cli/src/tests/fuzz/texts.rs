//! Readers of texts: replies of children, files of other tools, `tare.toml` and command lines.

use crate::args::Cli;
use crate::jobs::WantedJobs;
use crate::request::{parse_by, Config};
use crate::units;
use clap::CommandFactory;
use std::cell::RefCell;
use std::path::Path;
use tare_analysis::gate::{Limit, Rule};
use tare_model::{Job, Run};
use tare_report::Glyphs;
use tare_store::RunRef;

pub(super) fn text(input: &[u8]) -> Option<&str> {
    std::str::from_utf8(input).ok()
}

/// Replies of a child, one per line.
pub(super) fn protocol(input: &[u8]) {
    for line in input.split(|byte| *byte == b'\n') {
        if let Err(error) = tare_protocol::decode(line) {
            assert!(error.to_string().len() < 4096, "an error of {} bytes", error.to_string().len());
        }
    }
}

/// The document of a run: a valid one survives writing and reading.
pub(super) fn run_reader(input: &[u8]) {
    let Ok(run) = Run::from_json(input) else { return };
    if run.validate().is_err() {
        return;
    }
    let written = |run: &Run| {
        let mut bytes = Vec::new();
        run.write_json(&mut bytes).expect("memory takes it");
        bytes
    };
    let once = written(&run);
    let again = Run::from_json(&once).expect("what was written is read");
    assert!(again.validate().is_ok() && written(&again) == once, "a run changed when it was written and read");
}

pub(super) fn import(input: &[u8]) {
    if let Err(error) = tare_import::read("results", input) {
        assert!(error.to_string().len() < 16 << 10 && error.hint().len() < 16 << 10, "a long error");
    }
}

/// A folder of results: the first line of each file is its path, and a line of `====` ends it.
pub(super) fn import_folder(input: &[u8]) {
    let Some(text) = text(input) else { return };
    let file = |part: &str| {
        let (path, content) = part.split_once('\n')?;
        Some((path.to_owned(), content.as_bytes().to_vec()))
    };
    let files: Vec<(String, Vec<u8>)> = text.split("====\n").filter_map(file).collect();
    let _ = tare_import::criterion_baselines(files.iter().map(|(path, _)| path.as_str()));
    let _ = files.iter().filter(|(path, _)| tare_import::wants(path)).count();
    let _ = tare_import::read_folder("folder", &files, "new");
}

pub(super) fn config(input: &[u8]) {
    let Some(text) = text(input) else { return };
    if let Ok(config) = Config::parse(text, Path::new("tare.toml")) {
        let _ = (config.limits(), config.diagnosers(), config.lines("run.").count());
    }
}

/// A command line, one word per line: a valid one survives writing and reading.
pub(super) fn command_line(input: &[u8]) {
    thread_local! {
        static GRAMMAR: RefCell<clap::Command> = RefCell::new({
            let mut grammar = Cli::command();
            grammar.build();
            grammar
        });
    }
    let Some(text) = text(input) else { return };
    let words: Vec<String> = std::iter::once("tare").chain(text.lines()).map(str::to_owned).collect();
    GRAMMAR.with_borrow_mut(|grammar| {
        let Ok((_, request)) = parse_by(grammar, &words) else { return };
        let written = request.words();
        let (_, again) = parse_by(grammar, &written).unwrap_or_else(|e| panic!("{words:?} as {written:?}: {e}"));
        assert_eq!(again, request, "{words:?} as {written:?}");
    });
}

/// Values of flags: the first byte chooses the flag.
pub(super) fn words(input: &[u8]) {
    let Some((kind, rest)) = input.split_first() else { return };
    let Some(text) = text(rest) else { return };
    let finite = |number: f64| assert!(number.is_finite(), "{text:?} is {number}");
    match kind % 20 {
        0 => units::duration_s(text).into_iter().for_each(finite),
        1 => drop(units::budget(text)),
        2 => units::seconds(text).into_iter().for_each(finite),
        3 => units::share(text).into_iter().for_each(finite),
        4 => drop(units::precision(text)),
        5 => units::time_ns(text).into_iter().for_each(finite),
        6 => drop((units::seed(text), units::bytes(text), units::words(text))),
        7 => drop(WantedJobs { given: vec![text.to_owned()], ..WantedJobs::default() }.over(&Job::default())),
        8 => drop(text.parse::<RunRef>()),
        9 => drop(text.parse::<Rule>()),
        10 => drop(Limit::parse(text)),
        11 => drop(text.parse::<tare_engine::Shard>()),
        12 => drop(text.parse::<crate::cluster::Slurm>()),
        13 => drop(text.parse::<tare_analysis::Statistic>()),
        14 => drop(tare_history::Address::parse(text)),
        15 => drop((tare_import::google_name(text), tare_code::readable(text))),
        16 => drop(tare_model::text::split_words(text)),
        17 => {
            // Text quoted for a shell is one word again.
            let line = tare_model::text::shell_line([text]);
            assert_eq!(tare_model::text::split_words(&line), Ok(vec![text.to_owned()]), "{line:?}");
        }
        18 => {
            let text = &tare_report::clean(text);
            assert!(!text.contains(char::is_control), "{text:?}");
            for glyphs in [Glyphs::Ascii, Glyphs::Unicode] {
                let cut = [tare_report::cut_middle(text, 20, glyphs), tare_report::cut_end(text, 20, glyphs)];
                assert!(cut.iter().all(|cut| tare_report::width(cut) <= 20), "{cut:?}");
            }
        }
        _ => assert!(!tare_store::is_baseline_name(text) || !text.is_empty()),
    }
}

/// A pattern, and names in the lines after it.
pub(super) fn filters(input: &[u8]) {
    let Some(text) = text(input) else { return };
    let mut lines = text.lines();
    let Some(pattern) = lines.next() else { return };
    let names: Vec<String> = lines.map(str::to_owned).collect();
    for name in &names {
        let _ = tare_engine::matches(pattern, name);
        assert!(tare_engine::matches(name, name) || name.contains(['*', '?', '[', '\\', '{']), "{name:?}");
    }
    let _ = tare_model::text::nearest(pattern, &names, 3);
}
