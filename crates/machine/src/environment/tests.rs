use super::{git_state, noise_start, read, read_from, Noise};
use crate::root::{root, write};
use std::process::Command;
use tare_model::{Cache, Environment};

const CPUS: &str = "sys/devices/system/cpu";

#[test]
fn bare_metal_with_governor_turbo_and_smt() {
    let folder = root(&[
        ("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
        ("proc/sys/kernel/ostype", "Linux\n"),
        ("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n"),
        ("proc/sys/kernel/randomize_va_space", "2\n"),
        ("proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD  Ryzen 9 7950X\nflags\t\t: fpu sse2\n\nprocessor\t: 1\n"),
        ("proc/self/status", "Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t0-1,3\n"),
        ("proc/meminfo", "MemTotal:       1000 kB\nSwapTotal:  300 kB\nSwapFree:  100 kB\n"),
        ("proc/loadavg", "0.25 0.10 0.05 1/123 4567\n"),
        (&format!("{CPUS}/online"), "0-3\n"),
        (&format!("{CPUS}/smt/active"), "1\n"),
        (&format!("{CPUS}/cpu0/topology/thread_siblings_list"), "0,2\n"),
        (&format!("{CPUS}/cpu1/topology/thread_siblings_list"), "1,3\n"),
        (&format!("{CPUS}/cpu0/cpufreq/scaling_governor"), "powersave\n"),
        (&format!("{CPUS}/cpufreq/boost"), "1\n"),
        (&format!("{CPUS}/cpu0/cache/index2/level"), "2\n"),
        (&format!("{CPUS}/cpu0/cache/index2/type"), "Unified\n"),
        (&format!("{CPUS}/cpu0/cache/index2/size"), "1M\n"),
        (&format!("{CPUS}/cpu0/cache/index0/level"), "1\n"),
        (&format!("{CPUS}/cpu0/cache/index0/type"), "Data\n"),
        (&format!("{CPUS}/cpu0/cache/index0/size"), "32K\n"),
        ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
        ("lib64/libc.so.6", "\u{1}GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36.\nCopyright"),
        ("proc/self/cgroup", "0::/user.slice\n"),
        ("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n"),
    ]);
    let expected = Environment {
        os: "Debian GNU/Linux 12 (bookworm)".into(),
        kernel: "Linux 6.1.0-18-amd64".into(),
        architecture: std::env::consts::ARCH.into(),
        libc: Some("glibc 2.36".into()),
        cpu: "AMD Ryzen 9 7950X".into(),
        processors: 3,
        cores: Some(2),
        smt: Some(true),
        caches: vec![
            Cache { level: 1, kind: "data".into(), size_bytes: 32 << 10 },
            Cache { level: 2, kind: "unified".into(), size_bytes: 1 << 20 },
        ],
        memory_bytes: 1000 << 10,
        governor: Some("powersave".into()),
        turbo: Some(true),
        aslr: Some(2),
        thp: Some("madvise".into()),
        clock_source: Some("tsc".into()),
        virtual_machine: Some(false),
        cpu_quota: None,
        load_1min: Some(0.25),
        swap_used_bytes: Some(200 << 10),
        ..Environment::default()
    };
    assert_eq!(read_from(folder.path()), expected);
    write(&folder, &format!("{CPUS}/intel_pstate/no_turbo"), "1\n");
    assert_eq!(read_from(folder.path()).turbo, Some(false));
}

#[test]
fn a_virtual_machine_hides_much() {
    let folder = root(&[
        ("proc/cpuinfo", "processor : 0\ncpu family : 26\nmodel : 2\nmodel name : AMD EPYC\nflags : fpu hypervisor\n"),
        ("proc/self/status", "Cpus_allowed_list:\t0\n"),
        (&format!("{CPUS}/online"), "0\n"),
    ]);
    let seen = read_from(folder.path());
    assert_eq!((seen.virtual_machine, seen.processors), (Some(true), 1));
    assert_eq!(seen.cpu, "AMD EPYC (family 26, model 2)", "a name of several processors says which");
    assert_eq!((seen.governor, seen.turbo, seen.smt, seen.cores), (None, None, None, None));
    assert_eq!((seen.aslr, seen.thp, seen.cpu_quota, seen.swap_used_bytes), (None, None, None, None));
}

#[test]
fn a_container_has_a_quota() {
    let two = [("proc/self/cgroup", "0::/a/b\n"), ("sys/fs/cgroup/a/cpu.max", "150000 100000\n")];
    let folder = root(&two);
    write(&folder, "sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_eq!(read_from(folder.path()).cpu_quota, Some(1.5));
    write(&folder, "sys/fs/cgroup/cpu.max", "50000 100000\n");
    assert_eq!(read_from(folder.path()).cpu_quota, Some(0.5));
    let one = root(&[
        ("proc/self/cgroup", "3:cpuset:/\n1:cpu,cpuacct:/docker/x\n0::/\n"),
        ("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "-1\n"),
        ("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n"),
        ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n"),
        ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
    ]);
    assert_eq!(read_from(one.path()).cpu_quota, Some(2.0));
}

#[test]
fn an_arm_processor_has_numbers_for_a_name() {
    let info = "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
    let folder = root(&[("proc/cpuinfo", info), ("sys/class/dmi/id/sys_vendor", "Amazon EC2\n")]);
    write(&folder, "sys/class/dmi/id/product_name", "m6g.metal\n");
    let seen = read_from(folder.path());
    assert_eq!((seen.cpu.as_str(), seen.virtual_machine), ("Neoverse-N1", Some(false)));
}

#[test]
fn nothing_is_guessed_where_nothing_is_seen() {
    let folder = root(&[]);
    let seen = read_from(folder.path());
    let expected = Environment {
        os: std::env::consts::OS.into(),
        architecture: std::env::consts::ARCH.into(),
        cpu: std::env::consts::ARCH.into(),
        processors: 1,
        ..Environment::default()
    };
    assert_eq!(seen, expected);
    // Garbage counts as missing.
    for name in ["proc/meminfo", "proc/loadavg", "proc/self/cgroup", "proc/self/status", "proc/cpuinfo", "proc/stat"] {
        write(&folder, name, "::\u{0} max\n\n-1 :");
    }
    write(&folder, &format!("{CPUS}/online"), "0-4000000000,x,7-3");
    write(&folder, "sys/kernel/mm/transparent_hugepage/enabled", "]always[");
    let seen = read_from(folder.path());
    assert_eq!((seen.memory_bytes, seen.load_1min, seen.thp), (0, None, None));
    assert_eq!(Noise::read_from(folder.path()), Noise::default());
}

#[test]
fn this_machine_is_read() {
    let seen = read();
    assert!(seen.processors > 0 && seen.memory_bytes > 0 && !seen.kernel.is_empty(), "{seen:?}");
}

#[test]
fn noise_is_the_difference_of_counters() {
    let at = |stat: &str, pressure: &str| {
        let folder = root(&[("proc/stat", stat), ("proc/pressure/cpu", pressure)]);
        Noise::read_from(folder.path())
    };
    let start = at("cpu  100 0 50 800 0 0 10 40 5 0\ncpu0 1\n", "some avg10=0.00 total=1000\nfull total=5\n");
    assert_eq!(start, Noise { ticks: Some((1000, 40)), pressure_us: Some(1000) });
    let end = at("cpu  150 0 60 900 0 0 10 80 5 0\n", "some avg10=1.00 total=501000\n");
    assert_eq!(start.until(&end, 2.0), (Some(0.2), Some(0.25)));
    assert_eq!(end.until(&start, 2.0), (None, None));
    assert_eq!(start.until(&start, 0.0), (None, None));
    let (steal, pressure) = noise_start().finish();
    assert!(steal.is_none_or(|s| (0.0..=1.0).contains(&s)) && pressure.is_none_or(|p| (0.0..=1.0).contains(&p)));
}

#[test]
fn git_tells_revision_and_changes() {
    let folder = root(&[]);
    assert_eq!(git_state(folder.path()), None);
    assert_eq!(git_state(&folder.path().join("none")), None);
    write(&folder, "bad/.git", "nonsense");
    assert_eq!(git_state(&folder.path().join("bad")), None);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=x", "-c", "user.email=x@y", "-c", "init.defaultBranch=main"]).args(arguments);
        command.current_dir(folder.path()).output().is_ok_and(|o| o.status.success())
    };
    if !git(&["init", "-q"]) {
        return eprintln!("skipped: `git` is not installed");
    }
    assert_eq!(git_state(folder.path()), None, "no commit yet");
    let file = write(&folder, "below/file", "1");
    assert!(git(&["add", "below"]) && git(&["commit", "-q", "-m", "x"]));
    let clean = git_state(file.parent().unwrap()).unwrap();
    assert!(clean.revision.len() == 40 && !clean.dirty);
    write(&folder, "below/new", "untracked files do not count");
    assert_eq!(git_state(folder.path()), Some(clean.clone()));
    write(&folder, "below/file", "2");
    let dirty = git_state(folder.path()).unwrap();
    assert!(dirty.dirty && dirty.revision == clean.revision);
}
