#[tare::bench(operatons = 10)] //~ `operatons` is neither an option nor a parameter of this benchmark; did you mean `operations`?
fn misspelt() {}

#[tare::bench(
    group = "a",
    group = "b", //~ `group` is given twice
)]
fn twice() {}

#[tare::bench(name)] //~ `name` needs a value: `name = ...`
fn no_value() {}

#[tare::bench(name =)] //~ expected a value after `name =`
fn nothing_after() {}

#[tare::bench("parse")] //~ expected an option: `name = value` or `baseline`
fn literal() {}

#[tare::bench(baseline group = "x")] //~ expected `baseline = ...`, or a comma after `baseline`
fn comma() {}

#[tare::bench(types = [u8])] //~ option `types` has no meaning here
fn not_generic() {}
