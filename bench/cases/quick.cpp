// The quick style on bodies of known cost, with one line each: name and cycles.
#include <tare/bench.hpp>

#include <cstdint>
#include <cstdio>

int main() {
    std::uint64_t x = 1;
    tare::Bench bench("");
    bench.output(nullptr);
    const auto one = [&] {
        x += x;
        tare::keep_state(x);
    };
    std::printf("quick/x += x %.4f\n", bench.run("one", one).result().cycles);
    const auto ten = [&] {
        for (int i = 0; i < 10; ++i) {
            x += x;
            tare::keep_state(x);
        }
    };
    std::printf("quick/ten of them, each %.4f\n", bench.operations(10).run("ten", ten).result().cycles);
}
