// Bodies for gpu_test.py, on the device of cuda_runtime.h.
#include <tare/gpu.hpp>

TARE_BENCH("gpu/cold", [] { tare::gpu::time([](tare::gpu::stream on) { simulate(on, 7000, 3000); }); }).own_time();
TARE_BENCH("gpu/warm", [] {
    tare::gpu::time([](tare::gpu::stream on) { simulate(on, 7000, 3000); }, tare::gpu::l2::warm);
}).own_time();
TARE_BENCH("gpu/undeclared", [] { tare::gpu::time([](tare::gpu::stream on) { simulate(on, 10, 10); }); });
TARE_BENCH("gpu/nothing", [] { tare::gpu::time([](tare::gpu::stream) {}); }).own_time();
TARE_BENCH("gpu/refused", [] {
    tare::gpu::time([](tare::gpu::stream) { simulated.last = cudaErrorInvalidConfiguration; });
}).own_time();
TARE_BENCH("gpu/set up",
           [] { tare::gpu::time([](tare::gpu::stream on) { simulate(on, 10, 10); }, tare::gpu::l2::cold); })
    .own_time()
    .set_up([] {
        if (!tare::gpu::ready()) return;
        void* memory = nullptr;
        tare::gpu::check(cudaMalloc(&memory, 8), "the input");
    });
TARE_MAIN()
