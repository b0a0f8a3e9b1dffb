//! Where bodies are measured, and what works beside them: `--cpu`, windows with readings of the width probe, and descendants in what is kept.

use crate::support::{err, have, skip, Place, SHORT};

/// The processors that this process may use, by the system's own words.
fn allowed() -> Vec<u32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or_default().trim();
    let range = |part: &str| -> Option<Vec<u32>> {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some((first.parse().ok()?..=last.parse().ok()?).collect())
    };
    list.split(',').filter_map(range).flatten().collect()
}

#[test]
fn a_processor_that_is_named_is_the_one_and_windows_are_kept() {
    let Some(processor) = allowed().last().copied() else {
        eprintln!("skipped: this system does not name its processors");
        return;
    };
    let place = Place::new("placement");
    place.copy("frontends/cpp/examples", "cpp");
    let number = processor.to_string();
    place.ends_with(0, ["run", "cpp/01-hello.cpp", "--cpu", &number].iter().chain(&SHORT));
    let run = place.run_json();
    assert_eq!(run["plan"]["policy"]["processor"], processor);
    let launches = run["launches"].as_array().expect("launches");
    assert!(!launches.is_empty() && launches.iter().all(|launch| launch["processor"] == processor), "{launches:?}");
    let width = run["parts"][0]["environment"]["core_width"]["cycles_per_addition"].as_f64();
    // A machine on which the core was never seen alone has no level.
    assert!(width.is_none_or(|cycles| cycles.is_finite() && cycles > 0.0), "{width:?}");
    let series = launches.iter().flat_map(|launch| launch["series"].as_array().expect("series"));
    for series in series.filter(|series| series["stage"] == "actual") {
        let count = |name: &str| series["columns"][name].as_array().map_or(0, Vec::len);
        let (visits, windows) = (count("elapsed_ns"), count("window_ns"));
        assert!(visits > 0 && windows >= visits && windows % visits == 0, "{visits} visits, {windows} windows");
        assert_eq!(count("width_ns"), windows + visits);
    }
    place.assert_nothing_left("a run on one processor");
}

#[test]
fn a_processor_that_may_not_be_used_is_refused_before_anything_is_built() {
    let place = Place::new("no-processor");
    place.write("never.cpp", "#error built\n");
    let output = place.tare(["run", "never.cpp", "--cpu", "4000"]);
    let reported = err(&output);
    assert_eq!(output.status.code(), Some(2), "{reported}");
    assert!(reported.contains("may not use processor 4000") && !reported.contains("built"), "{reported}");
}

/// The body goes on when the process that its set-up has started has worked for 25 ms by its own CPU clock: the system tells others of it
/// at each of its ticks, 10 ms at most.
const BESIDE: &str = r#"#include <tare.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile clock_t* wanted;
static volatile clock_t* worked;
static pid_t helper;
static void set_up(void) {
    void* shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) abort();
    wanted = (volatile clock_t*)shared;
    worked = wanted + 1;
    helper = fork();
    while (helper == 0) {
        if (*worked >= *wanted) usleep(500);
        *worked = clock();
    }
}
static void clean_up(void) {
    kill(helper, SIGKILL);
    waitpid(helper, NULL, 0);
}
static void let_it_work(void) {
    *wanted = *worked + CLOCKS_PER_SEC / 40;
    while (*worked < *wanted) usleep(500);
}
TARE_C_BENCH("beside", .set_up = set_up, .clean_up = clean_up, .visit_ns = 100000, .warmup_ns = 1) { let_it_work(); }
TARE_C_BENCH("alone", .visit_ns = 100000, .warmup_ns = 1) { tare_keep(1); }
TARE_MAIN()
"#;

#[test]
fn what_a_process_beside_the_body_works_is_kept() {
    if !have("cc") {
        return skip("a body with a process beside it", "no C compiler");
    }
    if !std::path::Path::new("/proc/thread-self/children").exists() {
        return skip(
            "a body with a process beside it",
            "the system does not tell which processes a process has started",
        );
    }
    let place = Place::new("beside");
    place.write("beside.c", BESIDE);
    place.ends_with(0, ["run", "beside.c"].iter().chain(&SHORT));
    let run = place.run_json();
    let actual = |case: u64| -> Vec<&serde_json::Value> {
        let launches = run["launches"].as_array().expect("launches").iter().filter(|launch| launch["case"] == case);
        let series = launches.flat_map(|launch| launch["series"].as_array().expect("series"));
        series.filter(|series| series["stage"] == "actual").map(|series| &series["columns"]).collect()
    };
    for columns in actual(0) {
        let descendants = columns["descendants_cpu_ns"].as_array().expect("the process worked");
        assert_eq!(descendants.len(), columns["elapsed_ns"].as_array().expect("times").len());
        assert!(descendants.iter().all(|ns| ns.as_f64().is_some_and(|ns| ns > 0.0)), "{descendants:?}");
    }
    assert!(!actual(0).is_empty() && !actual(1).is_empty());
    assert!(actual(1).iter().all(|columns| columns.get("descendants_cpu_ns").is_none()), "it has none");
    place.assert_nothing_left("a run with a process beside the body");
}
