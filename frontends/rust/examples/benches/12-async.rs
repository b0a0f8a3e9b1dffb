//! Futures, with the runner that the program uses anyway: anything with `block_on`, or a function. A whole iteration is one future.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A small runner, so that this example needs no other crate. `tokio::runtime::Runtime::new().unwrap()` works in the same way.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Idle;
    impl std::task::Wake for Idle {
        fn wake(self: std::sync::Arc<Self>) {}
    }
    let waker = Waker::from(std::sync::Arc::new(Idle));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
    }
}

struct Runtime;

impl Runtime {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        block_on(future)
    }
}

async fn twice(n: u64) -> u64 {
    n + std::future::ready(n).await
}

#[tare::bench(runner = block_on, n = [1, 2])]
async fn awaits(n: u64) -> u64 {
    twice(n).await + 1
}

/// A fresh input for each future.
#[tare::bench(runner = block_on, input = vec![3, 1, 2])]
async fn sorts(values: &mut [u64]) -> u64 {
    values.sort();
    twice(values[0]).await
}

#[derive(Default)]
struct Connection {
    sent: u64,
}

#[tare::bench(runner = Runtime)]
impl Connection {
    #[set_up]
    async fn connect() -> Self {
        Connection { sent: twice(1).await }
    }

    #[bench]
    async fn send(&mut self) -> u64 {
        self.sent = twice(self.sent).await % 1000;
        self.sent
    }
}

fn main() {
    tare::main();
}
