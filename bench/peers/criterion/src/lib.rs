//! Contains only a bench target.
