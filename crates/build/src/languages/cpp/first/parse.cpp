// Which way to parse a number is faster? `tare run` measures both and says so.
#include <tare.h>

#include <string>

static const std::string text = "123456789";

// `opaque` hides the text, or the compiler would compute the result itself.
TARE_BENCH("parse/library", [] { return std::stoi(tare::opaque(text)); }).baseline();

TARE_BENCH("parse/by_hand", [] {
    int number = 0;
    for (char digit : tare::opaque(text)) number = number * 10 + (digit - '0');
    return number;
});
