//! Where the time of both sides goes, by the samples: functions and kinds of work that differ by more than chance.

use super::super::pair::Side;
use super::super::rank::MOST;
use super::{said, Evidence, Pair, Says, Source, Unit};
use std::collections::BTreeMap;
use tare_model::Diagnosis;

pub const SOURCE: Source = Source::of("profile", look);
pub const RUNTIME: Source = Source::of("runtime", look_at_runtime);

const FUNCTIONS: usize = 3;
const ONLY_THERE: &str = "only-there";
const RUNTIME_FUNCTION: &str = "runtime";
/// A collector works beside the functions whose garbage it collects.
pub const COLLECTION: &str = "collection";
/// A profile knows at least as many functions before it leaves any out.
const KNOWN: usize = 20;
/// A smaller change of the time is not worth a line, as a share of the time of the longer side.
const LEAST: f64 = 0.03;
/// The same of a kind of work that only the functions of the runtime show, and of a function that only one side runs.
const MUCH: f64 = 0.25;
/// A function that has this share with what it calls has nearly all of it.
const NEARLY_ALL: f64 = 0.9;
/// Of many functions some differ by chance: 99.9 %.
const Z: f64 = 3.3;

/// Kinds of work as samples name them, in words.
const WORK: [(&str, &str); 14] = [
    ("allocations", "allocating and freeing memory"),
    ("atomics", "atomic instructions"),
    (COLLECTION, "garbage collection"),
    ("copying", "copying memory"),
    ("divisions", "divisions and square roots"),
    ("dispatch", "finding the method, the property or the type of an object"),
    ("exceptions", "throwing and catching exceptions"),
    ("formatting", "converting values to and from text, streams included"),
    ("hashing", "hashing"),
    ("locks", "taking and releasing locks"),
    ("look-ups", "look-ups in maps (other ones, more of them, or longer ones, as where hashes collide)"),
    ("regular-expressions", "regular expressions"),
    ("system", "the kernel (system calls and faults)"),
    ("tasks", "channels, queues and the scheduler, by which threads hand something to each other"),
];

fn look(pair: &Pair) -> Vec<Evidence> {
    let [Some(base_ns), Some(new_ns)] = pair.times_ns else { return Vec::new() };
    // A pass that failed saw nothing of what there was.
    let has_looked = |side: Side| side.passes("profile").any(|pass| pass.failure.is_none());
    let (base, new, without) = match of_both(pair) {
        [Some(base), Some(new)] => (base, new, None),
        // Of a side with no sample, such as one whose threads end at once, all of its time is taken to be the same.
        [None, Some(new)] if new_ns > base_ns && has_looked(pair.base) => {
            (new.clone(), new, Some(["new side", "base"]))
        }
        [Some(base), None] if base_ns > new_ns && has_looked(pair.new) => {
            (base.clone(), base, Some(["base", "new side"]))
        }
        _ => return Vec::new(),
    };
    let (totals, times) = ([base.total, new.total], [base_ns, new_ns]);
    let names = base.own.keys().chain(new.own.keys().filter(|name| !base.own.contains_key(*name)));
    let mut found: Vec<([f64; 2], &str)> = names
        .filter_map(|name| {
            let samples = [&base, &new].map(|side| side.own.get(name).copied().unwrap_or_default());
            Some((change(samples, totals, times)?, name.as_str()))
        })
        .collect();
    found.sort_by(|(a, _), (b, _)| (b[1] - b[0]).abs().total_cmp(&(a[1] - a[0]).abs()));
    found.truncate(FUNCTIONS);
    let of_time = |values: [f64; 2], kind, text: String, says| {
        let share = 100.0 * values[1] / new_ns;
        let text = match without {
            None => format!("{text}, by its share of the samples"),
            Some([with, without]) => {
                format!("{text}: {share:.0} % of the samples of the {with}; the {without} has none")
            }
        };
        let evidence = said(kind, text, pair.cycles(values[1] - values[0]));
        Evidence { values: without.is_none().then_some(values), unit: Unit::Time, says, is_measured: true, ..evidence }
    };
    let is_alone = found.first().is_some_and(|(values, _)| is_most(*values, times));
    let around = (!is_alone).then(|| around([&base, &new], times)).flatten();
    // Samples behind a load by a quotient wait for either: the division is it where the machine code of one side has more.
    let is_other = pair.facts("code", "divisions").is_some_and(|[base, new]| base == new);
    let work: Vec<_> = work([&base, &new], times).filter(|(_, kind, _)| *kind != "divisions" || !is_other).collect();
    // What was done there says more than the function.
    let is_work = |name: &str, of: [f64; 2]| {
        let least = MOST * share_of(of, times);
        work.iter().any(|(values, _, mostly)| *mostly == name && share_of(*values, times) >= least)
    };
    let turned = inlined_on_one(pair);
    let only = only_there([&base, &new], times, &turned).filter(|(values, name)| !is_work(name, *values));
    let is_said = |name: &str, values| is_work(name, values) || only.is_some_and(|(_, only)| only == name);
    let at = |name: &str| line(pair, name, totals, times).map(|line| format!(", mostly at {line}")).unwrap_or_default();
    let around = around.filter(|(values, name)| !is_said(name, *values));
    let around = around.map(|(values, name)| (values, format!("time in `{name}` and in what it calls")));
    let own = found.into_iter().filter(|(values, name)| !is_said(name, *values));
    let own = own.map(|(values, name)| (values, format!("time in `{name}`{}", at(name))));
    let places = around.into_iter().chain(own).map(|(values, text)| of_time(values, "functions", text, Says::Where));
    let unnamed = unnamed(pair, [&base, &new]).and_then(|(kind, text, samples)| {
        // What the other side has of it too is not known to be for that.
        let values = change(samples, totals, times)?;
        let values = Some(values).filter(|values| is_on_one(*values, times))?;
        let text = format!("time in code without a name, which the loops of the machine code call for {text}");
        Some(of_time(values, kind, text, Says::What))
    });
    let only = only.map(|(values, name)| {
        let at = at(name);
        let text = format!("time in `{name}` and in what it calls{at}, where the other side has hardly a sample");
        of_time(values, ONLY_THERE, text, Says::What)
    });
    let work = work.iter().map(|(values, kind, mostly)| of_time(*values, kind, text_of(kind, mostly), Says::What));
    places.chain(work).chain(unnamed).chain(only).collect()
}

