//! Machine code of native programs: what the body of a benchmark consists of, as values, as a listing and as a difference.
//! Bytes and what files hold are handed in; nothing is read here.
#![forbid(unsafe_code)]

mod collect;
mod decode;
mod diff;
pub mod elf;
mod flow;
mod inlining;
mod left;
mod lines;
mod listing;
mod names;
mod shape;
mod symbols;
mod values;

pub use collect::{collect, Request};
pub use diff::{compare, Difference, Sameness};
pub use inlining::Inlining;
pub use lines::ReadFile;
pub use listing::{consists, listing};
pub use values::{Block, Code, Frame, Function, Goes, Instruction, Place, Source, Summary, Target};
