//! The sides of a comparison: how words of the command line are resolved, and the files of a git revision as a folder that can be built.
//!
//! The user's repository is only read, and nothing is fetched. A revision becomes a repository of its own in the cache that borrows the
//! objects of the user's. It has a detached HEAD and the tags, so that `git describe` works as usual. `git archive` would leave out files
//! marked `export-ignore` in `.gitattributes`, which often are the benchmarks. Filters that only the repository's own configuration names
//! are not run: they are programs that it chooses.

mod benchmarks;
mod checkout;
mod copies;
mod error;
mod git;
mod history;
mod ignored;
mod moved;
mod neighbours;
mod packages;
mod repository;
mod side;
mod submodules;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::repo::git as git_in;

pub use benchmarks::{benchmarks, Benchmarks};
pub(crate) use benchmarks::{plain, Collector, Manifests, ToolBenchmarks};
pub use checkout::{checkout, lfs_pointers, Checkout, WORKTREE};
pub use error::{RevisionError, Why};
pub use history::{ahead, history, merge_base, Author, Between, HistoryCommit};
pub use ignored::ignored;
pub(crate) use ignored::{checkout_of, ignored_of};
pub(crate) use moved::Moved;
pub use repository::Commit;
pub use side::{resolve_side, Side, SideContext, SideError};
