use tare_model::*;

#[test]
fn numbers_are_the_same_however_they_are_written() {
    let canonical = |value: &str, kind| Parameter { kind, ..Parameter::new("n", value) }.canonical();
    let (integer, float) = (Some(ParameterType::Integer), Some(ParameterType::Float));
    assert_eq!((canonical("007", integer), canonical("+7", integer)), ("7".to_owned(), "7".to_owned()));
    assert_eq!((canonical("1e3", float), canonical("1000.0", float)), ("1000".to_owned(), "1000".to_owned()));
    for (value, kind) in [("007", None), ("007", Some(ParameterType::Text)), ("many", integer), ("x", float)] {
        assert_eq!(canonical(value, kind), value);
    }
}
