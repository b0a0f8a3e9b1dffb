//! Starts a program on Linux with `clone` and shared memory, like posix_spawn, plus steps that posix_spawn lacks (death signal, limits).
//! The host's memory is not copied, so a start costs the same whatever the host's size.

use super::plan::{set_nice, ChildLimits, Plan, CHILD_READ, CHILD_WRITE};
use crate::error::StartError;
use std::ffi::{c_char, c_int, c_void, CString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::ptr;
use std::sync::{Mutex, PoisonError};

const STACK_BYTES: usize = 64 << 10;
/// Page size if the system does not report one.
const PAGE_BYTES: usize = 4 << 10;

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Prepare,
    Directory,
    Priority,
    Processors,
    Exec,
}

/// Inputs of the child, prepared beforehand, and its error, which the host can read because memory is shared until the new program runs.
struct Shared {
    path: *const c_char,
    directory: *const c_char,
    argv: *const *const c_char,
    envp: *const *const c_char,
    limits: ChildLimits,
    nice: Option<c_int>,
    /// Processor mask and its size in bytes; null to keep the host's.
    mask: (*const u64, usize),
    null: RawFd,
    output: RawFd,
    link: Option<(RawFd, RawFd)>,
    host: libc::pid_t,
    errno: c_int,
    step: Step,
}

/// Starts the program with these descriptors: `null` becomes standard input, `output` both outputs, `link` descriptors 3 and 4. All must be
/// 10 or above.
pub(crate) fn launch(
    plan: &Plan,
    null: &OwnedFd,
    output: &OwnedFd,
    link: Option<(&OwnedFd, &OwnedFd)>,
) -> Result<libc::pid_t, StartError> {
    let argv = pointers(&plan.argv);
    let envp = pointers(&plan.envp);
    let mut shared = Shared {
        path: plan.path.as_ptr(),
        directory: plan.directory.as_ref().map_or(ptr::null(), |d| d.as_ptr()),
        argv: argv.as_ptr(),
        envp: envp.as_ptr(),
        limits: plan.limits,
        nice: plan.nice,
        mask: plan.mask.as_ref().map_or((ptr::null(), 0), |mask| (mask.as_ptr(), size_of_val(mask.as_slice()))),
        null: null.as_raw_fd(),
        output: output.as_raw_fd(),
        link: link.map(|(read, write)| (read.as_raw_fd(), write.as_raw_fd())),
        // SAFETY: cannot fail.
        host: unsafe { libc::getpid() },
        errno: 0,
        step: Step::Prepare,
    };
    let stack = Stack::new().map_err(StartError::system("allocating a stack for the start"))?;
    let pid = start(&stack, &mut shared, plan.no_huge_pages)?;
    // SAFETY: the child wrote to it unseen by the compiler, and has since ended or become another program.
    let errno = unsafe { ptr::read_volatile(&raw const shared.errno) };
    if errno == 0 {
        return Ok(pid);
    }
    // SAFETY: no status is asked for; the child exits at once after leaving an error.
    unsafe { libc::waitpid(pid, ptr::null_mut(), 0) };
    // SAFETY: as for the error number.
    let step = unsafe { ptr::read_volatile(&raw const shared.step) };
    let source = io::Error::from_raw_os_error(errno);
    Err(match step {
        Step::Prepare => StartError::System { step: "preparing the process", source },
        Step::Directory => {
            let text = plan.directory.as_ref().map(|d| d.to_string_lossy().into_owned()).unwrap_or_default();
            StartError::Directory { directory: PathBuf::from(text), source }
        }
        Step::Priority => StartError::System { step: "setting the priority", source },
        Step::Processors => StartError::System { step: "choosing the processors", source },
        Step::Exec => StartError::Exec { program: plan.program(), source },
    })
}

/// The huge-page setting belongs to a process's memory, which is the host's until the new program runs and inherits it. So the host
/// disables huge pages for itself during the start, and starts no other child meanwhile.
fn start(stack: &Stack, shared: &mut Shared, no_huge_pages: bool) -> Result<libc::pid_t, StartError> {
    static STARTING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    const NONE: libc::c_ulong = 0;
    // SAFETY: numbers only.
    let ask = |option: c_int, value: libc::c_ulong| unsafe { libc::prctl(option, value, NONE, NONE, NONE) };
    let without = |off: bool| ask(libc::PR_SET_THP_DISABLE, libc::c_ulong::from(off));
    let before = no_huge_pages && ask(libc::PR_GET_THP_DISABLE, NONE) == 1;
    if no_huge_pages && !before && without(true) < 0 {
        return Err(StartError::System { step: "turning huge pages off", source: io::Error::last_os_error() });
    }
    let started = clone(stack, shared);
    if no_huge_pages && !before {
        without(false);
    }
    started.map_err(StartError::system("creating a process"))
}

/// The texts as C expects them: a null-terminated list of pointers.
fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).chain(std::iter::once(ptr::null())).collect()
}

