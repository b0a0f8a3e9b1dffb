//! Where runs are kept: `.tare/runs/<id>/` beside the code, one folder a run, so that one that is damaged harms no other.
//!
//! A folder holds `events.jsonl`, to which every event is appended as it happens (a run that is killed loses nothing that
//! was reported), and `run.json`, written when the run ends. Both are plain JSON: `jq` and any other program can read them.
//! `attachments/` has the files that belong to parts of the run.
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
