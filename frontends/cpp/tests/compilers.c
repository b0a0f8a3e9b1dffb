/* The same in C. */
#include <tare.h>

static double sum = 1;
static void tell(void) { tare_tell(sum); }
TARE_C_BENCH("g/first", .baseline = true) {
    unsigned x = 7;
    tare_keep(x);
}
TARE_C_BENCH("g/state", .result = tell) {
    sum *= 1.5;
    tare_keep_state(sum);
}
static void tell_optimised(void) { tare_tell(tare_optimised_()); }
TARE_C_BENCH("g/optimised", .result = tell_optimised) { tare_keep(sum); }
TARE_MAIN()
