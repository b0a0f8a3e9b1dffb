//! `clock-speed`: the core ran at another speed than in the machine's profile, or changed it during the run.

use super::{Context, Observation, Search, Sentence, Severity, Unit};
use crate::clock::own_cycle_ns;
use tare_stats::quantile::type7;

/// Smallest reported difference (share) from the machine's profile.
const OFF_PROFILE: f64 = 0.10;
/// Smallest reported range (share) within the run.
const DRIFT: f64 = 0.05;
/// Fewest launches with a known clock.
const LAUNCHES_MIN: usize = 8;

pub(super) const SEARCH: Search = Search::of_run(find);

/// Reports one of the two: a clock far from the profile's also moves.
fn find(context: &Context) -> Vec<Observation> {
    let is_said = context.noisy;
    let found = off_profile(context).or_else(|| drifted(context));
    found.filter(|_| !is_said).into_iter().collect()
}

pub(super) fn off_profile_in_brief(context: &Context) -> Option<Sentence> {
    off_profile(context).filter(|found| found.severity == Severity::Warning)?;
    let own = own_cycle_ns(context.run)?;
    let brief = Sentence::new(", the core ran at {clock} and not at the clock of the machine's profile");
    Some(brief.number("clock", 1.0 / own, Unit::Gigahertz))
}

fn off_profile(context: &Context) -> Option<Observation> {
    let profile = context.run.environment().clock_reference.as_ref().filter(|c| c.source == "machine profile")?;
    let own = own_cycle_ns(context.run)?;
    let speed = profile.cycle_ns / own;
    let off = speed.ln().abs();
    let is_shown_at_own = context.shown_cycle_ns.is_some_and(|shown| shown != profile.cycle_ns);
    let (severity, advice) = if off > OFF_PROFILE.ln_1p() {
        (Severity::Warning, "check for heat, a power limit or busy neighbours")
    } else if is_shown_at_own {
        // A smaller difference only matters if times are now shown at the run's own clock, as earlier runs may be at the profile's.
        let advice =
            "compare runs with `tare compare`, which uses one clock; if the clock stays there, the profile follows it";
        (Severity::Note, advice)
    } else {
        return None;
    };
    let evidence = Sentence::new(
        "the core ran at {clock}, {share} of the {profile} in this machine's profile; times are shown at {shown}",
    )
    .number("clock", 1.0 / own, Unit::Gigahertz)
    .number("shown", 1.0 / context.shown_cycle_ns.unwrap_or(own), Unit::Gigahertz)
    .number("share", speed, Unit::Share)
    .number("profile", 1.0 / profile.cycle_ns, Unit::Gigahertz);
    Some(Observation::new(severity, evidence, advice).weighing(off))
}

fn drifted(context: &Context) -> Option<Observation> {
    let launches = context.measured().flat_map(|m| &m.estimates.launches);
    let mut cycles: Vec<f64> = launches.filter_map(|l| l.cycle_ns).collect();
    if cycles.len() < LAUNCHES_MIN {
        return None;
    }
    cycles.sort_by(f64::total_cmp);
    let (short, long) = (type7(&cycles, 0.05)?, type7(&cycles, 0.95)?);
    (long > short * (1.0 + DRIFT)).then(|| {
        let evidence = Sentence::new(
            "the core's clock varied from {slowest} to {fastest} between launches; times are shown at one clock",
        )
        .number("slowest", 1.0 / long, Unit::Gigahertz)
        .number("fastest", 1.0 / short, Unit::Gigahertz);
        let advice =
            "compare code that waits for memory only within one run: its time does not follow the core's clock";
        Observation::note(evidence, advice).weighing(long / short)
    })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder, CYCLE_NS, PROBE_CYCLES};
    use crate::Severity;
    use tare_model::ClockReference;

    fn findings(profile_cycle_ns: f64, drift: f64) -> Vec<crate::Finding> {
        let mut builder = RunBuilder::new().with_probe();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 100.0, |_, n, _| (1.0 + drift * f64::from(n) / 11.0).ln());
        for (n, launch) in builder.run.launches.iter_mut().enumerate() {
            let probe = PROBE_CYCLES * CYCLE_NS * (1.0 + drift * n as f64 / 11.0);
            launch.series[0].columns.probe_before_ns.fill(probe);
            launch.series[0].columns.probe_after_ns.fill(probe);
        }
        let source = "machine profile".to_owned();
        builder.run.environment_mut().clock_reference = Some(ClockReference { cycle_ns: profile_cycle_ns, source });
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn a_slow_session_is_a_warning() {
        let found = findings(CYCLE_NS / 1.15, 0.0);
        assert_eq!(codes(&found), ["clock-speed"]);
        assert_eq!(found[0].severity, Severity::Warning);
        assert!(
            found[0].evidence.to_string().starts_with("the core ran at 4.00 GHz, 87 % of the 4.60 GHz"),
            "{found:?}"
        );
    }

    #[test]
    fn drift_is_a_note_and_small_differences_are_nothing() {
        let found = findings(CYCLE_NS, 0.09);
        assert_eq!(codes(&found), ["clock-speed"], "the times follow: there is no drift to report beside it");
        assert_eq!(found[0].severity, Severity::Note);
        assert!(findings(CYCLE_NS * 1.05, 0.03).is_empty());
    }

    #[test]
    fn a_steady_clock_that_changes_at_which_clock_times_are_shown_is_a_note() {
        let found = findings(CYCLE_NS / 1.08, 0.0);
        assert_eq!(codes(&found), ["clock-speed"]);
        assert_eq!(found[0].severity, Severity::Note);
        let evidence = found[0].evidence.to_string();
        assert!(evidence.contains("93 % of the 4.32 GHz") && evidence.ends_with("shown at 4.00 GHz"), "{evidence}");
        assert!(findings(CYCLE_NS / 1.03, 0.0).is_empty(), "times are at the profile's");
    }
}
