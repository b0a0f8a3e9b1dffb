// Short bodies, for which an answer should not take long (bench/time-per-case).
#include <tare.h>

#include <cstdint>

#include "bodies.h"

TARE_BENCH("fast", [x = std::uint64_t{1}]() mutable {
    x += x;
    tare::keep_state(x);
});
TARE_BENCH("parse", bodies::Parse{});
TARE_BENCH("sort64", bodies::Sort64{});
TARE_BENCH("push1000", [] { return bodies::push_1000(); });
TARE_BENCH("fluct", bodies::Fluctuating{});
TARE_MAIN()
