//! The benchmarks of this program.
//!
//! Each `#[tare::bench]` puts one into [`BENCHES`].

use std::time::Duration;

use crate::added::Added;
use crate::instance::guard;
use crate::list::List;
use crate::read::Reader;
use crate::show::{number_twins, Texts};
use crate::vtable::{Typed, Vtable};
use crate::wanted::Wanted;

/// A parameter of a benchmark.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its values are of the same rows as those of the parameter before.
    pub row: bool,
    /// Computes its values, as text: those that are given, or the declared ones; an error where one of those given does not fit.
    pub values: fn(given: &[String]) -> Result<Texts, String>,
}

/// Values that the host has set for parameters, by name.
pub(crate) type Given = Vec<(String, Vec<String>)>;

/// Those of one parameter.
fn given_for<'a>(given: &'a Given, name: &str) -> &'a [String] {
    given.iter().find(|(known, _)| known == name).map_or(&[], |(_, values)| values)
}

/// Which value each parameter has: its position in the list, and the list where the host has set it.
pub struct Choice(pub(crate) Vec<(usize, Vec<String>)>, pub(crate) Option<&'static Added>);

impl Choice {
    /// The value of a parameter.
    pub fn pick<T>(
        &self,
        parameter: usize,
        values: impl IntoIterator<Item = T>,
        read: fn(&str, Reader<T>) -> Result<T, String>,
    ) -> T {
        match &self.0[parameter] {
            (at, given) if given.is_empty() => {
                values.into_iter().nth(*at).expect("a parameter has the same values each time")
            }
            (at, given) => read(&given[*at], Reader::new()).expect("it was read when it was set"),
        }
    }
}

/// How a benchmark is run, beside what its body needs.
pub struct Manner {
    /// The body blocks.
    pub waits: bool,
    /// Invocations of an iteration at most.
    pub invocations_max: Option<u64>,
    /// `throughput`, `monitoring` or `cold-start`.
    pub strategy: &'static str,
    /// Variables of the processes that measure it.
    pub environment: &'static [(&'static str, &'static str)],
    /// Arguments of their command line.
    pub arguments: &'static [&'static str],
    /// Length of a visit.
    pub visit_time: Option<Duration>,
    /// Length of the warm-up.
    pub warm_up_time: Option<Duration>,
    /// Invocations of an iteration.
    pub invocations: Option<u64>,
    /// Each visit has the instance elsewhere in memory.
    pub memory_randomization: bool,
    /// Before each invocation the data of the process leaves the caches.
    pub cold_caches: bool,
    /// `same`, `change` or `differ`: what it says of its results.
    pub results: &'static str,
}

impl Manner {
    /// As it comes.
    pub const PLAIN: Manner = Manner {
        waits: false,
        invocations_max: None,
        strategy: "throughput",
        environment: &[],
        arguments: &[],
        visit_time: None,
        warm_up_time: None,
        invocations: None,
        memory_randomization: false,
        cold_caches: false,
        results: "same",
    };

    /// Invocations of an iteration at most: the caches are cold for the first alone.
    pub(crate) fn most(&self) -> Option<u64> {
        self.invocations_max.or(self.cold_caches.then_some(1))
    }

    /// What only all options together show.
    fn fault(&self) -> Option<String> {
        let several = self.most() != Some(1) || self.invocations.is_some_and(|wanted| wanted > 1);
        (self.cold_caches && several).then(|| {
            "`cold_caches` leaves one invocation per iteration: leave out `invocations_max` and `invocations`"
                .to_owned()
        })
    }
}

/// Computes what an invocation works through.
pub type Rates = fn(&Choice) -> Result<Vec<Rate>, String>;

/// What an invocation works through: name, unit, how much.
pub struct Rate {
    /// Lower-case letters, digits and `_`.
    pub name: &'static str,
    /// `B` for bytes; empty for a count.
    pub unit: &'static str,
    /// For an invocation; None: only the instance knows.
    pub amount: Option<u64>,
}

