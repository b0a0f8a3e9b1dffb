use super::sharing::core_sharing;
use super::{examine, examine_from, Check, Counters, State, WatchTimes};
use crate::root::{root, write};
use tare_process::CoreReading;
use tempfile::TempDir;

/// `code state: evidence [fix]` of all checks of a root, with the counters of `before` taken 0.5 s earlier.
fn seen(root: &TempDir, before: &TempDir) -> Vec<String> {
    let line = |c: &Check| {
        let fix = c.fix.as_ref().map(|m| format!(" [{m}]")).unwrap_or_default();
        format!("{} {:?}: {}{fix}", c.code, c.state, c.evidence)
    };
    examine_from(root.path(), &Counters::read_from(before.path()), 0.5).iter().map(line).collect()
}

#[test]
fn a_server_that_is_fit() {
    let files = [
        ("proc/cpuinfo", "processor : 0\nmodel name : X\nflags : fpu\n"),
        ("proc/stat", "cpu  0 0 0 1000 0 0 0 0\ncpu0 0 0 0 500 0 0 0 0\ncpu1 0 0 0 500 0 0 0 0\nintr 1\n"),
        ("proc/pressure/cpu", "some avg10=0.00 total=10\n"),
        ("proc/loadavg", "0.01 0 0 1/10 7\n"),
        ("proc/self/status", "Cpus_allowed_list: 0-1\nTracerPid: 0\n"),
        ("proc/self/cgroup", "0::/\n"),
        ("proc/1/comm", "init\n"),
        ("proc/meminfo", "MemTotal: 1000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n"),
        ("proc/sys/kernel/randomize_va_space", "2\n"),
        ("proc/sys/kernel/perf_event_paranoid", "1\n"),
        ("sys/fs/cgroup/cpu.stat", "usage_usec 5\nnr_throttled 0\n"),
        ("sys/class/power_supply/AC/online", "1\n"),
        ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
        ("CPUS/online", "0-1\n"),
        ("CPUS/isolated", "\n"),
        ("CPUS/smt/active", "0\n"),
        ("CPUS/intel_pstate/no_turbo", "1\n"),
        ("CPUS/cpu0/cpufreq/scaling_governor", "performance\n"),
        ("CPUS/cpu0/cpufreq/scaling_min_freq", "2400000\n"),
        ("CPUS/cpu0/cpufreq/scaling_max_freq", "2400000\n"),
        ("CPUS/cpu0/thermal_throttle/core_throttle_count", "0\n"),
    ];
    let (before, now) = (root(&files), root(&files));
    write(&now, "proc/stat", "cpu  1 0 0 1099 0 0 0 0\ncpu0 1 0 0 549 0 0 0 0\ncpu1 0 0 0 550 0 0 0 0\n");
    write(&now, "proc/pressure/cpu", "some avg10=0.00 total=510\n");
    let expected = [
        "load Good: tasks waited for a CPU 0.1 % of the time, over 0.5 s, processors 1.0 % busy, load 0.01 on 2 processors",
        "steal Good: 0 % of the time, over 0.5 s",
        "hypervisor Good: none",
        "cpu-quota Good: none",
        "smt Good: no threads share a core",
        "isolation Good: no processor is isolated",
        "governor Good: `performance`",
        "frequency Good: fixed at 2400 MHz",
        "turbo Good: off",
        "thermal-throttling Good: never since boot",
        "battery Good: none",
        "swap Good: none in use",
        "huge-pages Good: `madvise`",
        "aslr Good: on, as expected: each launch gets a different memory layout",
        "clock-source Good: `tsc`",
        "debugger Good: none attached",
        "perf-events Good: perf_event_paranoid is 1",
    ];
    assert_eq!(seen(&now, &before), expected);
}