/// The outermost function that one side spends much of the difference in, and the other hardly any time. None where that one has such a
/// function too: then the same may have another name.
fn only_there<'f>(both: [&'f Functions; 2], times_ns: [f64; 2], inlined: &[&str]) -> Option<([f64; 2], &'f str)> {
    const OTHER: f64 = 0.2;
    let ns = |side: usize, samples: u64| samples as f64 / both[side].total as f64 * times_ns[side];
    // Of many functions those with the most samples are known: any other has no more than these.
    let least = both.map(|side| side.under.values().copied().min().filter(|_| side.under.len() >= KNOWN).unwrap_or(0));
    // The body has samples of its own alone, also where a function that it calls has its name.
    let known = |side: usize, name: &str| both[side].under.get(name).max(both[side].own.get(name)).copied();
    let only = |side: usize| {
        let other = 1 - side;
        let its = both[side].under.iter().filter(move |(name, samples)| {
            let there_ns = ns(other, known(other, name).unwrap_or(least[other]));
            hardly_runs(there_ns, times_ns[other], ns(side, **samples))
        });
        // A closure is named after what is around it, and both sides have a body.
        let its = its.filter(|(name, _)| {
            !["{closure", "{lambda", "operator()", "the body"].iter().any(|part| name.contains(part))
        });
        let is_it =
            |one: &str, name: &str| one.strip_suffix(name).is_some_and(|path| path.is_empty() || path.ends_with("::"));
        let its = its.filter(move |(name, _)| !inlined.iter().any(|one| is_it(one, name)));
        its.max_by_key(|(_, samples)| **samples).map(|(name, samples)| (name.as_str(), *samples))
    };
    let longer = usize::from(times_ns[1] > times_ns[0]);
    let (name, samples) = only(longer)?;
    let mut counts = [known(1 - longer, name).unwrap_or(0); 2];
    counts[longer] = samples;
    let values = change(counts, both.map(|side| side.total), times_ns)?;
    let is_elsewhere = only(1 - longer).is_some_and(|(_, of)| ns(1 - longer, of) > OTHER * ns(longer, samples));
    (share_of(values, times_ns) >= MUCH && !is_elsewhere).then_some((values, name))
}

/// Functions that the machine code of one side has as parts of others: they run on both.
fn inlined_on_one<'a>(pair: &Pair<'a>) -> Vec<&'a str> {
    let passes = [pair.base, pair.new].into_iter().flat_map(|side| side.passes("code"));
    let turned = |name: &'a String| {
        [Diagnosis::CALLED_NOW, Diagnosis::INLINED_NOW].into_iter().find_map(|fact| name.strip_prefix(fact))
    };
    passes.flat_map(|pass| pass.facts.keys()).filter_map(turned).collect()
}

