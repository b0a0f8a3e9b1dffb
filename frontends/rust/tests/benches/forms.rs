//! The types that a function may return and take: whatever can be called is the body, however its type is written. Each body
//! returns how often it ran in its instance, which reveals a set-up that is measured instead.

use std::num::ParseIntError;
use std::rc::Rc;
use std::sync::Arc;

fn counter() -> impl FnMut() -> u64 {
    let mut count = 0;
    move || {
        count += 1;
        count
    }
}

type Boxed = Box<dyn FnMut() -> u64>;
type Fallible<T> = Result<T, ParseIntError>;

#[tare::bench]
fn result_ok() -> Result<impl FnMut() -> u64, ParseIntError> {
    "1".parse::<u64>().map(|_| counter())
}

#[tare::bench]
fn result_err() -> Result<impl FnMut() -> u64, ParseIntError> {
    "x".parse::<u64>().map(|_| counter())
}

#[tare::bench]
fn option_some() -> Option<impl FnMut() -> u64> {
    Some(counter())
}

#[tare::bench]
fn option_none() -> Option<Boxed> {
    None
}

#[tare::bench]
fn boxed() -> Box<dyn FnMut() -> u64> {
    Box::new(counter())
}

#[tare::bench]
fn alias() -> Boxed {
    Box::new(counter())
}

#[tare::bench]
fn nested() -> Fallible<Option<Boxed>> {
    Ok(Some(Box::new(counter())))
}

#[tare::bench]
fn counted() -> Rc<dyn Fn() -> u64> {
    let count = std::cell::Cell::new(0);
    Rc::new(move || {
        count.set(count.get() + 1);
        count.get()
    })
}

#[tare::bench]
fn shared() -> Arc<dyn Fn() -> u64 + Send + Sync> {
    Arc::new(|| 1)
}

fn one() -> u64 {
    1
}

#[tare::bench]
fn pointer() -> fn() -> u64 {
    one
}

#[tare::bench(n = [3])]
fn parameter(n: u64) -> Result<Boxed, String> {
    let mut count = n - 3;
    Ok(Box::new(move || {
        count += 1;
        count
    }))
}

#[tare::bench]
fn vector() -> Vec<Box<dyn FnMut() -> u64>> {
    vec![Box::new(counter())]
}

#[tare::bench]
fn pair() -> (Boxed, u64) {
    (Box::new(counter()), 1)
}

#[tare::bench]
fn future() -> impl std::future::Future<Output = u64> {
    std::future::ready(1)
}

type WithArgument = Box<dyn FnMut(&mut u64) -> u64>;

#[tare::bench]
fn lazy() -> impl Iterator<Item = u64> {
    (0..10).map(double)
}

#[tare::bench]
fn argument() -> WithArgument {
    Box::new(|n| *n)
}

#[tare::bench(input = 1)]
fn fed(n: u64) -> Boxed {
    Box::new(move || n)
}

/// The body has what its set-up made, and a fresh input in each call.
#[tare::bench(input = [0_u8; 4])]
fn fed_body() -> impl FnMut(&mut [u8; 4]) -> u64 {
    let mut count = 0;
    move |bytes| {
        assert_eq!(*bytes, [0; 4], "a fresh one");
        bytes.fill(7);
        count += 1;
        count
    }
}

#[tare::bench(n = [3], input = vec![n; 2])]
fn fed_by_value(n: u64) -> Result<impl FnMut(Vec<u64>) -> u64, String> {
    let mut count = n - 3;
    Ok(move |values: Vec<u64>| {
        assert_eq!(values, [3, 3]);
        count += 1;
        count
    })
}

#[tare::bench(input = String::from("a"))]
fn fed_boxed() -> Box<dyn FnMut(&str) -> u64> {
    let mut count = 0;
    Box::new(move |text| {
        count += text.len() as u64;
        count
    })
}

#[tare::bench(input = 1)]
fn fed_none() -> Option<Box<dyn FnMut(u64) -> u64>> {
    None
}

/// Two kilobytes on the heap and three words beside them.
#[tare::bench(input = vec![0_u8; 2000])]
fn fed_from_the_heap(bytes: &mut [u8]) -> usize {
    bytes.len()
}

