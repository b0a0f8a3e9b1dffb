//! Several jobs in one run: what they set reaches the program and its compiler, and they are compared in the same waves. All with
//! programs that are built already.

use crate::support::{children, json, reference, Place, ROOT, SHORT};
use serde_json::Value;
use std::process::Command;

/// A wrapper that writes down how it was started, and becomes the program.
fn wrapper(place: &Place) -> String {
    let facts = "echo \"$COLOUR\"; pwd; nice; grep -E 'Cpus_allowed_list|THP_enabled' /proc/self/status; echo \"$@\"";
    place.script("wrap", &format!("#!/bin/sh\n{{ {facts}; }} >> '{}'\nexec \"$@\"\n", place.join("log").display()))
}

/// A priority that whoever runs the tests may give: no higher than the own one.
fn nice() -> i32 {
    let own = Command::new("nice").output().ok().and_then(|output| crate::support::out(&output).trim().parse().ok());
    own.unwrap_or(0).max(7)
}

#[test]
fn settings_reach_the_process() {
    let place = Place::new("job-settings");
    std::fs::create_dir(place.join("below")).expect("a folder");
    let wrap = wrapper(&place);
    let allowed = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let list =
        allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("a line").trim().to_owned();
    let first = list.split([',', '-']).next().expect("a processor").to_owned();
    place.write(
        "tare.toml",
        &format!(
            "[jobs.all]\nwrapper = \"'{wrap}'\"\nenv = {{ COLOUR = \"red\" }}\nargs = [\"--more\", \"two words\"]\ndir = \"below\"\n\
             cpus = {first}\nnice = {}\nhuge-pages = \"off\"\n",
            nice()
        ),
    );
    let screen = place.ends_with(0, ["run", reference(), "--job", "all", "--dry", "--filter", "strlen"]);
    assert!(screen.starts_with("text/strlen  ran"), "{screen}");
    let log = place.read("log");
    let below = place.join("below").display().to_string();
    for part in
        ["red\n", &below, &format!("\n{}\n", nice()), &format!("Cpus_allowed_list:\t{first}\n"), "--more two words"]
    {
        assert!(log.contains(part), "{part} is not in\n{log}");
    }
    // Kernels before 5.0 do not say it.
    assert!(log.contains("THP_enabled:\t0") || !log.contains("THP_enabled"), "{log}");
    // The host itself is as before.
    place.ends_with(0, ["run", reference(), "--job", &format!("x: 'wrapper={wrap}'"), "--dry", "--filter", "strlen"]);
    let last = place.read("log").split_off(log.len());
    assert!(!last.contains("THP_enabled:\t0"), "{last}");
    place.assert_nothing_left("jobs");
}

