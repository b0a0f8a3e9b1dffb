//! How to make data that carries a verdict: with each tool, several processes of both sides in turn.

use super::verdict::PROCESSES_MIN;
use super::Saved;

/// Processes a side that the advice asks for: twice what a verdict needs at least.
const PROCESSES: usize = 2 * PROCESSES_MIN;

/// What to do for more processes with the tool of both sides.
pub(super) fn more_processes(base: &Saved, new: &Saved) -> String {
    if base.tool == "tare" && new.tool == "tare" {
        return "measure both sides interleaved: `tare compare`".to_owned();
    }
    let instead = "or measure both sides interleaved with `tare compare`";
    if base.tool != new.tool {
        return format!("measure both sides with one tool, {PROCESSES} processes each, {instead}");
    }
    match how(&base.tool) {
        How::Option(option) => format!("let the tool start more processes: `{option}`, {instead}"),
        How::Loop(run) => {
            let of = |side: &str| run.replace("SIDE", side);
            let (old, new) = (of("old"), of("new"));
            format!(
                "make a folder of results for each side, in turn: `for i in $(seq {PROCESSES}); do {old}; {new}; done`, then `tare \
                 compare old/ new/`, {instead}"
            )
        }
        How::Again => format!("measure each side {PROCESSES} times, in turn, into a folder for each side, {instead}"),
    }
}

/// What makes more processes.
enum How {
    /// An option of the tool.
    Option(&'static str),
    /// A command, with `SIDE` for the side and `$i` for the number.
    Loop(&'static str),
    /// Nothing is known but to start it again.
    Again,
}

fn how(tool: &str) -> How {
    match tool {
        "jmh" => How::Option("-f 8"),
        "benchmarkdotnet" => How::Option("--launchCount 8"),
        "pyperf" => How::Option("--processes 8"),
        "google-benchmark" => How::Loop("./SIDE-bench --benchmark_out=SIDE/$i.json --benchmark_out_format=json"),
        "nanobench" => How::Loop("./SIDE-bench > SIDE/$i.json"),
        "go" => How::Loop("(cd SIDE-code && go test -run '^$' -bench . -benchmem -count 1) > SIDE/$i.txt"),
        "criterion" => How::Loop("(cd SIDE-code && CRITERION_HOME=$OLDPWD/SIDE/$i cargo bench)"),
        "pytest-benchmark" => {
            How::Loop("(cd SIDE-code && pytest --benchmark-only --benchmark-json=$OLDPWD/SIDE/$i.json)")
        }
        "hyperfine" => How::Loop("hyperfine --export-json SIDE/$i.json 'SIDE-command'"),
        _ => How::Again,
    }
}
