//! Real compilers and runtimes.

mod init;
mod languages;
mod moving;
