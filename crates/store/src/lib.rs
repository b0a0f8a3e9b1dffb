//! Stores runs in `.tare/runs/<id>/` next to the code, one folder per run, so that a damaged run affects no other.
//!
//! A folder holds `events.jsonl`, to which every event is appended as it happens (a killed run loses nothing that was reported), and
//! `run.json`, written when the run ends. Both are plain JSON for `jq` and other programs. `attachments/` holds the attached files.
#![forbid(unsafe_code)]

mod atomic;
mod attachments;
mod baselines;
mod directories;
mod error;
mod events;
mod files;
mod lock;
mod machine;
mod reference;
mod runs;
mod writer;

pub use atomic::{can_write, write_atomically};
pub use attachments::Attachments;
pub use baselines::{is_baseline_name, Baseline};
pub use directories::{cache_dir, state_dir};
pub use error::StoreError;
pub use files::read_text;
pub use machine::{MachineProfile, ProfileNote};
pub use reference::RunRef;
pub use runs::{RunInfo, Store};
pub use writer::RunWriter;