/// Runs [`child`] in a new process; returns once it has become another program or failed.
fn clone(stack: &Stack, shared: &mut Shared) -> io::Result<libc::pid_t> {
    // SAFETY: all-zero is a valid set.
    let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
    // Signals are blocked until the child has reset the host's handlers, which would run in the host's memory.
    // SAFETY: both sets are writable.
    unsafe {
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
    }
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the stack is ours and unused, and with CLONE_VFORK this thread sleeps until the child no longer uses it, nor
    // `shared`. `child` does only what may be done there.
    let pid = unsafe { libc::clone(child, stack.top(), flags, ptr::from_mut(shared).cast()) };
    let error = io::Error::last_os_error();
    // SAFETY: `before` holds the mask of this thread.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut()) };
    if pid < 0 {
        Err(error)
    } else {
        Ok(pid)
    }
}

/// Runs in the child before exec. It shares the host's memory: only system calls, no allocation, lock or panic.
extern "C" fn child(argument: *mut c_void) -> c_int {
    // SAFETY: `clone` passes the `Shared` of `launch`, which sleeps meanwhile.
    let shared = unsafe { &mut *argument.cast::<Shared>() };
    // SAFETY: system calls on numbers and on memory that was made before.
    unsafe {
        if let Err(step) = become_program(shared) {
            shared.step = step;
            shared.errno = (*libc::__errno_location()).max(1);
        }
        libc::_exit(127)
    }
}

/// Returns only on failure, with errno set.
///
/// # Safety
/// Only for [`child`].
unsafe fn become_program(shared: &Shared) -> Result<(), Step> {
    // SAFETY: system calls on numbers and on memory that was made before.
    unsafe {
        default_signals();
        let done = |result: c_int| if result < 0 { Err(Step::Prepare) } else { Ok(()) };
        done(libc::setpgid(0, 0))?;
        done(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0))?;
        // The host may have died before the death signal was set.
        if libc::getppid() != shared.host {
            libc::_exit(127);
        }
        done(libc::dup2(shared.null, 0))?;
        done(libc::dup2(shared.output, 1))?;
        done(libc::dup2(shared.output, 2))?;
        let mut first_other = CHILD_READ;
        if let Some((read, write)) = shared.link {
            done(libc::dup2(read, CHILD_READ))?;
            done(libc::dup2(write, CHILD_WRITE))?;
            first_other = CHILD_WRITE + 1;
        }
        // Closes inherited descriptors without the close-on-exec flag. Kernels before 5.11 lack the call, but the host's own descriptors
        // have the flag.
        libc::syscall(libc::SYS_close_range, first_other, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
        if !shared.directory.is_null() && libc::chdir(shared.directory) < 0 {
            return Err(Step::Directory);
        }
        done(shared.limits.apply())?;
        if shared.nice.is_some_and(|nice| set_nice(nice) < 0) {
            return Err(Step::Priority);
        }
        let (mask, bytes) = shared.mask;
        if bytes > 0 && libc::sched_setaffinity(0, bytes, mask.cast()) < 0 {
            return Err(Step::Processors);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
        libc::execve(shared.path, shared.argv, shared.envp);
    }
    Err(Step::Exec)
}

/// Resets the host's handlers. Ignored signals stay ignored (`nohup`), except SIGPIPE, which every Rust program ignores, and SIGXFSZ, which
/// the host ignores.
///
/// # Safety
/// Only for [`child`], with all signals blocked.
unsafe fn default_signals() {
    // SAFETY: system calls on local values; all-zero is the default action.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        for signal in 1..=64 {
            let mut now: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, ptr::null(), &mut now) < 0 {
                continue;
            }
            let handled = now.sa_sigaction != libc::SIG_DFL && now.sa_sigaction != libc::SIG_IGN;
            if handled || signal == libc::SIGPIPE || signal == libc::SIGXFSZ {
                libc::sigaction(signal, &default, ptr::null_mut());
            }
        }
    }
}

/// The child's stack, with a guard page below.
struct Stack {
    begin: *mut c_void,
    bytes: usize,
}

impl Stack {
    fn new() -> io::Result<Stack> {
        // SAFETY: it takes a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        Stack::above(usize::try_from(page).unwrap_or(PAGE_BYTES))
    }

    /// A stack above a guard page of this size: on some AArch64 systems a page is as large as the stack.
    fn above(page: usize) -> io::Result<Stack> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let bytes = STACK_BYTES + page;
        // SAFETY: a new mapping.
        let begin = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, -1, 0) };
        if begin == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the first page of the new mapping. On failure there is no guard.
        unsafe { libc::mprotect(begin, page, libc::PROT_NONE) };
        Ok(Stack { begin, bytes })
    }

    /// Stacks grow down on all Linux architectures except one.
    fn top(&self) -> *mut c_void {
        // SAFETY: one past the end of the mapping.
        unsafe { self.begin.cast::<u8>().add(self.bytes).cast() }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping of `above`, no longer in use.
        unsafe { libc::munmap(self.begin, self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::{Stack, STACK_BYTES};

    #[test]
    fn a_guard_of_any_page_leaves_the_whole_stack() {
        for page in [4 << 10, 16 << 10, 64 << 10] {
            let stack = Stack::above(page).expect("mapped");
            let top = stack.top().cast::<u8>();
            for below in (1..=STACK_BYTES).step_by(1 << 10) {
                // SAFETY: within the mapping, and above its guard.
                unsafe { top.sub(below).write(1) };
            }
        }
    }
}
