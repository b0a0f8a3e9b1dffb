use super::*;

fn run(strategy: &str, invocations: u64, elapsed_ns: f64) -> Run {
    let series = serde_json::json!({"stage": "actual", "invocations": invocations, "round": [0], "columns": {"elapsed_ns": [elapsed_ns]}});
    let case = |artifact: u32, name: &str| {
        serde_json::json!({"artifact": artifact, "job": 0, "key": name,
        "benchmark": {"index": 0, "group": "", "name": name, "strategy": strategy}})
    };
    let launch = |id: u32, case: u32| {
        serde_json::json!({"id": id, "case": case, "group": case, "wave": 0, "seed": 1, "start_ns": 5.0,
        "outcome": "finished", "series": [series]})
    };
    let artifact = |diagnosers: serde_json::Value| {
        let child = tare_model::ChildFacts {
            diagnosers: serde_json::from_value(diagnosers).expect("diagnosers"),
            ..Default::default()
        };
        serde_json::json!({"name": "p", "language": "", "toolchain": "file", "command": ["p"], "directory": ".", "hash": "", "child": child})
    };
    serde_json::from_value(serde_json::json!({
        "schema": "2.0", "id": "a", "created": "", "tare": "", "method": "", "command": [],
        "parts": [{"created": "", "environment": {}, "elapsed_s": 1.0}],
        "artifacts": [artifact(serde_json::json!([{"name": "memory", "metrics": []}])), artifact(serde_json::json!([]))],
        "jobs": [{"id": ""}],
        "plan": {"cases": [case(0, "a"), case(1, "b"), case(0, "c"), case(0, "d")], "policy": {}, "diagnosis": {"diagnosers": ["memory"]}, "seed": 1,
            "groups": [{"cases": [0, 1, 2, 3], "baseline": null}]},
        "results": vec![serde_json::json!({"complete": true}); 4], "launches": [launch(0, 0), launch(1, 1), launch(2, 2)],
        "status": "open", "elapsed_s": 1.0,
    }))
    .expect("a run")
}

#[test]
fn what_was_measured_and_is_not_diagnosed_yet_is_wanted() {
    let (mut run, none) = (run("throughput", 10, 1e6), Diagnosers::default());
    // The program of the second case lacks it; the fourth has no launch.
    let memory = |case: u32| (case, "memory".to_owned());
    assert_eq!(wanted(&run, &none), [memory(0), memory(2)]);
    let failure = tare_model::Failure {
        cause: tare_model::FailureKind::NoValidVisits,
        step: tare_model::Step::Body,
        output: Vec::new(),
    };
    let done = |case, failure| Diagnosis { failure, ..Diagnosis::new(case, "memory", 0, 1) };
    // A failed pass is not repeated.
    run.diagnoses = vec![done(0, Some(failure))];
    assert_eq!(wanted(&run, &none), [memory(2)]);
    run.plan.diagnosis.diagnosers.clear();
    assert_eq!(wanted(&run, &none), []);
}

#[test]
fn a_pass_is_as_long_as_the_code_can_bear() {
    let asked = |strategy, invocations, ns| {
        let Length { iterations, invocations, lead } = length(&run(strategy, invocations, ns), 0, 1000);
        (iterations, invocations, lead)
    };
    assert_eq!(asked("throughput", 40, 1e6), (5, 40, 40));
    assert_eq!(asked("throughput", 1_000_000, 1e6), (5, 1000, 1000));
    assert_eq!(length(&run("throughput", 1_000_000, 1e6), 0, u64::MAX).invocations, 1_000_000);
    // For a diagnoser that slows code a thousandfold: a loop is this short, but runs the body at least once.
    let brief = |invocations, ns| {
        let run = run("throughput", invocations, ns);
        let Length { iterations, invocations, .. } = length(&run, 0, 1000).brief((5000.0, 3), visits(&run, 0));
        (iterations, invocations)
    };
    assert_eq!((brief(1000, 1e6), brief(1000, 1e5), brief(2, 1e6), brief(10, 1.0)), ((3, 5), (3, 50), (3, 1), (3, 10)));
    assert_eq!(asked("throughput", 1, 1e9), (1, 1, 1));
    assert_eq!(asked("monitoring", 1, 1e6), (5, 1, 0));
    assert_eq!(asked("cold-start", 1, 1e6), (1, 1, 0));
}

