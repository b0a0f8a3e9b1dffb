//! What is a cause, what follows from one, and what is a remark.

use super::*;
use tare_model::{Costs, RunStatus};

/// Adds what a diagnoser knows of both sides.
fn facts<'a>(diagnoser: &'a str, facts: &'a [(&'a str, [f64; 2])]) -> impl Fn(&mut Run) + 'a {
    move |run: &mut Run| {
        for case in [0, 1] {
            let mut pass = Diagnosis::new(case, diagnoser, 0, 1);
            let its = facts.iter().map(|(name, values)| ((*name).to_owned(), values[case as usize]));
            pass.facts = its
                .filter(|(name, value)| {
                    *value > 0.0
                        || !name.starts_with("samples") && !name.starts_with("called") && !name.starts_with("values")
                })
                .collect();
            run.diagnoses.push(pass);
        }
    }
}

fn roles(case: &CaseWhy) -> Vec<(&'static str, Role)> {
    case.evidence.iter().map(|found| (found.kind, found.role)).collect()
}

fn of<'a>(case: &'a CaseWhy, kind: &str) -> &'a Evidence {
    case.evidence.iter().find(|found| found.kind == kind).unwrap_or_else(|| panic!("no {kind}: {case:?}"))
}

#[test]
fn what_costs_less_than_a_tenth_of_the_difference_is_a_remark() {
    let case = explained(2300.0, &[("instructions/mispredicted", [257.5, 258.0])]);
    assert_eq!(roles(&case), [("mispredictions", Role::Remark)]);
    assert!(matches!(case.conclusion, Some(Conclusion::TooLittle { .. })), "{case:?}");
    // What has no typical cost explains nothing.
    let case = explained_as(2300.0, &[], facts("code", &[("bytes", [533.0, 555.0])]));
    assert_eq!((roles(&case), case.conclusion), (vec![("code", Role::Remark)], Some(Conclusion::Nothing)), "{case:?}");
}

#[test]
fn what_a_cause_brings_with_it_follows_it() {
    let counts: Counts = &[
        ("instructions/executed", [1000.0, 1600.0]),
        ("instructions/memory_accesses", [100.0, 300.0]),
        ("instructions/indirect_branches", [0.0, 50.0]),
    ];
    let case = explained_as(200.0, counts, facts("code", &[("vector_bits", [256.0, 0.0])]));
    // The vector is lost since the call is virtual, whatever either costs.
    assert_eq!(
        roles(&case),
        [
            ("indirect", Role::Cause),
            ("vectors", Role::Follows),
            ("instructions", Role::Follows),
            ("accesses", Role::Follows)
        ],
        "{case:?}"
    );
}

#[test]
fn where_times_are_undecided_little_beside_the_greatest_cost_is_a_remark() {
    let counts: Counts = &[("instructions/mispredicted", [0.0, 40.0]), ("instructions/l1_misses", [5.5, 7.0])];
    let case = explained_in_noise(150.0, counts, 1.0, |_| {});
    assert_eq!(roles(&case), [("mispredictions", Role::Cause), ("misses", Role::Remark)], "{case:?}");
    // So is what costs little of the difference as far as that was measured.
    let case = explained_in_noise(6000.0, counts, 1.0, |_| {});
    assert_eq!(roles(&case), [("mispredictions", Role::Remark), ("misses", Role::Remark)], "{case:?}");
}

#[test]
fn a_function_with_most_of_the_difference_is_the_place_and_what_samples_do_there_the_cause() {
    let samples = [
        ("samples", [200.0, 400.0]),
        ("samples in tally", [190.0, 390.0]),
        ("samples of locks in std::mutex::lock", [2.0, 320.0]),
    ];
    let case = explained_as(1000.0, &[("instructions/executed", [400.0, 500.0])], facts("profile", &samples));
    assert_eq!(
        roles(&case),
        [("functions", Role::Place), ("locks", Role::Cause), ("instructions", Role::Remark)],
        "{case:?}"
    );
    let place = of(&case, "functions");
    assert!(place.text.contains("`tally`") && place.values.is_some_and(|values| values[0] > 90.0), "{place:?}");
    assert!(of(&case, "locks").is_measured && of(&case, "locks").text.contains("`std::mutex::lock`"), "{case:?}");
}

