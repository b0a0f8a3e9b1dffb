//! The flags that choose the form of a result, made from the registry of exporters.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches};
use std::path::PathBuf;
use tare_report::{Exporter, COMMENT_MAX, EXPORTERS};

/// The value of `--format`.
fn exporter() -> impl TypedValueParser<Value = &'static Exporter> {
    PossibleValuesParser::new(EXPORTERS.iter().map(|exporter| exporter.name))
        .try_map(|name| Exporter::of_name(&name).ok_or("not a format"))
}

/// The summary of `--format`.
const FORMAT_HELP: &str = "Format on standard output, such as md or json";

/// The whole help of `--format`.
fn format_help() -> String {
    format!("{FORMAT_HELP}\n\n{}", rows(|exporter| exporter.name))
}

/// The summary of `-o`.
const OUTPUT_HELP: &str = "Also write a file; its extension chooses the format";

/// The whole help of `-o`.
fn output_help() -> String {
    format!(
        "{OUTPUT_HELP}\n\n{}\n\nFor a picture as pixels, write .png instead of .svg. A picture is\nalways dark or light with .dark or .light before that: a.dark.png.\nWith .gz at the end a file is compressed. Repeat the flag for several\nfiles. `--plot FILE` does the same. If you also name a format, such as\nbdn-full, it applies to files with the end of its extension (a.json).",
        rows(|exporter| exporter.extension)
    )
}

/// A line an exporter that most want: how it is chosen, what it renders. Of the others how they are chosen.
fn rows(chosen_by: fn(&Exporter) -> &str) -> String {
    /// Columns of a line of names.
    const NAMES: usize = 66;
    let (common, others): (Vec<&&Exporter>, Vec<&&Exporter>) =
        EXPORTERS.iter().partition(|exporter| exporter.is_common());
    let width = common.iter().map(|exporter| chosen_by(exporter).len()).max().unwrap_or(0);
    let row = |exporter: &&&Exporter| format!("  {:width$}  {}", chosen_by(exporter), exporter.about);
    let mut lines: Vec<String> = common.iter().map(row).collect();
    lines.push("  and, described by `tare help exporters`,".to_owned());
    let mut line = String::new();
    for exporter in others {
        let name = chosen_by(exporter);
        if line.len() + name.len() + 2 > NAMES {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str(if line.is_empty() { "    " } else { " " });
        line.push_str(name);
    }
    lines.push(line);
    lines.join("\n")
}

/// The files that a command writes its result to.
#[derive(Debug, Clone, Args)]
pub struct OutputFiles {
    /// Their paths.
    #[arg(id = "output", short, long = "output", alias = "plot", value_name = "FILE", help_heading = "Output", help = OUTPUT_HELP, long_help = output_help())]
    pub files: Vec<PathBuf>,
    /// Write the files of -o with this template
    ///
    /// A file in the language of Jinja, or one of Tare's: nanobench-csv,
    /// nanobench-json, nanobench-boxplot, nanobench-pyperf. The extension of
    /// the file that is made decides how values are escaped. Without -o the
    /// result is printed. See `tare help templates`.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "FILE", help_heading = "Output")]
    pub template: Option<String>,
    #[command(flatten)]
    pub shortening: ShorteningArgs,
    /// Append the result to the job summary of GitHub Actions
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub job_summary: bool,
}

/// How long Markdown may be.
#[derive(Debug, Clone, Args)]
pub struct ShorteningArgs {
    /// Maximum length of Markdown in characters [default: 65536], or none
    ///
    /// GitHub refuses longer comments. The largest changes are kept, the rest
    /// is counted. GitLab takes 1000000 characters.
    #[arg(verbatim_doc_comment)]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = characters, help_heading = "Output")]
    pub md_limit: Option<Characters>,
}

/// A number of characters; None: any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Characters(Option<usize>);

fn characters(text: &str) -> Result<Characters, String> {
    const LEAST: usize = 1000;
    match text {
        "none" => Ok(Characters(None)),
        text => match text.replace(['_', ','], "").parse() {
            Ok(n) if n >= LEAST => Ok(Characters(Some(n))),
            _ => Err(format!("write a number of characters, {LEAST} or more, or `none`")),
        },
    }
}

impl ShorteningArgs {
    /// Characters at most.
    pub fn most(&self) -> Option<usize> {
        self.md_limit.map_or(Some(COMMENT_MAX), |Characters(most)| most)
    }
}

/// What a command shows and writes of its result.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs {
    /// On standard output.
    #[arg(long, value_name = "FORMAT", default_value = EXPORTERS[0].name, help_heading = "Output")]
    #[arg(help = FORMAT_HELP, long_help = format_help(), value_parser = exporter())]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub format: &'static Exporter,
    #[command(flatten)]
    pub written: OutputFiles,
}

/// The format of `tare show`: a flag an exporter, or its name, which all exclude each other; without one the first.
#[derive(Debug)]
pub struct ShowFormat(pub &'static Exporter);

const GROUP: &str = "form";
/// The flag that takes the name of an exporter.
const BY_NAME: &str = "format";

impl Args for ShowFormat {
    fn augment_args(mut command: Command) -> Command {
        for exporter in &EXPORTERS[1..] {
            let arg = Arg::new(exporter.name).long(exporter.name).action(ArgAction::SetTrue);
            let arg = arg.hide_short_help(!exporter.is_common());
            command = command.arg(arg.help(format!("Print {}", exporter.about)).help_heading("Output"));
        }
        let by_name = Arg::new(BY_NAME).long(BY_NAME).value_name("FORMAT").value_parser(exporter());
        let by_name = by_name.help("The same by its name, as for `tare run`").help_heading("Output");
        let command = command.arg(by_name.hide_possible_values(true).hide_short_help(true));
        let all = EXPORTERS[1..].iter().map(|exporter| exporter.name).chain([BY_NAME]);
        command.group(ArgGroup::new(GROUP).args(all))
    }

    fn augment_args_for_update(command: Command) -> Command {
        ShowFormat::augment_args(command)
    }
}

impl FromArgMatches for ShowFormat {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ShowFormat, Error> {
        let by_name = matches.get_one::<&'static Exporter>(BY_NAME).copied();
        let by_flag = || EXPORTERS[1..].iter().copied().find(|exporter| matches.get_flag(exporter.name));
        by_name
            .or_else(by_flag)
            .or(EXPORTERS.first().copied())
            .map(ShowFormat)
            .ok_or_else(|| Error::new(ErrorKind::InvalidValue))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = ShowFormat::from_arg_matches(matches)?;
        Ok(())
    }
}