#[test]
fn a_laptop_where_nothing_is_right() {
    let files = [
        ("proc/cpuinfo", "processor : 0\nmodel name : X\nflags : fpu hypervisor\n"),
        ("proc/stat", "cpu  0 0 0 100 0 0 0 7\ncpu0 0 0 0 50 0 0 0 0\ncpu1 0 0 0 50 0 0 0 7\n"),
        ("proc/self/status", "Cpus_allowed_list: 0-1\nTracerPid: 77\n"),
        ("proc/self/cgroup", "0::/docker/x\n"),
        ("proc/meminfo", "MemTotal: 1000 kB\nSwapTotal: 90000 kB\nSwapFree: 24464 kB\n"),
        ("proc/sys/kernel/randomize_va_space", "0\n"),
        ("proc/sys/kernel/perf_event_paranoid", "4\n"),
        ("sys/fs/cgroup/docker/x/cpu.max", "150000 100000\n"),
        ("sys/fs/cgroup/docker/x/cpu.stat", "nr_throttled 3\n"),
        ("sys/class/power_supply/BAT0/type", "Battery\n"),
        ("sys/class/power_supply/BAT0/status", "Discharging\n"),
        ("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"),
        ("sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet tsc acpi_pm\n"),
        ("CPUS/online", "0-1\n"),
        ("CPUS/isolated", "1\n"),
        ("CPUS/nohz_full", "(null)\n"),
        ("CPUS/smt/active", "1\n"),
        ("CPUS/cpu0/topology/thread_siblings_list", "0-1\n"),
        ("CPUS/cpu1/topology/thread_siblings_list", "0-1\n"),
        ("CPUS/cpufreq/boost", "1\n"),
        ("CPUS/cpu0/cpufreq/scaling_governor", "powersave\n"),
        ("CPUS/cpu1/cpufreq/scaling_governor", "performance\n"),
        ("CPUS/cpu0/cpufreq/scaling_min_freq", "800000\n"),
        ("CPUS/cpu0/cpufreq/scaling_max_freq", "4700000\n"),
        ("CPUS/cpu1/thermal_throttle/package_throttle_count", "12\n"),
    ];
    let (before, now) = (root(&files), root(&files));
    write(&now, "proc/stat", "cpu  40 0 0 150 0 0 0 17\ncpu0 0 0 0 100 0 0 0 0\ncpu1 40 0 0 50 0 0 0 17\n");
    write(&now, "sys/fs/cgroup/docker/x/cpu.stat", "nr_throttled 5\n");
    let expected = [
        "load Warning: processors 50 % busy [ps -eo pcpu,pid,comm --sort=-pcpu | head]",
        "steal Warning: the hypervisor took 10 % of the time, over 0.5 s",
        "hypervisor Warning: a virtual machine: other users of its cores are only visible in the times",
        "cpu-quota Warning: limited to 1.50 processors, throttled in 2 periods of the last 0.5 s",
        "smt Warning: threads share a core, and processor 1 is 100 % busy [echo off | sudo tee /sys/devices/system/cpu/smt/control]",
        "isolation Good: processors 1 are isolated, with timer ticks [taskset --cpu-list 1 tare run]",
        "governor Warning: `performance`, `powersave` instead of `performance` [sudo cpupower frequency-set --governor performance]",
        "frequency Warning: varies from 800 to 4700 MHz [sudo cpupower frequency-set --min 4700000kHz]",
        "turbo Warning: on: the clock depends on heat and on the load of other cores [echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost]",
        "thermal-throttling Warning: 12 times since boot, not now",
        "battery Warning: running on battery `BAT0`: plug the machine in",
        "swap Warning: 64 MiB in use: pages may have to be read from disk [sudo swapoff --all && sudo swapon --all]",
        "huge-pages Warning: `always`: whether a launch gets huge pages is chance [echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled]",
        "aslr Warning: 0: all launches share one memory layout [sudo sysctl kernel.randomize_va_space=2]",
        "clock-source Warning: `hpet` instead of a CPU register [echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource]",
        "debugger Warning: process 77 traces this one: start `tare` without it [ps -p 77 -o pid,comm,args]",
        "perf-events NotVisible: perf_event_paranoid is 4: users cannot read counters [sudo sysctl kernel.perf_event_paranoid=2]",
    ];
    assert_eq!(seen(&now, &before), expected);
}

#[test]
fn what_cannot_be_seen_is_never_good() {
    let nothing = root(&[]);
    let checks = examine_from(nothing.path(), &Counters::default(), 0.5);
    assert_eq!(checks.len(), 17);
    for check in &checks {
        assert_eq!(check.state, State::NotVisible, "{check:?}");
    }
    // Garbage counts as missing.
    for name in ["proc/stat", "proc/pressure/cpu", "proc/self/cgroup", "proc/self/status", "proc/meminfo"] {
        write(&nothing, name, "::\u{0} max\n\ncpu 1\ncpux 1 2\n-1 :");
    }
    let checks = examine_from(nothing.path(), &Counters::read_from(nothing.path()), 0.0);
    assert!(checks.iter().all(|c| c.state == State::NotVisible), "{checks:?}");
}