#[test]
fn code_without_a_name_is_what_the_machine_code_calls_it_for() {
    let samples =
        [("samples", [100.0, 100.0]), ("samples in Sum", [95.0, 96.0]), ("samples without a name", [0.0, 90.0])];
    let both = |calls: &[(&str, [f64; 2])]| {
        explained_as(1000.0, &[], |run| {
            facts("profile", &samples)(run);
            facts("code", calls)(run);
        })
    };
    let case = both(&[("calls of locks", [0.0, 3.0]), ("calls of dispatch", [1.0, 1.0])]);
    assert_eq!(roles(&case)[..2], [("functions", Role::Place), ("locks", Role::Cause)], "{case:?}");
    // Nor is it for what the base does not call where the base has it too.
    let on_both = [samples[0], samples[1], ("samples without a name", [60.0, 90.0])];
    let case = explained_as(1000.0, &[], |run| {
        facts("profile", &on_both)(run);
        facts("code", &[("calls of locks", [0.0, 3.0])])(run);
    });
    assert!(case.evidence.iter().all(|found| found.kind != "locks"), "{case:?}");
    // With two kinds it is not known which.
    let case = both(&[("calls of locks", [0.0, 3.0]), ("calls of dispatch", [0.0, 1.0])]);
    assert!(case.evidence.iter().all(|found| found.kind != "locks"), "{case:?}");
}

#[test]
fn a_side_without_samples_is_said_to_have_none() {
    let samples =
        [("samples", [0.0, 100.0]), ("samples of locks in lock", [0.0, 90.0]), ("samples in lock", [0.0, 90.0])];
    let case = explained_as(1000.0, &[], facts("profile", &samples));
    let locks = of(&case, "locks");
    assert!(locks.text.ends_with("90 % of the samples of the new side; the base has none"), "{locks:?}");
    assert_eq!((locks.role, locks.values), (Role::Cause, None), "{case:?}");
    // Of a side that got faster nothing is known.
    assert_eq!(roles(&explained_as(50.0, &[], facts("profile", &samples))), []);
}

#[test]
fn a_function_that_was_inlined_and_is_called_is_known_by_its_stacks() {
    let samples = [
        ("samples", [300.0, 300.0]),
        ("samples in light", [290.0, 150.0]),
        ("samples in dot", [0.0, 140.0]),
        ("samples inlined dot from light", [120.0, 0.0]),
        ("samples called dot from light", [0.0, 140.0]),
        ("samples called clamp from light", [50.0, 0.0]),
    ];
    let case = explained_as(200.0, &[], facts("profile", &samples));
    let found = of(&case, "inlining");
    assert_eq!(found.role, Role::Cause, "{case:?}");
    assert!(found.text.starts_with("`dot` is called by `light` on the new side and inlined"), "{found:?}");
    // Debug information has what is inlined without the names around it.
    let bare: Vec<(&str, [f64; 2])> = samples
        .iter()
        .map(|(name, values)| {
            (if *name == "samples called dot from light" { "samples called v::dot from light" } else { *name }, *values)
        })
        .collect();
    assert_eq!(of(&explained_as(200.0, &[], facts("profile", &bare)), "inlining").role, Role::Cause);
    // The side that is slower does not pay for a call that the other one makes.
    assert!(explained_as(50.0, &[], facts("profile", &samples)).evidence.iter().all(|found| found.kind != "inlining"));
}

#[test]
fn a_loop_that_calls_what_was_inlined_is_a_cause_where_the_time_is() {
    let case = explained_as(200.0, &[], |run| {
        facts("profile", &[("samples", [200.0, 200.0]), ("samples in total", [190.0, 195.0])])(run);
        facts("code", &[("called now invokeinterface:price", [0.0, 1.0]), ("bytes", [896.0, 512.0])])(run);
    });
    let found = of(&case, "inlining");
    assert!(found.role == Role::Cause && found.text.starts_with("`invokeinterface:price`, inlined"), "{case:?}");
}

