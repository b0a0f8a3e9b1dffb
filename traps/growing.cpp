// The trap of the growing list: the body changes what the next invocation works on. Nobody empties the list, so that it
// grows as long as it is measured, and the time depends on how long it is measured, not on what push_back costs.
// Tare stops it and names the reason: `tare run traps` ends with exit code 100. The fix is in examples/cpp/classics.cpp,
// "append 1000": an iteration set-up.
#include <tare.h>

#include <string>
#include <vector>

struct Trap {
    std::vector<std::string> list;
    void push_back() { list.push_back(std::string(1'000'000, 'x')); }
};
TARE_BENCH(&Trap::push_back).name("the growing list/push_back without end");

TARE_MAIN()
