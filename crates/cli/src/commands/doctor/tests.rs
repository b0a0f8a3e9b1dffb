use super::build::build;
use super::screen::screen;
use super::Diagnosis;
use crate::console::{ColorChoice, Console};
use tare_machine::doctor::{Check, State};
use tare_model::{Calibration, Costs, Decidable, KernelSpread, LayoutSpread, LevelFound};
use tare_report::{Glyphs, Volume};
use tare_store::MachineProfile;

fn check(code: &'static str, state: State, evidence: &str, fix: Option<&str>) -> Check {
    Check { fix: fix.map(str::to_owned), ..Check::new(code, state, evidence) }
}

fn calibration() -> Calibration {
    let decides = |seconds, launches, effect| Decidable { seconds, launches, effect };
    Calibration {
        recorded: "2026-11-20T10:00:00Z".into(),
        comparisons: 64,
        alarms: 0,
        alarms_expected: 3,
        lambda: Some(1.0412),
        process_sd: 0.0053,
        kernels: vec![KernelSpread { name: "sum".into(), process_sd: 0.0053 }],
        decides: vec![decides(1.0, 10, 0.0102), decides(5.0, 16, 0.00804)],
        layout: Some(LayoutSpread { comparisons: 60, alarms: 7, build_sd: Some(0.004), margin: Some(0.017) }),
        costs: Some(Costs { mispredicted: 14.21, l1_miss: 11.0, memory: 412.0, atomic: 18.3, syscall: 310.0 }),
    }
}

fn diagnosis(checks: Vec<Check>, calibration: Option<Calibration>) -> Diagnosis {
    let mut profile = MachineProfile::new(("X".into(), 2), 0.4, "2026-01-01T00:00:00Z".into());
    profile.calibration = calibration;
    Diagnosis::new(checks, Some(profile))
}

fn text(diagnosis: &Diagnosis, volume: Volume, glyphs: Glyphs) -> String {
    let console = Console::new(ColorChoice::Never, volume, glyphs);
    console.render(&screen(diagnosis, &console.view(false)))
}

#[test]
fn a_fit_machine() {
    let checks =
        vec![check("swap", State::Good, "none in use", None), check("steal", State::NotVisible, "not reported", None)];
    insta::assert_snapshot!(text(&diagnosis(checks, None), Volume::Default, Glyphs::Unicode), @r"
    this machine is fit to measure on, but 1 of 2 checks are not possible here

    cannot check steal               not reported

    good         swap                none in use

    next: tare doctor --calibrate
    ");
}

#[test]
fn a_noisy_machine_that_was_calibrated() {
    let checks = vec![
        check("governor", State::Warning, "`powersave`", Some("sudo cpupower frequency-set --governor performance")),
        check("load", State::Warning, "load 7 on 2 processors", None),
        check("swap", State::Good, "none in use", None),
    ];
    let mut seen = diagnosis(checks, Some(calibration()));
    insta::assert_snapshot!(text(&seen, Volume::Quiet, Glyphs::Ascii), @r"
    noisy: governor, load

    warning      governor            `powersave`
                 hint: `sudo cpupower frequency-set --governor performance`
    warning      load                load 7 on 2 processors

    calibrated 2026-11-20: 0 alarms in 64, decides +-0.80 % in 5 s

    next: tare run
    ");
    seen.fresh = true;
    seen.kept = Some("/state/machine.json".into());
    let whole = text(&seen, Volume::Default, Glyphs::Unicode);
    let end = whole.split("calibrated ").nth(1).expect("a calibration");
    insta::assert_snapshot!(end, @r"
    2026-11-20: 0 alarms in 64, decides ±0.80 % in 5 s
    A/A          0 alarms in 64 comparisons of identical programs; up to 3 expected by chance (99 %): as expected
    A/A'         7 alarms in 60 comparisons of the same code in another layout; builds differ by 0.40 % (one sigma), so a
                 change below 1.7 % may come from the build alone
    decides      ±1.0 % in 1 s (10 launches per side), ±0.80 % in 5 s (16 launches per side)
    spread       0.53 % between launches: sum 0.53 %
    lambda       1.04 (1 is expected; above 1.3, waves disturb each other)
    costs        in cycles: a misprediction 14, a miss of the first cache 11, one of all caches 410, an atomic instruction
                 18, a system call 310
    clock        times are shown at 2.50 GHz
    kept in      `/state/machine.json`

    next: tare run
    ");
}

#[test]
fn the_width_of_a_core_is_told_with_who_found_it() {
    let found = |by: &str, cycles_per_addition: f64| LevelFound {
        by: by.into(),
        cycles_per_addition,
        recorded: "2026-11-29T10:00:00Z".into(),
    };
    let mut profile = MachineProfile::new(("X".into(), 2), 0.4, "2026-01-01T00:00:00Z".into());
    let native = vec![found("g/sum", 0.2475), found("g/sort", 0.2481), found("g/index of", 0.211)];
    profile.widths.insert(MachineProfile::NATIVE.into(), native);
    profile.widths.insert("tare 1, .NET 8".into(), vec![found("", 0.0354)]);
    let text = text(&Diagnosis::new(Vec::new(), Some(profile)), Volume::Default, Glyphs::Unicode);
    insta::assert_snapshot!(text, @r"
    this machine is fit to measure on

    core width   4.03 additions per cycle in native code, found by g/sum, g/sort; not used: 4.74 by g/index of
    core width   unknown in tare 1, .NET 8; not used: 28.2 by an unknown benchmark

    next: tare doctor --calibrate
    ");
}

#[test]
fn a_tare_of_its_developers_is_told() {
    let optimised = build(false);
    assert_eq!((optimised.code, optimised.state, optimised.fix), ("debug-build", State::Good, None));
    insta::assert_snapshot!(text(&diagnosis(vec![build(true)], None), Volume::Quiet, Glyphs::Unicode), @r"
    noisy: debug-build

    warning      debug-build         `tare` is a debug build, so it takes longer between visits
                 hint: `cargo install --path crates/cli`

    next: tare doctor --calibrate
    ");
}

#[test]
fn for_programs() {
    let checks = vec![check("swap", State::NotVisible, "`x`", Some("y"))];
    let value = serde_json::to_value(diagnosis(checks, Some(calibration()))).expect("plain data");
    assert_eq!(value["version"], 1);
    assert_eq!(value["fit"], true);
    assert_eq!(value["checks"][0]["state"], "not-visible");
    assert_eq!(value["checks"][0]["fix"], "y");
    assert_eq!(value["calibration"]["alarms"], 0);
    assert_eq!(value["cycle_ns"], 0.4);
}

#[test]
fn the_line_of_a_run() {
    assert_eq!(crate::calibration::line(&calibration()), "2026-11-20: 0 alarms in 64, decides ±0.80 % in 5 s");
    let silent = Calibration { decides: Vec::new(), alarms: 1, ..calibration() };
    assert_eq!(crate::calibration::line(&silent), "2026-11-20: 1 alarm in 64");
}
