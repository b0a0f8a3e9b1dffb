//! The sides of a comparison: what a word of the command line stands for, and the files of a git revision as a folder that
//! can be built.
//!
//! The user's repository is only read: no worktree is registered, no index, branch, stash or hook is touched, nothing is
//! fetched. A revision becomes a repository of its own in the cache that borrows the objects of the user's (its alternate),
//! with a detached HEAD and the tags, so that `git describe` in a build says what it would say. `git archive` would leave out
//! what `.gitattributes` marks `export-ignore`, which often is the benchmarks.
//!
//! Submodules and files of Git LFS come from what the clone has of them. Submodules that it lacks are left out, with a warning that names
//! them; a pointer of Git LFS where the user has the content is an error. Filters that only the repository's
//! own configuration names (git-crypt) are not run: they are programs, and theirs.
//!
//! What lies beside the repository is linked beside its checkouts, so that `../other` leads to the same place. Packages that are
//! installed among the user's files and not committed (`node_modules`) are linked too. Benchmarks of another
//! revision, of the working tree or of a folder may be laid over a checkout, which then has a folder of its own.

mod benchmarks;
mod checkout;
mod copies;
mod error;
mod git;
mod history;
mod ignored;
mod names;
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
pub use checkout::{checkout, Checkout, WORKTREE};
pub use error::{RevisionError, Why};
pub use history::{ahead, history, merge_base, Author, Between, HistoryCommit};
pub use ignored::ignored;
pub use repository::Commit;
pub use side::{resolve_side, Side, SideContext, SideError};