/// Evidence of the samples of a kind of work.
pub fn is_work(found: &Evidence) -> bool {
    found.is_measured && found.each.is_none() && WORK.iter().any(|(kind, _)| *kind == found.kind)
}

/// Evidence of the samples of a function that hardly runs on the other side.
pub fn is_function(found: &Evidence) -> bool {
    [ONLY_THERE, RUNTIME_FUNCTION].contains(&found.kind)
}

/// A part of the time of one side is little of it, and next to nothing beside what the other side has of it.
fn hardly_runs(part_ns: f64, of_ns: f64, other_ns: f64) -> bool {
    const LITTLE: f64 = 0.05;
    part_ns <= 2.0 * LITTLE * of_ns && part_ns <= LITTLE * other_ns
}

/// The same of the side that has less of it.
pub fn is_on_one([base, new]: [f64; 2], times_ns: [f64; 2]) -> bool {
    hardly_runs(base, times_ns[0], new) || hardly_runs(new, times_ns[1], base)
}

/// What differs of the kinds of work.
fn work<'f>(
    both: [&'f Functions; 2],
    times_ns: [f64; 2],
) -> impl Iterator<Item = ([f64; 2], &'static str, &'f str)> + 'f {
    WORK.iter().filter_map(move |(kind, _)| {
        let of = both.map(|side| side.work.get(kind));
        let samples = of.map(|work| work.map_or(0, |work| work.samples));
        let values = change(samples, both.map(|side| side.total), times_ns)?;
        Some((values, *kind, of[usize::from(values[1] > values[0])]?.mostly))
    })
}

fn text_of(kind: &str, mostly: &str) -> String {
    let text = WORK.iter().find(|(of, _)| *of == kind).map_or(kind, |(_, text)| text);
    format!("time in {text}, mostly in `{mostly}`")
}

/// What the runtime does, whose functions are known beside those of the program.
fn look_at_runtime(pair: &Pair) -> Vec<Evidence> {
    let both = [pair.base, pair.new].map(|side| functions_of(&side, "runtime"));
    let ([Some(base), Some(new)], [Some(base_ns), Some(new_ns)]) = (both, pair.times_ns) else { return Vec::new() };
    let times = [base_ns, new_ns];
    // What the program's own samples say of a kind is the same once more, and what is little of it may be the front end's.
    let known = look(pair);
    let has = |kind: &str| known.iter().any(|found| found.kind == kind);
    let is_new = |kind: &str, values| !has(kind) && share_of(values, times) >= MUCH;
    let found: Vec<_> = work([&base, &new], times).filter(|(values, kind, _)| is_new(kind, *values)).collect();
    let is_much = |known: &Evidence| {
        let is_what = known.says == Says::What && known.kind != COLLECTION;
        known.kind == ONLY_THERE || is_what && known.cycles / pair.cycles(new_ns - base_ns) >= MUCH
    };
    let is_known = found.iter().any(|(values, ..)| is_most(*values, times)) || known.iter().any(is_much);
    // Of all others the smallest function that has most of it, with what it calls. What both sides run says where, and not what was done.
    let all = [&base.own, &base.under, &new.own, &new.under].into_iter().flat_map(|functions| functions.keys());
    let functions = all.filter_map(|name| {
        let of = |side: &Functions| side.under.get(name).or(side.own.get(name)).copied().unwrap_or_default();
        let values = change([of(&base), of(&new)], [base.total, new.total], times)?;
        // A kind of work is said as such.
        let is_of_kind = |side: &&Functions| side.work.values().any(|work| work.mostly == name);
        let says = is_most(values, times) && is_on_one(values, times) && ![&base, &new].iter().any(is_of_kind);
        says.then_some((values, name.as_str()))
    });
    let smallest = functions.min_by(|(a, _), (b, _)| (a[0] + a[1]).total_cmp(&(b[0] + b[1])));
    let outermost = || only_there([&base, &new], times, &[]).filter(|_| found.is_empty());
    let named = smallest.or_else(outermost).filter(|_| !is_known).map(|(values, name)| {
        let text = format!("time in `{name}` and in what it calls, sampled with the functions of the runtime");
        (values, RUNTIME_FUNCTION, text)
    });
    let of_time = |(values, kind, text): ([f64; 2], &'static str, String)| {
        let evidence = said(kind, format!("{text}, by its share of the samples"), pair.cycles(values[1] - values[0]));
        Evidence { values: Some(values), unit: Unit::Time, is_measured: true, ..evidence }
    };
    let found = found.into_iter().map(|(values, kind, mostly)| (values, kind, text_of(kind, mostly)));
    found.chain(named).map(of_time).collect()
}

