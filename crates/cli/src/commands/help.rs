//! `tare help`: commands from their flags, topics from the same Markdown as the documentation.

use super::manual;
use crate::args::{Cli, HelpArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::markdown;
use clap::CommandFactory;
use tare_model::ExitCode;

/// A topic: its name, what it is about, its text.
pub struct Topic {
    /// What the user types.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// Markdown.
    pub text: &'static str,
}

/// What can be asked for beside the commands.
pub const TOPICS: [Topic; 36] = [
    Topic {
        name: "tour",
        about: "from nothing to a verdict in ten minutes",
        text: include_str!("../../../../docs/guides/tour.md"),
    },
    Topic {
        name: "start",
        about: "your first benchmark, step by step",
        text: include_str!("../../../../docs/guides/first-benchmark.md"),
    },
    Topic {
        name: "output",
        about: "reading the table, the verdicts and the findings",
        text: include_str!("../../../../docs/guides/reading-the-output.md"),
    },
    Topic {
        name: "commands",
        about: "measuring and comparing whole commands",
        text: include_str!("../../../../docs/guides/commands.md"),
    },
    Topic {
        name: "running",
        about: "which benchmarks, in which order, and again after each change",
        text: include_str!("../../../../docs/guides/running.md"),
    },
    Topic {
        name: "cluster",
        about: "measuring on the nodes of a cluster with Slurm",
        text: include_str!("../../../../docs/guides/cluster.md"),
    },
    Topic {
        name: "existing-suites",
        about: "benchmarks that were written for another tool",
        text: include_str!("../../../../docs/guides/existing-suites.md"),
    },
    Topic {
        name: "hyperfine",
        about: "coming from hyperfine",
        text: include_str!("../../../../docs/from/hyperfine.md"),
    },
    Topic { name: "glossary", about: "the terms that tare uses", text: include_str!("../../../../GLOSSARY.md") },
    Topic {
        name: "findings",
        about: "the findings below the table and what to do about them",
        text: include_str!("../../../../docs/reference/findings.md"),
    },
    Topic {
        name: "protocol",
        about: "the protocol between tare and benchmark programs",
        text: include_str!("../../../../spec/protocol.md"),
    },
    Topic {
        name: "front-ends",
        about: "writing a front end for another language",
        text: include_str!("../../../../docs/guides/writing-a-front-end.md"),
    },
    Topic {
        name: "method",
        about: "how tare measures and decides",
        text: include_str!("../../../../docs/concepts/method.md"),
    },
    Topic {
        name: "neighbour",
        about: "who else uses the core, and how that changes times",
        text: include_str!("../../../../docs/concepts/neighbour.md"),
    },
    Topic {
        name: "other-tools",
        about: "why other tools show other numbers",
        text: include_str!("../../../../docs/concepts/other-tools.md"),
    },
    Topic {
        name: "platforms",
        about: "what works on which system",
        text: include_str!("../../../../docs/reference/platforms.md"),
    },
    Topic {
        name: "troubleshooting",
        about: "what went wrong, and what to do",
        text: include_str!("../../../../docs/guides/troubleshooting.md"),
    },
    Topic {
        name: "files",
        about: "which files are stored where",
        text: include_str!("../../../../docs/reference/files.md"),
    },
    Topic {
        name: "exporters",
        about: "every format of a result, and who reads it",
        text: include_str!("../../../../docs/reference/exporters.md"),
    },
    Topic {
        name: "templates",
        about: "your own formats: values, filters, escaping",
        text: include_str!("../../../../docs/reference/templates.md"),
    },
    Topic {
        name: "comparing",
        about: "comparing revisions, folders, runs and result files",
        text: include_str!("../../../../docs/guides/compare.md"),
    },
    Topic {
        name: "diagnosers",
        about: "what a benchmark can tell you apart from its time, and how to add a diagnoser",
        text: include_str!("../../../../docs/guides/diagnosers.md"),
    },
    Topic {
        name: "inlining",
        about: "which calls of a body were inlined, and which not",
        text: include_str!("../../../../docs/guides/inlining.md"),
    },
    Topic {
        name: "code",
        about: "the machine code of a benchmark's body, and how that of two sides differs",
        text: include_str!("../../../../docs/guides/code.md"),
    },
    Topic {
        name: "counters",
        about: "cycles, branches, page faults and switches, as the processor and the system count them",
        text: include_str!("../../../../docs/guides/counters.md"),
    },
    Topic {
        name: "profile",
        about: "where the time of a benchmark goes: tables, flame graphs, what differs between two revisions",
        text: include_str!("../../../../docs/guides/profile.md"),
    },
    Topic {
        name: "instructions",
        about: "instructions, branches and cache misses in a simulated processor: the same number each time",
        text: include_str!("../../../../docs/guides/instructions.md"),
    },
    Topic {
        name: "explaining",
        about: "what differs together with a time: `tare why`",
        text: include_str!("../../../../docs/guides/why.md"),
    },
    Topic {
        name: "threads",
        about: "waiting and switching threads, system calls and exceptions of each operation",
        text: include_str!("../../../../docs/guides/threads.md"),
    },
    Topic {
        name: "memory",
        about: "allocations and bytes as well as time, their limits, and where they can be counted",
        text: include_str!("../../../../docs/guides/memory.md"),
    },
    Topic {
        name: "jobs",
        about: "each benchmark with several sets of flags, compilers, allocators or environments",
        text: include_str!("../../../../docs/guides/jobs.md"),
    },
    Topic {
        name: "moving",
        about: "moving from criterion, divan or Google Benchmark, one file at a time",
        text: include_str!("../../../../docs/guides/moving.md"),
    },
    Topic {
        name: "benchmarkdotnet",
        about: "moving from BenchmarkDotNet, feature by feature",
        text: include_str!("../../../../docs/from/benchmarkdotnet.md"),
    },
    Topic {
        name: "ci",
        about: "a benchmark gate for pull requests",
        text: include_str!("../../../../docs/guides/ci.md"),
    },
    Topic {
        name: "config",
        about: "the settings of `tare.toml`",
        text: include_str!("../../../../docs/reference/config.md"),
    },
    Topic {
        name: "exit-codes",
        about: "exit codes and what they mean",
        text: include_str!("../../../../spec/exit-codes.md"),
    },
];

include!(concat!(env!("OUT_DIR"), "/findings.rs"));

/// `tare help`.
pub fn help(args: &HelpArgs, console: &Console) -> Result<ExitCode, Failure> {
    if let Some(folder) = &args.man {
        return manual::write(folder, console);
    }
    let text = match &args.topic {
        None => overview(),
        Some(asked) => match topic(asked) {
            Some(text) => console.render(&markdown::lines(&text, &console.view(false))),
            None => page(asked).ok_or_else(|| Failure::UnknownTopic { asked: asked.clone(), topics: names() })?,
        },
    };
    console.result(&text)?;
    Ok(ExitCode::Ok)
}

/// The Markdown of a topic or of a finding's code.
fn topic(asked: &str) -> Option<String> {
    if let Some((_, text)) = FINDINGS.iter().find(|(code, _)| *code == asked) {
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

/// The first line of a page that is neither a title nor empty.
fn summary(page: &str) -> &str {
    page.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default()
}

/// All that can be asked for.
pub fn names() -> Vec<String> {
    let verbs = Cli::command();
    let verbs = verbs.get_subcommands().map(|c| c.get_name().to_owned()).filter(|name| name != "help");
    let codes = FINDINGS.iter().map(|(code, _)| (*code).to_owned());
    TOPICS.iter().map(|t| t.name.to_owned()).chain(verbs).chain(codes).collect()
}

fn overview() -> String {
    let mut text = Cli::command().render_help().to_string();
    text.push_str("\nTopics (tare help TOPIC):\n");
    for topic in &TOPICS {
        text.push_str(&format!("  {:<16} {}\n", topic.name, topic.about));
    }
    text
}

/// The help of one command.
pub fn page(command: &str) -> Option<String> {
    let mut root = Cli::command();
    root.build();
    let found = root.find_subcommand_mut(command)?;
    Some(found.render_long_help().to_string())
}
