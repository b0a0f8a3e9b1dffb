//! A program that was not started by a host: lists, hands over to `tare`, or runs each body once.

use std::io::Write;
use std::time::Instant;

use crate::arguments::{self, Arguments, Mode};
use crate::clock::since;
use crate::guard::{install_hook, Failure};
use crate::instance::Instance;
use crate::registry::{cases, Case};
use crate::select::Selection;

/// Exit status when a benchmark failed; the same as libtest's.
const FAILED: i32 = 101;
/// Exit status for an invalid command line.
const USAGE: i32 = 2;
/// Shown if there is no `tare` to measure.
const HINT: &str = "`tare` on the PATH measures them; `cargo install --path crates/cli` in a clone of Tare installs it";

fn stop(message: &str) -> ! {
    eprintln!("error: {message}");
    std::process::exit(USAGE)
}

/// Executes the command line and returns the exit status.
pub(crate) fn run() -> i32 {
    install_hook();
    let mut cases = cases();
    let program = cases.iter().any(|case| case.bench.program);
    let arguments = arguments::parse(std::env::args().skip(1), program).unwrap_or_else(|mistake| stop(&mistake));
    let count = cases.len();
    cases.retain(|case| (!arguments.ignored || case.skipped.is_some()) && arguments.selection.takes(&case.full_name()));
    if arguments.ignored || arguments.include_ignored {
        cases.iter_mut().for_each(|case| case.skipped = None);
    }
    match arguments.mode {
        Mode::Help => print!("{}", arguments::HELP),
        Mode::Version => println!("tare-rust {}", env!("CARGO_PKG_VERSION")),
        Mode::List => list(&cases, &arguments),
        Mode::Test => return test(&cases, count, &arguments),
        Mode::Measure => {
            if cases.is_empty() {
                say_nothing_fits(&arguments.selection, count);
                return 0;
            }
            hand_over(&arguments);
            let status = test(&cases, count, &arguments);
            println!("hint: {HINT}");
            return status;
        }
    }
    0
}

fn list(cases: &[Case], arguments: &Arguments) {
    let mut text = String::new();
    for case in cases {
        text.push_str(&case.full_name());
        text.push_str(": benchmark\n");
    }
    if !arguments.terse {
        text.push_str(&format!("\n0 tests, {} benchmarks\n", cases.len()));
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn say_nothing_fits(selection: &Selection, count: usize) {
    if count == 0 {
        eprintln!("tare: this program has no benchmarks; put `#[tare::bench]` before a function");
        return;
    }
    let mut words: Vec<String> = selection.filters.iter().map(|filter| format!("`{filter}`")).collect();
    words.extend(selection.skips.iter().map(|filter| format!("--skip `{filter}`")));
    eprintln!("tare: no benchmark matches {} ({count} in this program; --list shows them)", words.join(", "));
}

/// Replaces the process by `tare run`. Returns if there is no `tare`, or if the user does not want it.
fn hand_over(arguments: &Arguments) {
    let direct = std::env::var_os("TARE_DIRECT");
    if direct.is_some_and(|value| !value.is_empty() && value != "0") {
        return;
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        let Ok(this) = std::env::current_exe() else { return };
        let mut command = std::process::Command::new("tare");
        command.arg("run").arg(this).args(&arguments.host);
        arguments.selection.bequeath(&mut command);
        let error = command.exec();
        if error.kind() != std::io::ErrorKind::NotFound {
            eprintln!("tare: cannot start `tare`: {error}");
        } else if !arguments.host.is_empty() {
            stop("the arguments after `--` are for `tare run`, but there is no `tare` on the PATH");
        }
    }
    #[cfg(not(unix))]
    let _ = &arguments.host;
}

fn once(case: &Case) -> Result<(), Failure> {
    let mut instance = Instance::open(case, 0)?;
    instance.check()?;
    instance.close()
}

/// Runs each body once and reports as libtest does.
fn test(cases: &[Case], count: usize, arguments: &Arguments) -> i32 {
    let start = Instant::now();
    let plural = if cases.len() == 1 { "" } else { "s" };
    let how = if arguments.mode == Mode::Test { ", as tests (--bench measures)" } else { "" };
    println!("\nrunning {} benchmark{plural} once{how}", cases.len());
    let mut failures = Vec::new();
    let mut ignored = 0;
    for case in cases {
        let name = case.full_name();
        if !arguments.quiet {
            print!("test {name} ... ");
            let _ = std::io::stdout().flush();
        }
        let said = match once(case) {
            Ok(()) => "ok".to_owned(),
            Err(failure) if failure.skipped => {
                ignored += 1;
                format!("ignored, {}", failure.message)
            }
            Err(failure) => {
                failures.push((name, failure));
                "FAILED".to_owned()
            }
        };
        if !arguments.quiet {
            println!("{said}");
        }
    }
    if !failures.is_empty() {
        println!("\nfailures:\n");
        for (name, failure) in &failures {
            println!("---- {name} ----\n{failure}\n");
        }
    }
    println!(
        "\ntest result: {}. {} passed; {} failed; {ignored} ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        cases.len() - failures.len() - ignored,
        failures.len(),
        count - cases.len(),
        since(start) as f64 / 1e9,
    );
    if cases.is_empty() && !arguments.ignored {
        say_nothing_fits(&arguments.selection, count);
    }
    if failures.is_empty() {
        0
    } else {
        FAILED
    }
}
