// A main() for programs that only declare benchmarks. It is weak, so that the program's own main() takes precedence.
#include <tare.h>

TARE_MAIN()
