// Bodies of known cost, and kernels whose cost is measured by a hand-written loop (truth.cpp).
#include <tare.h>

#include <cstdint>

#include "bodies.h"
#include "kernels.h"

TARE_BENCH("known/empty", [] {});
TARE_BENCH("known/x += x", [x = std::uint64_t{1}]() mutable {
    x += x;
    tare::keep_state(x);
});
TARE_BENCH("chain/1", [x = std::uint64_t{3}]() mutable { bodies::multiply_chain<1>(x); });
TARE_BENCH("chain/10", [x = std::uint64_t{3}]() mutable { bodies::multiply_chain<10>(x); });
TARE_BENCH("chain/100", [x = std::uint64_t{3}]() mutable { bodies::multiply_chain<100>(x); });
TARE_BENCH("chain/1000", [x = std::uint64_t{3}]() mutable { bodies::multiply_chain<1000>(x); });
TARE_BENCH("known/sleep 10 ms", [] { bodies::sleep_10_ms(); });
TARE_BENCH("known/random length", bodies::Fluctuating{});
// The idiom of other libraries, `auto y = f(x); DoNotOptimize(y);`, on inputs that do not change: the work is done each time.
TARE_BENCH("kept/division", [a = 1000000007.5, b = 7.25] {
    auto q = a / b;
    tare::keep(q);
});
TARE_BENCH("kept/hash", [text = std::string("a text of some length, of which the hash is taken")] {
    auto h = bodies::hash(text);
    tare::keep(h);
});
#define KERNEL(name, type) TARE_BENCH("kernel/" #name, kernels::type{KERNEL_ITEMS});
KERNELS(KERNEL)
TARE_MAIN()
