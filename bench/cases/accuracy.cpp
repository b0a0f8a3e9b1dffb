// Bodies whose cost is known.
#include <tare.h>

#include "bodies.h"

TARE_BENCH("known/empty", [] {});
TARE_BENCH("known/x += x", [x = std::uint64_t{1}]() mutable {
    x += x;
    tare::keep(x);
});
TARE_BENCH("chain/1", [x = std::uint64_t{3}]() mutable { bodies::multiply_chain<1>(x); });
TARE_BENCH("chain/10", [x = std::uint64_t{3}]() mutable { bodies::multiply_chain<10>(x); });
TARE_BENCH("chain/100", [x = std::uint64_t{3}]() mutable { bodies::multiply_chain<100>(x); });
TARE_BENCH("chain/1000", [x = std::uint64_t{3}]() mutable { bodies::multiply_chain<1000>(x); });
TARE_BENCH("known/sleep 10 ms", [] { bodies::sleep_10_ms(); });
TARE_BENCH("known/random length", bodies::Fluctuating{});
TARE_MAIN()