#[test]
fn values_of_another_type_are_a_cause_where_the_time_is() {
    let samples: &[(&str, [f64; 2])] = &[
        ("samples", [200.0, 200.0]),
        ("samples in is_stop", [150.0, 195.0]),
        ("samples at stop.py:8: return word in STOP in is_stop", [140.0, 190.0]),
        ("samples at stop.py:7 in other", [9.0, 3.0]),
        ("values of STOP in is_stop: frozenset", [1.0, 0.0]),
        ("values of STOP in is_stop: tuple", [0.0, 1.0]),
        ("values of word in is_stop: str", [1.0, 1.0]),
        ("in memory: arrays in dictionary mode", [2.0, 2.0]),
    ];
    let case = explained_as(1000.0, &[], facts("profile", samples));
    assert_eq!(roles(&case), [("functions", Role::Place), ("values", Role::Cause)], "{case:?}");
    assert_eq!(of(&case, "values").text, "`STOP` in `is_stop` is frozenset on the base and tuple on the new side");
    assert!(
        of(&case, "functions").text.starts_with("time in `is_stop`, mostly at stop.py:8: `return word in STOP`"),
        "{case:?}"
    );
    // So are those of a function that calls what takes long.
    let of_callee = [samples[0], ("samples in mul", [100.0, 190.0]), ("samples under is_stop", [199.0, 199.0])];
    let called = explained_as(1000.0, &[], facts("profile", &[&of_callee[..], &samples[4..6]].concat()));
    assert!(roles(&called).contains(&("values", Role::Cause)), "{called:?}");
    // What that costs is not known.
    assert_eq!(case.conclusion, Some(Conclusion::Differs));
    let sparse = [samples[0], samples[1], ("in memory: arrays in dictionary mode", [0.0, 1.0])];
    let case = explained_as(1000.0, &[], facts("profile", &sparse));
    assert_eq!(roles(&case)[1], ("values", Role::Cause), "{case:?}");
    // Where no function has it, they are one if nothing else was done differently.
    let anywhere = |counts| roles(&explained_as(1000.0, counts, facts("profile", &sparse[2..])));
    let allocated: Counts = &[("memory/allocations", [0.0, 30.0])];
    assert_eq!(anywhere(&[]), [("values", Role::Cause)]);
    assert_eq!(anywhere(allocated), [("allocations", Role::Cause), ("values", Role::Remark)]);
    // Four shapes are remembered wherever objects of several come.
    let shapes = |new| [samples[0], samples[1], ("in memory: shapes of objects, of 50 or more each", [2.0, new])];
    let is_named = |new| kinds(&explained_as(1000.0, &[], facts("profile", &shapes(new)))).contains(&"values");
    assert_eq!([3.0, 17.0].map(is_named), [false, true]);
}

#[test]
fn a_small_part_of_the_samples_does_not_come_before_what_it_brings() {
    let hashed = |hashing: f64| {
        let samples = [
            ("samples", [10.0, 300.0]),
            ("samples of hashing in f", [0.0, hashing]),
            ("samples of look-ups in g", [0.0, 150.0]),
        ];
        roles(&explained_as(1000.0, &[], facts("profile", &samples)))
    };
    assert_eq!(hashed(50.0), [("look-ups", Role::Cause), ("hashing", Role::Cause)]);
    assert_eq!(hashed(120.0), [("hashing", Role::Cause), ("look-ups", Role::Follows)]);
}

