//! The schema in the repository matches the types.

#[test]
fn the_schema_is_fresh() {
    let path = xtask::schema::path();
    let stored = std::fs::read_to_string(&path).expect("spec/run.schema.json: run `cargo xtask schema`");
    assert!(stored == xtask::schema::text().expect("a schema"), "run `cargo xtask schema`");
}

#[test]
fn it_names_what_a_run_holds() {
    let text = xtask::schema::text().expect("a schema");
    for word in ["\"launches\"", "\"elapsed_ns\"", "\"plan\"", "\"environment\"", "\"probe_before_ns\""] {
        assert!(text.contains(word), "{word}");
    }
}
