// A body of 0.4 s: long enough to look at the host while it is measured.
#include <tare.h>

#include <cstdint>

TARE_BENCH("long", [x = std::uint64_t{3}]() mutable {
    for (int i = 0; i < 500'000'000 / 3; ++i) {
        asm volatile("imulq %0, %0" : "+r"(x));
    }
    return x;
});
TARE_MAIN()