/// A part of the times that differs by as much as makes it the place of the difference.
fn is_most(values: [f64; 2], times_ns: [f64; 2]) -> bool {
    share_of(values, times_ns) >= MOST
}

/// What calls or interprets all else has all of both sides, and says nothing.
fn is_all(values: [f64; 2], times_ns: [f64; 2]) -> bool {
    values.iter().zip(times_ns).all(|(part, all)| *part >= NEARLY_ALL * all)
}

/// What a part differs by, as a share of what the times differ by.
fn share_of([base, new]: [f64; 2], times_ns: [f64; 2]) -> f64 {
    (new - base) / (times_ns[1] - times_ns[0])
}

/// The smallest function that has most of the difference with what it calls, where none has it alone.
fn around<'f>([base, new]: [&'f Functions; 2], times_ns: [f64; 2]) -> Option<([f64; 2], &'f str)> {
    let totals = [base.total, new.total];
    let found = base.under.keys().chain(new.under.keys()).filter_map(|name| {
        let samples = [base, new].map(|side| side.under.get(name).copied().unwrap_or_default());
        let values = change(samples, totals, times_ns)?;
        (share_of(values, times_ns) >= NEARLY_ALL && !is_all(values, times_ns)).then_some((values, name.as_str()))
    });
    // Of those that only call each other one of the user's is named rather than one of a library's.
    let is_of_library = |name: &str| name.starts_with('_') || name.contains("std::") || name.contains('<');
    found.min_by(|(a, a_name), (b, b_name)| {
        (a[0] + a[1]).total_cmp(&(b[0] + b[1])).then(is_of_library(a_name).cmp(&is_of_library(b_name)))
    })
}

/// The line of a function that has most of its difference, where its samples have lines.
fn line(pair: &Pair, function: &str, totals: [u64; 2], times_ns: [f64; 2]) -> Option<String> {
    let mut lines: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for (side, at) in [(pair.base, 0), (pair.new, 1)] {
        for (rest, samples) in facts(&side, Diagnosis::SAMPLES_AT) {
            let its = rest.rsplit_once(" in ").filter(|(_, name)| *name == function);
            let Some((line, _)) = its else { continue };
            lines.entry(line).or_default()[at] += samples as u64;
        }
    }
    let changes = lines.into_iter().filter_map(|(line, samples)| Some((line, change(samples, totals, times_ns)?)));
    let of = |values: [f64; 2]| (values[1] - values[0]).abs();
    let most = changes.max_by(|(_, a), (_, b)| of(*a).total_cmp(&of(*b)));
    most.map(|(line, _)| line.split_once(": ").map_or(line.to_owned(), |(place, text)| format!("{place}: `{text}`")))
}

/// The facts of a profile with this beginning, without it.
pub fn facts<'a>(side: &Side<'a>, start: &'a str) -> impl Iterator<Item = (&'a str, f64)> {
    let facts = side.passes("profile").flat_map(|pass| &pass.facts);
    facts.filter_map(move |(name, value)| Some((name.strip_prefix(start)?, *value)))
}

/// Samples tell time in such work.
pub fn has_work(pair: &Pair, kind: &str) -> bool {
    [pair.base, pair.new].iter().any(|side| functions(side).is_some_and(|of| of.work.contains_key(kind)))
}

/// Of some functions the smallest that has nearly all of the difference with what it calls.
pub fn around_of<'n>(pair: &Pair, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let ([Some(base), Some(new)], [Some(base_ns), Some(new_ns)]) = (of_both(pair), pair.times_ns) else { return None };
    let times = [base_ns, new_ns];
    let found = names.filter_map(|name| {
        let samples = [&base, &new].map(|side| side.under.get(name).copied().unwrap_or_default());
        let values = change(samples, [base.total, new.total], times)?;
        (share_of(values, times) >= NEARLY_ALL).then_some((values, name))
    });
    found.min_by(|(a, _), (b, _)| (a[0] + a[1]).total_cmp(&(b[0] + b[1]))).map(|(_, name)| name)
}