#[test]
fn both_loops_of_an_exact_difference_are_of_one_kind() {
    let exact = |invocations| Length { iterations: 5, invocations, lead: invocations }.of(true).invocations;
    assert_eq!([0, 1, 2, 3, 31, 32, 63, 64, 16_384, 20_000].map(exact), [0, 1, 2, 2, 2, 32, 32, 64, 16_384, 16_384]);
    for (invocations, unroll) in (1..20_000).flat_map(|invocations| [8, 16, 32].map(|unroll| (invocations, unroll))) {
        let short = exact(invocations);
        let kind = |length: u64| (length >= unroll, length % unroll != 0 || length < unroll);
        assert!(short <= invocations, "{invocations}");
        assert_eq!(kind(short), kind(2 * short), "{invocations} in turns of {unroll}");
    }
    assert_eq!(Length { iterations: 5, invocations: 4095, lead: 0 }.of(false).invocations, 4095);
}

/// Children with prepared answers, and a log of what was done.
#[derive(Default)]
struct Played {
    done: Vec<String>,
    fails: bool,
    /// This many processes crash.
    crashes: usize,
    /// Operations per invocation in each iteration; the last value repeats.
    operations: Vec<f64>,
}

impl Processes for Played {
    fn act(&mut self, action: Action, _: &Run) -> Answers {
        let answer = match &action {
            Action::Ask(asks) => {
                self.done.push(asks[0].request.encode().trim_end().to_owned());
                if self.crashes > 0 {
                    self.crashes -= 1;
                    let cause = FailureKind::Signal { signal: 11, name: "SIGSEGV".to_owned() };
                    let failure = Failure { cause, step: Step::Body, output: Vec::new() };
                    let crashed = Answer::Failed { failure, peak_memory_bytes: None };
                    return Answers { by_launch: [(3, crashed)].into_iter().collect(), ..Answers::default() };
                }
                let operations = if self.operations.len() > 1 { self.operations.remove(0) } else { 3.0 };
                let columns =
                    serde_json::from_value(serde_json::json!({"elapsed_ns": [1.0], "operations": [operations]}));
                Some(Answer::Measured { columns: columns.expect("columns"), resident_bytes: None })
            }
            Action::End(_) => {
                self.done.push("end".to_owned());
                Some(Answer::Ended { peak_memory_bytes: None, output: vec!["bye".to_owned()] })
            }
            Action::Kill(_) => {
                self.done.push("kill".to_owned());
                None
            }
            _ => None,
        };
        Answers { by_launch: answer.into_iter().map(|answer| (3, answer)).collect(), ..Answers::default() }
    }

    fn start_watched(&mut self, start: Start, watch: &mut dyn Watch) -> Answers {
        self.done.push(format!("start {} {:?}", start.case, watch.change().wrapper));
        let started = watch.started(42);
        let cause = FailureKind::EarlyExit { status: 1 };
        let failure = Failure { cause, step: Step::Start, output: Vec::new() };
        let failed = self.fails || started.is_err();
        let answer = failed.then_some((3, Answer::Failed { failure, peak_memory_bytes: None }));
        Answers { by_launch: answer.into_iter().collect(), ..Answers::default() }
    }
}

/// A diagnoser that logs signals and fails at one of them.
#[derive(Default)]
struct SignalLog {
    signals: Vec<String>,
    fails_at: Option<Signal>,
    work: Option<Work>,
    explains: bool,
    ended: bool,
}

impl Diagnoser for SignalLog {
    fn name(&self) -> &str {
        "heard"
    }

    fn lacks(&self, _: &tare_model::Artifact) -> Option<tare_model::Lack> {
        None
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass::of(self.work.unwrap_or(Work::Iterations))
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        assert!(subject.folder.as_ref().is_some_and(|folder| folder.is_dir()));
        Ok(LaunchChange { wrapper: vec![subject.key.clone()], ..LaunchChange::default() })
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        self.signals.push(format!("{signal:?}"));
        if self.fails_at == Some(*signal) {
            return Err("no room".to_owned());
        }
        Ok(())
    }

    fn read(&mut self, run: &Run, case: u32) -> Result<Findings, String> {
        let metric = tare_model::Metric { name: "launches".to_owned(), ..Default::default() };
        let launches = run.launches.iter().filter(|launch| launch.case == case).count() as f64;
        Ok(Findings { metrics: vec![(metric, vec![launches])], ..Findings::default() })
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let content = Ok(b"hello".to_vec());
        let file = File {
            of: Belongs::Side,
            name: "a.txt".to_owned(),
            title: String::new(),
            media_type: "text/plain".to_owned(),
            maker: tare_model::Maker::Tare,
            content,
        };
        let large = File { content: Ok(vec![0; Attachment::BYTES_MAX as usize + 1]), ..file.clone() };
        let none = File { content: Err("it is a link".to_owned()), ..file.clone() };
        Ok(Findings { files: vec![file, large, none], ..Findings::default() })
    }