#[test]
fn a_function_of_the_runtime_with_most_of_the_difference_says_what_is_done() {
    let of_runtime: &[(&str, [f64; 2])] = &[
        ("samples", [100.0, 300.0]),
        ("samples in PyEval", [90.0, 20.0]),
        ("samples under PyEval", [95.0, 300.0]),
        ("samples in compare", [0.0, 100.0]),
        ("samples under contains", [1.0, 250.0]),
        ("samples under PyRun", [100.0, 300.0]),
        ("samples of formatting in printf", [0.0, 40.0]),
    ];
    let case = explained_as(1000.0, &[], facts("runtime", of_runtime));
    assert_eq!(roles(&case), [("runtime", Role::Cause)], "{case:?}");
    assert!(of(&case, "runtime").text.starts_with("time in `contains` and in what it calls, sampled with"), "{case:?}");
    // Where none has most of it, the one that only this side runs.
    let spread: &[(&str, [f64; 2])] = &[
        ("samples", [300.0, 300.0]),
        ("samples under Loop", [280.0, 60.0]),
        ("samples under ProxyGet", [0.0, 110.0]),
        ("samples under KeyedLoad", [0.0, 80.0]),
        ("samples under LoadIC", [0.0, 50.0]),
    ];
    let case = explained_as(1000.0, &[], facts("runtime", spread));
    assert!(of(&case, "runtime").text.starts_with("time in `ProxyGet`"), "{case:?}");
    // What runs on both sides says less than what only one runs, although that has less.
    let both_sides: &[(&str, [f64; 2])] = &[
        ("samples", [450.0, 927.0]),
        ("samples under MakeCall", [204.0, 508.0]),
        ("samples under wrapper_call", [0.0, 239.0]),
        ("samples under wrap_setattr", [0.0, 89.0]),
    ];
    let case = explained_as(264.0, &[], facts("runtime", both_sides));
    assert!(of(&case, "runtime").text.starts_with("time in `wrapper_call`"), "{case:?}");
    // Where the work is known by its kind, that says more.
    let of_kind = [of_runtime, &[("samples of exceptions in PyErr_SetObject", [0.0, 280.0])]].concat();
    assert_eq!(roles(&explained_as(1000.0, &[], facts("runtime", &of_kind))), [("exceptions", Role::Cause)]);
}

#[test]
fn the_smallest_function_that_has_most_of_the_difference_with_what_it_calls_is_the_place() {
    let samples = [
        ("samples", [300.0, 300.0]),
        ("samples in body", [300.0, 10.0]),
        ("samples in parse", [0.0, 90.0]),
        ("samples in convert", [0.0, 100.0]),
        ("samples in fill", [0.0, 100.0]),
        ("samples under outer", [65.0, 295.0]),
        ("samples under parse", [60.0, 290.0]),
        ("samples under convert", [0.0, 200.0]),
    ];
    let case = explained_as(1000.0, &[], facts("profile", &samples));
    assert_eq!(roles(&case)[0], ("functions", Role::Place), "{case:?}");
    assert!(case.evidence[0].text.starts_with("time in `parse` and in what it calls"), "{case:?}");
}

