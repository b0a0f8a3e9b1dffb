//! `tare help`: commands from their flags, topics from the same Markdown as the documentation.

use super::manual;
use crate::args::{Cli, HelpArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::markdown;
use clap::CommandFactory;
use tare_model::ExitCode;

pub struct Topic {
    pub name: &'static str,
    pub about: &'static str,
    pub text: &'static str,
}

macro_rules! topics {
    ($($name:literal, $about:literal, $file:literal;)*) => {
        [$(Topic { name: $name, about: $about, text: include_str!(concat!("../../../../", $file)) }),*]
    };
}

/// Help topics beside the commands: name, summary, file.
pub const TOPICS: [Topic; 34] = topics! {
    "tour", "from nothing to a verdict in ten minutes", "docs/guides/tour.md";
    "start", "your first benchmark, step by step", "docs/guides/first-benchmark.md";
    "output", "reading the table, the verdicts and the findings", "docs/guides/reading-the-output.md";
    "commands", "measuring and comparing whole commands", "docs/guides/commands.md";
    "running", "which benchmarks, in which order, and again after each change", "docs/guides/running.md";
    "cluster", "measuring on the nodes of a cluster with Slurm", "docs/guides/cluster.md";
    "existing-suites", "benchmarks that were written for another tool", "docs/guides/existing-suites.md";
    "glossary", "the terms that tare uses", "GLOSSARY.md";
    "findings", "the findings below the table and what to do about them", "docs/reference/findings.md";
    "protocol", "the protocol between tare and benchmark programs", "spec/protocol.md";
    "front-ends", "writing a front end for another language", "docs/guides/writing-a-front-end.md";
    "method", "how tare measures and decides", "docs/concepts/method.md";
    "neighbour", "who else uses the core, and how that changes times", "docs/concepts/neighbour.md";
    "other-tools", "why other tools show other numbers", "docs/concepts/other-tools.md";
    "platforms", "what works on which system", "docs/reference/platforms.md";
    "troubleshooting", "what went wrong, and what to do", "docs/guides/troubleshooting.md";
    "files", "which files are stored where", "docs/reference/files.md";
    "exporters", "every format of a result, and who reads it", "docs/reference/exporters.md";
    "templates", "your own formats: values, filters, escaping", "docs/reference/templates.md";
    "comparing", "comparing revisions, folders, runs and result files", "docs/guides/compare.md";
    "diagnosers", "what a benchmark can tell you apart from its time, and how to add a diagnoser", "docs/guides/diagnosers.md";
    "inlining", "which calls of a body were inlined, and which not", "docs/guides/inlining.md";
    "code", "the machine code of a benchmark's body, and how that of two sides differs", "docs/guides/code.md";
    "counters", "cycles, branches, page faults and switches, as the processor and the system count them", "docs/guides/counters.md";
    "profile", "where the time of a benchmark goes: tables, flame graphs, what differs between two revisions", "docs/guides/profile.md";
    "instructions", "instructions, branches and cache misses in a simulated processor: the same number each time", "docs/guides/instructions.md";
    "explaining", "what differs together with a time: `tare why`", "docs/guides/why.md";
    "threads", "waiting and switching threads, system calls and exceptions of each operation", "docs/guides/threads.md";
    "memory", "allocations and bytes as well as time, their limits, and where they can be counted", "docs/guides/memory.md";
    "jobs", "each benchmark with several sets of flags, compilers, allocators or environments", "docs/guides/jobs.md";
    "moving", "moving from criterion, divan or Google Benchmark, one file at a time", "docs/guides/moving.md";
    "ci", "a benchmark gate for pull requests", "docs/guides/ci.md";
    "config", "the settings of `tare.toml`", "docs/reference/config.md";
    "exit-codes", "exit codes and what they mean", "spec/exit-codes.md";
};

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub fn help(args: &HelpArgs, console: &Console) -> Result<ExitCode, Failure> {
    if let Some(folder) = &args.man {
        return manual::write(folder, console);
    }
    let text = match &args.topic {
        None => overview(),
        Some(asked) => match topic(asked) {
            Some(text) => console.render(&markdown::lines(&text)),
            None => page(asked).ok_or_else(|| Failure::UnknownTopic { asked: asked.clone(), topics: names() })?,
        },
    };
    console.result(&text)?;
    Ok(ExitCode::Ok)
}

fn topic(asked: &str) -> Option<String> {
    if let Some((_, text)) = FINDINGS.iter().chain(FROM).find(|(name, _)| *name == asked) {
        return Some((*text).to_owned());
    }
    let topic = TOPICS.iter().find(|t| t.name == asked)?;
    let mut text = topic.text.to_owned();
    if topic.name == "findings" && !FINDINGS.is_empty() {
        text.push_str("\n`tare help CODE` explains each:\n\n");
        for (code, page) in FINDINGS {
            text.push_str(&format!("- `{code}`: {}\n", summary(page)));
        }
    }
    Some(text)
}

/// The first line of a page that is not a title.
fn summary(page: &str) -> &str {
    page.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default()
}

pub fn names() -> Vec<String> {
    let verbs = Cli::command();
    let verbs = verbs.get_subcommands().map(|c| c.get_name().to_owned()).filter(|name| name != "help");
    let codes = FINDINGS.iter().map(|(code, _)| (*code).to_owned());
    let tools = tools().into_iter().map(str::to_owned);
    TOPICS.iter().map(|t| t.name.to_owned()).chain(tools).chain(verbs).chain(codes).collect()
}

pub fn tools() -> Vec<&'static str> {
    FROM.iter().map(|(tool, _)| *tool).collect()
}

fn overview() -> String {
    let mut text = Cli::command().render_help().to_string();
    text.push_str("\nTopics (tare help TOPIC):\n");
    for topic in &TOPICS {
        text.push_str(&format!("  {:<16} {}\n", topic.name, topic.about));
    }
    text + &format!("\nComing from another tool (tare help TOOL): {}\n", tools().join(", "))
}

pub fn page(command: &str) -> Option<String> {
    let mut root = Cli::command();
    root.build();
    let found = root.find_subcommand_mut(command)?;
    Some(found.render_long_help().to_string())
}
