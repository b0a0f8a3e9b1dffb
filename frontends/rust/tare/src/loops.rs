//! The measuring loops.
//!
//! They depend on the user's types and are compiled once per benchmark, so they are small. Everything around them (clocks,
//! frames, tables) is not generic and is compiled once, with this crate.
//!
//! * A loop is unrolled explicitly, by calling one always-inlined step 16 (or 4) times, and its counter is opaque, so that LLVM
//!   does not unroll it further.
//! * After each call, a small state (the parameters, the instance of an `impl`, the captures of a closure) passes through
//!   registers that are opaque to the optimiser; a larger one stays in memory. So a counter stays in its register, and a pure
//!   function of a captured number is still computed each time.

use std::mem::{size_of, ManuallyDrop};
use std::ptr;

use crate::barrier::{in_registers, keep, launder, launder_floats};
use crate::pool::{after, Pool};

/// Invocations in one turn of the workload loop.
pub(crate) const UNROLL: u64 = 16;
/// Invocations in one turn of the rolled loop.
pub(crate) const ROLLED: u64 = 4;

/// A measured loop: its state, a number of turns, and a number of single invocations after them.
pub(crate) type Loop = unsafe fn(*mut (), u64, u64);
/// The same for a loop that several threads run at once.
pub(crate) type TeamLoop = unsafe fn(*const (), u64, u64);

trait Step {
    fn step(&mut self);
}

#[inline(always)]
fn four<T: Step>(body: &mut T) {
    body.step();
    body.step();
    body.step();
    body.step();
}

#[inline(always)]
fn turns<T: Step, const SIXTEEN: bool>(body: &mut T, turns: u64, rest: u64) {
    let mut left = turns;
    while left != 0 {
        four(body);
        if SIXTEEN {
            four(body);
            four(body);
            four(body);
        }
        left = keep(left - 1);
    }
    let mut left = rest;
    while left != 0 {
        body.step();
        left = keep(left - 1);
    }
}

/// A state that is small enough for registers, moved out of its place while the loop runs. Dropping this moves it back, also
/// after a panic of the body.
struct Local<S, B, const WAY: u8> {
    home: *mut S,
    state: ManuallyDrop<S>,
    body: B,
}

/// A way to hide a small state from the optimiser between invocations: the body does it itself;
pub const SELF: u8 = 0;
/// through general registers;
pub const WORDS: u8 = 1;
/// through floating-point registers, because the body returns a floating-point number: a detour through general registers
/// would take three times as long as a multiplication;
pub const FLOATS: u8 = 2;
/// not through registers: it holds a lock or an atomic, which works by its address, so it would be stored and reloaded around
/// each invocation.
pub const PLACE: u8 = 3;

impl<S, B: Fn(&mut S), const WAY: u8> Step for Local<S, B, WAY> {
    #[inline(always)]
    fn step(&mut self) {
        (self.body)(&mut self.state);
        match WAY {
            SELF => {}
            FLOATS => launder_floats(&mut self.state),
            _ => launder(&mut self.state),
        }
    }
}

impl<S, B, const WAY: u8> Drop for Local<S, B, WAY> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: `home` is where `state` was read from; what is there now was moved out and must not be dropped.
        unsafe { self.home.write(ManuallyDrop::take(&mut self.state)) }
    }
}

/// A state that stays where it is, and is hidden unless `WAY` is [`SELF`].
struct InPlace<S, B, const WAY: u8> {
    state: *mut S,
    body: B,
}

impl<S, B: Fn(&mut S), const WAY: u8> Step for InPlace<S, B, WAY> {
    #[inline(always)]
    fn step(&mut self) {
        if WAY != SELF {
            launder(&mut self.state);
        }
        // SAFETY: the caller of the loop lends the state while it runs; laundering does not change a value.
        (self.body)(unsafe { &mut *self.state });
    }
}

/// Creates a value of a closure type without captures.
#[inline(always)]
pub(crate) fn conjure<F: Copy>() -> F {
    assert!(size_of::<F>() == 0, "the functions of a benchmark capture nothing");
    // SAFETY: a zero-sized value has no bytes. The constructor of the vtable got one, so the type is inhabited; it is `Copy`, so
    // another one is harmless.
    unsafe { ptr::NonNull::<F>::dangling().as_ptr().read() }
}

