//! `cargo xtask TASK`.

use std::process::ExitCode;

const HELP: &str = "cargo xtask TASK
  schema                 write spec/run.schema.json from the types of the model
  child                  write the tables of spec/protocol.md and of the front ends from spec/child.toml
  documents [--built] [PAGE...]
                         run the console blocks of README.md, docs/ and frontends/*/README.md, or of the pages whose path ends so;
                         `--built` takes the `tare` beside this program as it is
  site [FOLDER]          write the documentation as a site of plain pages [default: target/site], with every link checked
  calibrate [neighbour] [--quick]
                         simulate sessions whose truth is known and print how often Tare was right (--release is faster)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["schema"] => xtask::schema::write(),
        ["child"] => xtask::child::write(),
        ["documents", "--built", only @ ..] => xtask::documents::run(false, only),
        ["documents", only @ ..] => xtask::documents::run(true, only),
        ["site"] => xtask::site::build(None),
        ["site", folder] if !folder.starts_with('-') => xtask::site::build(Some(folder)),
        ["calibrate", "neighbour"] => {
            xtask::calibrate::neighbour(xtask::calibrate::FULL).map(|text| println!("{text}"))
        }
        ["calibrate", "neighbour", "--quick"] => {
            xtask::calibrate::neighbour(xtask::calibrate::QUICK).map(|text| println!("{text}"))
        }
        ["calibrate"] => xtask::calibrate::tables(xtask::calibrate::FULL).map(|text| println!("{text}")),
        ["calibrate", "--quick"] => xtask::calibrate::tables(xtask::calibrate::QUICK).map(|text| println!("{text}")),
        _ => Err(HELP.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
