// Kernels of a known time for bench/gpu.
#include <tare/gpu.hpp>

extern "C" __global__ void busy(unsigned long long ns) {
    unsigned long long began, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(began));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - began < ns);
}
// end of the kernel

namespace {
template <unsigned long long ns> void body() {
    tare::gpu::time([](tare::gpu::stream on) { busy<<<1, 1, 0, on>>>(ns); });
}
#define TRUTH(group, name, ns)                                                                                         \
    TARE_BENCH(group "/" name, body<ns>).own_time().set_up([] { (void)tare::gpu::ready(); })
TRUTH("truth", "2000", 2000);
TRUTH("truth", "5000", 5000);
TRUTH("truth", "20000", 20000);
TRUTH("truth", "100000", 100000);
TRUTH("truth", "500000", 500000);
TRUTH("pairs", "base", 20000).baseline();
TRUTH("pairs", "twin", 20000);
TRUTH("pairs", "+1 %", 20200);
TRUTH("pairs", "+2 %", 20400);
TRUTH("pairs", "+5 %", 21000);
} // namespace
