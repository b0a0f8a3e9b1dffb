// Transposes a matrix of 4096 x 4096 floats on the GPU, in three ways. Run it with `tare run transpose.cu`; see docs/guides/gpu.md.
//
// Each time is of the device, between two events, with nothing of the matrix left in the L2 cache. The copy is what the memory
// allows: it moves as many bytes, in the order in which they lie.
#include <tare/gpu.hpp>
#include <vector>

namespace {
constexpr int size = 4096, tile = 32, rows = 8;
using Matrix = float*;

__global__ void copy(Matrix to, const float* from) {
    const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int i = 0; i < tile; i += rows) to[(y + i) * size + x] = from[(y + i) * size + x];
}

// Reads rows and writes columns: each of the 32 writes of a warp goes to another line of memory.
__global__ void naive(Matrix to, const float* from) {
    const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int i = 0; i < tile; i += rows) to[x * size + y + i] = from[(y + i) * size + x];
}

// Turns a tile round in shared memory, so that both sides are rows. Without padding, a column of the tile is in one bank.
template <int padding> __global__ void tiled(Matrix to, const float* from) {
    __shared__ float part[tile][tile + padding];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    for (int i = 0; i < tile; i += rows) part[threadIdx.y + i][threadIdx.x] = from[(y + i) * size + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x, y = blockIdx.x * tile + threadIdx.y;
    for (int i = 0; i < tile; i += rows) to[(y + i) * size + x] = part[threadIdx.x][threadIdx.y + i];
}

using Kernel = void(Matrix, const float*);

template <Kernel kernel, bool turns = true> struct Transpose {
    Matrix from = nullptr, to = nullptr;
    std::vector<float> values;

    void set_up() {
        if (!tare::gpu::ready()) return; // skipped, with the reason
        values.resize(size_t{size} * size);
        for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 65521);
        const size_t bytes = values.size() * sizeof(float);
        tare::gpu::check(cudaMalloc(&from, bytes));
        tare::gpu::check(cudaMalloc(&to, bytes));
        tare::gpu::check(cudaMemcpy(from, values.data(), bytes, cudaMemcpyHostToDevice));
    }
    void operator()() const {
        tare::gpu::time([&](tare::gpu::stream on) {
            kernel<<<dim3(size / tile, size / tile), dim3(tile, rows), 0, on>>>(to, from);
        });
    }
    // A kernel that is fast and wrong is a failure.
    void clean_up() {
        std::vector<float> got(values.size());
        if (!tare::gpu::check(cudaMemcpy(got.data(), to, got.size() * sizeof(float), cudaMemcpyDeviceToHost))) return;
        for (int y = 0; y < size; ++y) {
            for (int x = 0; x < size; ++x) {
                const float expected = turns ? values[size_t(x) * size + y] : values[size_t(y) * size + x];
                if (got[size_t(y) * size + x] != expected) return tare::fail("the matrix is not transposed");
            }
        }
        cudaFree(from), cudaFree(to);
    }
};

constexpr double moved = 2.0 * size * size * sizeof(float);
TARE_BENCH("transpose/naive", Transpose<naive>{}).own_time().bytes(moved).baseline();
TARE_BENCH("transpose/tiled", Transpose<tiled<0>>{}).own_time().bytes(moved);
TARE_BENCH("transpose/padded", Transpose<tiled<1>>{}).own_time().bytes(moved);
TARE_BENCH("transpose/copy", Transpose<copy, false>{}).own_time().bytes(moved).results_differ();
} // namespace
