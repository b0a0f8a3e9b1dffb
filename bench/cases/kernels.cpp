// Prints the results of the kernels, to compare both languages. One line each: name, sums of two invocations.
#include "kernels.h"

#include <cstdio>

namespace {

template <class Kernel> void show(char const* name) {
    Kernel kernel(KERNEL_ITEMS);
    kernel.set_up();
    auto const first = static_cast<unsigned long long>(kernel());
    std::printf("%s %llu %llu\n", name, first, static_cast<unsigned long long>(kernel()));
}

} // namespace

int main() {
#define SHOW(name, type) show<kernels::type>(#name);
    KERNELS(SHOW)
}
