//! Findings as text: sentences with values, and advice with flags and commands.

use crate::words::again::{again, helps, shorter};
use crate::words::label::short;
use crate::words::text::{clean, Role};
use serde::Serialize;
use tare_analysis::{Advice, Again, Code, Finding, Means, Sentence, Severity, Units, LISTED_MAX};
use tare_model::text::shell_word;
use tare_model::{CommandLine, LanguageFacts};

fn usage(means: &Means) -> String {
    match means {
        Means::Processor => "`--cpu N`".to_owned(),
        Means::Doctor => "`tare doctor`".to_owned(),
        Means::Invocations => "`--invocations N`".to_owned(),
        Means::Conformance => "`tare conformance`".to_owned(),
        Means::Rename => "`--rename OLD=NEW`".to_owned(),
        Means::WallClock => "`--wall`".to_owned(),
        Means::CpuTime => "`--time cpu`".to_owned(),
        Means::LongVisits(ms) => format!("`--job visit={ms}ms`"),
        Means::Direction(metric) => {
            format!("`--better {}`", shell_word(&format!("{}={}", clean(metric), likely_direction(metric))))
        }
        Means::Optimise(language) => {
            let own = LanguageFacts::of_any(language).optimise;
            if own.is_empty() { "`-O2`, `--release`" } else { own }.to_owned()
        }
        Means::MoreProcesses { tools, of, now } => more_processes(tools, *of, *now),
    }
}

/// The probable direction of a metric: for amounts per second, more is better.
fn likely_direction(metric: &str) -> &'static str {
    let unit = metric.to_lowercase();
    match ["/s", "/sec", "/second", "per second"].iter().any(|end| unit.ends_with(end)) {
        true => "higher",
        false => "lower",
    }
}

pub fn sentence_text(sentence: &Sentence) -> String {
    clean(&sentence.say(usage, |name| short(&clean(name))))
}

pub(crate) fn whole_text(sentence: &Sentence) -> String {
    clean(&sentence.say(usage, str::to_owned))
}

/// Advice as text, with an exact command if possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    pub text: String,
    pub command: Option<String>,
}

impl Hint {
    pub fn words(text: &str) -> Hint {
        Hint { text: text.to_owned(), command: None }
    }

    pub fn of(advice: &Advice, request: &CommandLine) -> Hint {
        Hint { text: sentence_text(&advice.text), command: command_of(advice, request).map(|words| clean(&words)) }
    }
}

pub(crate) fn command_of(advice: &Advice, request: &CommandLine) -> Option<String> {
    advice.again.as_ref().filter(|how| !request.is_unknown() && helps(request, how)).map(|how| again(request, how))
}

/// The advice of the first of these findings, with one run for all findings that it helps.
pub(crate) fn advice_of(findings: &[&Finding]) -> Option<Advice> {
    let first = &findings.first()?.advice;
    let needed = findings.iter().filter_map(|finding| finding.advice.again.as_ref());
    let again = first.again.as_ref().and_then(|_| Again::for_all(needed, LISTED_MAX));
    Some(Advice { text: first.text.clone(), again })
}

/// A command for these findings that names the stored run, if there are too many benchmarks to list.
pub(crate) fn shorter_of<'a>(
    findings: impl Iterator<Item = &'a Finding>,
    request: &CommandLine,
    run: &str,
) -> Option<String> {
    let needed = findings.filter_map(|finding| finding.advice.again.as_ref()).filter(|how| helps(request, how));
    let again = Again::for_all(needed, usize::MAX)?;
    shorter(request, &again, run)
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct FindingText {
    code: Code,
    severity: Severity,
    evidence: String,
    advice: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

pub(crate) fn said(findings: &[Finding], request: &CommandLine) -> Vec<FindingText> {
    let said = |finding: &Finding| FindingText {
        code: finding.code,
        severity: finding.severity,
        evidence: whole_text(&finding.evidence),
        advice: whole_text(&finding.advice.text),
        command: command_of(&finding.advice, request),
    };
    findings.iter().map(said).collect()
}

/// One command for the most severe findings; names the stored run if there are too many benchmarks to list.
pub(crate) fn worst_command(findings: &[Finding], request: &CommandLine, run: &str) -> Option<String> {
    let serious = || findings.iter().filter(|f| f.severity >= Severity::Warning);
    let named = || {
        let needed = serious().filter_map(|f| f.advice.again.as_ref()).filter(|how| helps(request, how));
        Again::for_all(needed, LISTED_MAX).filter(|_| !request.is_unknown()).map(|how| again(request, &how))
    };
    shorter_of(serious(), request, run).or_else(named)
}

/// Fewest processes per side in the advice: twice what a verdict needs.
const PROCESSES: usize = 8;

/// How to get more processes, or sessions of them, with both sides' tools; each side has at most `now`.
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
        Some((option, _)) if of == Units::Processes && !option.is_empty() => {
            format!("start more processes: `{option} {processes}`, {instead}")
        }
        Some((_, run)) => {
            let of = |side: &str| run.replace("SIDE", side);
            let (old, new) = (of("old"), of("new"));
            format!(
                "make a folder of results for each side, in turn: `mkdir -p old new; for i in $(seq {processes}); do {old}; {new}; done`, then `tare \
                 compare old/ new/`, {instead}"
            )
        }
        None => format!("measure each side {processes} times, in turn, into a folder for each side, {instead}"),
    }
}