#[test]
fn each_benchmark_is_compared_with_itself_in_the_same_waves() {
    let place = Place::new("job-matrix");
    let nice = nice();
    let jobs = format!("[run]\njobs = [\"one\", \"two: nice={nice}\"]\n[jobs.one]\nenv = {{ A = \"1\" }}\n");
    place.write("tare.toml", &jobs);
    let command = ["run", reference(), "--filter", "sum/*[n=10]", "-o", "out.csv", "-o", "out.md", "-o", "out.json"];
    let screen = place.ends_with(0, command.into_iter().chain(SHORT));
    for part in ["job", "one", "two", "env", "A=1", "nice", "base"] {
        assert!(screen.contains(part), "{part} is not in\n{screen}");
    }
    let run = place.run_json();
    let cases: Vec<(&str, u64)> = run["plan"]["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .map(|case| (case["benchmark"]["name"].as_str().unwrap_or(""), case["job"].as_u64().unwrap_or(9)))
        .collect();
    assert_eq!(cases, [("loop", 0), ("loop", 1), ("formula", 0), ("formula", 1)]);
    let groups: Vec<&Value> = run["plan"]["groups"].as_array().expect("groups").iter().map(|g| &g["cases"]).collect();
    assert_eq!(groups, [&json("[0,1]"), &json("[2,3]")]);
    // Both jobs of a benchmark are in every wave of it.
    let launches = run["launches"].as_array().expect("launches");
    let waves_of =
        |case: u64| -> Vec<&Value> { launches.iter().filter(|l| l["case"] == case).map(|l| &l["wave"]).collect() };
    assert!(!waves_of(0).is_empty() && waves_of(0) == waves_of(1), "{launches:?}");
    let csv = place.read("out.csv");
    assert!(
        csv.contains(",job,job_settings,")
            && csv.contains(",one,env=A=1,")
            && csv.contains(&format!(",two,nice={nice},")),
        "{csv}"
    );
    assert!(place.read("out.md").contains("two"));
    let report = json(&place.read("out.json"));
    let two = serde_json::json!({"name": "two", "settings": [{"name": "nice", "value": nice.to_string()}]});
    assert_eq!(report["report"]["jobs"][1], two);
    // One job of a stored run against another.
    let compared = place.ends_with(0, ["compare", "latest", "--job", "one..two"]);
    assert!(compared.contains("sum/loop") || compared.contains("loop"), "{compared}");
    // Filters and the baseline know the names of jobs.
    let dry = place.ends_with(0, ["run", reference(), "--dry", "--filter", "sum/loop[n=10]@two"]);
    assert_eq!(dry.lines().count(), 1, "{dry}");
    assert!(dry.starts_with("sum/loop[n=10]@two  ran      55"), "{dry}");
    let refused = place.fails_with(2, ["run", reference(), "--baseline", "job=three"]);
    assert!(refused.contains("`three`") && refused.contains("`one` and `two`"), "{refused}");
}

#[test]
fn settings_reach_the_compiler() {
    let place = Place::new("job-flags");
    place.write("a.c", "#include <tare.h>\nint main(void) { return 0; }\n");
    // A compiler that writes down its words, and whose programs are the reference child.
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo fake 1; exit; }}\necho \"$@\" >> '{}'\n\
         while [ $# -gt 1 ]; do [ \"$1\" = -o ] && cp '{}' \"$2\"; shift; done\n",
        place.join("log").display(),
        reference()
    );
    let fake = place.script("fake", &text);
    let cache = place.join("cache");
    let jobs = [
        format!("a: cc={fake} -O1"),
        format!("b: cc={fake} target-cpu=native linker=lld -DX=1"),
        format!("c: cc={fake} -O1 nice=19"),
    ];
    let mut command = place.command(["run", "a.c", "--dry", "--filter", "strlen"]);
    command.env("XDG_CACHE_HOME", cache).args(jobs.iter().flat_map(|job| ["--job", job]));
    let output = command.output().expect("tare runs");
    let (screen, reported) = (crate::support::out(&output), crate::support::err(&output));
    assert_eq!(output.status.code(), Some(0), "{screen}{reported}");
    let names: Vec<&str> = screen.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["text/strlen@a", "text/strlen@b", "text/strlen@c"], "{screen}");
    let log = place.read("log");
    assert!(log.contains("-O1") && log.contains("-march=native -fuse-ld=lld -DX=1"), "{log}");
    assert!(
        reported.contains("a.c (job a)") && !reported.contains("a.c (job c)"),
        "what is built alike is built once: {reported}"
    );
}

#[test]
fn an_allocator_is_loaded_or_its_absence_is_an_error() {
    let place = Place::new("job-allocator");
    // Whatever library can be loaded: this program has some.
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux");
    let library = maps.split_whitespace().find(|word| word.contains("/libgcc_s.so") || word.contains("/libc.so"));
    let own = format!("own: allocator={}", library.expect("a library"));
    let dry = ["run", reference(), "--dry", "--filter", "strlen"];
    place.ends_with(0, dry.into_iter().chain(["--job", &own, "--job", "glibc"]));
    // What the loader cannot load is not measured under the name of something else.
    let none = format!("none: allocator={}", place.write("none.so", "no library\n").display());
    let refused = place.fails_with(102, dry.into_iter().chain(["--job", &none]));
    assert!(refused.contains("was not loaded") && refused.contains("hint: link"), "{refused}");
    let missing = "x: allocator=/no/such.so";
    for (job, parts) in [
        (missing, ["`/no/such.so` does not exist", "ls -l"]),
        ("hoard2", ["no job is called `hoard2`", "[jobs.NAME]"]),
        ("x: alocator=glibc", ["`alocator`", "did you mean `allocator`?"]),
        ("x: dir=nowhere", ["is not a folder", "`dir`"]),
        ("x: cpus=4000", ["may not use processor 4000", "use "]),
    ] {
        let refused = place.fails_with(2, ["run", reference(), "--job", job]);
        assert!(parts.iter().all(|part| refused.contains(part)), "{job}: {refused}");
    }
    let twice = place.fails_with(2, ["run", reference(), "--job", "a: nice=1", "--job", "a: nice=2"]);
    assert!(twice.contains("two jobs are called `a`"), "{twice}");
}