    fn explain(&self, failure: &Failure) -> Option<String> {
        self.explains.then(|| format!("it knows {:?}", failure.cause))
    }

    fn end(&mut self) {
        self.ended = true;
    }
}

fn made(diagnoser: &mut SignalLog, played: &mut Played) -> PassResult {
    let run = run("monitoring", 10, 1e8);
    let made = pass(&run, 0, diagnoser, played, &RunFolder::new()).expect("nobody interrupts");
    assert!(diagnoser.ended, "it ends whatever happens");
    made
}

#[test]
fn a_diagnoser_hears_of_a_launch_what_happens_in_its_order() {
    let (mut heard, mut played) = (SignalLog::default(), Played::default());
    let made = made(&mut heard, &mut played);
    let part = "part: Part { iteration: 0, which: Workload, invocations: 10 }";
    let took = "took: Took { elapsed_ns: 1.0, cpu_ns: None, waits: None }";
    let [before, after] = [format!("Before {{ {part} }}"), format!("After {{ {part}, operations: 30.0, {took} }}")];
    assert_eq!(
        heard.signals,
        ["Started { pid: 42 }", "Opened { loop_address: None }", &before, &after, "Measured", "Ended"]
    );
    assert_eq!(played.done, ["start 0 [\"a\"]", "measure workload 1 10 0", "end"]);
    assert_eq!((made.diagnosis.failure, made.diagnosis.operations), (None, vec![3.0]));
    assert_eq!(made.diagnosis.output, ["bye"]);
    let files: Vec<_> = made.files.iter().map(|(a, _)| (a.of, a.bytes, a.lost.as_deref())).collect();
    let (of, large) = (Owner::Case(0), Attachment::BYTES_MAX + 1);
    assert_eq!(files, [(of, 5, None), (of, large, Some("it is larger than 16 MiB")), (of, 0, Some("it is a link"))]);
}

#[test]
fn a_pass_that_fails_is_ended_and_named() {
    let part = Part { iteration: 0, which: Loop::Workload, invocations: 10 };
    for signal in
        [Signal::Started { pid: 42 }, Signal::Opened { loop_address: None }, Signal::Before { part }, Signal::Ended]
    {
        let mut heard = SignalLog { fails_at: Some(signal), ..SignalLog::default() };
        let mut played = Played::default();
        let made = made(&mut heard, &mut played);
        assert_eq!(played.done.last().map(String::as_str), Some("kill"), "{signal:?}");
        assert!(made.diagnosis.failure.is_some() && made.diagnosis.metrics.is_empty() && made.files.is_empty());
    }
    let mut played = Played { fails: true, ..Played::default() };
    let failure = made(&mut SignalLog::default(), &mut played).diagnosis.failure.expect("it failed");
    assert_eq!(failure.cause, FailureKind::EarlyExit { status: 1 });
    let mut played = Played { fails: true, ..Played::default() };
    let mut explains = SignalLog { explains: true, ..SignalLog::default() };
    let failure = made(&mut explains, &mut played).diagnosis.failure.expect("it failed");
    assert_eq!(failure.cause, FailureKind::Diagnoser { reason: "it knows EarlyExit { status: 1 }".to_owned() });
}

#[test]
fn a_round_of_differences_has_empty_loops_and_twice_as_long_ones() {
    let (mut heard, mut played) =
        (SignalLog { work: Some(Work::Differences), ..SignalLog::default() }, Played::default());
    let made = made(&mut heard, &mut played);
    let [loops @ .., _] = &played.done[1..] else { panic!("{:?}", played.done) };
    let wanted =
        ["measure overhead 1 10 0", "measure overhead 1 20 0", "measure workload 1 10 0", "measure workload 1 20 0"];
    assert_eq!(loops, wanted);
    // One entry per round.
    assert_eq!(made.diagnosis.operations, [3.0]);
}

#[test]
fn a_program_that_samples_itself_is_asked_once_for_all_the_time() {
    let work = Some(Work::DiagnoseSteady);
    let (mut heard, mut played) = (SignalLog { work, ..SignalLog::default() }, Played::default());
    made(&mut heard, &mut played);
    // Visits of 0.1 s in 2 s.
    assert_eq!(played.done[1..], ["diagnose heard 20 10 0", "end"]);
}

