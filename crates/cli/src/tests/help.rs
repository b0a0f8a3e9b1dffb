//! The help pages, and the reference page made from them.

use crate::args::Cli;
use crate::commands::{page, TOPICS};
use clap::CommandFactory;

/// Every command except `help`, which the others' reference does not include.
fn verbs() -> Vec<String> {
    let names = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect::<Vec<_>>();
    names.into_iter().filter(|name| name != "help").collect()
}

#[test]
fn flags_are_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn short_help() {
    insta::assert_snapshot!(Cli::command().render_help());
}

#[test]
fn no_help_line_is_wider_than_a_terminal() {
    for verb in &verbs() {
        for line in page(verb).expect("a page").lines().chain(summary(verb).lines()) {
            assert!(line.chars().count() <= 80, "{verb}: {line}");
        }
    }
}

/// What `-h` prints.
fn summary(verb: &str) -> String {
    let mut root = Cli::command();
    root.build();
    root.find_subcommand_mut(verb).expect("a command").render_help().to_string()
}

#[test]
fn the_summary_of_a_command_fits_a_screen() {
    for verb in &verbs() {
        let lines = summary(verb).trim_end().lines().count();
        assert!(lines <= 40, "`tare {verb} -h` has {lines} lines");
    }
    insta::assert_snapshot!(summary("compare"));
}

#[test]
fn the_whole_help_has_what_the_summary_leaves_out() {
    for (verb, flags) in
        [("run", &["--precision", "--rounds", "--no-align"][..]), ("compare", &["--threshold", "--layouts"])]
    {
        let (whole, short) = (page(verb).expect("a page"), summary(verb));
        for flag in flags {
            assert!(whole.contains(flag) && !short.contains(flag), "{verb} {flag}");
        }
        assert!(short.contains("see more with '--help'"), "{short}");
    }
}

/// Includes flags that the summary hides.
#[test]
fn every_flag_is_in_its_manual_page() {
    let pages = crate::commands::manual_pages().expect("pages");
    let plain = |text: &str| text.replace("\\*(Aq", "'").replace('\\', "");
    let mut root = Cli::command();
    root.build();
    for verb in &verbs() {
        let file = format!("tare-{verb}.1");
        let page = pages.iter().find(|page| page.file == file).expect("a page");
        let page = plain(&String::from_utf8_lossy(&page.text));
        let is_ours = |arg: &&clap::Arg| !arg.is_hide_set() && arg.get_id() != "help";
        for arg in root.find_subcommand(verb).expect("a command").get_arguments().filter(is_ours) {
            let name = arg.get_long().map_or_else(String::new, |long| format!("--{long}"));
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(page.contains(&name) && page.contains(&plain(&help)), "{file}: {name}: {help}");
        }
    }
    assert!(pages.iter().any(|page| page.file == "tare-history-accept.1") && pages[0].file == "tare.1");
}

#[test]
fn every_diagnoser_is_in_its_guide() {
    let guide = include_str!("../../../../docs/guides/diagnosers.md");
    for entry in tare_diagnose::ALL {
        let needs: Vec<&str> = entry.needs.iter().map(|need| need.text()).collect();
        let row = format!("| `{}` | {} | {} | {}.", entry.name, entry.about, entry.cost.text(), needs.join("; "));
        assert!(guide.contains(&row), "{row}");
        assert!(TOPICS.iter().any(|topic| topic.name == entry.topic), "{}", entry.topic);
    }
}

#[test]
fn every_tool_has_its_page() {
    let pages = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/from")).expect("the documents");
    let names = pages.filter_map(|page| page.ok()?.path().file_stem()?.to_str().map(str::to_owned));
    for name in names.filter(|name| !["checklist", "benchmarkdotnet-samples"].contains(&name.as_str())) {
        assert!(crate::commands::names().contains(&name), "{name}");
    }
}

#[test]
fn every_code_has_its_page() {
    let name = |code: &tare_analysis::Code| code.name().to_owned();
    let mut codes: Vec<String> = tare_analysis::Code::ALL.iter().map(name).collect();
    let index = include_str!("../../../../docs/findings/README.md");
    let rows = index.lines().filter_map(|line| line.strip_prefix("| [")?.split_once(']'));
    let listed: Vec<String> = rows.map(|(code, _)| code.to_owned()).collect();
    assert_eq!(listed, codes, "the index has them in the order of the registry");
    codes.sort();
    let pages: Vec<&str> = crate::commands::FINDINGS.iter().map(|(code, _)| *code).collect();
    assert_eq!(pages, codes);
    for (code, page) in crate::commands::FINDINGS {
        assert!(page.starts_with(&format!("# {code}\n")), "{code}");
    }
}
