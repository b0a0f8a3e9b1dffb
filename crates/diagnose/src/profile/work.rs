//! A profile in numbers: the samples in each function, and in each kind of work that is recognised by the names of functions of languages
//! and their libraries.

use super::plain::plain;
use std::collections::{BTreeMap, BTreeSet};
use tare_code::{Code, Goes, Slow};
use tare_model::{Diagnosis, Stacks};

/// Number of functions whose samples become facts of the case, and the longest name, characters.
const FUNCTIONS: usize = 100;
const NAME_MAX: usize = 200;

/// Marks after the stack of a sample that waited at such an instruction.
const ATOMIC: &str = "[atomic]";
const DIVISION: &str = "[division]";

pub(super) fn mark(slow: Slow) -> &'static str {
    match slow {
        Slow::Atomic => ATOMIC,
        Slow::Division => DIVISION,
    }
}

/// Marks the stack of a sample in the kernel.
const KERNEL: &str = "[kernel]";

/// Name for a body that is a closure.
const BODY: &str = "the body";

struct Kind {
    name: &'static str,
    /// Whether callees of its functions count as part of it.
    is_whole: bool,
    /// Parts of the names of its functions.
    names: &'static [&'static str],
}

const fn kind(name: &'static str, is_whole: bool, names: &'static [&'static str]) -> Kind {
    Kind { name, is_whole, names }
}

const KINDS: [Kind; 14] = [
    kind("atomics", false, &[ATOMIC]),
    kind("divisions", false, &[DIVISION]),
    kind("system", false, &[KERNEL]),
    kind(
        "exceptions",
        true,
        &[
            "CORINFO_HELP_THROW",
            "_Unwind_",
            "__cxa_throw",
            "__cxa_rethrow",
            "__cxa_allocate_exception",
            "__gxx_personality",
            "std::panicking",
            "fillInStackTrace",
            "java.lang.Throwable",
            "java_lang_Throwable",
            "handle_exception",
            "runtime.gopanic",
            "runtime.recovery",
            "IL_Throw",
            "DispatchManagedException",
            "System.Runtime.EH",
            "System.Exception",
            "Isolate::Throw",
            "captureStackTrace",
            "PyErr_Set",
            "PyErr_Format",
            "PyErr_NormalizeException",
            "PyErr_GivenExceptionMatches",
            "PyTraceBack_Here",
        ],
    ),
    // None of these runs the task that is handed over.
    kind(
        "tasks",
        true,
        &[
            "runtime.chansend",
            "runtime.chanrecv",
            "runtime.selectgo",
            "runtime.goexit0",
            "runtime.newproc",
            "std::sync::mpsc",
            "std::sync::mpmc",
            "crossbeam_channel",
            "tokio::sync",
            "std::thread::thread",
            "std::thread::_M_start",
            "std::condition_variable",
            "pthread_create",
            "pthread_join",
            "pthread_cond_",
            "LinkedBlockingQueue",
            "ArrayBlockingQueue",
            "SynchronousQueue",
            "java.util.concurrent.locks.LockSupport",
            "java.lang.Thread.start",
        ],
    ),
    kind(
        "locks",
        true,
        &[
            "CORINFO_HELP_MON",
            "pthread_mutex_",
            "pthread_rwlock_",
            "pthread_spin_",
            "__lll_lock",
            "std::mutex::",
            "std::recursive_mutex::",
            "std::shared_mutex::",
            "std::lock_guard<",
            "std::unique_lock<",
            "std::scoped_lock<",
            "gthread_mutex",
            "sync.(*Mutex)",
            "sync.(*RWMutex)",
            "runtime.lock2",
            "runtime.unlock2",
            "runtime.semacquire",
            "runtime.semrelease",
            "sync::mutex",
            "sync::poison::mutex",
            "sync::rwlock",
            "sync::poison::rwlock",
            "parking_lot",
            "futex::Mutex",
            "Threading.Monitor",
            "Threading.Lock",
            "SpinLock",
            "AwareLock",
            "JIT_MonEnter",
            "ObjectMonitor",
            "ObjectSynchronizer",
            "java.util.concurrent.locks",
            "threading.Lock",
            "PyThread_acquire_lock",
            "PyThread_release_lock",
            "sem_wait",
            "sem_trywait",
            "sem_clockwait",
            "sem_post",
        ],
    ),
    kind(
        "regular-expressions",
        true,
        &[
            "RegExp",
            "regexp.",
            "regexp/",
            "java.util.regex",
            "regex_automata",
            "regex::",
            "std::__detail::_Executor",
            "std::regex_",
            "RegularExpressions",
            "_sre.",
            "re.Pattern",
        ],
    ),
    kind(
        "collection",
        true,
        &[
            "runtime.gcBgMarkWorker",
            "runtime.gcDrain",
            "runtime.gcAssist",
            "runtime.bgsweep",
            "(garbage collector)",
            "[collector]",
            "gc_heap::",
            "G1ParScan",
            "PSPromotion",
            "Scavenger",
            "gc_collect_main",
            "Heap::CollectGarbage",
        ],
    ),
    kind(
        "formatting",
        true,
        &[
            "fmt.",
            "core::fmt",
            "alloc::fmt",
            "printf",
            "std::basic_ostream",
            "std::num_put",
            "std::num_get",
            "strconv.",
            "Number.Format",
            "java.util.Formatter",
            "DefaultInterpolatedStringHandler",
            "JsonParser",
            "JsonStringifier",
            "std::format",
            "std::__format",
        ],
    ),
    kind(
        "hashing",
        false,
        &[
            "core::hash::sip",
            "core::hash::impls",
            "core::hash::Hash>",
            "core::hash::Hasher>",
            "SipHasher",
            "siphash",
            "_Hash_bytes",
            "hash_one",
            "runtime.memhash",
            "runtime.strhash",
            "runtime.aeshash",
            "runtime.interhash",
            "runtime.nilinterhash",
            "runtime.typehash",
            "Marvin",
            "System.HashCode",
            "GetHashCode",
            ".hashCode",
        ],
    ),
    kind(
        "look-ups",
        false,
        &[
            "runtime.mapaccess",
            "runtime.mapassign",
            "runtime.mapdelete",
            "runtime/maps.",
            "Dictionary`2",
            "HashSet`1",
            "java.util.HashMap",
            "java.util.LinkedHashMap",
            "java.util.TreeMap",
            "std::_Hashtable",
            "std::_Rb_tree",
            "std::unordered_map",
            "std::map<",
            "hashbrown::",
            "collections::btree",
        ],
    ),
    kind(
        "allocations",
        false,
        &[
            "malloc",
            "CORINFO_HELP_NEW",
            "_int_free",
            "libc_free",
            "cfree",
            "realloc",
            "calloc",
            "operator new",
            "operator delete",
            "__rust_alloc",
            "__rust_dealloc",
            "alloc::alloc::alloc",
            "alloc::alloc::dealloc",
            "alloc::alloc::realloc",
            "alloc::alloc::exchange_malloc",
            "alloc::raw_vec",
            "runtime.newobject",
            "runtime.growslice",
            "runtime.makeslice",
            "JIT_New",
            "AllocateObject",
        ],
    ),
    kind(
        "copying",
        false,
        &[
            "memcpy",
            "memmove",
            "runtime.typedmemmove",
            "runtime.duffcopy",
            "Buffer.Memmove",
            "arraycopy",
            "CloneObject",
            "std::__copy_move",
            "uninitialized_copy",
        ],
    ),
    kind(
        "dispatch",
        false,
        &[
            "CORINFO_HELP_CHKCAST",
            "Builtins_LoadIC_Megamorphic",
            "Builtins_KeyedLoadIC_Megamorphic",
            "Builtins_StoreIC_Megamorphic",
            "v8::internal::LoadIC",
            "v8::internal::StoreIC",
            "CORINFO_HELP_ISINSTANCE",
            "itable stub",
            "vtable stub",
            "VSD_Resolve",
            "ResolveWorker",
            "CastHelpers",
            "JIT_ChkCast",
            "runtime.assertE2I",
            "runtime.typeAssert",
            "__dynamic_cast",
            "__do_dyncast",
        ],
    ),
];

/// The known parts of a runtime's stacks: its own assembled functions cannot be unwound, so everything outside the innermost of them may be
/// wrong.
pub(super) fn of_runtime(stacks: &Stacks) -> Stacks {
    const ASSEMBLED: &str = "Builtins_";
    // The interpreter loop stands for all callers of interpreted code.
    const INTERPRETS: &str = "_PyEval_EvalFrameDefault";
    // Only calls what is not assembled, so it is dropped itself.
    const DOOR: &str = "Builtins_CEntry";
    let mut known = Stacks::default();
    for (frames, count) in stacks.iter() {
        let innermost = frames.iter().rposition(|name| name.starts_with(ASSEMBLED) || name == INTERPRETS);
        let root = innermost.map(|_| super::harness::CUT.to_owned());
        let start = innermost.map_or(0, |at| at + usize::from(frames[at].starts_with(DOOR)));
        let mut frames: Vec<String> = root.into_iter().chain(frames[start..].iter().cloned()).collect();
        let names: Vec<&str> = frames.iter().map(String::as_str).collect();
        // Callees of a collection, such as the front end's counter of collections, are part of it, and whoever triggered it is not
        // responsible.
        if let Some((_, at)) = kind_of(&names).filter(|(kind, _)| kind.name == "collection") {
            frames = vec![super::harness::CUT.to_owned(), frames[at].clone()];
        }
        known.add(frames, count);
    }
    known
}

/// The number of all samples, of the functions with most samples of their own, and of the kinds of work.
pub(super) fn facts(stacks: &Stacks) -> Vec<(String, f64)> {
    // Two functions that have one plain name are one, so that a sample that is in both counts once.
    let all: Vec<(&[String], Vec<String>, u64)> = stacks
        .iter()
        .map(|(whole, count)| (whole, whole.iter().map(|name| shortened(name)).collect(), count))
        .collect();
    let mut roots: BTreeMap<&String, u64> = BTreeMap::new();
    all.iter().for_each(|(_, frames, count)| *roots.entry(&frames[0]).or_default() += count);
    let body = roots.into_iter().max_by_key(|(_, count)| *count).map(|(root, _)| root);
    let mut own: BTreeMap<&str, u64> = BTreeMap::new();
    let mut work: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut edges: BTreeMap<(&str, &str, &str), u64> = BTreeMap::new();
    let mut under: BTreeMap<&str, u64> = BTreeMap::new();
    let mut unnamed = 0;
    for (whole, frames, count) in &all {
        let count = *count;
        let mut names: Vec<&str> = frames.iter().map(|name| name.trim_end_matches(Stacks::INLINED)).collect();
        let whole: Vec<&str> = whole.iter().map(|name| name.trim_end_matches(Stacks::INLINED)).collect();
        let kind = kind_of(&whole);
        // Debug information has a closure without what is around it.
        if names.first().is_some_and(|name| *name == "operator()" || name.starts_with("{closure")) {
            names[0] = BODY;
        }
        edges_of(frames).into_iter().for_each(|edge| *edges.entry(edge).or_default() += count);
        // The body includes all of them, and a stack that is cut off is no function.
        let is_root = frames.len() > 1 && frames[0] != super::harness::CUT && Some(&frames[0]) != body;
        let below = names.iter().skip(usize::from(!is_root)).filter(|name| !is_unnamed(name)).copied();
        let below: BTreeSet<&str> = below.collect();
        below.into_iter().for_each(|name| *under.entry(name).or_default() += count);
        // Code without a name counts for its caller.
        let named = names.iter().rev().find(|name| !is_unnamed(name)).or(names.last());
        if let (Some(named), Some(last), None) = (named, names.last(), kind) {
            unnamed += if named == last { 0 } else { count };
        }
        *own.entry(named.copied().unwrap_or_default()).or_default() += count;
        if let Some((kind, at)) = kind {
            let by = if is_unnamed(names[at]) { named.copied().unwrap_or_default() } else { names[at] };
            *work.entry((kind.name, by)).or_default() += count;
        }
    }
    let own = most(own).map(|(name, samples)| (format!("{}{name}", Diagnosis::SAMPLES_IN), samples as f64));
    let under = most(under).map(|(name, samples)| (format!("{}{name}", Diagnosis::SAMPLES_UNDER), samples as f64));
    let work = most(work)
        .map(|((kind, name), samples)| (format!("{}{kind} in {name}", Diagnosis::SAMPLES_OF), samples as f64));
    let edges = most(edges).map(|((how, name, by), samples)| (format!("{how}{name} from {by}"), samples as f64));
    let all = std::iter::once((Diagnosis::SAMPLES.to_owned(), stacks.total() as f64));
    let unnamed = (unnamed > 0).then(|| (Diagnosis::SAMPLES_UNNAMED.to_owned(), unnamed as f64));
    all.chain(unnamed).chain(own).chain(under).chain(work).chain(edges).collect()
}

/// A plain name, of a length that people read.
fn shortened(name: &str) -> String {
    let (own, inlined) = name.strip_suffix(Stacks::INLINED).map_or((name, ""), |own| (own, Stacks::INLINED));
    plain(own).chars().take(NAME_MAX).chain(inlined.chars()).collect()
}

/// The functions of a stack that another one calls or inlines, paired with that function.
fn edges_of(frames: &[String]) -> BTreeSet<(&'static str, &str, &str)> {
    let (mut found, mut by) = (BTreeSet::new(), None);
    for frame in frames {
        let inlined = frame.strip_suffix(Stacks::INLINED);
        let name = inlined.unwrap_or(frame);
        let how = if inlined.is_some() { Diagnosis::SAMPLES_INLINED } else { Diagnosis::SAMPLES_CALLED };
        found.extend(by.filter(|_| !is_unnamed(name)).map(|by| (how, name, by)));
        by = if inlined.is_none() || by.is_none() { Some(name) } else { by };
    }
    found
}

fn most<K: Ord>(of: BTreeMap<K, u64>) -> impl Iterator<Item = (K, u64)> {
    let mut all: Vec<(K, u64)> = of.into_iter().collect();
    all.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    all.into_iter().take(FUNCTIONS)
}

/// A place in a file, in memory or in the kernel, in the absence of a name.
fn is_unnamed(name: &str) -> bool {
    let is_place = name.rsplit_once("+0x").is_some_and(|(_, place)| place.bytes().all(|byte| byte.is_ascii_hexdigit()));
    is_place || ["[unknown code]", ATOMIC, DIVISION, KERNEL].contains(&name)
}

/// The calls of each kind of work in the loops of machine code; without loops, in all of it.
pub(crate) fn calls(code: &Code) -> Vec<(String, f64)> {
    let mut found: BTreeMap<&str, f64> = BTreeMap::new();
    for function in &code.functions {
        let blocks = function.blocks.iter().filter(|block| block.loops > 0 || function.summary.loops == 0);
        let targets = blocks.flat_map(|block| &block.instructions).filter_map(|one| one.target.as_ref());
        for target in targets.filter(|target| target.kind != Goes::Jump) {
            if let Some((kind, _)) = kind_of(&[&target.name]) {
                *found.entry(kind.name).or_default() += 1.0;
            }
        }
    }
    found.into_iter().map(|(kind, calls)| (format!("{}{kind}", Diagnosis::CALLS_OF), calls)).collect()
}

/// The kind of work of a stack and the frame that shows it: the outermost one for kinds that include their callees, else the innermost.
fn kind_of(names: &[&str]) -> Option<(&'static Kind, usize)> {
    let of_frame = |(at, name): (usize, &&str)| {
        // A function of a collection of locks takes no lock, so types are ignored. Locks and hashers are only recognised by theirs.
        let own = without_types(name);
        let fits = |kind: &&Kind| {
            // The types of a long name are those of all that it works on.
            let is_long = name.chars().count() > NAME_MAX;
            let name = if !is_long && ["hashing", "locks"].contains(&kind.name) { name } else { own.as_str() };
            kind.names.iter().any(|part| contains_word(name, part))
        };
        Some((KINDS.iter().find(fits)?, at))
    };
    let mut known = names.iter().enumerate().filter_map(of_frame);
    // Text is formatted before it is written, and waiting for a lock happens in the kernel.
    let stays =
        |(kind, _): &(&Kind, usize)| kind.is_whole && !(kind.name == "formatting" && names.last() == Some(&KERNEL));
    let whole = known.clone().find(stays);
    whole.or_else(|| known.next_back())
}

/// A name without the types in brackets that follow other names.
fn without_types(name: &str) -> String {
    let (mut own, mut depth, mut last) = (String::new(), 0_usize, ' ');
    for c in name.chars() {
        let is_behind_name = (last.is_alphanumeric() || last == '_' || last == ':') && !own.ends_with("operator");
        let is_end = c == '>' && depth > 0 && last != '-';
        depth -= usize::from(is_end);
        own.extend((depth == 0).then_some(c));
        depth += usize::from(c == '<' && (depth > 0 || is_behind_name));
        last = c;
    }
    own
}

/// Whether a name contains a part that does not begin within a word.
fn contains_word(name: &str, part: &str) -> bool {
    let begins_word = part.starts_with(|c: char| c.is_alphanumeric());
    let is_within = |at: usize| name[..at].ends_with(|c: char| c.is_alphanumeric());
    name.match_indices(part).any(|(at, _)| !begins_word || !is_within(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_code::{Block, Function, Instruction, Summary, Target};

    fn of(text: &str) -> BTreeMap<String, f64> {
        let mut stacks = Stacks::default();
        for line in text.lines() {
            let (frames, count) = line.rsplit_once(' ').expect("a count");
            stacks.add(frames.split(';').map(str::to_owned).collect(), count.parse().expect("a number"));
        }
        facts(&stacks).into_iter().collect()
    }

    #[test]
    fn what_has_no_name_belongs_to_who_called_it() {
        let facts = of(
            "main;System.Threading.Monitor::Enter(object);libcoreclr.so+0x2e6020 7\nlibc.so.6+0x10 2\nmain;work_[i] 1",
        );
        assert_eq!(facts["samples"], 10.0);
        assert_eq!(facts["samples in System.Threading.Monitor::Enter"], 7.0);
        assert_eq!((facts["samples in libc.so.6+0x10"], facts["samples in work"]), (2.0, 1.0));
        assert!(!facts.contains_key("samples without a name"));
        assert_eq!(of("T::Sum();libcoreclr.so+0x2e6020 7\nT::Sum() 3")["samples without a name"], 7.0);
        assert_eq!(facts["samples of locks in System.Threading.Monitor::Enter"], 7.0);
    }

    #[test]
    fn functions_whose_long_names_begin_alike_are_told_apart_and_all_samples_count() {
        let types = "std::basic_string<char>, ".repeat(20);
        let facts = of(&format!("f;std::map<{types}int>::find(int)_[i] 3\nf;std::map<{types}int>::at(int) 2\nf;std::map<{types}long>::at(int) 1"));
        assert_eq!((facts["samples in std::map<…>::find"], facts["samples in std::map<…>::at"]), (3.0, 3.0));
        assert_eq!(facts["samples of look-ups in std::map<…>::at"], 3.0);
        assert_eq!(
            without_types("bool std::operator< <char>(S<int> const&)"),
            "bool std::operator< <char>(S<> const&)"
        );
    }

    #[test]
    fn a_sample_in_two_functions_of_one_plain_name_counts_once() {
        let facts =
            of("body;apply(char) const;apply(char) const::{lambda()#1}::operator()() const 5\nbody;apply(int);f 2");
        assert_eq!((facts["samples under apply"], facts["samples in apply"]), (7.0, 5.0), "{facts:?}");
    }

    #[test]
    fn what_stands_outside_of_code_that_cannot_be_unwound_is_not_believed() {
        let mut stacks = Stacks::default();
        let frames = ["printf", "Builtins_Outer", "Builtins_CreateDataProperty", "v8::internal::Runtime_Define"];
        stacks.add(frames.map(str::to_owned).to_vec(), 3);
        stacks.add(["main", "slot_init", "_PyEval_EvalFrameDefault", "setattr"].map(str::to_owned).to_vec(), 1);
        stacks.add(["f", "Builtins_CEntry_1", "v8::internal::Runtime_Define"].map(str::to_owned).to_vec(), 2);
        stacks.add(["Builtins_Outer", "v8::internal::Heap::CollectGarbage()", "printf"].map(str::to_owned).to_vec(), 1);
        let facts: BTreeMap<String, f64> = facts(&of_runtime(&stacks)).into_iter().collect();
        assert_eq!((facts["samples under Builtins_CreateDataProperty"], facts["samples under setattr"]), (3.0, 1.0));
        assert_eq!(facts["samples under v8::internal::Runtime_Define"], 5.0);
        assert_eq!(facts["samples of collection in v8::internal::Heap::CollectGarbage"], 1.0);
        let is_left = |name: &String| ["printf", "Outer", "CEntry", "slot_init"].iter().any(|part| name.contains(part));
        assert!(!facts.keys().any(is_left), "{facts:?}");
    }

    #[test]
    fn calls_in_loops_tell_the_kind_of_work_too() {
        let call = |name: &str| Instruction {
            target: Some(Target { kind: Goes::Call, name: name.to_owned() }),
            ..Instruction::default()
        };
        let block = |loops, name| Block { loops, instructions: vec![call(name)], ..Block::default() };
        let blocks = vec![block(1, "System.Threading.Monitor:TryEnter_FastPath"), block(0, "malloc"), block(1, "own")];
        let summary = Summary { loops: 1, ..Summary::default() };
        let code = Code { functions: vec![Function { blocks, summary, ..Function::default() }], ..Code::default() };
        assert_eq!(calls(&code), [("calls of locks".to_owned(), 1.0)]);
    }

    #[test]
    fn a_function_is_called_or_inlined_from_the_one_whose_code_it_is_in() {
        let facts = of("light;map_[i];dot_[i];clamp 3\nlight;map_[i];dot 2\nlight 1");
        for (fact, samples) in [
            ("samples inlined map from light", 5.0),
            ("samples inlined dot from light", 3.0),
            ("samples called clamp from light", 3.0),
            ("samples called dot from light", 2.0),
        ] {
            assert_eq!(facts.get(fact), Some(&samples), "{facts:?}");
        }
    }

    #[test]
    fn kinds_of_work_are_known_by_names_of_all_languages() {
        for (stack, kind) in [
            (
                "body;std::mutex::lock()_[i];__gthread_mutex_lock_[i];__pthread_mutex_lock;libc.so.6+0x86100;[kernel]",
                "locks in std::mutex::lock",
            ),
            (
                "demo.work_[i];sync.(*Mutex).Unlock_[i];internal/sync.(*Mutex).Unlock_[i]",
                "locks in sync.(*Mutex).Unlock",
            ),
            ("score;runtime.mapaccess1_fast64;runtime.memhash64", "hashing in runtime.memhash64"),
            ("score;runtime.mapaccess1_fast64", "look-ups in runtime.mapaccess1_fast64"),
            (
                "look_up;core::hash::BuildHasher::hash_one_[i];core::hash::sip::Hasher<S>::write",
                "hashing in core::hash::sip::Hasher<S>::write",
            ),
            (
                "Parse.number;java.lang.Throwable.fillInStackTrace;malloc",
                "exceptions in java.lang.Throwable.fillInStackTrace",
            ),
            ("f;__cxa_throw;_Unwind_RaiseException;malloc", "exceptions in __cxa_throw"),
            ("clean;RegExp: ( +)+$", "regular-expressions in RegExp: ( +)+$"),
            ("list_repr;_PyErr_SetObject", "exceptions in _PyErr_SetObject"),
            ("(garbage collector)", "collection in (garbage collector)"),
            ("worker;[atomic]", "atomics in worker"),
            ("ring;[division]", "divisions in ring"),
            ("demo.send;runtime.chansend1;runtime.goready;runtime.unlock2", "tasks in runtime.chansend1"),
            ("body;std::mutex::lock();__pthread_mutex_lock;[atomic]", "locks in std::mutex::lock"),
            ("f;operator new(unsigned long);__libc_malloc", "allocations in __libc_malloc"),
            ("f;std::basic_ostream<char>::flush();__write;[kernel]", "system in __write"),
            ("f;std::basic_ostream<char>::flush();__write", "formatting in std::basic_ostream<char>::flush"),
            ("operator();[kernel]", "system in the body"),
            ("body;finish<core::hash::sip::Sip13Rounds>", "hashing in finish<core::hash::sip::Sip13Rounds>"),
            ("body;std::map<int, f<int ()>>::at(int)", "look-ups in std::map<int, f<int ()>>::at"),
        ] {
            let facts = of(&format!("{stack} 3"));
            assert_eq!(facts.get(&format!("samples of {kind}")), Some(&3.0), "{facts:?}");
        }
        // Words within other words do not count, nor do type arguments.
        for stack in [
            "my_fmtx.f",
            "list_repr;PyErr_CheckSignals",
            "smalloc2",
            "body;LinearMap.get",
            "bucket<u64, alloc::raw_vec::RawVec<u8>>",
            "get<u64, u32, core::hash::BuildHasherDefault<words::Fx>>",
            "std::vector<std::map<int, int>>::at",
        ] {
            assert!(!of(&format!("{stack} 3")).keys().any(|name| name.starts_with("samples of ")), "{stack}");
        }
    }
}