#[test]
fn a_program_that_crashes_while_it_samples_itself_is_started_once_more() {
    for (crashes, starts) in [(0, 1), (1, 2), (2, 2)] {
        let work = Some(Work::DiagnoseSteady);
        let (mut heard, mut played) =
            (SignalLog { work, ..SignalLog::default() }, Played { crashes, ..Played::default() });
        let made = made(&mut heard, &mut played);
        assert_eq!(played.done.iter().filter(|done| done.starts_with("start")).count(), starts);
        assert_eq!(made.diagnosis.failure.is_some(), crashes == 2);
    }
}

#[test]
fn operations_of_a_round_of_differences_are_those_of_its_longer_loop_beyond_the_shorter() {
    let made = |operations: &[f64]| {
        let mut heard = SignalLog { work: Some(Work::Differences), ..SignalLog::default() };
        let mut played = Played { operations: operations.to_vec(), ..Played::default() };
        made(&mut heard, &mut played).diagnosis
    };
    // The empty loops have none; 10 invocations of 4 and 20 of 5 are 60 in 10.
    assert_eq!(made(&[1.0, 1.0, 4.0, 5.0, 0.0]).operations, [6.0]);
    let failure = made(&[1.0, 1.0, 9.0, 4.0, 0.0]).failure.expect("20 invocations of 4 are less than 10 of 9");
    assert_eq!(failure.cause, FailureKind::Diagnoser { reason: LESS_WORK.to_owned() });
}

#[test]
fn what_costs_nothing_starts_no_process() {
    let (mut heard, mut played) = (SignalLog { work: Some(Work::Nothing), ..SignalLog::default() }, Played::default());
    let made = made(&mut heard, &mut played);
    assert_eq!((played.done.len(), heard.signals.len()), (0, 0));
    assert_eq!((made.diagnosis.metrics["launches"].as_slice(), made.diagnosis.gives.len()), (&[1.0][..], 1));
}

#[test]
fn a_declaration_asks_for_its_own_benchmark_and_what_has_no_verdict_takes_one_pass() {
    let (mut run, none) = (run("throughput", 10, 1e6), Diagnosers::default());
    run.plan.diagnosis.diagnosers.clear();
    run.plan.cases[2].benchmark.diagnosers = vec!["threading".to_owned(), "of_another".to_owned()];
    run.plan.groups[0].baseline = Some(0);
    let child = run.artifacts[0].child.as_mut().expect("a child");
    let metric = |name: &str| Metric { name: name.to_owned(), ..Metric::default() };
    child.diagnosers = vec![tare_model::Diagnoser {
        name: "threading".to_owned(),
        metrics: vec![metric("work_items")],
        gives: Vec::new(),
    }];
    let threading = |passes: usize| vec![(2, "threading".to_owned()); passes];
    assert_eq!(wanted(&run, &none), threading(1));
    // A metric with a verdict needs several processes.
    let child = run.artifacts[0].child.as_mut().expect("a child");
    child.diagnosers[0].metrics.push(metric("waits"));
    assert_eq!(wanted(&run, &none), threading(PASSES_COMPARED));
}

#[test]
fn what_compiles_late_is_run_before_a_pass() {
    let mut run = run("throughput", 40, 1e6);
    assert_eq!(warm_up(&run, 0), None);
    run.artifacts[0].child.as_mut().expect("a child").compiles_late = true;
    assert_eq!(warm_up(&run, 0).expect("a request").encode(), "measure workload 350 40 0\n");
    run.launches[0].series[0].columns.elapsed_ns = vec![1e9];
    assert_eq!(warm_up(&run, 0).expect("a request").encode(), "measure workload 1 40 0\n");
    run.plan.cases[0].benchmark.strategy = Strategy::Monitoring;
    assert_eq!(warm_up(&run, 0), None);
    // Repeated while something is being compiled.
    let measured = |compilations: &[f64]| {
        let columns = tare_model::Columns { compilations: compilations.to_vec(), ..tare_model::Columns::default() };
        is_warm(&Answer::Measured { columns: Box::new(columns), resident_bytes: None })
    };
    assert!(measured(&[]) && measured(&[5.0, 1.0, 0.0, 0.0]) && !measured(&[5.0, 0.0, 0.0, 1.0]) && !measured(&[1.0]));
}

#[test]
fn what_seems_to_have_changed_by_much_is_looked_at_without_a_verdict() {
    for (verdict, ratio, looks) in [
        (Verdict::Slower, 1.01, true),
        (Verdict::Same, 1.0, false),
        (Verdict::Unclear, 1.2, false),
        (Verdict::Unclear, 6.0, true),
        (Verdict::Unclear, 0.4, true),
    ] {
        assert_eq!(is_changed(verdict, ratio), looks, "{verdict:?} {ratio}");
    }
}
