//! Bodies that are futures: the runner that the user gives waits for them.
//!
//! A whole loop is one future, so that a runner is entered once for an iteration and not once for each invocation.

use std::cell::RefCell;
use std::future::Future;
use std::pin::{pin, Pin};

/// A future of nothing, wherever it is.
pub type Task<'a> = Pin<&'a mut dyn Future<Output = ()>>;
/// Waits until a future is ready.
pub type BlockOn = Box<dyn Fn(Task<'_>)>;

thread_local! {
    /// The runner of the case that is open.
    // Not `const`, which Rust 1.74 refuses on Windows for what has to be dropped.
    #[allow(clippy::missing_const_for_thread_local)]
    static CURRENT: RefCell<Option<BlockOn>> = RefCell::new(None);
}

/// Lets a runner be that of the open case; None: there is none any more.
pub(crate) fn install(runner: Option<BlockOn>) {
    // The old one is dropped when nothing is borrowed: to drop a runtime may run the user's code.
    let old = CURRENT.with(|current| std::mem::replace(&mut *current.borrow_mut(), runner));
    drop(old);
}

/// What a future gives, by the runner of the open case.
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
