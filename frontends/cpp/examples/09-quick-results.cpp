// Results in the program: complexity, two alternatives measured in turn, files from a template.
//     g++ -O2 -std=c++17 -I../include 09-quick-results.cpp -o results && ./results
#include <tare/bench.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

int main() {
    // How does the time grow? Each run declares the size of its input.
    tare::Rng random(7);
    tare::Bench sorting("std::sort of random numbers");
    std::vector<std::uint64_t> shuffled;
    for (std::size_t n = 100; n <= 10000; n *= 10) {
        while (shuffled.size() < n) shuffled.push_back(random());
        sorting.complexity_n(n).run("sort", [&] {
            random.shuffle(shuffled);
            std::sort(shuffled.begin(), shuffled.end());
        });
    }
    std::cout << sorting.complexity();

    // Which one is faster? Both are measured in turn, so that disturbances affect both alike.
    const std::string text(1000, 'x');
    tare::Bench searching("search");
    searching.unit("byte").operations(text.size());
    const tare::CompareResult found = searching.compare(
        "find", [&] { return text.find('y'); }, "one by one",
        [&] { return std::find(text.begin(), text.end(), 'y') - text.begin(); });
    std::cout << "the faster one: " << found[found.fastest()].name << '\n';

    // One line per run. templates::json() contains every iteration, and your own template can print anything.
    searching.render("{{#result}}{{name}}: {{median(elapsedns)}} ns\n{{/result}}", std::cout);
}
