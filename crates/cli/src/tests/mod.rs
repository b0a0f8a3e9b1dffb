//! Snapshots of help pages, errors and progress; and the fuzz targets.

#[cfg(test)]
mod documents;
#[cfg(test)]
mod failures;
pub mod fuzz;
#[cfg(test)]
mod help;
#[cfg(test)]
mod progress;
#[cfg(test)]
mod request;
