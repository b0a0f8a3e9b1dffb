//! Where the time of both sides goes, by the samples: functions and kinds of work that differ by more than chance.

use super::super::pair::Side;
use super::{said, Evidence, Pair, Says, Source, Unit};
use std::collections::BTreeMap;
use tare_model::{Diagnosis, LanguageFacts};

pub const SOURCE: Source = Source::of("profile", look);

const MOST: usize = 3;
/// A smaller change of the time is not worth a line, as a share of the time of the longer side.
const LEAST: f64 = 0.03;
/// Of many functions some differ by chance: 99.9 %.
const Z: f64 = 3.3;

/// Kinds of work as samples name them, in words.
const WORK: [(&str, &str); 11] = [
    ("allocations", "allocating and freeing memory"),
    ("atomics", "atomic instructions"),
    ("collection", "garbage collection"),
    ("copying", "copying memory"),
    ("dispatch", "finding the method or the type of an object"),
    ("exceptions", "throwing and catching exceptions"),
    ("formatting", "converting values to text or from it"),
    ("hashing", "hashing"),
    ("locks", "taking and releasing locks"),
    ("look-ups", "look-ups in maps (other ones, more of them, or longer ones, as where hashes collide)"),
    ("regular-expressions", "regular expressions"),
];

fn look(pair: &Pair) -> Vec<Evidence> {
    let [Some(base_ns), Some(new_ns)] = pair.times_ns else { return Vec::new() };
    let (base, new, without) = match of_both(pair) {
        [Some(base), Some(new)] => (base, new, None),
        // Of a side with no sample, such as one whose threads end at once, all of its time is taken to be the same.
        [None, Some(new)] if new_ns > base_ns => (new.clone(), new, Some(["new side", "base"])),
        [Some(base), None] if base_ns > new_ns => (base.clone(), base, Some(["base", "new side"])),
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
    found.truncate(MOST);
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
    let near = if is_late(pair) { " or in what is called beside it" } else { "" };
    let places = found
        .into_iter()
        .map(|(values, name)| of_time(values, "functions", format!("time in `{name}`{near}"), Says::Where));
    let unnamed = unnamed(pair, [&base, &new]).and_then(|(kind, text, samples)| {
        let values = change(samples, totals, times)?;
        let text = format!("time in code without a name, which the loops of the machine code call for {text}");
        Some(of_time(values, kind, text, Says::What))
    });
    let work = WORK.iter().filter_map(|(kind, text)| {
        let of = [&base, &new].map(|side| side.work.get(kind));
        let samples = of.map(|work| work.map_or(0, |work| work.samples));
        let values = change(samples, totals, times)?;
        let mostly = of[usize::from(values[1] > values[0])]?.mostly;
        let text = format!("time in {text}, mostly in `{}`", plain(mostly));
        Some(of_time(values, kind, text, Says::What))
    });
    places.chain(work).chain(unnamed).collect()
}

/// A function that was called when a sample was due, or its caller, can have it.
fn is_late(pair: &Pair) -> bool {
    let child = pair.new.program().and_then(|program| program.child.as_ref());
    child.is_some_and(|child| LanguageFacts::of_any(&child.language).samples_late)
}

/// Samples in code without a name, with the one kind of work of which one side has more calls in its loops.
fn unnamed(pair: &Pair, both: [&Functions; 2]) -> Option<(&'static str, &'static str, [u64; 2])> {
    let calls = |side: &Side, kind: &str| side.fact("code", &format!("{}{kind}", Diagnosis::CALLS_OF)).unwrap_or(0.0);
    let mut differ = WORK.iter().filter(|(kind, _)| calls(&pair.base, kind) != calls(&pair.new, kind));
    let ((kind, text), None) = (differ.next()?, differ.next()) else { return None };
    Some((kind, text, both.map(|side| side.unnamed)))
}

/// The times of a part on both sides by its samples, ns; None where they differ by so little that it is not worth a line or may be chance.
fn change(samples: [u64; 2], totals: [u64; 2], times_ns: [f64; 2]) -> Option<[f64; 2]> {
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
    let pass = side.passes("profile").find(|pass| !pass.facts.is_empty())?;
    let total = *pass.facts.get(Diagnosis::SAMPLES)? as u64;
    let (called, inlined) = (BTreeMap::new(), BTreeMap::new());
    let mut all = Functions { total, own: BTreeMap::new(), work: BTreeMap::new(), unnamed: 0, called, inlined };
    all.unnamed = pass.facts.get(Diagnosis::SAMPLES_UNNAMED).map_or(0, |samples| *samples as u64);
    let edge = |rest: &str| rest.rsplit_once(" from ").map(|(name, by)| [plain(name), plain(by)]);
    for (fact, samples) in &pass.facts {
        let samples = *samples as u64;
        if let Some(name) = fact.strip_prefix(Diagnosis::SAMPLES_IN) {
            *all.own.entry(plain(name)).or_default() += samples;
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
    for side in both.iter_mut().flatten() {
        side.own = renamed(&side.own, read);
        side.called = renamed(&side.called, |edge| [read(&edge[0]), read(&edge[1])]);
        side.inlined = renamed(&side.inlined, |edge| [read(&edge[0]), read(&edge[1])]);
    }
    both
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

/// The name of a function without its parameters and without what compilers and front ends add, which differ between two builds.
fn plain(name: &str) -> String {
    // A front end of C and C++ names the body of a benchmark by its line.
    if name.starts_with("tare_benchmark_") {
        return "the body".to_owned();
    }
    // .NET has what it returns and the module before the method.
    let of_module =
        name.split_once(" [").filter(|_| !name.starts_with('<')).and_then(|(_, rest)| rest.split_once("] "));
    let name = of_module.map_or(name, |(_, method)| method);
    let name = name.split(" [clone").next().unwrap_or(name);
    let name = name.rsplit_once("::h").map_or(name, |(start, end)| {
        let is_hash = end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash {
            start
        } else {
            name
        }
    });
    let name = &without_types(name);
    let (mut depth, mut before) = (0_usize, ' ');
    for (at, c) in name.char_indices() {
        match c {
            '(' if depth == 0 && at > 0 && !name[..at].ends_with("operator") && may_end_name(before) => {
                return name[..at].to_owned();
            }
            '<' | '{' if !name[..at].ends_with("operator") => depth += 1,
            '>' | '}' if before != '-' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    name.to_owned()
}

/// A name can end with it, before parameters.
fn may_end_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '>' | '}' | ')' | '<')
}

/// A name in which long lists of types are cut short.
fn without_types(name: &str) -> String {
    const LONG: usize = 40;
    let (mut text, mut depth, mut list) = (String::new(), 0_usize, String::new());
    for c in name.chars() {
        let is_behind_name = text.ends_with(|before: char| before.is_alphanumeric()) && !text.ends_with("operator");
        let is_begin = c == '<' && (depth > 0 || is_behind_name);
        let is_end = c == '>' && depth > 0 && !list.ends_with('-');
        match (is_begin, is_end, depth) {
            (false, _, 0) => text.push(c),
            _ => list.push(c),
        }
        depth = (depth + usize::from(is_begin)).saturating_sub(usize::from(is_end));
        if is_end && depth == 0 {
            text.push_str(if list.chars().count() > LONG { "<…>" } else { &list });
            list.clear();
        }
    }
    // The end of a long name may be cut off.
    text + if list.chars().count() > LONG { "<…>" } else { &list }
}

#[cfg(test)]
mod tests {
    use super::{change, plain};

    #[test]
    fn a_function_is_the_same_whatever_its_parameters_are() {
        for (written, name) in [
            (
                "nearest(std::vector<Point, std::allocator<Point> > const&, float, float) [clone .constprop.0]",
                "nearest",
            ),
            ("tare_benchmark_17_0::{lambda()#1}::operator()() const", "the body"),
            ("Space::Functor::operator()(int) const", "Space::Functor::operator()"),
            ("f<void (*)(int)>(long)", "f<void (*)(int)>"),
            ("internal/sync.(*Mutex).Unlock", "internal/sync.(*Mutex).Unlock"),
            ("(garbage collector)", "(garbage collector)"),
            ("find<(u64, u32), alloc::alloc::Global, closure_env#0<u64>>", "find<…>"),
            ("<T as core::iter::Iterator>::next", "<T as core::iter::Iterator>::next"),
            ("fold<geometry::Vec3, f32, core::iter::adapters::map::map_f", "fold<…>"),
            ("S::operator<(S const&)", "S::operator<"),
            ("is_stop (stop.py:8)", "is_stop (stop.py:8)"),
            ("core::hash::sip::write::h0123456789abcdef", "core::hash::sip::write"),
            ("instance int32 [t] T::Sum()[OptimizedTier1]", "T::Sum"),
        ] {
            assert_eq!(plain(written), name);
        }
    }

    #[test]
    fn a_function_that_has_all_samples_of_both_sides_takes_all_of_the_difference() {
        assert_eq!(change([200, 300], [200, 300], [12.0, 88.0]), Some([12.0, 88.0]));
        assert_eq!(change([0, 2], [200, 200], [100.0, 100.0]), None);
        assert_eq!(change([100, 100], [200, 300], [100.0, 150.0]), None);
    }
}
