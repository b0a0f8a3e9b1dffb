//! The protocol between host and child as types: requests are encoded, replies are decoded and checked.
//! `spec/protocol.md` is the law; the numbers of its rules are quoted here. Pure: bytes in, values out.
#![forbid(unsafe_code)]

mod declared;
mod digest;
mod reply;
mod request;

pub use digest::digest;
pub use reply::{decode, DecodeError, ErrorKind, ErrorReply, Reply};
pub use request::Request;

/// The version that this host speaks.
pub const VERSION: u64 = 1;

/// What this host can beyond the first form of version 1: the words behind the version in `hello`, and what `requires` may name.
pub const HOST_CAPABILITIES: &[&str] = &["windows", "metrics", "events"];

/// The names among `required` that this host lacks.
pub fn lacking(required: &[String]) -> Vec<String> {
    required.iter().filter(|name| !HOST_CAPABILITIES.contains(&name.as_str())).cloned().collect()
}

/// Longest request with its line end, bytes (R6).
pub const REQUEST_BYTES_MAX: usize = 255;

/// Longest reply with its line end, bytes (R7).
pub const REPLY_BYTES_MAX: usize = 16 << 20;

/// Most benchmarks of one list that the host takes.
pub const BENCHMARKS_MAX: usize = 1_000_000;

/// Most iterations of one `measure`.
pub const ITERATIONS_MAX: u64 = 100_000;