#[derive(Default)]
struct Methods;

#[tare::bench]
impl Methods {
    #[bench]
    fn method(&self) -> Boxed {
        Box::new(counter())
    }
}

struct Made(u64);

#[tare::bench(n = ["1", "x"])]
impl Made {
    #[set_up]
    fn new(n: &str) -> Option<Self> {
        n.parse().ok().map(Made)
    }

    #[bench]
    fn made(&self) -> u64 {
        self.0
    }
}

fn add(n: u64) -> u64 {
    n + 1
}

fn double(n: u64) -> u64 {
    n * 2
}

#[tare::bench(f = [add, double as fn(u64) -> u64])]
fn function(f: fn(u64) -> u64) -> u64 {
    f(tare::keep(5))
}

#[tare::bench(s = [String::from("a"), "bc".to_owned()])]
fn string(mut s: String) -> String {
    s.push('!');
    s
}

#[tare::bench(v = [vec![1, 2], vec![3]])]
fn lent(v: &[i32]) -> i32 {
    v.iter().sum()
}

#[tare::bench(text = ["d"], twice = [("x", 1)])]
fn words<'a>(text: &'a str, twice: (&'a str, usize)) -> Vec<&'a str> {
    text.split(' ').chain([twice.0].into_iter().take(twice.1)).collect()
}

struct Neither(u64);

#[tare::bench(v = [Neither(1)])]
fn neither(v: Neither) -> u64 {
    v.0
}

#[tare::bench(v = [Neither(7)])]
fn captured(v: Neither) -> impl FnMut() -> u64 {
    move || v.0
}

#[tare::bench(v = [vec![7_u8; 3]], n = [2])]
fn both(v: Vec<u8>, n: usize) -> usize {
    v.len() * n
}

/// Functions and options whose names the macro's own code has too: each means what it means to the user.
mod names {
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Wake, Waker};
    use std::time::Duration;

    const NODE: u64 = 2;
    const REGISTER: u64 = 3;

    macro_rules! named {
        ($($name:ident)*) => {
            $(
                #[tare::bench(group = "names")]
                fn $name() -> &'static str {
                    stringify!($name)
                }
            )*
        };
    }

    named! {
        bench body call choice main look made names run set sink tare text this value vtable written
    }

    #[tare::bench(group = "names", n = [NODE, REGISTER])]
    fn state(n: u64) -> u64 {
        n
    }

    #[tare::bench(group = "names", text = [values(), given()], operations = reader())]
    fn task(text: u64) -> u64 {
        text
    }

    fn given() -> u64 {
        5
    }

    fn values() -> u64 {
        4
    }

    fn reader() -> u32 {
        6
    }

    #[tare::bench(group = "names", state = [state(7)], input = inputs() + state)]
    fn input(state: u64, input: u64) -> u64 {
        state + input
    }

    fn inputs() -> u64 {
        10
    }

    #[tare::bench(group = "names", body = [1], input = inputs() + body)]
    fn closure(body: u64) -> impl FnMut(u64) -> u64 {
        move |input| input + body
    }

    #[tare::bench(group = "names", own_time)]
    fn invocations(count: u64) -> Duration {
        Duration::from_nanos(count)
    }

    #[tare::bench(group = "names", runner = runner, left = [left()], input = left + 8)]
    async fn count(left: u64, input: u64) -> u64 {
        left + input
    }

    fn left() -> u64 {
        8
    }

    struct Idle;

    impl Wake for Idle {
        fn wake(self: Arc<Self>) {}
    }

    fn runner<F: Future>(task: F) -> F::Output {
        match pin!(task).poll(&mut Context::from_waker(&Waker::from(Arc::new(Idle)))) {
            Poll::Ready(output) => output,
            Poll::Pending => unreachable!("it waits for nothing"),
        }
    }

    #[derive(Clone, Default)]
    struct Made {
        state: u64,
    }

    #[tare::bench(group = "names", state = [9])]
    impl Made {
        #[set_up]
        fn clone(&mut self) {
            self.state += state(1);
        }

        #[bench]
        fn picked(&self) -> u64 {
            self.state
        }
    }
}

fn main() {
    tare::main();
}