/// The workload loop of a body, and its rolled version.
pub(crate) fn run<S, B: Fn(&mut S) + Copy, const WAY: u8>(_: B) -> [Loop; 2] {
    /// # Safety
    /// `state` points to a valid `S` with no other user.
    unsafe fn run<S, B: Fn(&mut S) + Copy, const WAY: u8, const SIXTEEN: bool>(state: *mut (), count: u64, rest: u64) {
        let home = state.cast::<S>();
        if WAY == SELF || (WAY != PLACE && in_registers::<S>()) {
            // SAFETY: the value is written back when `Local` is dropped.
            let state = ManuallyDrop::new(unsafe { home.read() });
            let mut local = Local::<S, B, WAY> { home, state, body: conjure::<B>() };
            turns::<_, SIXTEEN>(&mut local, count, rest);
        } else {
            turns::<_, SIXTEEN>(&mut InPlace::<S, B, PLACE> { state: home, body: conjure::<B>() }, count, rest);
        }
    }
    [run::<S, B, WAY, true>, run::<S, B, WAY, false>]
}

/// The fresh inputs of a body, one per invocation, made before the clock starts.
pub(crate) struct Fed<S, I> {
    pub(crate) parameters: S,
    /// The windows of an iteration take their shares in turn, see [`Fed::hand_out`].
    inputs: Pool<I>,
    /// In this iteration: the number of inputs made, and the number taken by earlier windows.
    made: usize,
    had: usize,
}

impl<S, I> Fed<S, I> {
    pub(crate) fn new(parameters: S) -> Self {
        Fed { parameters, inputs: Pool::new(), made: 0, had: 0 }
    }

    pub(crate) fn prepare(&mut self, count: u64, input: impl Fn(&S) -> I) {
        (self.made, self.had) = (0, 0);
        let parameters = &self.parameters;
        self.inputs.fill(count as usize, || input(parameters));
        self.made = count as usize;
    }

    pub(crate) fn discard(&mut self) {
        (self.made, self.had) = (0, 0);
        self.inputs.clear();
    }

    /// The first of the next `count` inputs, which belong to this window only. With `EAT` they are moved out.
    #[inline(always)]
    fn hand_out<const EAT: bool>(&mut self, count: u64) -> *mut I {
        let first = self.had;
        assert!(count <= (self.made - first) as u64);
        self.had += count as usize;
        let next = self.inputs.at(first);
        if EAT {
            // After a panic the remaining inputs leak, which is safe.
            self.inputs.give_up();
        }
        next
    }

    /// The parameters with the next `count` inputs, for futures.
    #[inline(always)]
    pub(crate) fn handed<const EAT: bool>(&mut self, count: u64) -> (&S, Handed<I>) {
        let next = self.hand_out::<EAT>(count);
        (&self.parameters, Handed { next, left: count })
    }
}

/// Passes the addresses of the inputs to the body, one by one.
struct Feed<S, I, B> {
    parameters: *mut S,
    next: *mut I,
    body: B,
}

impl<S, I, B: Fn(&mut S, *mut I)> Step for Feed<S, I, B> {
    #[inline(always)]
    fn step(&mut self) {
        let input = self.next;
        // SAFETY: `prepare` made as many inputs as there are steps.
        self.next = unsafe { after(input) };
        (self.body)(unsafe { &mut *self.parameters }, input);
    }
}

/// The loops of a body that gets the address of its input. With `EAT` it moves the input out.
fn feed<S, I, B: Fn(&mut S, *mut I) + Copy, const EAT: bool>(_: B) -> [Loop; 2] {
    /// # Safety
    /// `state` points to a valid `Fed<S, I>` with no other user.
    unsafe fn feed<S, I, B: Fn(&mut S, *mut I) + Copy, const EAT: bool, const SIXTEEN: bool>(
        state: *mut (),
        count: u64,
        rest: u64,
    ) {
        // SAFETY: see above.
        let fed = unsafe { &mut *state.cast::<Fed<S, I>>() };
        let next = fed.hand_out::<EAT>(all_of::<SIXTEEN>(count, rest));
        let mut steps = Feed { parameters: &mut fed.parameters, next, body: conjure::<B>() };
        turns::<_, SIXTEEN>(&mut steps, count, rest);
    }
    [feed::<S, I, B, EAT, true>, feed::<S, I, B, EAT, false>]
}

/// The loops of a body that consumes its inputs.
pub(crate) fn eat<S, I, B: Fn(&mut S, I) + Copy>(body: B) -> [Loop; 2] {
    // SAFETY: the input was made, and the pool gave up its ownership.
    feed::<S, I, _, true>(move |parameters, input| body(parameters, unsafe { input.read() }))
}