impl Rate {
    /// Bytes have their unit, everything else is a count.
    pub fn new(name: &'static str, amount: Option<u64>) -> Rate {
        Rate { name, unit: if name == "bytes" { "B" } else { "" }, amount }
    }
}

/// A benchmark as `#[tare::bench]` describes it.
pub struct Bench {
    /// As declared; else the module within the crate.
    pub group: Option<&'static str>,
    /// Name within the group.
    pub name: &'static str,
    /// `module_path!()`.
    pub module: &'static str,
    /// `file!()`.
    pub file: &'static str,
    /// `line!()`.
    pub line: u32,
    /// Position among the benchmarks of one attribute.
    pub order: u32,
    /// Generic parameters that are filled in.
    pub generics: &'static [(&'static str, &'static str)],
    /// Parameters.
    pub parameters: &'static [Parameter],
    /// Others of the group are compared with this one.
    pub baseline: bool,
    /// Operations that one invocation does.
    pub operations: fn(&Choice) -> Result<u64, String>,
    /// Name of an operation.
    pub unit: &'static str,
    /// What an invocation works through; None: nothing is said.
    pub rates: Option<Rates>,
    /// Whether a case is to be measured; None: all are.
    pub wanted: Option<fn(&Choice) -> Wanted>,
    /// For filters.
    pub categories: &'static [&'static str],
    /// One line.
    pub description: &'static str,
    /// Threads that the body uses; 0 when not known.
    pub threads: u32,
    /// The last parameter is the number of threads that run the body in step.
    pub team: bool,
    /// How it is run.
    pub manner: Manner,
    /// The body returns something.
    pub returns: bool,
    /// Declared in a program, not in a bench target: it measures without being asked by `--bench`.
    pub program: bool,
    /// The functions, for the form that the types choose.
    pub vtable: fn() -> Vtable,
    /// What was not declared by an attribute, but added when the program began.
    pub added: Option<&'static Added>,
}

impl Bench {
    /// Its group, name and fixed parameters.
    fn text(&self) -> String {
        let mut text = format!("{}/{}", self.group.unwrap_or_default(), self.name);
        for (name, value) in self.generics {
            text.push_str(&format!("/{name}={value}"));
        }
        text
    }

    /// Nothing declared.
    pub(crate) const fn unnamed() -> Bench {
        Bench {
            group: None,
            name: "",
            module: "",
            file: "",
            line: 0,
            order: 0,
            generics: &[],
            parameters: &[],
            baseline: false,
            operations: |_| Ok(1),
            unit: "op",
            rates: None,
            wanted: None,
            categories: &[],
            description: "",
            threads: 1,
            team: false,
            manner: Manner::PLAIN,
            returns: true,
            program: false,
            vtable: || Typed::<()>::own(|_| Ok(()), |_, _| Duration::ZERO).erase(),
            added: None,
        }
    }
}

/// All of this program, in no order.
pub static BENCHES: List<Bench> = List::new();

/// A benchmark with its parameters filled in.
pub(crate) struct Case {
    pub(crate) bench: &'static Bench,
    pub(crate) choice: Choice,
    pub(crate) parameters: Vec<(&'static str, String)>,
    /// What each of them is, in the protocol's words.
    pub(crate) types: Vec<&'static str>,
    pub(crate) operations: u64,
    pub(crate) rates: Vec<Rate>,
    /// Threads that the body uses, or that run it.
    pub(crate) threads: u32,
    /// Why it is not to be measured.
    pub(crate) skipped: Option<String>,
    /// As declared, unless another one is named so.
    pub(crate) name: String,
    pub(crate) vtable: Vtable,
    /// What is wrong with its declaration: it fails.
    pub(crate) fault: Option<String>,
}

/// Cases of one program; more is a mistake in the values of parameters.
const MOST: usize = 1_000_000;
/// Threads in step; more is a mistake.
const MOST_THREADS: u32 = 4096;

impl Case {
    /// One that only says what is wrong with it.
    fn faulty(bench: &'static Bench, fault: String) -> Case {
        let generics = bench.generics.iter().map(|&(name, value)| (name, value.to_owned()));
        let types = bench.generics.iter().map(|&(_, value)| match value {
            "true" | "false" => "boolean",
            value if value.parse::<i128>().is_ok() => "integer",
            _ => "text",
        });
        Case {
            bench,
            choice: Choice(Vec::new(), bench.added),
            parameters: generics.collect(),
            types: types.collect(),
            operations: 1,
            rates: Vec::new(),
            threads: bench.threads,
            skipped: None,
            name: bench.name.to_owned(),
            vtable: (bench.vtable)(),
            fault: Some(fault),
        }
    }

