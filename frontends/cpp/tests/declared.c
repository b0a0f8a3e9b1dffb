/* The same in C. */
#include <tare.h>

static double total(void) { return 2.5; }
TARE_C_METRIC("total", .read = total, .unit = "B", .better = TARE_LOWER, .per_iteration = true);

TARE_C_BENCH("declared/waits", .waits = true) {}
TARE_C_BENCH("declared/batch", .invocations_max = 100) {}
TARE_C_BENCH("declared/cold", .strategy = TARE_COLD_START) {}
TARE_C_BENCH("declared/launch", .environment = {"COLOUR=red=1", "EMPTY="}, .arguments = {"--one", "two words"}) {}
TARE_C_BENCH("declared/bad variable", .environment = {"COLOUR"}) {}
TARE_C_BENCH("declared/cold data", .cold_caches = true) {}
TARE_C_BENCH("declared/half cold", .cold_caches = true, .invocations_max = 2) {}
TARE_C_BENCH("declared/once cold", .cold_caches = true, .invocations = 100) {}
TARE_C_BENCH("declared/moved", .memory_randomization = true) {}
TARE_MAIN()
