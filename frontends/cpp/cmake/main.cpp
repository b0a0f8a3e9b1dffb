// A main() for programs that only declare benchmarks; it is weak, so that one of their own goes before it.
#include <tare.h>

TARE_MAIN()