#[test]
fn a_function_that_only_one_side_runs_is_a_cause_unless_the_other_has_such_a_one_too() {
    let samples: &[(&str, [f64; 2])] = &[
        ("samples", [200.0, 600.0]),
        ("samples in centre", [200.0, 200.0]),
        ("samples in mass", [0.0, 150.0]),
        ("samples under mass", [0.0, 400.0]),
        ("samples under inner", [0.0, 200.0]),
    ];
    let of_runtime = facts("runtime", &[("samples", [200.0, 600.0]), ("samples under CallOneArg", [0.0, 390.0])]);
    let both = |run: &mut Run| {
        facts("profile", samples)(run);
        of_runtime(run);
    };
    let case = explained_as(300.0, &[], both);
    assert!(roles(&case).contains(&("only-there", Role::Cause)) && !kinds(&case).contains(&"runtime"), "{case:?}");
    assert!(of(&case, "only-there")
        .text
        .starts_with("time in `mass` and in what it calls, where the other side has hardly a sample"));
    // Its own mispredictions are a part of it.
    let counts: Counts = &[("instructions/mispredicted", [0.0, 30.0])];
    let all: &[(&str, [f64; 2])] =
        &[("samples", [100.0, 300.0]), ("samples in mass", [100.0, 1.0]), ("samples under nth", [0.0, 299.0])];
    let roles_of_all = roles(&explained_as(300.0, counts, facts("profile", all)));
    assert!(!roles_of_all.contains(&("mispredictions", Role::Cause)), "{roles_of_all:?}");
    // What the other side has inlined runs there too.
    let inlined = explained_as(300.0, &[], |run| {
        facts("profile", all)(run);
        facts("code", &[("called now text::nth", [0.0, 1.0])])(run);
    });
    assert!(!kinds(&inlined).contains(&"only-there"), "{inlined:?}");
    // What it throws too.
    let thrown: Counts = &[("exceptions/thrown", [0.0, 0.1])];
    let causes = roles(&explained_as(300.0, thrown, facts("profile", all)));
    assert_eq!(causes.iter().find(|(_, role)| *role == Role::Cause), Some(&("only-there", Role::Cause)), "{causes:?}");
    assert!(causes.contains(&("exceptions", Role::Follows)), "{causes:?}");
    // So is what it allocates, also where it has little more than half of the difference.
    let allocated: Counts = &[("memory/allocations", [0.0, 2.0]), ("memory/allocated_bytes", [0.0, 64.0])];
    let some: Vec<_> =
        samples.iter().map(|(name, [base, new])| (*name, [*base, if *new == 400.0 { 250.0 } else { *new }])).collect();
    let causes = roles(&explained_as(300.0, allocated, facts("profile", &some)));
    let of_causes = |role| causes.iter().filter(|(_, of)| *of == role).map(|(kind, _)| *kind).collect::<Vec<&str>>();
    assert_eq!((of_causes(Role::Cause), of_causes(Role::Follows)), (vec!["only-there"], vec!["allocations"]));
    let renamed = [samples, &[("samples under weight", [150.0, 0.0])]].concat();
    assert!(!kinds(&explained_as(300.0, &[], facts("profile", &renamed))).contains(&"only-there"));
}

#[test]
fn what_was_measured_on_the_machine_takes_the_place_of_a_typical_cost() {
    let costs = Costs { mispredicted: 30.0, l1_miss: 10.0, memory: 400.0, atomic: 20.0, syscall: 600.0 };
    let calibrated = |run: &mut Run| run.environment_mut().costs = Some(costs);
    let counts: Counts = &[("instructions/mispredicted", [0.0, 5.0]), ("instructions/l1_misses", [0.0, 8.0])];
    let case = explained_as(200.0, counts, calibrated);
    for (kind, each) in [("mispredictions", 30.0), ("misses", 5.0)] {
        let found = of(&case, kind);
        assert_eq!((found.each, found.is_calibrated), (Some(each), true), "{case:?}");
        assert_eq!(found.cycles, each * (found.values.expect("counts")[1]));
    }
    let typical = explained_as(200.0, counts, |_| {});
    assert_eq!((of(&typical, "misses").each, of(&typical, "misses").is_calibrated), (Some(6.0), false));
}

#[test]
fn system_calls_cost_at_least_what_samples_of_the_kernel_say() {
    let case = explained_as(1000.0, &[("syscalls/made", [0.0, 1.0])], |run| {
        facts("profile", &[("samples", [300.0, 300.0]), ("samples of system in write", [1.0, 200.0])])(run);
    });
    assert_eq!(roles(&case), [("syscalls", Role::Cause), ("system", Role::Follows)], "{case:?}");
    assert!(of(&case, "syscalls").is_measured);
}

#[test]
fn mispredictions_that_would_take_longer_than_the_difference_were_foreseen() {
    // 100 ns are 303 cycles, and 20 mispredictions would be 300.
    let case = explained(200.0, &[("instructions/mispredicted", [0.0, 20.0])]);
    assert_eq!(roles(&case), [("mispredictions", Role::Cause)], "{case:?}");
    let case = explained(200.0, &[("instructions/mispredicted", [0.0, 40.0])]);
    assert_eq!(roles(&case), [("mispredictions", Role::Remark)], "{case:?}");
    assert_eq!(case.conclusion, Some(Conclusion::Nothing));
}