    /// One of a benchmark without parameters.
    pub(crate) fn of(bench: &'static Bench, vtable: Vtable) -> Case {
        Case { fault: None, vtable, ..Case::faulty(bench, String::new()) }
    }

    /// Takes the number of threads from the last parameter.
    fn run_on_threads(&mut self) {
        let said = self.parameters.last().map_or("", |(_, value)| value);
        match said.parse() {
            Ok(threads @ 1..=MOST_THREADS) => self.threads = threads,
            _ => self.fault = Some(format!("`threads` is {said}; it must be a whole number from 1 to {MOST_THREADS}")),
        }
    }

    /// What an invocation does, as far as it is declared.
    fn count(&mut self) {
        let bench = self.bench;
        let operations = guard("set-up", || (bench.operations)(&self.choice));
        let rates = guard("set-up", || bench.rates.map_or(Ok(Vec::new()), |rates| rates(&self.choice)));
        for failure in [operations.as_ref().err(), rates.as_ref().err()].into_iter().flatten() {
            self.fault.get_or_insert(failure.what());
        }
        self.operations = operations.unwrap_or(1);
        self.rates = rates.unwrap_or_default();
        if let Some(added) = bench.added {
            self.operations = added.operations;
            self.rates.extend(added.rates.iter().map(|(name, amount)| Rate::new(name, Some(*amount))));
            self.skipped = added.skipped.clone();
        }
        if bench.team {
            if self.rates.is_empty() {
                self.rates.push(Rate::new("calls", Some(1)));
            }
            // What all threads work through together.
            for amount in self.rates.iter_mut().filter_map(|rate| rate.amount.as_mut()) {
                *amount = amount.saturating_mul(u64::from(self.threads));
            }
        }
    }

    pub(crate) fn group(&self) -> &'static str {
        self.bench.group.unwrap_or_else(|| self.bench.module.split_once("::").map_or("", |(_, inner)| inner))
    }

    /// `group/name/parameter=value/...`, as filters and cargo-nextest see it.
    pub(crate) fn full_name(&self) -> String {
        let mut name = String::new();
        if !self.group().is_empty() {
            name.push_str(self.group());
            name.push('/');
        }
        name.push_str(&self.short_name());
        name
    }

    pub(crate) fn short_name(&self) -> String {
        let mut name = self.name.clone();
        for (parameter, value) in &self.parameters {
            name.push('/');
            name.push_str(parameter);
            name.push('=');
            name.push_str(&value.replace(char::is_whitespace, "_"));
        }
        name
    }
}

fn benches() -> Vec<&'static Bench> {
    let all = BENCHES.items();
    let key = |at: usize| {
        let bench: &Bench = all[at];
        (bench.file, bench.line, bench.order, bench.module, bench.name)
    };
    // Those that a loop adds stand at one line. Their own order may differ from process to process (that of a `HashMap` does), and a
    // benchmark is opened by its number.
    let added: Vec<_> = all.iter().map(|bench| bench.added.is_some().then(|| natural(&bench.text()))).collect();
    let less = |a: usize, b: usize| {
        (key(a).0, key(a).1, &added[a]).cmp(&(key(b).0, key(b).1, &added[b])).then(key(a).cmp(&key(b)))
    };
    order(all.len(), &|a, b| less(a, b).is_lt()).into_iter().map(|at| all[at]).collect()
}