/// The tool's option for the number of processes, and a command with `SIDE` for the side and `$i` for the number. Processes run in
/// succession share a session. None if the tool can only be started again.
fn how(tool: &str) -> Option<(&'static str, &'static str)> {
    Some(match tool {
        "jmh" => ("-f", "java -jar SIDE.jar -rf json -rff SIDE/$i.json"),
        "benchmarkdotnet" => (
            "--launchCount",
            "(cd SIDE-code && dotnet run -c Release -- --filter '*' --exporters fulljson --artifacts $OLDPWD/SIDE/$i)",
        ),
        "pyperf" => ("--processes", "(cd SIDE-code && python bench.py -o $OLDPWD/SIDE/$i.json)"),
        "google-benchmark" => ("", "./SIDE-bench --benchmark_repetitions=3 --benchmark_enable_random_interleaving=true --benchmark_out=SIDE/$i.json --benchmark_out_format=json"),
        "nanobench" => ("", "./SIDE-bench > SIDE/$i.json"),
        "go" => ("", "(cd SIDE-code && go test -run '^$' -bench . -benchmem -count 1) > SIDE/$i.txt"),
        "criterion" => ("", "(cd SIDE-code && CRITERION_HOME=$OLDPWD/SIDE/$i cargo bench)"),
        "pytest-benchmark" => ("", "(cd SIDE-code && pytest --benchmark-only --benchmark-json=$OLDPWD/SIDE/$i.json)"),
        "hyperfine" => ("", "hyperfine --export-json SIDE/$i.json 'SIDE-command'"),
        _ => return None,
    })
}

pub(crate) fn severity(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Note => ("note", Role::Quiet),
        Severity::Warning => ("warning", Role::Warning),
        Severity::Error => ("error", Role::Error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::{more_processes, Units};

    #[test]
    fn a_very_long_name_is_shown_by_its_ends_and_kept_for_programs() {
        let name = format!("g/{}", "x".repeat(5000));
        let sentence =
            Sentence::new("{benchmark} is odd: {names}").name("benchmark", &name).names("names", vec![name.clone()]);
        let shown = sentence_text(&sentence);
        assert!(shown.len() < 200 && shown.starts_with("g/xxx") && shown.contains('…'), "{shown}");
        assert_eq!(whole_text(&sentence), format!("{name} is odd: `{name}`"));
        assert!(serde_json::to_string(&sentence).expect("JSON").contains(&name), "values are whole");
    }

    #[test]
    fn a_debug_build_is_told_in_the_words_of_its_language() {
        let words = |language: &str| usage(&Means::Optimise(language.to_owned()));
        assert_eq!([words("c"), words("rust"), words("vb")], ["`-O2`", "`--release`", "`-c Release`"]);
        assert_eq!(words("zig"), "`-O2`, `--release`");
    }

    #[test]
    fn of_what_is_done_in_a_second_more_is_better() {
        let direction = |metric: &str| usage(&Means::Direction(metric.to_owned()));
        assert_eq!(
            (direction("reqs/s"), direction("items/sec")),
            ("`--better reqs/s=higher`".into(), "`--better items/sec=higher`".into())
        );
        assert_eq!(direction("retries"), "`--better retries=lower`");
    }

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
