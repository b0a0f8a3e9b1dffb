//! Memory randomization: what the host asks for, what the places show, and what is said where a program cannot do it.

use crate::support::{have, json, skip, Place, ROOT};

/// A copy of arrays that takes half as long again in every second place. A process has one of them unless it is asked for another.
const CHILD: &str = r#"
import random, sys
sys.path.insert(0, "SPEC")
sys.dont_write_bytecode = True
import reference_child as child

class Copy:
    group, baseline, own_time, places = "array", False, True, 0
    def body(self):
        return 1

child.CASES = [(Copy, {})]
can = "cannot" not in sys.argv
class Child(child.Child):
    def reply(self, name, /, **members):
        if name == "hello":
            members["compiles_late"] = False  # a warm-up of a quarter of a second in each launch
        if name == "hello" and can:
            members["capabilities"] = members["capabilities"] + ["randomize"]
        if name == "benchmark":
            members.update(own_time=True)
            if "declared" in sys.argv:
                members.update(policy={"memory_randomization": True})
        if name == "measured":
            slower = 1.5 if self.slow else 1.0
            members["elapsed_ns"] = [1e5 * self.asked * slower * random.gauss(1, 0.002) for _ in members["elapsed_ns"]]
        super().reply(name, **members)
    def open(self, index, seed):
        self.slow = False
        super().open(index, seed)
    def measure(self, which, iterations, invocations, lead):
        self.asked = int(invocations)
        super().measure(which, iterations, invocations, lead)
    def randomize(self, seed):
        self.slow = int(seed) // 2 % 2 == 1
        self.reply("randomized")
child.OPENED["measure"] = Child.measure
child.READY["open"] = Child.open
if can:
    child.OPENED["randomize"] = Child.randomize
child.Child = Child
child.main()
"#;

#[test]
fn places_in_memory_are_one_time_without_randomization_and_several_with_it() {
    if !have("python3") {
        return skip("places in memory", "python3 is not installed");
    }
    let place = Place::new("places");
    place.write("child.py", &CHILD.replace("SPEC", &format!("{ROOT}/spec")));
    let run = |flags: &[&str], words: &[&str]| {
        let few = ["run", "--quick", "--launches", "4", "--rounds", "20", "--ascii", "--seed", "7", "-o", "r.json"];
        let child = ["--", "python3", "child.py"];
        let screen = place.ends_with(0, few.iter().chain(flags).chain(&child).chain(words));
        let report = json(&place.read("r.json"));
        let ns = report["report"]["cases"][0]["outcome"]["time"]["value_ns"].as_f64().expect("a time");
        (screen, ns)
    };
    let (screen, ns) = run(&[], &[]);
    assert!(!screen.contains("memory-modes") && (ns / 1e5 - 1.0).abs() < 0.01, "{ns}\n{screen}");
    for (flags, words) in [(&["--memory-randomization"][..], &[][..]), (&[], &["declared"])] {
        let (screen, ns) = run(flags, words);
        assert!(screen.contains("memory-modes") && screen.contains("2 times by place in memory: "), "{screen}");
        // The mean of all places, and not the more frequent one.
        assert!(ns > 1.1e5 && ns < 1.4e5, "{ns}\n{screen}");
    }
    let (screen, ns) = run(&["--memory-randomization"], &["cannot"]);
    assert!(screen.contains("not-randomized") && (ns / 1e5 - 1.0).abs() < 0.01, "{ns}\n{screen}");
}
