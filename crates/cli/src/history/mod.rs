//! The history of the project here: where it is, and which runs are in it.

mod keep;
mod place;

pub use keep::{add, prune, push, rebuild, record};
pub use place::Database;

use tare_store::Store;

/// Whether the project here has a history; one that is shared is not asked.
pub fn is_there(store: &Store) -> bool {
    Database::of(store).is_ok_and(|place| place.file().is_none_or(|file| file.exists()))
}
