// The same benchmark on the front end of Tare: `tare run ./suite moved.cpp` shows both in one table.
#include <tare.h>
#include "digits.h"
struct Moved {
    tare::param<int> n{"n", {2, 2000}};
    std::string text;
    void set_up() { text = numbers(n); }
    long digits() { return ::digits(text); }
};
TARE_BENCH(&Moved::digits);
