use tare_model::*;

#[test]
fn a_calibration_raises_the_minimum_effect_and_never_lowers_it() {
    let at = |seconds, effect| Decidable { seconds, launches: 8, effect };
    let quiet = Calibration {
        recorded: String::new(),
        comparisons: 100,
        alarms: 1,
        alarms_expected: 4,
        lambda: None,
        process_sd: 0.01,
        kernels: Vec::new(),
        decides: vec![at(1.0, 0.05), at(5.0, 0.02), at(30.0, 0.01)],
        layout: Some(LayoutSpread { comparisons: 9, alarms: 0, build_sd: Some(0.01), margin: Some(0.04) }),
        costs: None,
    };
    assert_eq!(quiet.minimum_effect(0.01, true), 0.01);
    assert!((quiet.minimum_effect(0.03, false) - 0.04_f64.exp_m1()).abs() < 1e-12);
    assert_eq!(quiet.minimum_effect(0.06, false), 0.06);
    let alarmed = Calibration { alarms: 5, layout: None, ..quiet };
    assert_eq!((alarmed.minimum_effect(0.01, true), alarmed.minimum_effect(0.03, false)), (0.02, 0.03));
}
