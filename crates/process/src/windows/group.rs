//! A helper program with all that it starts: a job object, whose processes the system ends together.

use crate::interrupt::{hold_interrupts, Hold};
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, ChildStdin, Command};
use std::ptr;
use std::sync::{Mutex, PoisonError};
use windows_sys::Win32::System::JobObjects::{AssignProcessToJobObject, CreateJobObjectW, TerminateJobObject};
use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

/// Exit status of what was ended.
const ENDED: u32 = 130;

/// Jobs whose helpers live, by number: what a second interrupt ends.
static LIVE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// A living helper with all that it starts. A second interrupt ends it; the first is left to who waits for the helper. To be dropped
/// when the helper has ended.
#[derive(Debug)]
pub struct Group {
    job: Option<OwnedHandle>,
    _hold: Hold,
}

impl Group {
    /// Of a helper that was started by a command that was [`set_apart`]. What it started before this call is not of it.
    pub fn of(helper: &Child) -> Group {
        let hold = hold_interrupts();
        let job = job_with(helper).ok();
        if let Some(job) = &job {
            live().push(number(job));
        }
        Group { job, _hold: hold }
    }

    /// Ends the helper and all that it has started. It is reaped.
    pub fn end(&self, helper: &mut Child) {
        if let Some(job) = &self.job {
            // SAFETY: a job object that is open as long as `self` is.
            unsafe { TerminateJobObject(job.as_raw_handle(), ENDED) };
        }
        // One that was ended already is no matter, nor is one that cannot be waited for.
        let _ = helper.kill();
        let _ = helper.wait();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(job) = &self.job {
            live().retain(|other| *other != number(job));
        }
    }
}

fn job_with(helper: &Child) -> io::Result<OwnedHandle> {
    // SAFETY: neither attributes nor a name.
    let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
    if job.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a new handle that nobody else owns.
    let job = unsafe { OwnedHandle::from_raw_handle(job) };
    // SAFETY: both are open.
    match unsafe { AssignProcessToJobObject(job.as_raw_handle(), helper.as_raw_handle()) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(job),
    }
}

fn number(job: &OwnedHandle) -> usize {
    job.as_raw_handle() as usize
}

fn live() -> std::sync::MutexGuard<'static, Vec<usize>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all helpers that live. Handlers of Windows run in a thread of their own, so that it may lock.
pub fn kill_all() {
    for job in live().iter() {
        // SAFETY: a job is open as long as it is listed.
        unsafe { TerminateJobObject(*job as *mut _, ENDED) };
    }
}

/// Ctrl-C is not for what the command starts.
pub(crate) fn set_apart(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

/// A program of Windows has its path as its name.
pub fn set_name(_command: &mut Command, _name: &str) {}

/// Pipes of Windows wait when they are full.
pub(crate) fn never_wait(_pipe: &ChildStdin) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "helpers that are talked to are not supported on Windows yet"))
}
