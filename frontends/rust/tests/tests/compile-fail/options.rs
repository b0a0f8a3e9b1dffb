#[tare::bench(describe = "one line")] //~ `describe` is called `description`
fn renamed() {}
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

#[tare::bench(operations = 0)] //~ `operations` is 0; it must be a whole number of at least 1
fn no_operations() {}

#[tare::bench(invocations_max = 0)] //~ `invocations_max` is 0; it must be a whole number of at least 1
fn no_invocations() {}

#[tare::bench(monitoring, cold_start)] //~ `monitoring` and `cold_start` exclude each other: choose one
fn two_strategies() {}

#[tare::bench(results_change, results_differ)] //~ `results_change` and `results_differ` exclude each other: choose one
fn two_kinds_of_results() {}

#[tare::bench(cold_start = true)] //~ `cold_start` takes no value
fn strategy_with_value() {}

#[tare::metric(lower_is_beter)] //~ `lower_is_beter` is not an option of a metric; did you mean `lower_is_better`?
fn misspelt_metric() -> u64 {
    1
}

#[tare::metric]
fn metric_of_something(n: u64) -> u64 { //~ a metric is a function without parameters that returns a number
    n
}

#[tare::bench(operations = -1)] //~ `operations` is -1; it must be a whole number of at least 1
fn negative() {}

#[tare::bench(operations = 1.5)] //~ `operations` is 1.5; it must be a whole number of at least 1
fn fraction() {}

#[tare::bench(operations = 0_usize)] //~ `operations` is 0_usize; it must be a whole number of at least 1
fn none() {}

#[tare::bench(operations = 5usize)]
fn five() {}

#[tare::bench(operations = 0x10)]
fn sixteen() {}

#[tare::bench]
#[should_panic] //~ a body that panics cannot be measured
fn panics() {}

#[tare::bench(own_time)] //~ with `own_time` one parameter has no values: the number of invocations
fn no_count() -> std::time::Duration {
    std::time::Duration::ZERO
}

#[tare::bench(own_time, in_threads = [1, 2])]
fn two_ways(invocations: u64) -> std::time::Duration { //~ `own_time` and `in_threads` cannot be used together
    std::time::Duration::ZERO
}

#[tare::bench(rates = ["lines"])] //~ write `rates = [("lines", 10), ("words", 3 * n)]`
fn no_amount() {}

#[tare::bench((a, b))] //~ expected rows of values: `(a, b) = [(1, 2), (3, 4)]`
fn no_rows(a: u32, b: u32) {}

#[tare::bench(threads = [1, 2])] //~ a list of `threads` is called `in_threads`: `in_threads = [1, 2]`
fn old_word() {}

#[tare::bench(in_threads = 2)] //~ `in_threads` needs a list: `in_threads = [1, 2, 4]`
fn no_list() {}

#[tare::bench(invocations = 0)] //~ `invocations` is 0; it must be a whole number of at least 1
fn nothing_to_run() {}
