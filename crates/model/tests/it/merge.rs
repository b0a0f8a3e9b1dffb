use tare_model::{ChildFacts, ContextEntry, Event, MergeError, Owner, Run, RunStatus};

/// A run of two benchmarks, each a group of its own, with a launch of those that are named.
fn run(processor: &str, groups: &[u32], waves: (u32, u32)) -> Run {
    let case = |name: &str| serde_json::json!({"artifact": 0, "job": 0, "key": name, "benchmark": {"index": 0, "group": "", "name": name}});
    let launch = |(id, group): (usize, &u32)| serde_json::json!({"id": id, "case": group, "group": group, "wave": 0, "seed": 1, "start_ns": 5.0, "outcome": "finished", "series": []});
    let run = serde_json::json!({
        "schema": "2.0", "id": "a", "created": "2026-01-02T03:04:05Z", "tare": "0.1.0", "method": "m", "command": [],
        "parts": [{"created": "2026-01-02T03:04:05Z", "environment": {"cpu": processor}, "elapsed_s": 2.0}],
        "artifacts": [{"name": "p", "language": "c", "toolchain": "file", "command": ["p"], "directory": ".", "hash": "00"}],
        "jobs": [{"id": ""}],
        "plan": {
            "cases": [case("a"), case("b")], "policy": {"waves_min": waves.0, "waves_max": waves.1}, "seed": 1,
            "groups": [{"cases": [0], "baseline": null}, {"cases": [1], "baseline": null}],
        },
        "results": [{"complete": true}, {"complete": true}], "status": "finished", "elapsed_s": 2.0,
        "launches": groups.iter().enumerate().map(launch).collect::<Vec<_>>(),
    });
    serde_json::from_value(run).expect("a run")
}

#[test]
fn launches_of_two_machines_keep_their_environments() {
    let mut merged = run("one", &[0, 1], (2, 2));
    merged.merge(run("two", &[1], (3, 3))).expect("the same plan");
    merged.validate().expect("a run");
    let of = |l: &tare_model::Launch| (l.group, l.wave, merged.environment_of(l).cpu.clone(), l.start_ns);
    let launches: Vec<_> = merged.launches.iter().map(of).collect();
    let one = || "one".to_owned();
    assert_eq!(launches, [(0, 0, one(), 5.0), (1, 0, one(), 5.0), (1, 1, "two".to_owned(), 2e9 + 5.0)]);
    assert_eq!((merged.parts.len(), merged.elapsed_s, merged.status), (2, 4.0, RunStatus::Finished));
    assert_eq!((merged.plan.policy.waves_min, merged.plan.policy.waves_max), (5, 5));
}

#[test]
fn what_both_runs_said_stands_above_the_table() {
    let with = |processor: &str, given: &[(&str, &str)]| {
        let mut run = run(processor, &[0], (2, 2));
        let entry = |(name, value): &(&str, &str)| ContextEntry { name: (*name).into(), value: (*value).into() };
        run.artifacts[0].context = given.iter().map(entry).collect();
        let said = vec![entry(&("data", "default.txt")), entry(&("seed", "42"))];
        run.artifacts[0].child = Some(ChildFacts { context: said, ..ChildFacts::default() });
        run
    };
    let mut merged = with("one", &[("data", "big.txt")]);
    merged.merge(with("two", &[("ticket", "7")])).expect("the same plan");
    let all = merged.artifacts[0].all_context();
    let texts: Vec<String> = all.iter().map(|entry| format!("{}={}", entry.name, entry.value)).collect();
    assert_eq!(texts, ["seed=42", "data=big.txt", "data=default.txt", "ticket=7"]);
    let same = with("one", &[("data", "big.txt")]).artifacts;
    let mut merged = with("one", &[("data", "big.txt")]);
    merged.merge(with("two", &[("data", "big.txt")])).expect("the same plan");
    assert_eq!(merged.artifacts, same);
}

#[test]
fn runs_of_one_form_are_merged_and_others_are_not() {
    let of = |schema: &str| Run { schema: schema.to_owned(), ..run("two", &[1], (2, 2)) };
    run("one", &[0], (2, 2)).merge(of("2.1")).expect("both are read alike");
    let other = run("one", &[0], (2, 2)).merge(of("3.0"));
    assert!(matches!(other, Err(MergeError::Differ { what: "the schemas" })), "{other:?}");
}

