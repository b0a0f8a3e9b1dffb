//! `tare init`.

use clap::Args;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  tare init rust              a file here, or in the Cargo package that is here
  tare init                   in the language of the project that is here
  tare init java shop         in the folder `shop`
  tare init c++ --project     with a CMakeLists.txt
  tare init --list            the languages";

#[derive(Debug, Args)]
pub struct InitArgs {
    /// A language; `--list` lists them [default: that of the project here]
    #[arg(value_name = "LANG")]
    pub language: Option<String>,
    /// A folder, made if it is missing [default: the current one]
    pub folder: Option<PathBuf>,
    /// Write a project of the build tool around the benchmark
    ///
    /// Without it, `init` writes as little as `tare run` needs: in most
    /// languages one file. In a folder that has a project, the benchmark goes
    /// into it, and no file of it is changed.
    #[arg(verbatim_doc_comment)]
    #[arg(long)]
    pub project: bool,
    /// List the languages, with the files that would be written
    #[arg(long, conflicts_with_all = ["language", "folder", "project"])]
    pub list: bool,
}
