//! Facts that do not change during a run, read once at its start.

use super::tree::{field, Tree};
use super::{cpu, gpus, limits};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tare_model::Environment;

/// The machine now. Takes a few milliseconds at most. `git`, `steal`, `cpu_pressure` and `clock_reference` are filled in elsewhere and stay
/// None.
pub fn read() -> Environment {
    read_from(Path::new("/"))
}

/// The same from the `proc`, `sys` and `etc` below `root`.
pub fn read_from(root: &Path) -> Environment {
    let tree = Tree { root };
    let cpu = cpu::read(tree);
    let memory = tree.text("proc/meminfo").unwrap_or_default();
    let kilobytes = |key| field(&memory, key, ':').and_then(|v| v.split_whitespace().next()?.parse::<u64>().ok());
    let swap = kilobytes("SwapTotal").zip(kilobytes("SwapFree"));
    Environment {
        os: os(tree),
        kernel: kernel(tree),
        architecture: std::env::consts::ARCH.to_owned(),
        libc: libc(tree),
        cpu: cpu.model,
        processors: cpu.processors,
        cores: cpu.cores,
        smt: cpu.smt,
        caches: cpu.caches,
        memory_bytes: kilobytes("MemTotal").unwrap_or(0).saturating_mul(1024),
        gpus: gpus::read(tree),
        governor: tree.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        turbo: cpu::turbo(tree),
        aslr: tree.number("proc/sys/kernel/randomize_va_space"),
        thp: tree.text("sys/kernel/mm/transparent_hugepage/enabled").and_then(|t| chosen(&t)),
        clock_source: tree.text("sys/devices/system/clocksource/clocksource0/current_clocksource"),
        virtual_machine: cpu.virtual_machine,
        cpu_quota: limits::cpu_quota(tree),
        load_1min: tree.text("proc/loadavg").and_then(|t| t.split_whitespace().next()?.parse().ok()),
        steal: None,
        cpu_pressure: None,
        swap_used_bytes: swap.map(|(total, free)| total.saturating_sub(free).saturating_mul(1024)),
        git: None,
        clock_reference: None,
        core_width: None,
        core_width_of: BTreeMap::new(),
        calibration: None,
        costs: None,
    }
}

fn chosen(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

fn os(tree: Tree) -> String {
    let release = tree.text("etc/os-release").or_else(|| tree.text("usr/lib/os-release")).unwrap_or_default();
    let value = |key| field(&release, key, '=').map(|v| v.trim_matches(['"', '\'']).to_owned());
    let name = value("PRETTY_NAME").or_else(|| {
        let version = value("VERSION").map(|v| format!(" {v}")).unwrap_or_default();
        Some(value("NAME")? + &version)
    });
    name.or_else(|| tree.text("proc/sys/kernel/ostype")).unwrap_or_else(|| std::env::consts::OS.to_owned())
}

fn kernel(tree: Tree) -> String {
    let parts = [tree.text("proc/sys/kernel/ostype"), tree.text("proc/sys/kernel/osrelease")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The C library for dynamically linked children, from the version text inside it.
fn libc(tree: Tree) -> Option<String> {
    /// Larger than any C library.
    const LIMIT: u64 = 16 << 20;
    const MARK: &[u8] = b"GNU C Library ";
    let path = libc_path(tree)?;
    if path.contains("ld-musl") {
        return Some("musl".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(tree.path(&path)).ok()?.take(LIMIT).read_to_end(&mut bytes).ok()?;
    let at = bytes.windows(MARK.len()).position(|window| window == MARK)?;
    let line: Vec<u8> = bytes[at..].iter().copied().take(200).take_while(|b| (b' '..=b'~').contains(b)).collect();
    let line = String::from_utf8_lossy(&line).into_owned();
    let version = line.rsplit_once("version ")?.1.trim_end_matches('.');
    Some(format!("glibc {version}"))
}

fn libc_path(tree: Tree) -> Option<String> {
    let maps = tree.text("proc/self/maps").unwrap_or_default();
    let mapped = maps.lines().filter_map(|l| l.find('/').map(|at| &l[at..]));
    let mut mapped = mapped.filter(|p| p.ends_with("/libc.so.6") || p.contains("/ld-musl-") || p.contains("/libc-2."));
    if let Some(path) = mapped.next() {
        return Some(path.to_owned());
    }
    let arch = std::env::consts::ARCH;
    let places = [
        format!("/lib/{arch}-linux-gnu/libc.so.6"),
        "/lib64/libc.so.6".to_owned(),
        "/usr/lib/libc.so.6".to_owned(),
        format!("/lib/ld-musl-{arch}.so.1"),
    ];
    places.into_iter().find(|p| tree.path(p).is_file())
}