/// The loops of a body that borrows its inputs. They are dropped after the clock has stopped.
pub(crate) fn lend<S, I, B: Fn(&mut S, &mut I) + Copy>(body: B) -> [Loop; 2] {
    // SAFETY: the input was made and has no other user.
    feed::<S, I, _, false>(move |parameters, input| body(parameters, unsafe { &mut *input }))
}

/// A body that threads share.
struct Shared<B, W> {
    state: *const B,
    body: W,
}

impl<B, W: Fn(&B)> Step for Shared<B, W> {
    #[inline(always)]
    fn step(&mut self) {
        launder(&mut self.state);
        // SAFETY: the caller of `shared` lends the state while the loop runs; laundering does not change a value.
        (self.body)(unsafe { &*self.state });
    }
}

pub(crate) fn shared<B, W: Fn(&B) + Copy>(_: W) -> [TeamLoop; 2] {
    /// # Safety
    /// `state` points to a valid `B` that threads may share and that does not change.
    unsafe fn shared<B, W: Fn(&B) + Copy, const SIXTEEN: bool>(state: *const (), count: u64, rest: u64) {
        turns::<_, SIXTEEN>(&mut Shared { state: state.cast::<B>(), body: conjure::<W>() }, count, rest);
    }
    [shared::<B, W, true>, shared::<B, W, false>]
}

/// The loops of a body whose parameters each thread copies.
pub(crate) fn copied<S: Copy, W: Fn(&mut S) + Copy>(_: W) -> [TeamLoop; 2] {
    /// # Safety
    /// `state` points to a valid `S` that threads may share and that does not change.
    unsafe fn copied<S: Copy, W: Fn(&mut S) + Copy, const SIXTEEN: bool>(state: *const (), count: u64, rest: u64) {
        // SAFETY: it is `Copy`, and the copy is this thread's own.
        let mut own = unsafe { *state.cast::<S>() };
        turns::<_, SIXTEEN>(&mut InPlace::<S, W, PLACE> { state: &mut own, body: conjure::<W>() }, count, rest);
    }
    [copied::<S, W, true>, copied::<S, W, false>]
}

/// Stands for the loops of a body that reports its own time. Never run.
///
/// # Safety
/// Always safe.
pub(crate) unsafe fn idle(_: *mut (), _: u64, _: u64) {}

/// The number of invocations in `count` turns and `rest` single ones.
fn all_of<const SIXTEEN: bool>(count: u64, rest: u64) -> u64 {
    count * if SIXTEEN { UNROLL } else { ROLLED } + rest
}

/// The loops of a body that returns futures, from closures that run a number of them.
pub(crate) fn awaiting<S, W: Fn(&mut S, u64) + Copy, L: Fn(&mut S, u64) + Copy>(_: W, _: L) -> [Loop; 2] {
    /// # Safety
    /// `state` points to a valid `S` with no other user.
    unsafe fn all<S, W: Fn(&mut S, u64) + Copy, const SIXTEEN: bool>(state: *mut (), count: u64, rest: u64) {
        // SAFETY: see above.
        conjure::<W>()(unsafe { &mut *state.cast::<S>() }, all_of::<SIXTEEN>(count, rest));
    }
    [all::<S, W, true>, all::<S, L, false>]
}

/// The inputs of an iteration, one after the other.
pub struct Handed<I> {
    next: *mut I,
    left: u64,
}

impl<I> Handed<I> {
    fn step(&mut self) -> *mut I {
        assert!(self.left != 0);
        self.left -= 1;
        let this = self.next;
        // SAFETY: `prepare` made `left` inputs from here on.
        self.next = unsafe { after(this) };
        this
    }

    /// The next input, moved out.
    #[inline(always)]
    pub fn eat(&mut self) -> I {
        let this = self.step();
        // SAFETY: it was made and not handed out before.
        unsafe { this.read() }
    }

    /// The next input, borrowed. It is dropped after the clock has stopped.
    #[inline(always)]
    pub fn lend<'a>(&mut self) -> &'a mut I {
        let this = self.step();
        // SAFETY: it was made, has no other user, and lives until the iteration ends.
        unsafe { &mut *this }
    }
}

/// The empty loop: only the sink. `state` is there for its type and is not touched.
pub(crate) fn empty<S, E: Fn(&mut S) + Copy>(_: E) -> Loop {
    /// # Safety
    /// `state` points to a valid `S` with no other user.
    unsafe fn empty<S, E: Fn(&mut S) + Copy>(state: *mut (), count: u64, rest: u64) {
        turns::<_, true>(&mut InPlace::<S, E, SELF> { state: state.cast(), body: conjure::<E>() }, count, rest);
    }
    empty::<S, E>
}
