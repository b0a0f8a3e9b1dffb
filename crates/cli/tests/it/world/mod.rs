//! Real compilers and runtimes.

mod init;
mod languages;
mod long;
mod moving;
mod watched;
