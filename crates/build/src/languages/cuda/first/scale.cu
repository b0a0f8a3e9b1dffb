// Which kernel is faster? `tare run` measures both by the events of the GPU, and says so.
#include <tare/gpu.hpp>

namespace {
constexpr size_t size = size_t{1} << 24;
constexpr unsigned threads = 256;

__global__ void one(float* values) {
    const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    values[i] *= 1.0001f;
}
__global__ void four(float* values) {
    const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    float4& four = reinterpret_cast<float4*>(values)[i];
    four = make_float4(four.x * 1.0001f, four.y * 1.0001f, four.z * 1.0001f, four.w * 1.0001f);
}

template <void (*kernel)(float*), unsigned per_thread> struct Scale {
    float* values = nullptr;

    void set_up() {
        if (!tare::gpu::ready()) return; // skipped, with the reason
        tare::gpu::check(@prefix@Malloc(&values, size * sizeof(float)));
        tare::gpu::check(@prefix@Memset(values, 0, size * sizeof(float)));
    }
    void operator()() const {
        tare::gpu::time([&](tare::gpu::stream on) {
            kernel<<<dim3(size / threads / per_thread), dim3(threads), 0, on>>>(values);
        });
    }
    void clean_up() { tare::gpu::check(@prefix@Free(values)); }
};

constexpr double bytes = 2.0 * size * sizeof(float);
TARE_BENCH("scale/one", Scale<one, 1>{}).own_time().bytes(bytes).baseline();
TARE_BENCH("scale/four", Scale<four, 4>{}).own_time().bytes(bytes);
} // namespace
