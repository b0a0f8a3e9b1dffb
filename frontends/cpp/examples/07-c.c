/* The same in C. Run it:  tare run 07-c.c
 * or without the host:    gcc -O2 -std=c11 -I../include 07-c.c -o parse && ./parse */
#include <tare.h>

static long parse_by_hand(const char* text) {
    long value = 0;
    while (*text >= '0' && *text <= '9') value = value * 10 + (*text++ - '0');
    return value;
}

static const char* text;
static void set_up(void) { text = "123456789"; }

TARE_C_BENCH("parse/strtol", .baseline = true, .set_up = set_up) { tare_keep(strtol(text, NULL, 10)); }

TARE_C_BENCH("parse/by hand", .set_up = set_up) { tare_keep(parse_by_hand(text)); }

TARE_MAIN()
