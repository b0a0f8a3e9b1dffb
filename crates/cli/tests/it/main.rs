//! End to end: the real binary with real children, as users meet it. Two kinds, by name:
//! `wire`: a prebuilt child, a script or a recorded run plays the program; no test compiles anything.
//! `world`: real compilers and runtimes, two or three for each language.
//!
//! What needs a tool that is not there says `skipped: ...` on stderr and passes. No outcome depends on a time: verdicts and numbers come
//! from bodies that tell their own time, or from recorded runs. `TARE_TEST_LONG=1` makes more of what is random.

mod support;
mod wire;
mod world;
