/* Which way to parse a number is faster? `tare run` measures both and says so. */
#include <tare.h>

#include <stdlib.h>

static const char* text;

/* Runs once in each process, and is not timed. */
static void set_up(void) { text = "123456789"; }

static long by_hand(const char* digit) {
    long number = 0;
    while (*digit >= '0' && *digit <= '9') number = number * 10 + (*digit++ - '0');
    return number;
}

/* `tare_keep` uses a result, or the compiler would leave out the work. */
TARE_C_BENCH("parse/library", .baseline = true, .set_up = set_up) {
    tare_keep(strtol(text, NULL, 10));
}

TARE_C_BENCH("parse/by_hand", .set_up = set_up) { tare_keep(by_hand(text)); }

/* Lets the program run without `tare` too. */
TARE_MAIN()
