//! Profiles as flame graphs and in the formats of profile viewers, all from the stacks stored in a run.

mod pprof;

use super::pictures::rendered;
use super::{exporter, Exporter, Needs, NoResult, Render, Rendered};
use crate::parts::profile::{profiles, Profile};
use crate::subjects::presentation::Presentation;
use crate::words::text::clean;
use serde_json::{json, Value};
use std::collections::HashMap;
use tare_model::{Stacks, Weight};

const fn profiles_as(
    words: [&'static str; 3],
    needs: Needs,
    render: for<'a> fn(&'a Presentation<'a>) -> Rendered<'a>,
) -> Exporter {
    exporter(words, needs, Render::Any(render), render_failure)
}

pub(super) const FLAMEGRAPH: Exporter =
    profiles_as(["flamegraph", ".flame.svg", "a picture: a flame graph of each profile"], Needs::Picture, |shown| {
        let charts = all(shown).iter().map(Profile::chart).collect();
        rendered(shown, "where the time goes", charts, Some(WHY))
    });

pub(super) const FOLDED: Exporter =
    profiles_as(["folded", ".folded", "profiles as folded stacks"], Needs::Measurements, |shown| {
        of_any(shown, |all| merged(all).to_text())
    });

pub(super) const SPEEDSCOPE: Exporter =
    profiles_as(["speedscope", ".speedscope.json", "profiles for speedscope"], Needs::Measurements, |shown| {
        of_any(shown, |all| speedscope(all).to_string() + "\n")
    });

pub(super) const FIREFOX: Exporter =
    profiles_as(["firefox", ".firefox.json", "profiles for Firefox"], Needs::Measurements, |shown| {
        of_any(shown, |all| firefox(all).to_string() + "\n")
    });

pub(super) const PPROF: Exporter =
    profiles_as(["pprof", ".pprof", "profiles for pprof"], Needs::Measurements, |shown| match all(shown) {
        none if none.is_empty() => of_any(shown, |_| String::new()),
        all => Rendered::Bytes(pprof::encoded(&by_weight(&all))),
    });

const WHY: &str = "nothing to draw: no case has a profile (`--diagnose profile` or `allocations`, of a stored run)";

fn render_failure(failure: &NoResult) -> String {
    format!("# nothing was measured: {}\n", clean(&failure.error))
}

/// All profiles in a format; without any, empty with a reason.
fn of_any<'a>(shown: &Presentation, form: impl Fn(&[Profile]) -> String) -> Rendered<'a> {
    let all = all(shown);
    match all.is_empty() {
        true => Rendered::Nothing { text: form(&all), why: WHY },
        false => Rendered::Text(form(&all)),
    }
}

fn all(shown: &Presentation) -> Vec<Profile> {
    shown.subject.measured().map(|(_, report)| profiles(report, &shown.attached)).unwrap_or_default()
}

struct Side<'p> {
    name: String,
    stacks: &'p Stacks,
    weight: Weight,
}

fn sides<'p>(all: impl IntoIterator<Item = &'p Profile>) -> Vec<Side<'p>> {
    let mut sides = Vec::new();
    for profile in all {
        let side = |name: String, stacks: &'p Stacks| Side { name, stacks, weight: profile.weight };
        match &profile.base {
            Some((base, _)) => {
                sides.push(side(format!("{}, base", profile.label), base));
                sides.push(side(format!("{}, new", profile.label), &profile.stacks));
            }
            None => sides.push(side(profile.label.clone(), &profile.stacks)),
        }
    }
    sides
}

/// All profiles merged; if there are several, each below its name.
fn merged<'p>(all: impl IntoIterator<Item = &'p Profile>) -> Stacks {
    let sides = sides(all);
    let mut merged = Stacks::default();
    for Side { name, stacks, .. } in &sides {
        let below = if sides.len() > 1 { stacks.below(name) } else { (*stacks).clone() };
        below.iter().for_each(|(frames, count)| merged.add(frames.to_vec(), count));
    }
    merged
}

/// The profiles by unit; if a unit has several, each is below its name.
fn by_weight(all: &[Profile]) -> Vec<(Weight, Stacks)> {
    let of = |weight: Weight| {
        let stacks = merged(all.iter().filter(|profile| profile.weight == weight));
        (!stacks.is_empty()).then_some((weight, stacks))
    };
    [Weight::Samples, Weight::Bytes, Weight::Allocations].into_iter().filter_map(of).collect()
}

/// Numbers names in order of occurrence.
#[derive(Default)]
struct Table<'n> {
    names: Vec<&'n str>,
    places: HashMap<&'n str, usize>,
}

