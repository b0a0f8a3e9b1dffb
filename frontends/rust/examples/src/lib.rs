//! Nothing: the examples are in `benches/`.