#[test]
fn passes_of_diagnosers_stay_with_their_part() {
    let diagnosed = |case: u32| {
        let mut run = run(if case == 0 { "one" } else { "two" }, &[case], (2, 2));
        let pass = serde_json::json!({"case": case, "diagnoser": "memory", "part": 0, "invocations": 1});
        run.diagnoses = vec![serde_json::from_value(pass).expect("a pass")];
        run
    };
    let mut merged = diagnosed(0);
    let mut other = diagnosed(1);
    // How much was asked of a diagnoser is no rule of measuring.
    other.plan.diagnosis.diagnosers = vec!["memory".to_owned()];
    merged.merge(other).expect("the same plan");
    merged.validate().expect("a run");
    assert_eq!(merged.diagnoses.iter().map(|d| (d.case, d.part)).collect::<Vec<_>>(), [(0, 0), (1, 1)]);
    assert_eq!(merged.plan.diagnosis.diagnosers, ["memory"]);
    merged.diagnoses[1].part = 2;
    assert!(merged.validate().is_err());
}

#[test]
fn attachments_keep_their_owner_and_their_part() {
    let attached = |processor: &str, of: serde_json::Value| {
        let mut run = run(processor, &[1], (2, 2));
        let attachment = serde_json::json!({"of": of, "part": 0, "diagnoser": "d", "name": "a.txt", "media_type": "text/plain",
            "bytes": 1, "hash": "0".repeat(64)});
        run.attachments = vec![serde_json::from_value(attachment).expect("an attachment")];
        run
    };
    let mut merged = attached("one", serde_json::json!({"case": 1}));
    merged.merge(attached("two", serde_json::json!({"launch": 0}))).expect("the same plan");
    let of: Vec<_> = merged.attachments.iter().map(|a| (a.of, a.part)).collect();
    assert_eq!(of, [(Owner::Case(1), 0), (Owner::Launch(1), 1)]);
    assert_eq!(merged.attachments[0].path().as_deref(), Some("attachments/0000000000000000-a.txt"));
    // What belongs to nothing is left out, and nothing else.
    merged.attachments[0].of = Owner::Side(tare_model::Side::New);
    merged.attachments[1].part = 7;
    merged.attachments.push(merged.attachments[0].clone());
    merged.attachments[2].of = Owner::Case(0);
    merged.leave_out_strangers();
    assert_eq!(merged.attachments.len(), 1);
}

#[test]
fn an_attachment_is_an_event_and_the_newest_of_a_name_counts() {
    let started = serde_json::json!({"event": "run-started", "schema": "2.0", "id": "a", "created": "", "tare": "", "method": "",
        "command": [], "environment": {}, "artifacts": [], "jobs": [{"id": ""}], "plan": {"cases": [{"artifact": 0, "job": 0,
        "key": "a", "benchmark": {"index": 0, "group": "", "name": "a"}}], "policy": {}, "seed": 1, "groups": []}});
    let attached = |case: u32, bytes: u64| {
        serde_json::json!({"event": "attached", "attachment": {"of": {"case": case}, "part": 0, "diagnoser": "d", "name": "a",
            "media_type": "text/plain", "bytes": bytes, "hash": ""}})
    };
    let events: Vec<Event> = [started, attached(0, 1), attached(0, 2)]
        .into_iter()
        .map(|event| Event::from_json(event.to_string().as_bytes()).expect("an event"))
        .collect();
    let run = tare_model::fold(&events).expect("a run");
    assert_eq!(run.attachments.iter().map(|a| (a.bytes, a.path())).collect::<Vec<_>>(), [(2, None)]);
    let stranger = Event::from_json(attached(1, 1).to_string().as_bytes()).expect("an event");
    assert!(tare_model::fold([&events[0], &stranger]).is_err());
}

#[test]
fn shards_may_end_early_and_two_runs_of_one_group_may_not() {
    let mut merged = run("one", &[0], (1, 16));
    let before = merged.clone();
    assert!(merged.merge(run("two", &[0], (1, 16))).is_err());
    assert_eq!(merged, before);
    merged.merge(run("two", &[1], (1, 16))).expect("another group");
    assert_eq!((merged.launches.len(), merged.plan.policy.waves_max), (2, 16));
}

#[test]
fn parts_that_measure_some_groups_are_a_whole_together() {
    let part = |processor: &str, groups: &[u32]| {
        let mut part = run(processor, groups, (1, 16));
        part.plan.only = groups.to_vec();
        part
    };
    let mut merged = part("one", &[0]);
    assert!(merged.plan.measures(0) && !merged.plan.measures(1));
    merged.merge(part("two", &[1])).expect("the other group");
    assert!(merged.plan.only.is_empty(), "nothing is missing");
    let mut twice = part("one", &[1]);
    assert!(twice.merge(part("two", &[1])).is_err(), "both may have ended early");
    let mut fixed = run("one", &[0], (2, 2));
    fixed.plan.only = vec![0];
    let mut same = run("two", &[0], (2, 2));
    same.plan.only = vec![0];
    fixed.merge(same).expect("more launches of it");
    assert_eq!(fixed.plan.only, [0]);
}