#[test]
fn instructions_that_take_much_longer_wait() {
    let counts: Counts = &[
        ("instructions/executed", [400.0, 400.0]),
        ("instructions/memory_accesses", [30.0, 60.0]),
        ("instructions/l1_misses", [1.0, 12.0]),
    ];
    let case = explained(5000.0, counts);
    assert_eq!(roles(&case)[..2], [("stalls", Role::Cause), ("misses", Role::Follows)], "{case:?}");
    assert!(of(&case, "stalls").text.contains("0.76 cycles on the base and 37.89 on the new side"), "{case:?}");
    // Of little more the places may be all, and threads wait for each other.
    assert!(explained(120.0, counts).evidence.iter().all(|found| found.kind != "stalls"));
    let threads = |run: &mut Run| run.plan.cases.iter_mut().for_each(|case| case.benchmark.threads = 2);
    assert!(explained_as(5000.0, counts, threads).evidence.iter().all(|found| found.kind != "stalls"));
}

#[test]
fn what_failed_on_one_side_is_said_and_takes_back_that_only_places_differ() {
    let equal: Counts = &[
        ("instructions/executed", [400.0, 400.0]),
        ("instructions/branches", [50.0, 50.0]),
        ("instructions/memory_accesses", [9.0, 9.0]),
    ];
    let case = explained_as(110.0, equal, |run| {
        let mut pass = Diagnosis::new(0, "syscalls", 0, 1);
        let cause = tare_model::FailureKind::Diagnoser { reason: "no".to_owned() };
        pass.failure = Some(tare_model::Failure { cause, step: tare_model::Step::End, output: Vec::new() });
        run.diagnoses.push(pass);
    });
    assert!(case.missing[0].reason.starts_with("on the base: "), "{case:?}");
    assert!(of(&case, "layout").text.contains("one suspect beside what was not looked at"), "{case:?}");
    let ended = explained_as(110.0, equal, |run| {
        run.plan.diagnosis.of_changed = ["instructions", "profile"].map(str::to_owned).to_vec();
        run.status = RunStatus::Interrupted;
    });
    let missing: Vec<&str> = ended.missing.iter().map(|lack| lack.diagnoser.as_str()).collect();
    assert_eq!(missing, ["profile"], "{ended:?}");
}

#[test]
fn samples_that_failed_are_no_sign_that_nothing_runs_there() {
    let failed = |fails: bool| {
        explained_as(1000.0, &[], |run| {
            let mut base = Diagnosis::new(0, "profile", 0, 1);
            let cause = tare_model::FailureKind::Diagnoser { reason: "no".to_owned() };
            base.failure =
                fails.then(|| tare_model::Failure { cause, step: tare_model::Step::End, output: Vec::new() });
            let mut new = Diagnosis::new(1, "profile", 0, 1);
            new.facts = [("samples", 300.0), ("samples in work", 280.0)].map(|(n, v)| (n.to_owned(), v)).into();
            run.diagnoses.extend([base, new]);
        })
    };
    assert_eq!((kinds(&failed(false)), kinds(&failed(true))), (vec!["functions"], vec![]));
}

#[test]
fn what_was_done_in_a_function_comes_before_the_function_unless_it_is_little_of_it() {
    let of = |locks: f64| {
        let samples = [
            ("samples", [300.0, 300.0]),
            ("samples under add", [0.0, 280.0]),
            ("samples of locks in lock", [0.0, locks]),
        ];
        roles(&explained_as(1000.0, &[], facts("profile", &samples)))
    };
    assert_eq!(of(250.0), [("only-there", Role::Place), ("locks", Role::Cause)]);
    assert_eq!(of(90.0), [("only-there", Role::Cause), ("locks", Role::Follows)]);
}