#[test]
fn a_dry_run_says_what_runs_and_measures_nothing() {
    let place = Place::new("dry");
    let screen = place.ends_with(0, ["run", reference(), "--dry"]);
    assert_eq!(screen.lines().count(), 5, "{screen}");
    assert!(screen.contains("sum/formula[n=1000]  ran      500500"), "{screen}");
    assert!(!screen.contains(" ns") && place.runs().is_empty(), "{screen}");
    let crash = children().join("misbehave").display().to_string();
    let output = place.tare(["run", "--dry", "--", &crash, "segfault@body"]);
    let (screen, reported) = (crate::support::out(&output), crate::support::err(&output));
    assert_eq!(output.status.code(), Some(100), "{screen}{reported}");
    assert!(screen.contains("failed   in the body: killed by SIGSEGV"), "{screen}{reported}");
    assert!(reported.contains("hint: ") && reported.contains("nothing was measured"), "{reported}");
    for flag in ["--template=t", "--job-summary", "--fail-on=slower"] {
        let refused = place.fails_with(2, ["run", reference(), "--dry", flag]);
        assert!(refused.contains("with `--dry`"), "{flag}: {refused}");
    }
    // What changes nothing is no mistake.
    let harmless = ["--quick", "--memory-randomization", "--keep-order", "--no-save", "--context=a=1"];
    let noted = place.tare(["run", reference(), "--dry", "--filter", "strlen"].iter().chain(&harmless));
    let said = crate::support::err(&noted);
    assert!(noted.status.code() == Some(0) && said.contains("`--quick` has no effect with `--dry`"), "{said}");
    assert!(!said.contains("--no-save"), "{said}");
    place.assert_nothing_left("a dry run");
}

/// Jobs where nothing is compared with them: in a list, and under a comparison of two programs.
#[test]
fn single_jobs() {
    let place = Place::new("single-jobs");
    place.write("tare.toml", &format!("[jobs.late]\nnice = {}\n", nice()));
    let list = place.ends_with(0, ["list", reference(), "--filter", "strlen", "--job", "late", "--job", "x: A=1"]);
    assert_eq!(list, "text/strlen@late\ntext/strlen@x\n");
    let list = place.ends_with(0, ["list", reference(), "--filter", "strlen@late", "--job", "late", "--job", "x: A=1"]);
    assert_eq!(list, "text/strlen@late\n");

    // One job is how both sides are built and run.
    let wrap = wrapper(&place);
    let job = format!("late: 'wrapper={wrap}'");
    let sides = ["compare", reference(), reference(), "--filter", "strlen", "--job", &job];
    let few = ["--quick", "--launches", "3", "--rounds", "4"];
    let output = place.tare(sides.iter().chain(&few));
    let (screen, said) = (crate::support::out(&output), crate::support::err(&output));
    assert_eq!(output.status.code(), Some(0), "{screen}{said}");
    assert!(
        screen.lines().any(|line| line.starts_with("job   late: ") && line.contains(&format!("nice={}", nice()))),
        "{screen}"
    );
    let run = place.run_json();
    assert_eq!(
        (&run["jobs"][0]["id"], &run["jobs"][0]["nice"]),
        (&json("\"late\""), &json(&nice().to_string())),
        "{}",
        run["jobs"]
    );
    let started = place.read("log").lines().filter(|line| line.contains("reference-child")).count();
    assert!(started >= 2 + run["launches"].as_array().map_or(0, Vec::len), "each process of both sides: {started}");
    // Its text is no range of saved jobs: the new side is the working tree as ever, where nothing is to be measured.
    let refused = place.fails_with(4, ["compare", reference(), "--job", "-I../x"]);
    assert!(refused.contains("side `worktree`: nothing to measure"), "{refused}");
    let refused = place.fails_with(2, ["compare", reference(), reference(), "--job", "late..glibc"]);
    assert!(refused.contains("`--job late..glibc` names two jobs"), "{refused}");
    place.assert_nothing_left("single jobs");
}

/// A look at a run by statistics that are asked for.
#[test]
fn statistics_by_name() {
    let place = Place::new("statistics");
    let run = format!("{ROOT}/fixtures/foreign/tare-run-1.json");
    let screen = place.ends_with(0, ["show", &run, "--statistics", "min,p90,cv,max/min,p99"]);
    for part in ["min", "p90", "cv", "max/min", "p99", "too few", "`p99` needs 100 visits", "parse"] {
        assert!(screen.contains(part), "{part} is not in\n{screen}");
    }
    let refused = place.fails_with(2, ["show", &run, "--statistics", "p99,average"]);
    assert!(refused.contains("no statistic is called `average`: use mean, median"), "{refused}");
}
