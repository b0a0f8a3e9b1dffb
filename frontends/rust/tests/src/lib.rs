//! Empty: the tests are in `tests/`, and their benches in `benches/`.
