// What happens to results: the optimiser removes what nobody uses, and computes beforehand what it knows.
#include <tare.h>

#include <cmath>
#include <cstdint>
#include <string>

// A body that returns its result needs nothing else. This is the form to prefer.
TARE_BENCH("results/returned", [] { return std::sqrt(tare::opaque(2.0)); });

// keep(expression) does the same for a result in the middle of a body.
TARE_BENCH("results/kept", [] {
    tare::keep(std::sqrt(tare::opaque(2.0)));
    tare::keep(std::sqrt(tare::opaque(3.0)));
}).operations(2);

// Without opaque() the compiler knows the answer: nothing is left to measure, and Tare says so.
TARE_BENCH("results/a constant", [] { return std::sqrt(2.0); });

// keep(variable) is for a state that the next invocation goes on from: here one multiplication waits for the other.
TARE_BENCH("results/a chain", [x = std::uint64_t{1}]() mutable {
    x *= 0x9e3779b97f4a7c15;
    tare::keep(x);
});

TARE_MAIN()