#[test]
fn what_differs_is_named() {
    let with = |change: fn(&mut Run)| {
        let mut other = run("two", &[0], (2, 2));
        change(&mut other);
        run("one", &[0], (2, 2)).merge(other)
    };
    let differ = |what| Err(MergeError::Differ { what });
    assert_eq!(with(|_| ()), Ok(()));
    assert_eq!(with(|r| r.artifacts[0].hash = "01".into()), differ("the programs"));
    assert_eq!(with(|r| r.jobs[0].flags = vec!["-O3".into()]), differ("the jobs"));
    assert_eq!(with(|r| r.plan.policy.visit_ns = 1.0), differ("the rules of measuring"));
    assert_eq!(with(|r| r.plan.cases[1].benchmark.operations = 7), differ("the benchmarks"));
    assert_eq!(with(|r| r.plan.groups[0].cases = vec![0, 1]), differ("the groups"));
    assert_eq!(with(|r| r.status = RunStatus::Interrupted), Err(MergeError::NotFinished { id: "a".into() }));
    let created = run("one", &[], (2, 2)).parts[0].created.clone();
    assert_eq!(with(|r| r.parts[0].environment.cpu = "one".into()), Err(MergeError::Twice { created }));
    let results = |r: &mut Run, digest: &str| r.results[0].digest = Some(digest.into());
    let (mut one, mut two) = (run("one", &[0], (2, 2)), run("two", &[0], (2, 2)));
    results(&mut one, "x");
    results(&mut two, "y");
    assert_eq!(one.merge(two), Err(MergeError::TwoResults { case: "a".into() }));
}

#[test]
fn what_one_run_alone_has_is_added_to_the_plan() {
    let mut other = with_one_alone("two");
    other.plan.cases[1].key = "c".into();
    let mut merged = with_one_alone("one");
    merged.merge(other).expect("another benchmark");
    merged.validate().expect("a run");
    let keys: Vec<&str> = merged.plan.cases.iter().map(|case| case.key.as_str()).collect();
    assert_eq!((keys, merged.planned_groups()), (vec!["a", "b", "c"], 3));
    // Those that were measured again alone stand behind all that were planned.
    let of: Vec<_> = merged.launches.iter().map(|l| (l.case, l.group, l.wave)).collect();
    assert_eq!(of, [(0, 0, 0), (1, 3, 0), (0, 0, 1), (2, 4, 0)]);
    let alone: Vec<_> = merged.results.iter().map(|r| r.repeated.as_ref().map(|alone| alone.group)).collect();
    assert_eq!(alone, [None, Some(3), Some(4)]);
    assert!(merged.plan.only.is_empty());
}

/// The second benchmark failed beside another process and was measured again alone.
fn with_one_alone(processor: &str) -> Run {
    let mut run = run(processor, &[0, 1], (2, 2));
    let cause = tare_model::FailureKind::EarlyExit { status: 98 };
    let failure = tare_model::Failure { cause, step: tare_model::Step::SetUp, output: Vec::new() };
    run.results[1].repeated = Some(tare_model::Repetition { failure, group: 2 });
    run.plan.groups.push(tare_model::CaseGroup { cases: vec![1], ..Default::default() });
    run.launches[1].group = 2;
    run.validate().expect("a run");
    run
}

#[test]
fn what_both_measured_again_alone_is_one_group() {
    let of = |run: &Run| run.launches.iter().map(|l| (l.case, l.group, l.wave)).collect::<Vec<_>>();
    let mut merged = with_one_alone("one");
    merged.merge(with_one_alone("two")).expect("the same plan");
    merged.validate().expect("a run");
    assert_eq!(merged.plan.groups.len(), 3);
    assert_eq!(of(&merged), [(0, 0, 0), (1, 2, 0), (0, 0, 1), (1, 2, 1)]);
    // One of them alone brings its own.
    let mut merged = run("one", &[0], (2, 2));
    merged.merge(with_one_alone("two")).expect("the same plan");
    merged.validate().expect("a run");
    assert_eq!((merged.plan.groups.len(), of(&merged)), (3, vec![(0, 0, 0), (0, 0, 1), (1, 2, 0)]));
}
