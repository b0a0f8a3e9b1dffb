//! What a calibration found, in words.

use tare_model::text::plural;
use tare_model::Calibration;
use tare_report::significant;

/// `2026-11-20: 0 alarms in 64, decides ±0.8 % in 5 s`, for the header of a run.
pub fn line(calibration: &Calibration) -> String {
    let day = calibration.recorded.split('T').next().unwrap_or_default();
    let alarms = plural(calibration.alarms, "alarm");
    let decides = calibration.decides.iter().find(|d| d.seconds >= 5.0);
    let decides =
        decides.map(|d| format!(", decides ±{} in {:.0} s", percent(d.effect), d.seconds)).unwrap_or_default();
    format!("{day}: {alarms} in {}{decides}", calibration.comparisons)
}

/// Two digits; a measured value is never shown as a bare 0.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p < 0.005 => "<0.005 %".to_owned(),
        p => format!("{} %", significant(p, 2)),
    }
}
