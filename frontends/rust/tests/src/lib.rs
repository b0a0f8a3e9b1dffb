//! Nothing: the tests are in `tests/`, the benches that they drive in `benches/`.
