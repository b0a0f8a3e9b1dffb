// Reference times of bodies without a known cost. One line each: name, cycles, share of windows alone on the core; the last line is
// that share for the session. The argument is the measuring time of each body in seconds.
#include "alone.h"
#include "bodies.h"
#include "kernels.h"

namespace {

double seconds = 0.5;
std::vector<alone::Measured> session;

template <class Kernel> void kernel(char const* name) {
    Kernel body(KERNEL_ITEMS);
    body.set_up();
    session.push_back(alone::measure(name, body, seconds));
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1) {
        seconds = std::atof(argv[1]);
    }
    std::vector<double> sleeps;
    for (int i = 0; i < 20; ++i) {
        double const start = alone::now_ns();
        bodies::sleep_10_ms();
        sleeps.push_back(alone::now_ns() - start);
    }
    std::sort(sleeps.begin(), sleeps.end());
    std::printf("sleep_ns %.1f 1\n", sleeps[sleeps.size() / 2]);
    session.push_back(alone::measure("fluct", bodies::Fluctuating{}, seconds));
    // Not known to the compiler: use() takes all memory as changed, but these would be in registers.
    double a = 1000000007.5;
    double b = 7.25;
    session.push_back(alone::measure("division", [&] {
        asm volatile("" : "+m"(a), "+m"(b));
        return a / b;
    }, seconds));
    std::string text("a text of some length, of which the hash is taken");
    session.push_back(alone::measure("hash", [&] {
        asm volatile("" : "+m"(text) : : "memory");
        return bodies::hash(text);
    }, seconds));
#define KERNEL(name, type) kernel<kernels::type>("kernel/" #name);
    KERNELS(KERNEL)
    double const unshared = alone::level(session);
    for (auto const& body : session) {
        alone::tell(body, unshared);
    }
    return 0;
}
