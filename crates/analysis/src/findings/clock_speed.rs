//! `clock-speed`: the core ran at another speed than the machine's profile says, or changed it during the run. Times are
//! given at the reference clock, so this is about what a stopwatch would show and about code that does not follow the clock.

use super::facts::Context;
use super::{text, Found};
use crate::clock::own_cycle_ns;
use tare_model::Severity;
use tare_stats::quantile::type7;

/// Difference (share) from the machine's profile that is worth a word.
const OFF_PROFILE: f64 = 0.10;
/// Range (share) within the run that is worth a word.
const DRIFT: f64 = 0.05;
/// Launches whose clock must be known.
const LAUNCHES_MIN: usize = 8;

pub(super) fn find(context: &Context) -> Vec<Found> {
    off_profile(context).into_iter().chain(drifted(context)).collect()
}

fn off_profile(context: &Context) -> Option<Found> {
    let profile = context.run.environment.clock_reference.as_ref().filter(|c| c.source == "machine profile")?;
    let own = own_cycle_ns(context.run)?;
    let speed = profile.cycle_ns / own;
    let off = speed.ln().abs();
    (off > OFF_PROFILE.ln_1p()).then(|| Found {
        case: None,
        severity: Severity::Warning,
        evidence: format!(
            "the core ran at {:.2} GHz, {} of the {:.2} GHz of this machine's profile; times are given at the former",
            1.0 / own,
            text::percent(speed),
            1.0 / profile.cycle_ns
        ),
        weight: off,
        advice: "look for heat, a power limit or busy neighbours; if the machine has changed, measure its profile anew"
            .to_owned(),
        rerun: None,
    })
}

fn drifted(context: &Context) -> Option<Found> {
    let launches = context.measured().flat_map(|m| &m.estimates.launches);
    let mut cycles: Vec<f64> = launches.filter_map(|l| l.cycle_ns).collect();
    if cycles.len() < LAUNCHES_MIN {
        return None;
    }
    cycles.sort_by(f64::total_cmp);
    let (short, long) = (type7(&cycles, 0.05)?, type7(&cycles, 0.95)?);
    (long > short * (1.0 + DRIFT)).then(|| Found {
        case: None,
        severity: Severity::Note,
        evidence: format!(
            "the core's clock went from {:.2} to {:.2} GHz between launches; times are given at one clock",
            1.0 / long,
            1.0 / short
        ),
        weight: long / short,
        advice: "nothing, for code that computes; memory does not follow the core: compare within one run".to_owned(),
        rerun: None,
    })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder, CYCLE_NS, PROBE_CYCLES};
    use tare_model::{ClockReference, Severity};

    fn findings(profile_cycle_ns: f64, drift: f64) -> Vec<tare_model::Finding> {
        let mut builder = RunBuilder::new().with_probe();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, n, _| (1.0 + drift * f64::from(n) / 11.0).ln());
        for (n, launch) in builder.run.launches.iter_mut().enumerate() {
            let probe = PROBE_CYCLES * CYCLE_NS * (1.0 + drift * n as f64 / 11.0);
            launch.series[0].columns.probe_before_ns.fill(probe);
            launch.series[0].columns.probe_after_ns.fill(probe);
        }
        let source = "machine profile".to_owned();
        builder.run.environment.clock_reference = Some(ClockReference { cycle_ns: profile_cycle_ns, source });
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_slow_session_is_a_warning() {
        let found = findings(CYCLE_NS / 1.15, 0.0);
        assert_eq!(codes(&found), ["clock-speed"]);
        assert_eq!(found[0].severity, Severity::Warning);
        assert!(found[0].evidence.starts_with("the core ran at 4.00 GHz, 87 % of the 4.60 GHz"), "{found:?}");
    }

    #[test]
    fn drift_is_a_note_and_small_differences_are_nothing() {
        let found = findings(CYCLE_NS, 0.09);
        assert_eq!(codes(&found), ["clock-speed"], "the times follow: there is no drift to report beside it");
        assert_eq!(found[0].severity, Severity::Note);
        assert!(findings(CYCLE_NS * 1.05, 0.03).is_empty());
    }
}
