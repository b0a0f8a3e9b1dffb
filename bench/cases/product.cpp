// Ten thousand cases: a product of four parameters, or the same number added in a loop if MANY is set.
#include <tare.h>
#include <cstdlib>
#include <string>

struct Product {
    tare::param<int> a{"a", tare::linear(0, 9)}, b{"b", tare::linear(0, 9)}, c{"c", tare::linear(0, 9)}, d{"d", tare::linear(0, 9)};
    int sum() { return a + b + c + d; }
};
TARE_BENCH(&Product::sum).skip_if(std::getenv("MANY") != nullptr, "others are added");

int main(int argc, char** argv) {
    const char* const many = std::getenv("MANY");
    for (int i = 0; many != nullptr && i < std::atoi(many); ++i) tare::add("added/" + std::to_string(i * 7919 % 10007), [i] { return i; });
    return tare_main(argc, argv);
}
