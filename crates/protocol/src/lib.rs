//! The protocol between host and child as types: requests are encoded, replies decoded and checked. `spec/protocol.md` is authoritative;
//! rule numbers refer to it. Pure: bytes in, values out.
#![forbid(unsafe_code)]

mod declared;
mod digest;
mod reply;
mod request;

pub use digest::digest;
pub use reply::{decode, DecodeError, ErrorKind, ErrorReply, Reply};
pub use request::Request;

pub const VERSION: u64 = 1;

/// Capabilities of this host beyond the first form of version 1: the words after the version in `hello`, and the names allowed in
/// `requires`.
pub const HOST_CAPABILITIES: &[&str] = &["windows", "metrics", "events"];

/// The names in `required` that this host lacks.
pub fn lacking(required: &[String]) -> Vec<String> {
    required.iter().filter(|name| !HOST_CAPABILITIES.contains(&name.as_str())).cloned().collect()
}

/// Longest request with its line end, bytes (R6).
pub const REQUEST_BYTES_MAX: usize = 255;

/// Longest reply with its line end, bytes (R7).
pub const REPLY_BYTES_MAX: usize = 16 << 20;

/// Most benchmarks accepted in one list.
pub const BENCHMARKS_MAX: usize = 1_000_000;

/// Most iterations of one `measure`.
pub const ITERATIONS_MAX: u64 = 100_000;
