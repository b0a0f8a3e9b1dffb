//! OpenMetrics text, for Prometheus and compatible collectors.
//!
//! Only gauges, as a result is a state. Times are in seconds, the base unit. Every series has the unique label `benchmark`, to avoid
//! collisions across jobs and sides.

use super::plain;
use crate::exporters::{exporter, Exporter, Needs, Render};
use crate::subjects::values::{Case, Row, Values};

pub(crate) const OPENMETRICS: Exporter = exporter(
    ["openmetrics", ".prom", "OpenMetrics text for Prometheus"],
    Needs::Nothing,
    Render::Values(render),
    |failure| {
        let mut text = Text::default();
        text.family("tare_exit_code", "", "Exit code of the command.");
        text.value("tare_exit_code", &[], Some(failure.exit_code.number().into()));
        text.finish()
    },
);

#[derive(Default)]
struct Text {
    text: String,
    /// The head of a family, until its first value.
    head: String,
}

impl Text {
    fn family(&mut self, name: &str, unit: &str, help: &str) {
        self.head = format!("# TYPE {name} gauge\n");
        if !unit.is_empty() {
            self.head.push_str(&format!("# UNIT {name} {unit}\n"));
        }
        self.head.push_str(&format!("# HELP {name} {help}\n"));
    }

    fn value(&mut self, name: &str, labels: &[(&str, &str)], value: Option<f64>) {
        let Some(value) = value.filter(|value| value.is_finite()) else { return };
        self.text.push_str(&std::mem::take(&mut self.head));
        let labels: Vec<String> = labels
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}=\"{}\"", escape(value)))
            .collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        self.text.push_str(&format!("{name}{labels} {value}\n"));
    }

    fn finish(self) -> String {
        self.text + "# EOF\n"
    }
}

fn escape(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('"', "\\\"")
}

const S: f64 = 1e-9;

/// A family of cases: name, unit, description, value.
type OfCase = (&'static str, &'static str, &'static str, fn(&Case) -> Option<f64>);

const OF_CASES: [OfCase; 10] = [
    ("tare_time_seconds", "seconds", "Time per operation without the loop.", |c| c.time_ns.map(|ns| ns * S)),
    ("tare_time_lower_seconds", "seconds", "Lower end of its 95 % interval.", |c| c.time_lower_ns.map(|ns| ns * S)),
    ("tare_time_upper_seconds", "seconds", "Upper end of its 95 % interval.", |c| {
        c.time_upper_ns.or(c.below_ns).map(|ns| ns * S)
    }),
    ("tare_raw_time_seconds", "seconds", "Time per operation with the loop.", |c| c.raw_ns.map(|ns| ns * S)),
    ("tare_ratio", "", "Ratio of the time to the baseline's time.", |c| c.ratio),
    ("tare_ratio_lower", "", "Lower end of the 95 % interval of the ratio.", |c| c.ratio_lower),
    ("tare_ratio_upper", "", "Upper end of the 95 % interval of the ratio.", |c| c.ratio_upper),
    ("tare_launches", "", "Processes in which the time was measured.", |c| Some(c.launches.len() as f64)),
    ("tare_visits_valid", "", "Visits from which the time is computed.", |c| Some(c.visits_valid as f64)),
    ("tare_peak_memory_bytes", "bytes", "Greatest resident memory.", |c| c.peak_memory_bytes.map(|b| b as f64)),
];

type OfRow = (&'static str, &'static str, &'static str, fn(&Row) -> Option<f64>);

const OF_ROWS: [OfRow; 5] = [
    ("tare_base_time_seconds", "seconds", "Time per operation of the base.", |r| r.base_ns.map(|ns| ns * S)),
    ("tare_new_time_seconds", "seconds", "Time per operation of the new side.", |r| r.new_ns.map(|ns| ns * S)),
    ("tare_comparison_ratio", "", "Ratio of the new side's cost to the base's cost.", |r| r.ratio),
    ("tare_comparison_ratio_lower", "", "Lower end of its 95 % interval.", |r| r.ratio_lower),
    ("tare_comparison_ratio_upper", "", "Upper end of its 95 % interval.", |r| r.ratio_upper),
];

fn render(values: &Values) -> String {
    let mut text = Text::default();
    text.family("tare_run", "", "What was measured, where and when.");
    let cpu = values.machine.map_or("", |machine| machine.cpu.as_str());
    let facts = [("run", values.run), ("created", values.created), ("cpu", cpu), ("tare", values.tare)];
    text.value("tare_run", &facts, Some(1.0));
    for (name, unit, help, value) in OF_CASES {
        text.family(name, unit, help);
        for case in values.cases.iter().filter(|case| case.outcome == "measured") {
            text.value(name, &labels(case), value(case));
        }
    }
    text.family("tare_measured", "", "Whether it was measured: 1, or 0 if it failed or was not reached.");
    for case in values.cases.iter().filter(|case| case.outcome != "skipped") {
        text.value("tare_measured", &labels(case), Some((case.outcome == "measured").into()));
    }
    for program in &values.not_built {
        text.value("tare_measured", &[("program", &program.program)], Some(0.0));
    }
    text.family("tare_verdict", "", "The verdict on a contestant.");
    for case in values.cases.iter().filter(|case| !case.verdict.is_empty()) {
        text.value("tare_verdict", &with(labels(case), &[("verdict", case.verdict)]), Some(1.0));
    }
    text.family("tare_rate", "", "Amount processed per second.");
    for case in &values.cases {
        for rate in &case.rates {
            let labels = with(labels(case), &[("rate", rate.name), ("unit", rate.unit)]);
            text.value("tare_rate", &labels, Some(rate.per_second));
        }
    }
    text.family("tare_metric", "", "Metrics measured in addition to the time.");
    for case in &values.cases {
        for metric in &case.metrics {
            let labels = with(labels(case), &[("metric", metric.name), ("unit", metric.unit)]);
            text.value("tare_metric", &labels, Some(metric.value));
        }
    }
    for (name, unit, help, value) in OF_ROWS {
        text.family(name, unit, help);
        for row in &values.rows {
            text.value(name, &labels_of_row(row), value(row));
        }
    }
    text.family("tare_comparison_verdict", "", "The verdict on the new side.");
    for row in values.rows.iter().filter(|row| !row.verdict.is_empty()) {
        text.value("tare_comparison_verdict", &with(labels_of_row(row), &[("verdict", row.verdict)]), Some(1.0));
    }
    text.family("tare_gate_passed", "", "Whether the gate passed.");
    text.value("tare_gate_passed", &[], values.gate.as_ref().map(|gate| gate.passed.into()));
    text.finish()
}

fn labels<'a>(case: &'a Case) -> Vec<(&'static str, &'a str)> {
    vec![("benchmark", case.label.as_str()), ("group", case.group), ("side", case.side), ("job", case.job)]
}

fn labels_of_row(row: &Row) -> Vec<(&'static str, &str)> {
    vec![("benchmark", row.label.as_str()), ("group", row.group.as_str())]
}

fn with<'a>(
    mut labels: Vec<(&'static str, &'a str)>,
    more: &[(&'static str, &'a str)],
) -> Vec<(&'static str, &'a str)> {
    labels.extend(more);
    labels
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn a_label_ends_nowhere_else() {
        assert_eq!(escape("a\"b\\c\nd\u{1b}"), "a\\\"b\\\\c d?");
    }
}
