//! Real compilers and runtimes.
