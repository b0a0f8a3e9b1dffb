//! Runs bodies that are futures with the user's runner.
//!
//! A whole loop is one future, so that the runner is entered once per iteration and not once per invocation.

use std::cell::RefCell;
use std::future::Future;
use std::pin::{pin, Pin};

/// A pinned future without a result.
pub type Task<'a> = Pin<&'a mut dyn Future<Output = ()>>;
/// Blocks until a future is ready.
pub type BlockOn = Box<dyn Fn(Task<'_>)>;

thread_local! {
    /// The runner of the open case.
    // Not `const`: Rust 1.74 on Windows rejects that for types with destructors.
    #[allow(clippy::missing_const_for_thread_local)]
    static CURRENT: RefCell<Option<BlockOn>> = RefCell::new(None);
}

/// Sets the runner of the open case; `None` removes it.
pub(crate) fn install(runner: Option<BlockOn>) {
    // Drop the old one while nothing is borrowed: dropping a runtime may run user code.
    let old = CURRENT.with(|current| std::mem::replace(&mut *current.borrow_mut(), runner));
    drop(old);
}

/// Runs a future with the runner of the open case and returns its result.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut result = None;
    {
        let task = pin!(async {
            result = Some(future.await);
        });
        CURRENT.with(|current| {
            let current = current.borrow();
            let runner = current.as_ref().expect("a case with futures has a runner while it is open");
            runner(task);
        });
    }
    result.expect("the runner returned before the future was ready: it must block until it is")
}
