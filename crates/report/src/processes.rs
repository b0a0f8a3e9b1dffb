//! How to record data that supports a verdict: with each tool, several processes of both sides in turn.

use tare_analysis::Units;

/// The fewest processes per side that the advice asks for: twice what a verdict needs.
const PROCESSES: usize = 8;

/// How to get more processes with the tools of the base and of the new side, or more sessions of them; `now` is the number that a side has
/// now, at most.
pub(crate) fn more_processes([base, new]: &[String; 2], of: Units, now: usize) -> String {
    let processes = PROCESSES.max(2 * now);
    match [base.as_str(), new.as_str()] {
        ["tare", "tare"] => return "measure both sides interleaved: `tare compare`".to_owned(),
        ["tare time", "tare time"] => {
            return "measure both in one run: `tare time 'OLD COMMAND' 'NEW COMMAND'`".to_owned()
        }
        _ => {}
    }
    let instead = "or measure both sides interleaved with `tare compare`";
    if base != new {
        return format!("measure both sides with one tool, {processes} processes each, {instead}");
    }
    match how(base) {
        How::Option(option, _) if of == Units::Processes => {
            format!("start more processes: `{option} {processes}`, {instead}")
        }
        How::Option(_, run) | How::Loop(run) => {
            let of = |side: &str| run.replace("SIDE", side);
            let (old, new) = (of("old"), of("new"));
            format!(
                "make a folder of results for each side, in turn: `mkdir -p old new; for i in $(seq {processes}); do {old}; {new}; done`, then `tare \
                 compare old/ new/`, {instead}"
            )
        }
        How::Again => format!("measure each side {processes} times, in turn, into a folder for each side, {instead}"),
    }
}

enum How {
    /// An option of the tool that takes their number, and a command as below: processes of one after the other share its session.
    Option(&'static str, &'static str),
    /// A command, with `SIDE` for the side and `$i` for the number.
    Loop(&'static str),
    /// Nothing is known but to start it again.
    Again,
}

fn how(tool: &str) -> How {
    match tool {
        "jmh" => How::Option("-f", "java -jar SIDE.jar -rf json -rff SIDE/$i.json"),
        "benchmarkdotnet" => How::Option(
            "--launchCount",
            "(cd SIDE-code && dotnet run -c Release -- --filter '*' --exporters fulljson --artifacts $OLDPWD/SIDE/$i)",
        ),
        "pyperf" => How::Option("--processes", "(cd SIDE-code && python bench.py -o $OLDPWD/SIDE/$i.json)"),
        "google-benchmark" => How::Loop("./SIDE-bench --benchmark_repetitions=3 --benchmark_enable_random_interleaving=true --benchmark_out=SIDE/$i.json --benchmark_out_format=json"),
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

#[cfg(test)]
mod tests {
    use super::{more_processes, Units};

    #[test]
    fn each_tool_has_its_own_way() {
        let of = |base: &str, new: &str| more_processes(&[base, new].map(str::to_owned), Units::Processes, 4);
        assert!(of("jmh", "jmh").starts_with("start more processes: `-f 8`"));
        assert!(of("go", "go").contains("then `tare compare old/ new/`"));
        assert!(of("go", "go").contains("`mkdir -p old new; for i in $(seq 8); do (cd old-code && go test "));
        assert!(of("jmh", "go").starts_with("measure both sides with one tool, 8 processes each"));
        assert_eq!(of("tare", "tare"), "measure both sides interleaved: `tare compare`");
        let pyperf = |of, now| more_processes(&["pyperf", "pyperf"].map(str::to_owned), of, now);
        assert!(pyperf(Units::Processes, 20).contains("`--processes 40`"), "more than there are");
        let files = pyperf(Units::Sessions, 1);
        assert!(
            !files.contains("--processes") && files.contains("for i in $(seq 8); do (cd old-code && python bench.py"),
            "{files}"
        );
        assert!(pyperf(Units::Sessions, 8).contains("seq 16"));
        assert!(of("tare time", "tare time").starts_with("measure both in one run: `tare time "));
    }
}
