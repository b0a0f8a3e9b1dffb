//! The few facts about Windows that need a call into it.

use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::sync::OnceLock;
use std::time::Instant;
use windows_sys::Win32::Foundation::{ERROR_LOCK_VIOLATION, FILETIME, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{LockFileEx, LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY};
use windows_sys::Win32::System::Console::{
    GetConsoleMode, GetConsoleScreenBufferInfo, GetStdHandle, CONSOLE_SCREEN_BUFFER_INFO, STD_ERROR_HANDLE,
    STD_INPUT_HANDLE, STD_OUTPUT_HANDLE,
};
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadTimes};
use windows_sys::Win32::System::IO::OVERLAPPED;

/// Length of the unit of its CPU times, ns.
const UNIT_NS: u64 = 100;

/// The monotonic clock, ns from an arbitrary start.
pub fn monotonic_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// CPU time of the calling thread, ns, in steps of the scheduler's tick.
pub(crate) fn thread_cpu_ns() -> u64 {
    let none = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
    let (mut begun, mut ended, mut kernel, mut user) = (none, none, none, none);
    // SAFETY: all four are room for a time.
    unsafe { GetThreadTimes(GetCurrentThread(), &mut begun, &mut ended, &mut kernel, &mut user) };
    let ns = |time: FILETIME| (u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)) * UNIT_NS;
    ns(kernel) + ns(user)
}

/// Locks a file that nobody else has locked; false where someone has. The system takes the lock back when the file is closed, however
/// the process ends.
///
/// # Errors
/// When the system has no locks for this file.
pub fn try_lock(file: &File) -> io::Result<bool> {
    // SAFETY: all-zero is a valid value: from the begin of the file.
    let mut from: OVERLAPPED = unsafe { std::mem::zeroed() };
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is open as long as `file` is.
    if unsafe { LockFileEx(file.as_raw_handle(), flags, 0, u32::MAX, u32::MAX, &mut from) } != 0 {
        return Ok(true);
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error().map(i32::unsigned_abs) {
        Some(ERROR_LOCK_VIOLATION) => Ok(false),
        _ => Err(error),
    }
}

/// The handle of standard input, output or error by the number that they have elsewhere.
fn stream(number: i32) -> Option<HANDLE> {
    let which = [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE];
    let which = usize::try_from(number).ok().and_then(|number| which.get(number))?;
    // SAFETY: a number only.
    Some(unsafe { GetStdHandle(*which) }).filter(|handle| !handle.is_null())
}

/// Columns of the console behind a stream, by the number that it has elsewhere; `None` when it is no console.
pub fn terminal_width(number: i32) -> Option<u16> {
    // SAFETY: all-zero is a valid value.
    let mut facts: CONSOLE_SCREEN_BUFFER_INFO = unsafe { std::mem::zeroed() };
    // SAFETY: `facts` is room for the answer.
    let done = unsafe { GetConsoleScreenBufferInfo(stream(number)?, &mut facts) };
    let columns = i32::from(facts.srWindow.Right) - i32::from(facts.srWindow.Left) + 1;
    u16::try_from(columns).ok().filter(|columns| done != 0 && *columns > 0)
}

/// Whether a stream is a console, by the number that it has elsewhere.
pub fn is_terminal(number: i32) -> bool {
    let mut mode = 0;
    // SAFETY: `mode` is room for the answer.
    stream(number).is_some_and(|handle| unsafe { GetConsoleMode(handle, &mut mode) } != 0)
}

/// The processors that this process may run on, by number. Empty: not told.
pub fn allowed_processors() -> Vec<u32> {
    Vec::new()
}

/// Keeps the calling thread on one processor.
///
/// # Errors
/// Always: that is not done on Windows.
pub(crate) fn pin_this_thread(processor: u32) -> io::Result<()> {
    pin(0, processor)
}

/// Keeps a process on a processor.
///
/// # Errors
/// Always: that is not done on Windows.
pub fn pin(_process: u32, _processor: u32) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Memory that processes can still take without swapping, bytes. `None` where the system does not tell.
pub fn available_memory_bytes() -> Option<u64> {
    // SAFETY: all-zero is a valid value.
    let mut facts: MEMORYSTATUSEX = unsafe { std::mem::zeroed() };
    facts.dwLength = u32::try_from(size_of::<MEMORYSTATUSEX>()).ok()?;
    // SAFETY: `facts` is room for the answer and says how large it is.
    (unsafe { GlobalMemoryStatusEx(&mut facts) } != 0).then_some(facts.ullAvailPhys)
}
