use super::{Check, Situation};

/// Less swap than this may have been unused for weeks, in bytes.
const SWAP_BYTES: u64 = 16 << 20;

pub(super) fn swap(seen: &Situation) -> Check {
    match seen.environment.swap_used_bytes {
        None => Check::not_visible("swap", "`/proc/meminfo` does not report it"),
        Some(0) => Check::good("swap", "none in use"),
        Some(bytes) if bytes < SWAP_BYTES => Check::good("swap", format!("{} MiB in use", bytes >> 20)),
        Some(bytes) => {
            Check::warning("swap", format!("{} MiB in use: pages may have to be read from disk", bytes >> 20))
                .fix("sudo swapoff --all && sudo swapon --all")
        }
    }
}

pub(super) fn huge_pages(seen: &Situation) -> Check {
    match seen.environment.thp.as_deref() {
        None => Check::not_visible("huge-pages", "`/sys/kernel/mm/transparent_hugepage` cannot be read"),
        Some("always") => Check::warning("huge-pages", "`always`: whether a launch gets huge pages is chance")
            .fix("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"),
        Some(other) => Check::good("huge-pages", format!("`{other}`")),
    }
}

/// Address space layout should be random, so that its effects average out over launches.
pub(super) fn aslr(seen: &Situation) -> Check {
    match seen.environment.aslr {
        None => Check::not_visible("aslr", "`/proc/sys/kernel/randomize_va_space` cannot be read"),
        Some(2) => Check::good("aslr", "on, as expected: each launch gets a different memory layout"),
        Some(level) => Check::warning("aslr", format!("{level}: all launches share one memory layout"))
            .fix("sudo sysctl kernel.randomize_va_space=2"),
    }
}