#[test]
fn what_samples_have_most_of_comes_before_counts_and_is_joined_by_what_they_bring() {
    let of = |repr: f64, collection: f64| {
        let of_runtime = [("samples", [300.0, 300.0]), ("samples under run", [300.0, 300.0])];
        let of_runtime = [&of_runtime[..], &[("samples under repr", [0.0, repr])]].concat();
        let of_profile = [("samples", [300.0, 300.0]), ("samples of collection in gc", [0.0, collection])];
        let case = explained_as(1000.0, &[("memory/allocations", [0.0, 30.0])], |run| {
            facts("runtime", &of_runtime)(run);
            facts("profile", &of_profile)(run);
        });
        roles(&case)
    };
    assert_eq!(of(220.0, 0.0), [("runtime", Role::Cause), ("allocations", Role::Follows)]);
    let all = [("runtime", Role::Cause), ("allocations", Role::Follows), ("collection", Role::Follows)];
    assert_eq!(of(220.0, 60.0), all);
    assert_eq!(of(220.0, 160.0)[0], ("runtime", Role::Cause), "a collector says less than whose garbage it is");
    // Of less than half the greater cost is the first.
    assert_eq!(of(100.0, 0.0)[0], ("allocations", Role::Cause));
}

#[test]
fn a_function_that_runs_once_on_one_side_and_often_on_the_other_is_a_cause_and_nothing_waits() {
    let counts: Counts = &[("instructions/executed", [400.0, 1000.0])];
    let read = |base: f64| {
        let samples = [
            ("samples", [300.0, 300.0]),
            ("samples in body", [300.0 - base, 70.0]),
            ("samples under clock", [base, 230.0]),
        ];
        kinds(&explained_as(500.0, counts, facts("profile", &samples)))
    };
    let causes = read(25.0);
    assert!(causes.contains(&"only-there") && !causes.contains(&"stalls"), "{causes:?}");
    // What has much of the base runs there, however short that is.
    assert!(!read(40.0).contains(&"only-there"), "{:?}", read(40.0));
    assert!(!read(250.0).contains(&"only-there") && read(250.0).contains(&"stalls"), "{:?}", read(250.0));
}

#[test]
fn where_times_are_undecided_what_is_measured_and_greater_comes_first() {
    let samples = facts(
        "profile",
        &[("samples", [300.0, 300.0]), ("samples under sum", [0.0, 250.0]), ("samples in get", [0.0, 90.0])],
    );
    let counts: Counts = &[("memory/allocations", [0.0, 2.0])];
    let case = explained_in_noise(1000.0, counts, 1.0, samples);
    assert_eq!(case.compared.as_ref().map(|compared| compared.verdict), Some(Verdict::Unclear), "{case:?}");
    let causes: Vec<&str> =
        case.evidence.iter().filter(|found| found.role == Role::Cause).map(|found| found.kind).collect();
    assert_eq!(causes[0], "only-there", "{case:?}");
}

#[test]
fn what_differs_from_process_to_process_is_not_called_equal() {
    let equal = |third: f64| {
        explained_as(200.0, &[("memory/allocated_bytes", [0.0, 0.0])], |run| {
            let mut pass = Diagnosis::clone(&run.diagnoses[1]);
            pass.metrics.insert("allocated_bytes".to_owned(), vec![third]);
            run.diagnoses.extend([run.diagnoses[1].clone(), pass]);
        })
        .equal
    };
    assert_eq!((equal(0.0), equal(16.0)), (vec!["allocated bytes"], vec![]));
}

#[test]
fn what_is_allocated_costs_what_collecting_it_takes() {
    let samples = [("samples", [300.0, 300.0]), ("samples of collection in [collector]", [10.0, 120.0])];
    let case = explained_as(1000.0, &[("memory/allocated_bytes", [10.0, 50.0])], facts("profile", &samples));
    assert_eq!(roles(&case), [("allocations", Role::Cause), ("collection", Role::Follows)], "{case:?}");
}

#[test]
fn a_wait_is_a_part_of_the_time_and_not_that_for_ones_own_threads() {
    let waits = |new: f64| [("threads/off_processor", [0.0, new])];
    assert_eq!(roles(&explained(200.0, &waits(90.0))), [("waits", Role::Cause)]);
    // More than the operation takes cannot be its own.
    assert_eq!(roles(&explained(200.0, &waits(900.0))), []);
    let threads = |run: &mut Run| run.plan.cases.iter_mut().for_each(|case| case.benchmark.threads = 2);
    assert_eq!(roles(&explained_as(200.0, &waits(90.0), threads)), []);
}

