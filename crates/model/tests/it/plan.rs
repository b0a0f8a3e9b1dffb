//! Plans as earlier versions stored them.

use tare_model::{DiagnosisPlan, Effort, Plan, Policy};

fn read(policy: serde_json::Value) -> Plan {
    serde_json::from_value(serde_json::json!({"cases": [], "groups": [], "policy": policy, "seed": 1})).expect("a plan")
}

#[test]
fn what_stood_among_the_rules_is_found() {
    let plan = read(serde_json::json!({
        "profile": "quick", "width": 2, "waves_min": 2, "waves_max": 2, "budget_s": 3, "diagnose": ["memory"],
        "diagnose_changed": ["code"], "watch_s": 1.5, "depth": 2, "counters": ["cycles"], "why": true, "only": [0, 2],
    }));
    let diagnosis = DiagnosisPlan {
        diagnosers: vec!["memory".to_owned()],
        of_changed: vec!["code".to_owned()],
        watch_s: Some(1.5),
        depth: Some(2),
        counters: vec!["cycles".to_owned()],
        why: true,
    };
    assert_eq!((&plan.diagnosis, &plan.only[..]), (&diagnosis, &[0, 2][..]));
    assert_eq!((plan.policy.effort, plan.policy.budget_s), (Effort::Quick, Some(3.0)));
    let again: Plan = serde_json::from_str(&serde_json::to_string(&plan).expect("JSON")).expect("a plan");
    assert_eq!(again, plan);
}

#[test]
fn a_number_of_launches_that_was_asked_for_is_told_by_its_waves() {
    let usual = |waves: u32| read(serde_json::json!({"waves_min": waves, "waves_max": waves})).policy.usual_launches;
    assert!(usual(6) && !usual(5));
    let asked = Plan { policy: Policy { usual_launches: false, ..Policy::default() }, ..Plan::default() };
    let again: Plan = serde_json::from_value(serde_json::to_value(&asked).expect("JSON")).expect("a plan");
    assert_eq!(again, asked);
}