/// A text with its numbers filled up with zeros: `n=9` comes before `n=10`.
fn natural(text: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        for _ in digits.len()..20 * usize::from(!digits.is_empty()) {
            out.push('0');
        }
        out.push_str(&digits);
        digits.clear();
        out.push(c);
    }
    out
}

/// The numbers below `count` in ascending order: a heap sort. It is here because those of the standard library take a
/// second to compile, once for each type.
pub(crate) fn order(count: usize, less: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut heap: Vec<usize> = (0..count).collect();
    let sink = |heap: &mut [usize], mut root: usize| loop {
        let mut child = 2 * root + 1;
        if child >= heap.len() {
            break;
        }
        if child + 1 < heap.len() && less(heap[child], heap[child + 1]) {
            child += 1;
        }
        if !less(heap[root], heap[child]) {
            break;
        }
        heap.swap(root, child);
        root = child;
    };
    for root in (0..count / 2).rev() {
        sink(&mut heap, root);
    }
    for end in (1..count).rev() {
        heap.swap(0, end);
        sink(&mut heap[..end], 0);
    }
    heap
}

/// All cases, in the order of their declaration. A mistake in a benchmark is the fault of its own cases.
pub(crate) fn cases() -> Vec<Case> {
    cases_with(&Given::new())
}

/// Benchmarks that have a parameter of this name, or why one of them cannot have these values.
pub(crate) fn having(name: &str, given: &[String]) -> Result<u64, String> {
    let mut count = 0;
    let all = benches();
    let is_of_row = |bench: &&Bench| {
        let at = bench.parameters.iter().position(|parameter| parameter.name == name);
        at.is_some_and(|at| bench.parameters[at].row || bench.parameters.get(at + 1).is_some_and(|next| next.row))
    };
    if all.iter().copied().any(|bench| is_of_row(&bench)) {
        return Err(format!("the parameter `{name}` cannot be set: its values are declared in rows with others"));
    }
    for parameter in all.iter().flat_map(|bench| bench.parameters).filter(|parameter| parameter.name == name) {
        let read = guard("set-up", || (parameter.values)(given));
        read.map_err(|failure| format!("the parameter `{name}`: {}", failure.what()))?;
        count += 1;
    }
    Ok(count)
}

/// All cases with the values that the host has set.
pub(crate) fn cases_with(given: &Given) -> Vec<Case> {
    let mut all = Vec::new();
    for bench in benches() {
        match values(bench, given, MOST - all.len().min(MOST)) {
            Ok(values) => add(bench, given, &values, &mut all),
            Err(fault) => all.push(Case::faulty(bench, fault)),
        }
    }
    for case in &mut all {
        case.fault = case.fault.take().or(case.bench.manner.fault());
    }
    name_apart(&mut all);
    all
}

/// The texts of the values of each parameter, or why there are none.
fn values(bench: &Bench, given: &Given, most: usize) -> Result<Vec<Texts>, String> {
    let mut all = Vec::new();
    let mut count = 1_usize;
    for parameter in bench.parameters {
        let name = parameter.name;
        let values = guard("set-up", || (parameter.values)(given_for(given, name)));
        let values = values.map_err(|failure| format!("the values of its parameter `{name}`: {}", failure.what()))?;
        if values.texts.is_empty() {
            return Err(format!("its parameter `{name}` has no values; give it at least one"));
        }
        if !parameter.row {
            count = count.saturating_mul(values.texts.len());
        }
        all.push(values);
    }
    let mut at = 0;
    while at < all.len() {
        let width = 1 + bench.parameters[at + 1..].iter().take_while(|parameter| parameter.row).count();
        number_twins(&mut all[at..at + width]);
        at += width;
    }
    if count > most {
        return Err(format!("its parameters have {count} combinations; a program has at most {MOST} cases"));
    }
    Ok(all)
}