/// The functions in which the time differs by most of the difference. Those of a runtime, such as `(virtual machine)`, are no code of the program.
pub fn places(pair: &Pair) -> Vec<String> {
    let ([Some(base), Some(new)], [Some(base_ns), Some(new_ns)]) = (of_both(pair), pair.times_ns) else {
        return Vec::new();
    };
    let times = [base_ns, new_ns];
    let is_place = |name: &&String| {
        let samples = [&base, &new].map(|side| side.own.get(*name).copied().unwrap_or_default());
        change(samples, [base.total, new.total], times).is_some_and(|values| is_most(values, times))
    };
    let names = base.own.keys().chain(new.own.keys()).filter(|name| !name.starts_with(['(', '[']));
    names.filter(is_place).cloned().collect()
}

/// Samples in code without a name, with the one kind of work of which one side has more calls in its loops.
fn unnamed(pair: &Pair, both: [&Functions; 2]) -> Option<(&'static str, &'static str, [u64; 2])> {
    let calls = |side: &Side, kind: &str| side.fact("code", &format!("{}{kind}", Diagnosis::CALLS_OF)).unwrap_or(0.0);
    let mut differ = WORK.iter().filter(|(kind, _)| calls(&pair.base, kind) != calls(&pair.new, kind));
    let ((kind, text), None) = (differ.next()?, differ.next()) else { return None };
    Some((kind, text, both.map(|side| side.unnamed)))
}

/// The times of a part on both sides by its samples, ns; None where they differ by so little that it is not worth a line or may be chance.
pub fn change(samples: [u64; 2], totals: [u64; 2], times_ns: [f64; 2]) -> Option<[f64; 2]> {
    let (mut values, mut variance) = ([0.0; 2], 0.0);
    for side in [0, 1] {
        let total = totals[side] as f64;
        // One sample more or less is never known.
        let share = ((samples[side] as f64 + 0.5) / (total + 1.0)).min(1.0);
        values[side] = samples[side] as f64 / total * times_ns[side];
        variance += times_ns[side].powi(2) * share * (1.0 - share) / total;
    }
    let difference = (values[1] - values[0]).abs();
    let least = (LEAST * times_ns[0].max(times_ns[1])).max(Z * variance.sqrt());
    (difference > least).then_some(values)
}

#[derive(Clone)]
pub struct Functions<'a> {
    pub total: u64,
    /// By the names of functions without what differs between two builds of one.
    pub own: BTreeMap<String, u64>,
    /// The same with what they call.
    under: BTreeMap<String, u64>,
    work: BTreeMap<&'a str, Work<'a>>,
    /// Samples in code without a name that something with a name has called.
    unnamed: u64,
    /// Samples of functions that another one calls, and of those that it has inlined, by both names.
    pub called: BTreeMap<[String; 2], u64>,
    pub inlined: BTreeMap<[String; 2], u64>,
}

#[derive(Clone)]
struct Work<'a> {
    samples: u64,
    mostly: &'a str,
    most: u64,
}

/// What the profile of a case says of its functions; None where it has none.
pub fn functions<'a>(side: &Side<'a>) -> Option<Functions<'a>> {
    functions_of(side, "profile")
}

fn functions_of<'a>(side: &Side<'a>, diagnoser: &'a str) -> Option<Functions<'a>> {
    let pass = side.passes(diagnoser).find(|pass| !pass.facts.is_empty())?;
    let total = *pass.facts.get(Diagnosis::SAMPLES)? as u64;
    let (called, inlined) = (BTreeMap::new(), BTreeMap::new());
    let mut all = Functions {
        total,
        own: BTreeMap::new(),
        under: BTreeMap::new(),
        work: BTreeMap::new(),
        unnamed: 0,
        called,
        inlined,
    };
    all.unnamed = pass.facts.get(Diagnosis::SAMPLES_UNNAMED).map_or(0, |samples| *samples as u64);
    let edge = |rest: &str| rest.rsplit_once(" from ").map(|(name, by)| [name, by].map(str::to_owned));
    for (fact, samples) in &pass.facts {
        let samples = *samples as u64;
        if let Some(name) = fact.strip_prefix(Diagnosis::SAMPLES_IN) {
            *all.own.entry(name.to_owned()).or_default() += samples;
        } else if let Some(name) = fact.strip_prefix(Diagnosis::SAMPLES_UNDER) {
            *all.under.entry(name.to_owned()).or_default() += samples;
        } else if let Some(edge) = fact.strip_prefix(Diagnosis::SAMPLES_CALLED).and_then(edge) {
            *all.called.entry(edge).or_default() += samples;
        } else if let Some(edge) = fact.strip_prefix(Diagnosis::SAMPLES_INLINED).and_then(edge) {
            *all.inlined.entry(edge).or_default() += samples;
        } else if let Some((kind, name)) =
            fact.strip_prefix(Diagnosis::SAMPLES_OF).and_then(|rest| rest.split_once(" in "))
        {
            let work = all.work.entry(kind).or_insert(Work { samples: 0, mostly: name, most: 0 });
            work.samples += samples;
            if samples > work.most {
                (work.mostly, work.most) = (name, samples);
            }
        }
    }
    (total > 0).then_some(all)
}

