use tare_model::{Draw, Event, Launch};

/// Of a run of schema 2.0, where the seed was all that there was.
const OLD_LAUNCH: &str =
    r#"{"id":0,"case":1,"group":0,"wave":2,"seed":211106232532993,"start_ns":5.0,"outcome":"finished","series":[]}"#;
const OLD_EVENT: &str =
    r#"{"event":"launch-started","launch":0,"case":1,"group":0,"wave":2,"seed":211106232532993,"start_ns":5.0}"#;

#[test]
fn the_seed_of_an_old_run_holds_its_layout_and_its_pair() {
    let seed = (49152 << 32) | 1;
    let expected = Draw { layout: 49152, pair: Some(seed), seed };
    let launch: Launch = serde_json::from_str(OLD_LAUNCH).expect("an old launch");
    assert_eq!((launch.draw, launch.wave), (expected, 2));
    match Event::from_json(OLD_EVENT.as_bytes()).expect("an old event") {
        Event::LaunchStarted { draw, .. } => assert_eq!(draw, expected),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_was_drawn_is_written_in_fields_of_its_own() {
    let old: Launch = serde_json::from_str(OLD_LAUNCH).expect("an old launch");
    for draw in [Draw { layout: 7, pair: Some(3), seed: u64::MAX }, Draw { layout: 0, pair: None, seed: 1 << 40 }] {
        let launch = Launch { draw, ..old.clone() };
        let written = serde_json::to_value(&launch).expect("JSON");
        assert_eq!((written["layout"].as_u64(), written["pair"].as_u64()), (Some(u64::from(draw.layout)), draw.pair));
        assert_eq!(serde_json::from_value::<Launch>(written).expect("a launch"), launch);
    }
}

#[test]
fn partners_have_the_same_number() {
    let of = |pair| Draw { layout: 0, pair, seed: 5 };
    assert!(of(Some(1)).is_partner_of(&of(Some(1))) && !of(Some(1)).is_partner_of(&of(Some(2))));
    assert!(!of(None).is_partner_of(&of(None)));
}