#[test]
fn a_virtual_machine_that_never_counts_stolen_time_is_not_undisturbed() {
    let folder = root(&[
        ("proc/cpuinfo", "processor : 0\nflags : hypervisor\n"),
        ("proc/stat", "cpu  0 0 0 100 0 0 0 0\n"),
        ("CPUS/smt/active", "0\n"),
    ]);
    let before = Counters::read_from(folder.path());
    write(&folder, "proc/stat", "cpu  0 0 0 150 0 0 0 0\n");
    let checks = examine_from(folder.path(), &before, 0.5);
    let state = |code: &str| checks.iter().find(|c| c.code == code).map(|c| c.state);
    assert_eq!(state("steal"), Some(State::NotVisible));
    assert_eq!(state("smt"), Some(State::NotVisible));
    assert_eq!(state("hypervisor"), Some(State::Warning));
}

#[test]
fn this_machine_can_be_examined() {
    let checks = examine(WatchTimes::QUICK);
    assert!(checks.iter().all(|c| !c.evidence.is_empty()), "{checks:?}");
    assert_eq!(serde_json::to_value(&checks[0]).unwrap()["code"], "load");
}

/// A processor whose core is shared if `shared` returns true.
fn watched(processor: u32, shared: impl Fn(usize) -> bool, undisturbed: impl Fn(usize) -> bool) -> super::WatchedCore {
    let width = |i: usize| if shared(i) { 0.5 } else { 0.25 } * (1.0 + 0.001 * (i % 5) as f64);
    let reading = |i| CoreReading { cycles_per_addition: width(i), undisturbed: undisturbed(i) };
    super::WatchedCore { processor, readings: (0..1000).map(reading).collect() }
}

#[test]
fn a_neighbour_on_the_core_is_seen_by_the_width_of_the_core() {
    let never = |_: usize| false;
    let always = |_: usize| true;
    let half = |i: usize| i % 100 < 50;
    let check = |watched: &[super::WatchedCore]| {
        let check = core_sharing(watched, 1.0);
        (check.state, check.evidence, check.fix)
    };
    let (state, evidence, fix) = check(&[watched(0, never, always), watched(1, never, always)]);
    assert_eq!((state, fix), (State::Good, None));
    assert_eq!(evidence, "core time used by others: 0 % on processor 0, 0 % on processor 1 (checked for 1.0 s each)");
    // One processor is shared all the time; the other shows the level.
    let (state, evidence, fix) = check(&[watched(0, always, always), watched(1, half, always)]);
    assert_eq!((state, fix), (State::Warning, None));
    assert_eq!(
        evidence,
        "core time used by others: 100 % on processor 0, 53 % on processor 1 (checked for 1.0 s each): \
         ordinary code then takes 1.0 to 1.9 times as long"
    );
    // Other work on this processor is not a neighbour on the core: those windows are excluded.
    let (state, evidence, _) = check(&[watched(0, |i| i % 10 == 0, |i| i % 10 != 0)]);
    assert_eq!(state, State::Good, "{evidence}");
    assert_eq!(check(&[watched(0, never, never)]).0, State::NotVisible);
    assert_eq!(check(&[]).0, State::NotVisible);
    let many: Vec<super::WatchedCore> =
        (0..6).map(|cpu| watched(cpu, move |i| i % 100 < 10 * cpu as usize, always)).collect();
    let (_, evidence, _) = check(&many);
    assert!(
        evidence.contains(": 0 % on processor 0 to 53 % on processor 5 of 6 processors (checked for 1.0 s each)"),
        "{evidence}"
    );
}

#[test]
fn the_share_alone_is_told_of_each_processor() {
    let second_half = |i: usize| i >= 500;
    let cores = core_sharing(&[watched(3, second_half, |_| true), watched(4, |_| true, |_| true)], 1.0).cores;
    assert_eq!(cores.iter().map(|c| c.processor).collect::<Vec<_>>(), [3, 4]);
    assert!((cores[0].alone_share - 0.5).abs() < 0.01 && cores[1].alone_share == 0.0, "{cores:?}");
    // Other work ran here for a while, so that part is unknown.
    let cores = core_sharing(&[watched(0, |_| false, |i| !(400..600).contains(&i))], 1.0).cores;
    assert_eq!(cores[0].alone_share, 1.0, "{cores:?}");
}
