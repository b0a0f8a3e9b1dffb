// Cases for comparing repeatability.
#include <tare.h>

#include "kernels.h"

#define BENCHMARK(name, type) TARE_BENCH(#name, kernels::type{KERNEL_ITEMS});
KERNELS(BENCHMARK)
TARE_MAIN()
