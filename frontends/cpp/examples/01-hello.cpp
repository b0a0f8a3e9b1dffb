// Two ways to parse an integer. Run it: tare run 01-hello.cpp
// or without the host:                  g++ -O2 -std=c++17 -I../include 01-hello.cpp -o hello && ./hello
// tare::opaque keeps the compiler from computing the answer in advance, as clang does for strtol of a literal.
#include <tare.h>

#include <cstdlib>
#include <string>

TARE_BENCH("parse/strtol", [] { return std::strtol(tare::opaque("123456789"), nullptr, 10); }).baseline();
TARE_BENCH("parse/stoi", [] { return std::stoi(tare::opaque("123456789")); });

TARE_MAIN()
