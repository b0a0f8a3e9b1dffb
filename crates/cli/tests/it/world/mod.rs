//! Real compilers and runtimes.

mod conformance;
mod doctor;
mod examples;
mod files;
mod go;
mod init;
mod long;
mod moving;
mod projects;
mod revisions;
mod watched;
