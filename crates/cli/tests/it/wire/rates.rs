//! Rates, skipped benchmarks and times that a body says itself: from the declaration of a child to every form.

use crate::support::{have, json, skip, Place, ROOT};

const CHILD: &str = r#"
import sys
sys.path.insert(0, "SPEC")
sys.dont_write_bytecode = True
import reference_child as child

class Known:
    group, baseline = "r", False
    rates = [{"name": "bytes", "per_invocation": 4096}, {"name": "lines", "per_invocation": 2.5}]
    threads = 4
    def body(self):
        return sum(range(1000))

class Learned(Known):
    rates = [{"name": "bytes", "per_invocation": 0}]
    threads = 1
    learned = {"bytes": 100}

class Declared(Known):
    rates = []
    skipped = "it needs a GPU"

class Found(Known):
    rates = []
    def set_up(self):
        raise child.Refused("skipped", "there is no /dev/gpu")

class Own(Known):
    rates = []
    own_time = True
    policy = {"visit_ns": 2e6}

child.CASES = [(kind, {}) for kind in (Known, Learned, Declared, Found, Own)]
plain_run = child.run
def run(step, function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except child.Refused:
        raise
    except BaseException:
        return plain_run(step, function, *arguments, **named)
child.run = run
class Child(child.Child):
    def reply(self, name, /, **members):
        if name == "hello":
            members["compiles_late"] = False  # a warm-up of a quarter of a second in each launch
        if name == "benchmark":
            case = child.CASES[members["index"]][0]
            members.update((key, getattr(case, key)) for key in ("threads", "skipped", "own_time", "policy") if hasattr(case, key))
        if name == "opened" and hasattr(self.opened, "learned"):
            members.update(rates=self.opened.learned)
        if name == "measured" and hasattr(self.opened, "own_time"):
            # It says 100 us for each invocation, although they take less, and the host may ask for no other loop.
            members["elapsed_ns"] = [1e5 * self.asked] * len(members["elapsed_ns"])
        super().reply(name, **members)
    def measure(self, which, iterations, invocations, lead, windows=None):
        if hasattr(self.opened, "own_time") and (which != "workload" or windows is not None):
            raise child.Refused("not-supported", "nothing else is asked of a body that says its time")
        self.asked = int(invocations)
        super().measure(which, iterations, invocations, lead, *([] if windows is None else [windows]))
child.OPENED["measure"] = Child.measure
child.Child = Child
child.main()
"#;

#[test]
fn what_a_benchmark_works_through_is_shown_per_second_and_what_it_skips_with_its_reason() {
    if !have("python3") {
        return skip("rates", "python3 is not installed");
    }
    let place = Place::new("rates");
    place.write("child.py", &CHILD.replace("SPEC", &format!("{ROOT}/spec")));
    let few = ["run", "-v", "--quick", "--launches", "2", "--rounds", "5", "--ascii"];
    let files = ["-o", "r.csv", "-o", "r.json", "-o", "r.md", "--", "python3", "child.py"];
    let screen = place.ends_with(0, few.into_iter().chain(files));
    for part in ["bytes/s", "lines/s", "B/s", "a thread", "skipped: it needs a GPU", "skipped: there is no /dev/gpu"] {
        assert!(screen.contains(part), "{part:?} is not in\n{screen}");
    }
    let report = json(&place.read("r.json"));
    let outcome = |at: usize| &report["report"]["cases"][at]["outcome"];
    let rate = |at: usize, which: usize| {
        let rate = &outcome(at)["rates"][which];
        (rate["name"].as_str().expect("a name").to_owned(), rate["per_second"].as_f64().expect("a rate"))
    };
    let ns = |at: usize| outcome(at)["time"]["value_ns"].as_f64().expect("a time");
    for (at, which, name, amount) in [(0, 0, "bytes", 4096.0), (0, 1, "lines", 2.5), (1, 0, "bytes", 100.0)] {
        let (found, per_second) = rate(at, which);
        assert_eq!(found, name);
        assert!((per_second * ns(at) * 1e-9 / amount - 1.0).abs() < 1e-9, "{report}");
    }
    assert_eq!(outcome(2)["outcome"].as_str(), Some("skipped"), "{report}");
    assert_eq!(outcome(3)["reason"].as_str(), Some("there is no /dev/gpu"), "{report}");
    // Nothing is taken off what a body says itself.
    assert!((ns(4) - 1e5).abs() < 1e-6, "{report}");
    let csv = place.read("r.csv");
    let names = csv.lines().next().unwrap_or_default();
    assert!(names.contains(",bytes_per_s,bytes_per_s_lower,bytes_per_s_upper,lines_per_s"), "{csv}");
    assert!(csv.lines().nth(3).is_some_and(|line| line.contains(",skipped,")), "{csv}");
    assert!(place.read("r.md").contains("skipped: it needs a GPU"));
    let tree = place.ends_with(0, ["list", "--tree", "--", "python3", "child.py"]);
    assert!(tree.contains("Declared  skipped: it needs a GPU"), "{tree}");
    // A gate is not about what is skipped.
    place.write("tare.toml", "[limits]\n\"r/Found\" = { time = \"10 s\" }\n");
    place.ends_with(0, ["show", "latest", "--fail-on", "limit"]);
}
