//! `counters`: counts by the processor and the system while the body runs: cycles, instructions, branches and their mispredictions, page
//! faults, switches. The kernel counts (`perf_event_open`), attached from outside, for all threads of the process.

mod events;

use crate::differences::{metric_of_operation, Rounds};
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Pass, Signal, Subject, Tools, Work};
pub(crate) use events::{chosen, possible, Attached, Event};
use tare_model::{Artifact, Better, LaunchChange, Metric, Per, Remark};

pub(crate) const COUNTERS: Entry = Entry {
    name: NAME,
    about: "cycles, instructions, branches, page faults and switches of each operation, as the processor and the system count them",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux; for cycles, instructions and branches a processor whose counters the system exposes"),
        Need::Right("`kernel.perf_event_paranoid` of 2 or less for hardware, of 1 or less for switches, or root"),
    ],
    metrics: &[],
    topic: "counters",
    make: || Box::new(Counters::default()),
};

pub const NAME: &str = "counters";
/// The metric computed from two counters.
const PER_CYCLE: &str = "instructions_per_cycle";

#[derive(Default)]
struct Counters {
    /// Names of the chosen events; empty for the default ones.
    chosen: Vec<String>,
    events: Vec<Event>,
    /// Events that cannot be counted here, and why.
    missing: Vec<(String, String)>,
    pass: Option<Counting>,
}

#[derive(Default)]
struct Counting {
    attached: Option<Attached>,
    before: Vec<u64>,
    rounds: Rounds,
}

impl Diagnoser for Counters {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        let events = chosen(&self.chosen).map_err(|reason| Missing { reason, is_fatal: true })?;
        (self.events, self.missing) = possible(events);
        match self.events.is_empty() {
            false => Ok(()),
            true => Err(Missing { reason: self.why_missing(), is_fatal: true }),
        }
    }

    fn choose(&mut self, events: &[String]) {
        self.chosen = events.to_vec();
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass { invocations_max: u64::MAX, ..Pass::of(Work::Differences) }
    }

    fn begin(&mut self, _: &Subject) -> Result<LaunchChange, String> {
        self.pass = Some(Counting::default());
        Ok(LaunchChange::default())
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let Some(pass) = &mut self.pass else { return Ok(()) };
        match signal {
            Signal::Started { pid } => pass.attached = Some(Attached::to(*pid, &self.events)?),
            Signal::Before { .. } => pass.start()?,
            Signal::After { operations, .. } => pass.stop(*operations)?,
            Signal::Opened { .. } | Signal::Measured | Signal::Ended => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let pass = self.pass.as_ref().ok_or("its pass has not begun")?;
        let values = |place: usize| pass.rounds.of_body(place);
        let events = self.events.iter().enumerate();
        let mut metrics: Vec<(Metric, Vec<f64>)> =
            events.map(|(place, event)| (metric_of_operation(&event.name, ""), values(place))).collect();
        let place = |name| self.events.iter().position(|event| event.name == name);
        if let (Some(cycles), Some(instructions)) = (place("cycles"), place("instructions")) {
            let each = values(cycles).into_iter().zip(values(instructions));
            let ratios = each.map(|(cycles, instructions)| if cycles > 0.0 { instructions / cycles } else { 0.0 });
            let per_cycle =
                Metric { better: Better::Higher, per: Per::Iteration, ..metric_of_operation(PER_CYCLE, "") };
            metrics.push((per_cycle, ratios.collect()));
        }
        let advice = "count instructions in a simulated processor: `--diagnose instructions`".to_owned();
        let missing = (!self.missing.is_empty()).then(|| self.why_missing());
        let remarks = missing.map(|text| Remark { is_warning: false, text, advice }).into_iter().collect();
        Ok(Findings { metrics, remarks, ..Findings::default() })
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

impl Counters {
    /// Why events cannot be counted, each reason once.
    fn why_missing(&self) -> String {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for (name, why) in &self.missing {
            let name = name.as_str();
            match reasons.iter_mut().find(|(known, _)| known == why) {
                Some((_, names)) => names.push(name),
                None => reasons.push((why, vec![name])),
            }
        }
        let each = reasons.iter().map(|(why, names)| format!("{} cannot be counted: {why}", names.join(", ")));
        each.collect::<Vec<_>>().join("; ")
    }
}

impl Counting {
    fn start(&mut self) -> Result<(), String> {
        let attached = self.attached.as_mut().ok_or("its process did not start")?;
        self.before = attached.read()?;
        attached.enable()
    }

    fn stop(&mut self, operations: f64) -> Result<(), String> {
        let attached = self.attached.as_mut().ok_or("its process did not start")?;
        attached.disable()?;
        self.rounds.add_grown(&self.before, &attached.read()?, operations);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_said_once_for_all_that_they_are_about() {
        let missing = ["cycles", "branches"].map(|name| (name.to_owned(), "there is none".to_owned())).to_vec();
        let counters = Counters { missing, ..Counters::default() };
        assert_eq!(counters.why_missing(), "cycles, branches cannot be counted: there is none");
    }

    /// Software events exist on every Linux: counts only what a process does between two readings.
    #[cfg(target_os = "linux")]
    #[test]
    fn page_faults_of_a_child_are_counted_while_they_are_enabled() {
        let chosen = chosen(&["page-faults".to_owned()]).expect("it is known");
        let (possible, missing) = possible(chosen);
        if possible.is_empty() {
            return eprintln!("skipped: page faults cannot be counted here: {missing:?}");
        }
        // It touches 4 MiB per line read.
        let script = "while read -r line; do head -c 4194304 /dev/zero | tail -c 1 >/dev/null; echo done; done";
        let mut child = std::process::Command::new("sh")
            .args(["-c", script])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("sh");
        let mut attached = Attached::to(child.id(), &possible).expect("attached");
        let (mut to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(from));
        let mut go = || {
            std::io::Write::write_all(&mut to, b"x\n").expect("written");
            lines.next().expect("a line").expect("text")
        };
        let start = attached.read().expect("read")[0];
        go();
        let disabled = attached.read().expect("read")[0];
        attached.enable().expect("enabled");
        go();
        attached.disable().expect("disabled");
        let enabled = attached.read().expect("read")[0];
        drop(to);
        child.wait().expect("it ends");
        assert_eq!(disabled - start, 0);
        // Its children are counted too: `tail` and `head` have at least their own pages.
        assert!(enabled - disabled > 50, "{}", enabled - disabled);
    }
}
