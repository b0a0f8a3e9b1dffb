use tare_model::*;

#[test]
fn names_are_columns_and_words() {
    for name in ["allocated_bytes", "collections_2", "x-mood", "a"] {
        assert!(Metric::is_name(name), "{name}");
    }
    let long = "a".repeat(41);
    for name in ["", "_a", "1st", "Bytes", "cache-misses", "a b", "a,b", "x-", "x-x-", &long] {
        assert!(!Metric::is_name(name), "{name}");
    }
}