impl<'n> Table<'n> {
    fn place(&mut self, name: &'n str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

fn speedscope(all: &[Profile]) -> Value {
    let (sides, mut frames) = (sides(all), Table::default());
    let mut profiles = Vec::new();
    for Side { name, stacks, weight } in &sides {
        let (mut samples, mut weights) = (Vec::new(), Vec::new());
        for (stack, count) in stacks.iter() {
            samples.push(stack.iter().map(|frame| frames.place(frame)).collect::<Vec<usize>>());
            weights.push(count);
        }
        profiles
            .push(json!({"type": "sampled", "name": name, "unit": if *weight == Weight::Bytes { "bytes" } else { "none" }, "startValue": 0, "endValue": stacks.total(),
            "samples": samples, "weights": weights}));
    }
    let frames: Vec<Value> = frames.names.into_iter().map(|name| json!({"name": name})).collect();
    json!({"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": frames}, "profiles": profiles,
        "name": "tare", "activeProfileIndex": 0, "exporter": "tare"})
}

fn firefox(all: &[Profile]) -> Value {
    let threads: Vec<Value> = sides(all).iter().enumerate().map(|(at, side)| thread(at, side)).collect();
    json!({
        "meta": {"version": 29, "preprocessedProfileVersion": 49, "interval": 1, "startTime": 0, "processType": 0, "product": "tare",
            "stackwalk": 1, "symbolicated": true, "markerSchema": [],
            "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]}]},
        "libs": [], "pages": [], "counters": [], "threads": threads,
    })
}

fn thread(at: usize, Side { name, stacks, weight }: &Side) -> Value {
    let mut strings = Table::default();
    // A stack is a frame on top of another stack.
    let mut known: HashMap<(Option<usize>, usize), usize> = HashMap::new();
    let (mut prefixes, mut frames) = (Vec::new(), Vec::new());
    let (mut leaves, mut weights) = (Vec::new(), Vec::new());
    for (stack, count) in stacks.iter() {
        let mut prefix = None;
        for frame in stack {
            let function = strings.place(frame);
            prefix = Some(*known.entry((prefix, function)).or_insert_with(|| {
                prefixes.push(prefix);
                frames.push(function);
                prefixes.len() - 1
            }));
        }
        leaves.push(prefix);
        weights.push(count);
    }
    let functions = strings.names.len();
    let all = |value: Value, n: usize| vec![value; n];
    let own: Vec<usize> = (0..functions).collect();
    let times: Vec<usize> = (0..leaves.len()).collect();
    json!({
        "name": name, "processType": "default", "processName": "tare", "pid": "1", "tid": at + 1, "isMainThread": true,
        "processStartupTime": 0, "processShutdownTime": null, "registerTime": 0, "unregisterTime": null, "pausedRanges": [],
        "samples": {"length": leaves.len(), "stack": leaves, "time": times, "weight": weights, "weightType": if *weight == Weight::Bytes { "bytes" } else { "samples" }},
        "stackTable": {"length": prefixes.len(), "prefix": prefixes, "frame": frames},
        "frameTable": {"length": functions, "func": own, "address": all(json!(-1), functions), "inlineDepth": all(json!(0), functions),
            "category": all(json!(0), functions), "subcategory": all(json!(0), functions), "nativeSymbol": all(Value::Null, functions),
            "innerWindowID": all(Value::Null, functions), "line": all(Value::Null, functions), "column": all(Value::Null, functions)},
        "funcTable": {"length": functions, "name": own, "isJS": all(json!(false), functions), "relevantForJS": all(json!(false), functions),
            "resource": all(json!(-1), functions), "fileName": all(Value::Null, functions), "lineNumber": all(Value::Null, functions),
            "columnNumber": all(Value::Null, functions)},
        "resourceTable": {"length": 0, "lib": [], "name": [], "host": [], "type": []},
        "nativeSymbols": {"length": 0, "libIndex": [], "address": [], "name": [], "functionSize": []},
        "markers": {"length": 0, "category": [], "data": [], "endTime": [], "name": [], "phase": [], "startTime": []},
        "stringArray": strings.names,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(text: &str, base: Option<&str>) -> Profile {
        let stacks = |text: &str| Stacks::parse(text).expect("stacks");
        let base = base.map(|text| (stacks(text), [String::new(), String::new()]));
        let (weight, operations) = (Weight::Samples, 1);
        Profile {
            label: "case".to_owned(),
            case: 0,
            title: String::new(),
            weight,
            operations,
            stacks: stacks(text),
            base,
        }
    }

    #[test]
    fn several_profiles_stand_below_their_names() {
        let one = [profile("a;b 2\n", None)];
        assert_eq!(merged(&one).to_text(), "a;b 2\n");
        let pair = [profile("a;b 2\n", Some("a;c 1\n"))];
        assert_eq!(merged(&pair).to_text(), "case, base;a;c 1\ncase, new;a;b 2\n");
    }

    #[test]
    fn forms_of_other_tools_hold_every_sample() {
        let all = [profile("a;b 2\na;b;a 3\n<&>\" 1\n", None)];
        let value = speedscope(&all);
        assert_eq!(value["profiles"][0]["samples"], json!([[0], [1, 2], [1, 2, 1]]));
        assert_eq!(value["profiles"][0]["weights"], json!([1, 2, 3]));
        assert_eq!(value["shared"]["frames"][0]["name"], "<&>\"");
        let thread = &firefox(&all)["threads"][0];
        assert_eq!(thread["stackTable"]["prefix"], json!([null, null, 1, 2]));
        assert_eq!(thread["stackTable"]["frame"], json!([0, 1, 2, 1]));
        assert_eq!(thread["samples"]["stack"], json!([0, 2, 3]));
        assert_eq!(thread["samples"]["weight"], json!([1, 2, 3]));
        for table in ["samples", "stackTable", "frameTable", "funcTable"] {
            let table = thread[table].as_object().expect("a table");
            let lengths: Vec<usize> = table.values().filter_map(|column| column.as_array().map(Vec::len)).collect();
            assert!(lengths.iter().all(|length| Some(*length as u64) == table["length"].as_u64()), "{table:?}");
        }
    }
}
