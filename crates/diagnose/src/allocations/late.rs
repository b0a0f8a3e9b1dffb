//! Who allocates in a program whose runtime samples allocations: an event with its stack for each 100 kB.

use super::{folded, note, BYTES};
use crate::events::Events;
use crate::{Findings, Signal, Subject};
use std::time::{SystemTime, UNIX_EPOCH};
use tare_code::{allocated, Allocated, Method, TICK_BYTES};
use tare_model::{LaunchChange, Stacks, Weight};

/// Fewer samples than this are hardly informative.
const FEW: usize = 50;

pub(super) struct Late {
    events: Events,
    /// Start of the first iteration and end of the last one, s since 1970.
    time_s: Option<(f64, f64)>,
    operations: f64,
}

impl Late {
    /// `None` if allocations are counted instead. The error says why they cannot be sampled.
    pub(super) fn of(subject: &Subject) -> Result<Option<Late>, String> {
        Ok(Events::of(subject)?.map(|events| Late { events, time_s: None, operations: 0.0 }))
    }

    pub(super) fn change(&self) -> LaunchChange {
        self.events.change(|runtime| runtime.allocations)
    }

    pub(super) fn signal(&mut self, signal: &Signal) {
        let now_s = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        match signal {
            Signal::Before { .. } if self.time_s.is_none() => self.time_s = Some((now_s(), f64::INFINITY)),
            Signal::After { operations, .. } => {
                self.operations += operations;
                self.time_s = self.time_s.map(|(begin, _)| (begin, now_s()));
            }
            _ => {}
        }
    }

    pub(super) fn findings(&self) -> Result<Findings, String> {
        let (begin, end) = self.time_s.ok_or("its process did not come to its end")?;
        let all = allocated(&self.events.read()?, &(begin..end))?;
        let method = self.events.subject().method()?;
        let mut stacks = Stacks::default();
        let mut samples = 0;
        for one in &all {
            if let Some(stack) = of_body(one, &method, |class| self.events.is_own(class)) {
                samples += 1;
                stacks.add(stack, one.bytes);
            }
        }
        if stacks.is_empty() {
            let text = format!("it allocates nothing, or less than {} kB in all its calls", TICK_BYTES >> 10);
            return Ok(Findings { remarks: vec![note(text)], ..Findings::default() });
        }
        let operations = self.operations.max(1.0) as u64;
        let title = format!("allocated bytes, {samples} samples of {} kB in {operations} operations", TICK_BYTES >> 10);
        let mut remarks = vec![note(format!(
            "its runtime tells who allocates once for each {} kB: the shares are of {samples} samples",
            TICK_BYTES >> 10
        ))];
        if samples < FEW {
            let few = "it has so few samples that shares are rough; `--diagnose-for 10s` takes more";
            remarks.push(note(few.to_owned()));
        }
        let files = vec![folded(&stacks, (Weight::Bytes, operations), BYTES, title)];
        Ok(Findings { files, remarks, ..Findings::default() })
    }
}

/// The stack from the body on, followed by the allocated type. A stack without the body comes from another thread and is kept whole; `None`
/// if it belongs to the front end.
fn of_body(one: &Allocated, method: &Method, is_own: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let is_body = |class: &str, name: &str| name == method.name && class_name(class) == class_name(method.class);
    let begin = match one.stack.iter().position(|(class, name)| is_body(class, name)) {
        Some(begin) => begin,
        None if one.stack.iter().any(|(class, _)| is_own(class)) => return None,
        None => 0,
    };
    let full =
        |(class, name): &(String, String)| if class.is_empty() { name.clone() } else { format!("{class}.{name}") };
    let object = (!one.of.is_empty()).then(|| format!("new {}", one.of));
    Some(one.stack[begin..].iter().map(full).chain(object).collect())
}

/// A class name without namespace and type arguments.
fn class_name(class: &str) -> &str {
    let class = class.split(['[', '<', '`']).next().unwrap_or_default();
    class.rsplit(['.', '+']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_begin_at_the_body_and_the_front_end_is_left_out() {
        let stack = |text: &str| {
            let frame = |frame: &str| frame.rsplit_once(':').map(|(class, name)| (class.to_owned(), name.to_owned()));
            let stack = text.split(' ').filter_map(frame).collect();
            let one = Allocated { stack, of: "System.Byte[]".to_owned(), bytes: 1 };
            let method = Method { class: "Space.Bench", name: "Run" };
            of_body(&one, &method, |class| class == "Tare.Child").map(|stack| stack.join(";"))
        };
        let cases = [
            (
                "Tare.Child:Main Space.Bench:Run System.String:Concat",
                "Space.Bench.Run;System.String.Concat;new System.Byte[]",
            ),
            ("Other.Bench`1[System.Int32]:Run", "Other.Bench`1[System.Int32].Run;new System.Byte[]"),
            (
                "System.Threading.Thread:Start Space.Work:Do",
                "System.Threading.Thread.Start;Space.Work.Do;new System.Byte[]",
            ),
        ];
        for (frames, expected) in cases {
            assert_eq!(stack(frames).as_deref(), Some(expected));
        }
        assert_eq!(stack("Tare.Child:Main Tare.Child:Reply"), None);
    }
}
