// How long does it take to parse an integer, in C++ and in other languages?
//
//   tare run examples/first --quick

#include <tare.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

// `opaque` hides the text, so the compiler cannot compute the result in advance.
TARE_BENCH("parse/strtol", [] { return std::strtol(tare::opaque("123456789"), nullptr, 10); }).baseline();

TARE_BENCH("parse/from_chars", [] {
    std::string_view text = tare::opaque("123456789");
    long value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
});