#[test]
fn machine_code_is_not_equal_where_threads_run_what_was_not_looked_at() {
    let same = facts("code", &[("same", [1.0, 1.0]), ("whole", [1.0, 1.0])]);
    assert_eq!(explained_as(200.0, &[], &same).equal, ["machine code"]);
    let in_part = facts("code", &[("same", [1.0, 1.0]), ("whole", [1.0, 0.0])]);
    assert!(explained_as(200.0, &[], &in_part).equal.is_empty());
    let in_threads = |run: &mut Run| {
        run.plan.cases.iter_mut().for_each(|case| case.benchmark.threads = 2);
        same(run);
    };
    assert!(explained_as(200.0, &[], in_threads).equal.is_empty());
}

#[test]
fn a_chain_costs_its_turns_unless_that_is_longer_than_the_time() {
    let code = |chain: [f64; 2]| [("hot_loop", [12.0, 12.0]), ("chain", chain)];
    let executed = |count: f64| [("instructions/executed", [count, count])];
    // The clock of this run is not known: a cycle is a third of a nanosecond. 300 cycles a side, in 25 turns of 12 instructions.
    let chained = |count: f64, chain: [f64; 2]| explained_as(200.0, &executed(count), facts("code", &code(chain)));
    let case = chained(300.0, [4.0, 16.0]);
    assert_eq!(roles(&case)[0], ("chain", Role::Cause), "{case:?}");
    assert!(case.evidence[0].text.contains("of 12 instructions each turn takes 4 cycles"), "{case:?}");
    for (count, chain) in [(300.0, [4.0, 4.0]), (3000.0, [4.0, 16.0]), (300.0, [1.0, 2.0])] {
        assert!(chained(count, chain).evidence.iter().all(|found| found.kind != "chain"), "{count} {chain:?}");
    }
}

#[test]
fn what_only_one_side_gains_by_flushing_denormals_is_their_cost() {
    let of = |kept, flushed| explained(1000.0, &[("denormals/kept", kept), ("denormals/flushed", flushed)]);
    let flushed = |new: f64| of([95.0, 980.0], [95.0, new]);
    let case = flushed(100.0);
    assert_eq!((roles(&case), case.conclusion.is_some()), (vec![("denormals", Role::Cause)], true), "{case:?}");
    assert!(case.evidence[0].share.is_some_and(|share| share > 0.9), "{case:?}");
    assert!(flushed(900.0).evidence.is_empty() && flushed(700.0).evidence.is_empty());
    // Where both sides take other times in the experiment, or the machine was busy in its process, it says nothing.
    assert!(
        of([100.0, 980.0], [4.0, 300.0]).evidence.is_empty() && of([95.0, 300.0], [95.0, 300.0]).evidence.is_empty()
    );
    assert!(of([95.0, 1700.0], [95.0, 980.0]).evidence.is_empty(), "as timed where they were taken for zero");
    // Of a small difference at the same work a small gain may be most.
    let of_small = |flushed: f64| {
        let same = ["instructions/executed", "instructions/branches", "instructions/memory_accesses"];
        let mut counts = vec![("denormals/kept", [98.0, 119.0]), ("denormals/flushed", [96.0, flushed])];
        counts.extend(same.map(|name| (name, [400.0, 400.0])));
        kinds(&explained(121.0, &counts))
    };
    assert_eq!((of_small(101.0), of_small(113.0)), (vec!["denormals"], vec!["layout"]));
}

#[test]
fn the_ratio_is_that_of_the_times_beside_it() {
    let interval = Some(Interval { lower: 1.0, upper: 1.1 });
    let compared =
        Compared { base: String::new(), verdict: Verdict::Unclear, ratio: 1.05, interval, base_ns: Some(5.0) };
    assert_eq!((compared.of_times(Some(7.5)), compared.of_times(None)), (1.5, 1.05));
}
