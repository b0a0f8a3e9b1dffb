//! The benchmarks of this program.
//!
//! Each `#[tare::bench]` leaves a static [`Node`] and a function that the loader calls before `main` (`.init_array` and
//! its kin), which pushes the node onto a list. Nobody has to list benchmarks in `main`, so none can be forgotten.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::vtable::Vtable;

/// A parameter of a benchmark.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Computes its values, as text.
    pub values: fn() -> Vec<String>,
}

/// Which value each parameter has: its position in the list.
pub struct Choice(pub(crate) Vec<usize>);

impl Choice {
    /// The value of a parameter.
    pub fn pick<T>(&self, parameter: usize, values: impl IntoIterator<Item = T>) -> T {
        values.into_iter().nth(self.0[parameter]).expect("a parameter has the same values each time")
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
    pub operations: fn(&Choice) -> u64,
    /// Name of an operation.
    pub unit: &'static str,
    /// For filters.
    pub categories: &'static [&'static str],
    /// One line.
    pub description: &'static str,
    /// Threads that the body uses; 0 when not known.
    pub threads: u32,
    /// The body returns something.
    pub returns: bool,
    /// Declared in a program, not in a bench target: it measures without being asked by `--bench`.
    pub program: bool,
    /// The functions.
    pub vtable: Vtable,
}

/// A link of the list.
pub struct Node {
    bench: Bench,
    next: AtomicPtr<Node>,
}

static FIRST: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());

impl Node {
    /// Not yet in the list.
    pub const fn new(bench: Bench) -> Node {
        Node { bench, next: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Puts the node into the list. Called once for each, before `main` or when a library is loaded.
    pub fn register(&'static self) {
        let this: *const Node = self;
        let mut first = FIRST.load(Ordering::Relaxed);
        loop {
            self.next.store(first, Ordering::Relaxed);
            match FIRST.compare_exchange_weak(first, this.cast_mut(), Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }
}

/// Has the loader register a node.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($bench:expr) => {
        const _: () = {
            static NODE: $crate::__private::Node = $crate::__private::Node::new($bench);
            #[used]
            #[cfg_attr(windows, link_section = ".CRT$XCU")]
            #[cfg_attr(target_vendor = "apple", link_section = "__DATA,__mod_init_func")]
            #[cfg_attr(not(any(windows, target_vendor = "apple")), link_section = ".init_array")]
            static REGISTER: extern "C" fn() = {
                extern "C" fn register() {
                    NODE.register();
                }
                register
            };
        };
    };
}

/// A benchmark with its parameters filled in.
pub(crate) struct Case {
    pub(crate) bench: &'static Bench,
    pub(crate) choice: Choice,
    pub(crate) parameters: Vec<(&'static str, String)>,
    pub(crate) operations: u64,
}

/// Cases of one program; more is a mistake in the values of parameters.
const MOST: usize = 1_000_000;

impl Case {
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
        let mut name = self.bench.name.to_owned();
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
    let mut all = Vec::new();
    let mut at = FIRST.load(Ordering::Acquire);
    // SAFETY: the list holds `&'static Node`s; a node does not change once it is in the list.
    while let Some(node) = unsafe { at.as_ref() } {
        all.push(&node.bench);
        at = node.next.load(Ordering::Relaxed);
    }
    // The order in which the loader calls is the linker's affair.
    let key = |at: usize| {
        let bench: &Bench = all[at];
        (bench.file, bench.line, bench.order, bench.module, bench.name)
    };
    order(all.len(), &|a, b| key(a) < key(b)).into_iter().map(|at| all[at]).collect()
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

/// All cases, in the order of their declaration; a mistake in them as text.
pub(crate) fn cases() -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for bench in benches() {
        let values: Vec<Vec<String>> = bench.parameters.iter().map(|parameter| (parameter.values)()).collect();
        let count = values.iter().try_fold(1_usize, |count, values| count.checked_mul(values.len()));
        let count = match count {
            Some(count) if all.len() + count <= MOST => count,
            _ => return Err(format!("`{}` has more than {MOST} combinations of parameters", bench.name)),
        };
        for number in 0..count {
            // The last parameter changes fastest.
            let mut left = number;
            let mut choice = vec![0; values.len()];
            for (place, values) in choice.iter_mut().zip(&values).rev() {
                *place = left % values.len();
                left /= values.len();
            }
            let own = bench.generics.iter().map(|&(name, value)| (name, value.to_owned()));
            let chosen = choice.iter().zip(bench.parameters).zip(&values);
            let chosen = chosen.map(|((&at, parameter), values)| (parameter.name, values[at].clone()));
            let parameters = own.chain(chosen).collect();
            let choice = Choice(choice);
            let operations = (bench.operations)(&choice).max(1);
            all.push(Case { bench, choice, parameters, operations });
        }
    }
    let names: Vec<String> = all.iter().map(Case::full_name).collect();
    for pair in order(all.len(), &|a, b| names[a] < names[b]).windows(2) {
        let (name, one, other) = (&names[pair[0]], all[pair[0]].bench, all[pair[1]].bench);
        if *name == names[pair[1]] {
            return Err(format!(
                "two benchmarks are named `{name}`: {}:{} and {}:{}; give one of them `name = \"...\"` or another group",
                one.file, one.line, other.file, other.line,
            ));
        }
    }
    Ok(all)
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