/// Adds the combinations of the values; the last parameter changes fastest.
fn add(bench: &'static Bench, given: &Given, values: &[Texts], all: &mut Vec<Case>) {
    let leads = |at: &usize| !bench.parameters[*at].row;
    let count: usize = (0..values.len()).filter(leads).map(|at| values[at].texts.len()).product();
    let before = all.len();
    for number in 0..count {
        let mut left = number;
        let mut choice = vec![0; values.len()];
        for at in (0..values.len()).rev().filter(leads) {
            choice[at] = left % values[at].texts.len();
            left /= values[at].texts.len();
        }
        for at in 1..values.len() {
            if bench.parameters[at].row {
                choice[at] = choice[at - 1];
            }
        }
        let chosen = choice.iter().zip(bench.parameters).zip(values);
        let chosen = chosen.map(|((&at, parameter), values)| (parameter.name, values.texts[at].clone()));
        let mut case = Case::faulty(bench, String::new());
        case.parameters.extend(chosen);
        case.types.extend(values.iter().map(|values| values.kind));
        let given = bench.parameters.iter().map(|parameter| given_for(given, parameter.name).to_vec());
        case.choice = Choice(choice.into_iter().zip(given).collect(), bench.added);
        case.fault = None;
        if bench.team {
            case.run_on_threads();
        }
        match guard("set-up", || Ok(bench.wanted.map_or(Wanted::Yes, |wanted| wanted(&case.choice)))) {
            Ok(Wanted::LeftOut) => continue,
            Ok(Wanted::Skipped(reason)) => case.skipped = Some(reason),
            Ok(Wanted::Yes) => {}
            Err(failure) => case.fault = Some(failure.what()),
        }
        case.count();
        all.push(case);
    }
    if all.len() == before && count > 0 {
        // A benchmark that is not there looks like a mistake of its name.
        let reason = match count {
            1 => "`skip_if` leaves it out".to_owned(),
            _ => format!("`skip_if` leaves out all of its {count} cases"),
        };
        all.push(Case { fault: None, skipped: Some(reason), ..Case::faulty(bench, String::new()) });
    }
}

/// Cases without a name, or with one that an earlier one has, get another and are faulty.
fn name_apart(all: &mut [Case]) {
    for case in all.iter_mut().filter(|case| case.bench.name.is_empty()) {
        case.name = "(no name)".to_owned();
        case.fault.get_or_insert_with(|| "its name is empty; give it one".to_owned());
    }
    let names: Vec<String> = all.iter().map(Case::full_name).collect();
    let sorted = order(all.len(), &|a, b| (&names[a], a) < (&names[b], b));
    let mut first = 0;
    for at in 0..sorted.len() {
        if names[sorted[at]] != names[sorted[first]] {
            first = at;
        }
        if at == first {
            continue;
        }
        let (one, other) = (all[sorted[first]].bench, all[sorted[at]].bench);
        let fault = format!(
            "`{}` is declared at {}:{} and at {}:{}; give one of them `name = \"...\"` or another group",
            names[sorted[at]], one.file, one.line, other.file, other.line,
        );
        let case = &mut all[sorted[at]];
        case.name = format!("{} ({})", case.name, at - first + 1);
        case.fault.get_or_insert(fault);
    }
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn order_sorts() {
        for count in 0..40_usize {
            let values: Vec<usize> = (0..count).map(|n| n * 7919 % 41).collect();
            let sorted: Vec<usize> = order(count, &|a, b| values[a] < values[b]).iter().map(|&at| values[at]).collect();
            assert!(sorted.windows(2).all(|pair| pair[0] <= pair[1]), "{sorted:?}");
            assert_eq!(sorted.len(), count);
        }
    }
}
