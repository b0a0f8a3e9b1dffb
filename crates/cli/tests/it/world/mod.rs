//! Real compilers and runtimes.

mod conformance;
mod doctor;
mod examples;
mod files;
mod go;
mod projects;
mod revisions;
