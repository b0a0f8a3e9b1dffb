//! Every form of every subject: made, or refused by name.

use crate::{compared, exporters};
use tare_analysis::analyse;
use tare_analysis::history::{history, HistoryMachine, HistoryOptions, HistoryPoint, HistoryRun, Kept};
use tare_report::{of_run, ComparisonSubject, HistorySubject, Subject, Template, EXPORTERS, TEMPLATES};

/// Forms of single measurements, and pictures that are not of every subject.
const OF_MEASUREMENTS: [&str; 13] = [
    "measurements",
    "google-benchmark",
    "go",
    "pyperf",
    "hyperfine",
    "bdn-full",
    "bdn-brief",
    "bdn-full-xml",
    "bdn-brief-xml",
    "folded",
    "speedscope",
    "firefox",
    "pprof",
];
const PICTURES: [&str; 8] = ["flamegraph", "bars", "box", "density", "strip", "mean", "timeline", "scaling"];

fn some_history() -> tare_analysis::history::History {
    let run = |at: usize| HistoryRun {
        run: format!("7f3a210{at}"),
        created: format!("2026-01-0{}T04:05:06Z", at + 1),
        machine: HistoryMachine { cpu: "AMD EPYC 7763".into(), processors: 4, architecture: "x86_64".into() },
        ..HistoryRun::default()
    };
    let point = |at: usize| Kept {
        run: at,
        point: HistoryPoint {
            key: "parse/a".into(),
            name: "parse/a".into(),
            job: String::new(),
            compiler: "gcc 12.2".into(),
            flags: "-O2".into(),
            time_ns: Some(9.41),
            interval: None,
            is_cpu_time: false,
            is_shared: false,
            at_reference: true,
            base: None,
        },
    };
    history((0..3).map(run).collect(), (0..3).map(point).collect(), &HistoryOptions::default())
}

#[test]
fn every_form_of_every_subject_is_made_or_refused_by_name() {
    let run = exporters::small_run();
    let (report, history) = (analyse(&run), some_history());
    let no_measurements = OF_MEASUREMENTS.to_vec();
    let neither = [&OF_MEASUREMENTS[..], &PICTURES].concat();
    let table: [(&str, Box<dyn Subject>, Vec<&str>); 3] = [
        ("a run", of_run(&run, &report), Vec::new()),
        ("a comparison of saved results", Box::new(ComparisonSubject::saved(compared::everything())), no_measurements),
        ("a history", Box::new(HistorySubject { history: &history, is_detailed: false }), neither),
    ];
    for (phrase, subject, refused) in table {
        let kind = subject.kind();
        assert_eq!(kind.phrase, phrase);
        let shown = exporters::shown_of(subject);
        for exporter in EXPORTERS {
            match exporter.refusal(kind) {
                Some(why) => {
                    assert!(refused.contains(&exporter.name), "{why}");
                    assert!(why.contains(phrase) && why.contains(&format!("`{}`", exporter.name)), "{why}");
                }
                None => {
                    assert!(!refused.contains(&exporter.name), "{phrase} as {}", exporter.name);
                    let text = exporters::text(exporter, &shown);
                    // Of a run without profiles the forms of profiles are empty, and say why.
                    let may_be_empty = ["folded", "pprof"].contains(&exporter.name);
                    assert!(text.len() > 2 || may_be_empty, "{phrase} as {}: {text}", exporter.name);
                }
            }
        }
        for template in &TEMPLATES {
            let template = Template::shipped(template.name).expect("it is there");
            match template.refusal(kind) {
                Some(why) => assert!(!refused.is_empty() && why.contains(&format!("`{}`", template.name())), "{why}"),
                None => {
                    assert!(refused.is_empty() && template.render(&shown, None).is_ok(), "{phrase} by {template:?}")
                }
            }
        }
    }
}

#[test]
fn a_history_has_its_newest_values_in_the_forms_of_other_tools() {
    let history = some_history();
    let subject = Box::new(HistorySubject { history: &history, is_detailed: false });
    let shown = exporters::shown_of(subject);
    for (form, wanted) in [
        ("junit", "<testcase"),
        ("github-action", "\"name\": \"parse/a\""),
        ("openmetrics", "tare_time_seconds{benchmark=\"parse/a\",group=\"parse\""),
        ("jira", "parse/a"),
        ("asciidoc", "parse/a"),
        ("stack-overflow", "    parse/a"),
    ] {
        let exporter = EXPORTERS.iter().find(|exporter| exporter.name == form).expect("a form");
        let text = exporters::text(exporter, &shown);
        assert!(text.contains(wanted), "{form}: {text}");
    }
    let template = Template::new("a.txt", "{{ kind }} {{ cases[0].label }} {{ cases[0].time_ns }}").expect("right");
    assert_eq!(template.render(&shown, None).as_deref(), Ok("history parse/a 9.41"));
}
