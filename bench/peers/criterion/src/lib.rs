//! Holds a bench target only.
