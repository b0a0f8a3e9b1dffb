//! The process tree, according to `/proc`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

/// A limit for processes that start and end faster than they can be listed.
const WALKS_MAX: usize = 20;

/// Whether the system lists a process's children. Kernels without `CONFIG_PROC_CHILDREN` do not.
pub(crate) fn is_told() -> bool {
    static TOLD: OnceLock<bool> = OnceLock::new();
    *TOLD.get_or_init(|| Path::new("/proc/thread-self/children").exists())
}

/// The children of a process's threads, including adopted ones, that it has not waited for.
pub(crate) fn children(process: libc::pid_t) -> Vec<libc::pid_t> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let of_thread = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children")).ok();
    let listed = threads.flatten().filter_map(of_thread);
    listed.flat_map(|list| parse(&list)).collect()
}

/// Parses `/proc/PID/task/TID/children`.
pub(crate) fn parse(list: &str) -> Vec<libc::pid_t> {
    list.split(' ').filter_map(|pid| pid.trim().parse().ok()).collect()
}

/// The descendants of a process, without the families of those that `is_apart`. Some may have ended meanwhile.
///
/// Repeats until nothing new is found, at least twice: a process that ends leaves its children to the host, perhaps after the host's
/// children were read, and a list that shrinks while it is read can miss an entry.
#[cfg(target_os = "linux")]
pub(crate) fn below(process: libc::pid_t, is_apart: &dyn Fn(libc::pid_t) -> bool) -> BTreeSet<libc::pid_t> {
    let mut found = BTreeSet::new();
    for walk in 0..WALKS_MAX {
        let before = found.len();
        let mut parents = vec![process];
        let mut seen = BTreeSet::new();
        while let Some(parent) = parents.pop() {
            // A process cannot be its own ancestor, but a number reused during the walk may look like it.
            parents.extend(children(parent).into_iter().filter(|child| !is_apart(*child) && seen.insert(*child)));
        }
        found.extend(seen);
        if walk > 0 && found.len() == before {
            break;
        }
    }
    found
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn a_family_is_found_and_one_that_is_apart_is_not() {
        if !is_told() {
            println!("skipped: the system does not tell which processes a process has started");
            return;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", "sh -c 'sleep 600 & echo $! $$; wait' & wait"]);
        let mut shell = shell.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a shell");
        let mut said = String::new();
        BufReader::new(shell.stdout.take().expect("piped")).read_line(&mut said).expect("two numbers");
        let [sleep, inner] = [0, 1].map(|at| said.split_whitespace().nth(at).expect("two").parse().expect("a number"));
        let outer = libc::pid_t::try_from(shell.id()).expect("a number");
        // SAFETY: a number only.
        let own = unsafe { libc::getpid() };
        let all = below(own, &|_| false);
        assert!([outer, inner, sleep].iter().all(|pid| all.contains(pid)), "{all:?} of {outer}, {said}");
        let without = below(own, &|pid| pid == inner);
        assert!(without.contains(&outer) && !without.contains(&inner) && !without.contains(&sleep), "{without:?}");
        for pid in [sleep, inner] {
            // SAFETY: a plain system call on processes that this test started and that wait.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        shell.kill().expect("killed");
        shell.wait().expect("reaped");
    }
}
