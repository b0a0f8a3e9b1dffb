// A simulated device, with the part of CUDA's runtime that <tare/gpu.hpp> calls. Its time only advances with queued
// work: a kernel takes the time given to simulate(), a memset 1 ns per 4 kB, and a pair of events reads 1,250 ns
// more than the work between.
#ifndef TARE_TESTS_CUDA_RUNTIME_H
#define TARE_TESTS_CUDA_RUNTIME_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorNoDevice = 100
};
enum cudaDeviceAttr { cudaDevAttrL2CacheSize = 38 };
typedef struct simulated_stream_* cudaStream_t;
struct simulated_event_ {
    uint64_t at_ns;
};
typedef simulated_event_* cudaEvent_t;

struct Simulated {
    uint64_t now_ns = 0;
    cudaError_t last = cudaSuccess;
    unsigned flushes = 0, launches = 0;
    bool is_cold = false;
};
inline Simulated simulated;

// A launch: `cold_ns` if the memory was overwritten since the previous one, else `warm_ns`.
inline void simulate(cudaStream_t, uint64_t cold_ns, uint64_t warm_ns) {
    simulated.now_ns += simulated.is_cold ? cold_ns : warm_ns;
    simulated.is_cold = false;
    ++simulated.launches;
}
inline const char* cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorNoDevice               ? "no CUDA-capable device is detected"
           : error == cudaErrorInvalidConfiguration ? "invalid configuration argument"
                                                    : "out of memory";
}
inline const char* cudaGetErrorName(cudaError_t error) {
    return error == cudaErrorNoDevice               ? "cudaErrorNoDevice"
           : error == cudaErrorInvalidConfiguration ? "cudaErrorInvalidConfiguration"
                                                    : "cudaErrorMemoryAllocation";
}
inline cudaError_t cudaGetDeviceCount(int* count) {
    *count = getenv("NO_DEVICE") == nullptr ? 1 : 0;
    return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
}
inline cudaError_t cudaGetDevice(int* number) { return *number = 0, cudaSuccess; }
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
    return *value = 50 << 20, cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char* text, int, int) { return strcpy(text, "0000:00:06.0"), cudaSuccess; }
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = new simulated_event_{0}, cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    return event->at_ns = simulated.now_ns, cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
    *ms = static_cast<float>(end->at_ns - begin->at_ns + 1250) / 1e6f;
    return cudaSuccess;
}
inline cudaError_t cudaMalloc(void** memory, size_t) {
    return *memory = nullptr, getenv("NO_MEMORY") == nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaMemsetAsync(void*, int, size_t bytes, cudaStream_t) {
    simulated.now_ns += bytes / 4096;
    simulated.is_cold = true;
    ++simulated.flushes;
    return cudaSuccess;
}
inline cudaError_t cudaGetLastError() {
    const cudaError_t last = simulated.last;
    return simulated.last = cudaSuccess, last;
}
#endif
