// What happens to results: the optimiser removes unused results, and computes known ones in advance.
#include <tare.h>

#include <cmath>
#include <cstdint>
#include <string>

// A body that returns its result needs nothing else. Prefer this form.
TARE_BENCH("results/returned", [] { return std::sqrt(tare::opaque(2.0)); });

// keep() does the same in the middle of a body, for expressions and variables.
TARE_BENCH("results/kept", [] {
    const double two = std::sqrt(tare::opaque(2.0));
    tare::keep(two);
    tare::keep(std::sqrt(tare::opaque(3.0)));
}).operations(2);

// Without opaque() the compiler knows the answer: nothing is left to measure, and Tare says so.
TARE_BENCH("results/a constant", [] { return std::sqrt(2.0); });

// keep_state(variable) is for a state from which the next invocation continues: here each multiplication waits for the previous one.
TARE_BENCH("results/a chain", [x = std::uint64_t{1}]() mutable {
    x *= 0x9e3779b97f4a7c15;
    tare::keep_state(x);
});

TARE_MAIN()
