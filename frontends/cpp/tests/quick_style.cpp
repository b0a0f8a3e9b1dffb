// The quick style under a host: names made at run time, fixtures, set-ups, and rejected uses.
#include <tare/bench.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

struct Fixture {
    std::string seen = "made";
    void set_up() { seen += " set-up"; }
    void iteration_set_up() { seen += " ("; }
    void iteration_clean_up() { seen += ")"; }
    void clean_up() { seen += " clean-up"; }
    int operations() { return 10; }
    std::string operator()() { return seen + " run"; }
};
struct Failing {
    void set_up() { throw std::runtime_error("no table"); }
    void operator()() {}
};
struct Future { // as std::future
    void wait() {}
    bool valid() const { return true; }
};

int main() {
    tare::Bench bench(std::string("a title that is ") + "made at run time");
    bench.unit(std::string("a unit that is ") + "made at run time");
    for (int i = 0; i < 2; ++i) {
        bench.run("a name that is made at run time " + std::to_string(i), [&] { return tare::opaque(i); });
    }
    bench.run("", [] {});
    bench.run("fixture", Fixture());
    bench.run("failing", Failing());
    bench.run("future", [] { return Future(); });
    bench.operations(0).run("zero", [] {});
    bench.operations(1).run("last", [] { return tare::opaque(1); });
    bench.unit("").run("no unit", [] { return tare::opaque(1); });
    if (std::getenv("ABORTS") != nullptr) {
        bench.run("aborts", [] { std::abort(); });
    }
    bench.unit("two\nlines").run("two lines", [] { return tare::opaque(1); });
}
