//! Threads that run a body in lockstep: they start together, and an iteration ends when the last one has finished.
//!
//! The measuring thread is one of them. The others start when the case is opened and sleep between iterations. They are woken up
//! before the clock is read, so that the time includes no wake-up.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::guard::{guard, Failure};
use crate::loops::TeamLoop;

/// Times to check a condition before yielding the processor.
const SPINS: u32 = 2000;

#[derive(Clone, Copy)]
struct Job {
    number: u32,
    run: TeamLoop,
    /// Address of the state.
    state: usize,
    turns: u64,
    rest: u64,
}

struct Shared {
    /// `None`: the threads end.
    job: Mutex<Option<Job>>,
    changed: Condvar,
    /// The number of threads that are awake, and that have ended.
    awake: AtomicU32,
    ended: AtomicU32,
    /// The number of the job that has begun.
    begun: AtomicU32,
    failure: Mutex<Option<Failure>>,
}

impl Shared {
    /// Locks the job. No code panics while holding the lock.
    fn lock(&self) -> MutexGuard<'_, Option<Job>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_until(&self, holds: impl Fn(&Shared) -> bool) {
        let mut spins = 0;
        while !holds(self) {
            spins += 1;
            if spins < SPINS {
                std::hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
    }
}

/// The threads other than the measuring one.
pub(crate) struct Team {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
    number: Cell<u32>,
}

unsafe fn nothing(_: *const (), _: u64, _: u64) {}

impl Team {
    /// Starts `threads - 1` threads.
    pub(crate) fn new(threads: u32) -> Result<Team, String> {
        let job = Job { number: 0, run: nothing, state: 0, turns: 0, rest: 0 };
        let shared = Arc::new(Shared {
            job: Mutex::new(Some(job)),
            changed: Condvar::new(),
            awake: AtomicU32::new(0),
            ended: AtomicU32::new(0),
            begun: AtomicU32::new(0),
            failure: Mutex::new(None),
        });
        let mut team = Team { shared, helpers: Vec::new(), number: Cell::new(0) };
        for _ in 1..threads {
            let shared = team.shared.clone();
            let started = thread::Builder::new().name("tare".to_owned()).spawn(move || help(&shared));
            team.helpers.push(started.map_err(|error| format!("cannot start {threads} threads: {error}"))?);
        }
        Ok(team)
    }

    fn helpers(&self) -> u32 {
        self.helpers.len() as u32
    }

    /// Wakes the others up for a loop; they wait for [`Team::run`].
    ///
    /// # Safety
    /// The state matches `run`, may be used by several threads at once, and lives until [`Team::run`] has returned.
    pub(crate) unsafe fn wake(&self, run: TeamLoop, state: *const (), turns: u64, rest: u64) {
        self.number.set(self.number.get().wrapping_add(1));
        self.shared.awake.store(0, Ordering::Relaxed);
        self.shared.ended.store(0, Ordering::Relaxed);
        let job = Job { number: self.number.get(), run, state: state as usize, turns, rest };
        *self.shared.lock() = Some(job);
        self.shared.changed.notify_all();
        let all = self.helpers();
        self.shared.wait_until(|shared| shared.awake.load(Ordering::Acquire) == all);
    }

    /// Runs the loop on all threads, including this one, and waits for the last one.
    ///
    /// # Safety
    /// As for [`Team::wake`], which was called with the same arguments.
    pub(crate) unsafe fn run(&self, run: TeamLoop, state: *const (), turns: u64, rest: u64) {
        self.shared.begun.store(self.number.get(), Ordering::Release);
        let all = self.helpers();
        let shared = &self.shared;
        // The others use the state, so this must not return or unwind before they have ended.
        struct Last<F: Fn()>(F);
        impl<F: Fn()> Drop for Last<F> {
            fn drop(&mut self) {
                (self.0)();
            }
        }
        let _last = Last(|| shared.wait_until(|shared| shared.ended.load(Ordering::Acquire) == all));
        // SAFETY: see above.
        unsafe { run(state, turns, rest) };
    }

    /// A failure on another thread.
    pub(crate) fn failure(&self) -> Option<Failure> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        *self.shared.lock() = None;
        self.shared.changed.notify_all();
        for helper in self.helpers.drain(..) {
            let _ = helper.join();
        }
    }
}

fn help(shared: &Shared) {
    let mut last = 0;
    loop {
        let mut current = shared.lock();
        let job = loop {
            match *current {
                None => return,
                Some(job) if job.number != last => break job,
                Some(_) => current = shared.changed.wait(current).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(current);
        last = job.number;
        shared.awake.fetch_add(1, Ordering::Release);
        shared.wait_until(|shared| shared.begun.load(Ordering::Acquire) == job.number);
        let result = guard("body", || {
            // SAFETY: promised by the caller of `wake`.
            unsafe { (job.run)(job.state as *const (), job.turns, job.rest) };
            Ok(())
        });
        if let Err(failure) = result {
            *shared.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        }
        shared.ended.fetch_add(1, Ordering::Release);
    }
}