/// What the profiles of both sides say. Debug information has a function that is inlined by its bare name, and symbols have all of it: it is one.
pub fn of_both<'a>(pair: &Pair<'a>) -> [Option<Functions<'a>>; 2] {
    let mut both = [pair.base, pair.new].map(|side| functions(&side));
    let files = [pair.base, pair.new].map(|side| file_of(&side));
    for (side, file) in both.iter_mut().zip(files).filter(|_| files[0] != files[1]) {
        side.iter_mut().for_each(|side| side.rename(|name| without_file(name, file)));
    }
    let of = |side: &Functions| {
        side.own.keys().cloned().chain(side.called.keys().map(|edge| edge[0].clone())).collect::<Vec<_>>()
    };
    let mut whole: BTreeMap<String, Option<String>> = BTreeMap::new();
    for name in both.iter().flatten().flat_map(of) {
        if let Some(bare) = bare(&name) {
            // Two functions of one bare name are told apart by nothing.
            let known = whole.entry(bare.to_owned()).or_insert_with(|| Some(name.clone()));
            known.take_if(|known| *known != name);
        }
    }
    let read = |name: &String| whole.get(name).cloned().flatten().unwrap_or_else(|| name.clone());
    both.iter_mut().flatten().for_each(|side| side.rename(read));
    both
}

impl Functions<'_> {
    fn rename(&mut self, read: impl Fn(&String) -> String) {
        let edge = |edge: &[String; 2]| [read(&edge[0]), read(&edge[1])];
        (self.own, self.under) = (renamed(&self.own, &read), renamed(&self.under, &read));
        (self.called, self.inlined) = (renamed(&self.called, edge), renamed(&self.inlined, edge));
    }
}

/// The name of the file that a program was built from; names of functions may have it, and it may differ between the sides.
fn file_of<'a>(side: &Side<'a>) -> &'a str {
    side.program().map_or("", |program| program.name.as_str())
}

/// `new::sum` of `new.rs` is `sum`, and `anonymous (new.mjs:3)` is `anonymous (line 3)`.
fn without_file(name: &str, file: &str) -> String {
    let root = format!("{}::", file.split('.').next().unwrap_or_default().replace('-', "_"));
    let is_start = |before: &str| !before.ends_with(|last: char| last.is_alphanumeric() || "_:".contains(last));
    let mut parts = name.split(&root);
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        all = if is_start(&all) { all + part } else { all + &root + part };
    }
    all.replace(&format!("({file}:"), "(line ")
}

fn renamed<K: Ord>(all: &BTreeMap<K, u64>, name: impl Fn(&K) -> K) -> BTreeMap<K, u64> {
    let mut found = BTreeMap::new();
    all.iter().for_each(|(key, samples)| *found.entry(name(key)).or_default() += samples);
    found
}

fn bare(name: &str) -> Option<&str> {
    let (front, last) = name.rsplit_once("::")?;
    (!front.is_empty() && !last.contains(['<', '>', '(', ')', '{', '}'])).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn a_function_that_has_all_samples_of_both_sides_takes_all_of_the_difference() {
        assert_eq!(change([200, 300], [200, 300], [12.0, 88.0]), Some([12.0, 88.0]));
        assert_eq!(change([0, 2], [200, 200], [100.0, 100.0]), None);
        assert_eq!(change([100, 100], [200, 300], [100.0, 150.0]), None);
    }

    #[test]
    fn the_name_of_a_file_is_no_part_of_the_names_in_it() {
        let of = |name: &str| super::without_file(name, "new.rs");
        assert_eq!(of("new::export"), "export");
        assert_eq!(of("copy<new::Job, &new::Job>"), "copy<Job, &Job>");
        assert_eq!(of("Vec<T>::new::{{closure}}"), "Vec<T>::new::{{closure}}");
        assert_eq!(of("renew::f"), "renew::f");
        assert_eq!(super::without_file("anonymous (new.mjs:3)", "new.mjs"), "anonymous (line 3)");
    }
}
