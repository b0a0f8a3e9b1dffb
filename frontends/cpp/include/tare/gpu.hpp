/* tare/gpu.hpp - times GPU kernels by the events of the device: CUDA and HIP.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 *   TARE_BENCH("scale", [](Data& d) {
 *       tare::gpu::time([&](tare::gpu::stream s) { scale<<<d.blocks, 256, 0, s>>>(d.values, d.size); });
 *   }).own_time().set_up(make_data);
 *
 * Compile with nvcc or hipcc; `tare run FILE.cu` and `tare run FILE.hip` do. It needs only the runtime's API, so another compiler
 * can use it for a library that launches kernels. Each call of time() is one launch between two events, less what an empty kernel
 * takes there, and by default with nothing of its data in the L2 cache. Names in tare::gpu::detail are not for users.
 */
#ifndef TARE_GPU_HPP_INCLUDED
#define TARE_GPU_HPP_INCLUDED
#include <tare.h>
#if !defined(__cplusplus) || __cplusplus < 201703L
#    error "tare/gpu.hpp needs C++17: compile with -std=c++17"
#else
#    if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__)
#        include <hip/hip_runtime.h>
#        define TARE_GPU_(name) hip##name
#    else
#        include <cuda_runtime.h>
#        define TARE_GPU_(name) cuda##name
#    endif
#    include "detail/gpu_clocks.hpp"
#    include <algorithm>
#    include <chrono>
#    include <string>

namespace tare {
/** Kernels of CUDA and HIP, timed by events. */
namespace gpu {
/** cudaStream_t or hipStream_t. */
using stream = TARE_GPU_(Stream_t);

/** What the L2 cache of the device holds when a launch begins. */
enum class l2 {
    cold, /**< nothing of its data: what a program pays that did something else before */
    warm  /**< what the same launch just before left there: what a loop over the same data pays */
};

namespace detail {
using Status = TARE_GPU_(Error_t);
using Event = TARE_GPU_(Event_t);

// Makes the step that runs now a failure that says what the device says.
inline bool is_fine(Status status, const char* what) {
    if (status == TARE_GPU_(Success)) return true;
    const std::string text =
        std::string(what) + ": " + TARE_GPU_(GetErrorString)(status) + " (" + TARE_GPU_(GetErrorName)(status) + ")";
    tare_fail(text.c_str());
    return false;
}

#    if defined(__CUDACC__) || defined(__HIPCC__)
static __global__ void nothing() {}
inline void launch_nothing(stream on) { nothing<<<1, 1, 0, on>>>(); }
#    else
inline void launch_nothing(stream) {}
#    endif

/* The device of this process, warmed up: a stream, two events, and memory twice the size of the L2 cache. */
class Device {
public:
    // Why there is none; empty: there is one.
    const std::string& lack() const { return lack_; }
    stream queue() const { return stream_; }

    // What the events read around an empty kernel.
    double empty_ms() const { return empty_ms_; }

    // One launch between two events, in milliseconds; below 0: it failed. All of it is queued while the device overwrites its
    // cache, so the time in which the host launches is not between the events.
    template <class Launch> float timed(Launch& launch, l2 cache) {
        if (!is_fine(TARE_GPU_(MemsetAsync)(memory_, byte_ ^= 1, bytes_, stream_), "to empty the L2 cache"))
            return -1;
        if (cache == l2::warm) launch(stream_);
        if (!is_fine(TARE_GPU_(EventRecord)(begin_, stream_), "event")) return -1;
        launch(stream_);
        const Status launched = TARE_GPU_(GetLastError)();
        if (!is_fine(launched, "launch")) return -1;
        if (!is_fine(TARE_GPU_(EventRecord)(end_, stream_), "event")) return -1;
        if (!is_fine(TARE_GPU_(EventSynchronize)(end_), "kernel")) return -1;
        float ms = 0;
        return is_fine(TARE_GPU_(EventElapsedTime)(&ms, begin_, end_), "event") ? ms : -1;
    }

    // Of this process: made where it is asked for first, and left to the end of the process, which frees it.
    static Device& get() {
        static Device* const device = new Device;
        return *device;
    }

private:
    Device() {
        int count = 0;
        const Status status = TARE_GPU_(GetDeviceCount)(&count);
        if (status != TARE_GPU_(Success)) lack_ = std::string("no GPU: ") + TARE_GPU_(GetErrorString)(status);
        else if (count == 0) lack_ = "no GPU: the runtime lists none";
        if (!lack_.empty()) return;
        int number = 0, cache_bytes = 0;
        char bus[32] = "";
        if (!keeps(TARE_GPU_(GetDevice)(&number)) ||
            !keeps(TARE_GPU_(DeviceGetAttribute)(&cache_bytes, l2_size, number)) ||
            !keeps(TARE_GPU_(DeviceGetPCIBusId)(bus, static_cast<int>(sizeof bus), number)))
            return;
        bytes_ = std::max<size_t>(2 * static_cast<size_t>(cache_bytes), size_t{16} << 20);
        if (!keeps(TARE_GPU_(StreamCreate)(&stream_)) || !keeps(TARE_GPU_(EventCreate)(&begin_)) ||
            !keeps(TARE_GPU_(EventCreate)(&end_)) || !keeps(TARE_GPU_(Malloc)(&memory_, bytes_)))
            return;
        Clocks::get().open(bus);
        warm_up();
        if (lack_.empty()) calibrate();
    }
    bool keeps(Status status) {
        if (status == TARE_GPU_(Success)) return true;
        lack_ = std::string("the GPU cannot be used: ") + TARE_GPU_(GetErrorString)(status);
        return false;
    }
    // An idle device runs at a fraction of its clock, and takes some milliseconds to rise. It is kept busy until ten writes in a row
    // are no faster than the ten before them, for 50 ms at least and a second at most.
    void warm_up() {
        using Time = std::chrono::steady_clock;
        const auto began = Time::now();
        double before = 0;
        for (bool rises = true; rises;) {
            const auto start = Time::now();
            for (int i = 0; i < 10; ++i) (void)TARE_GPU_(MemsetAsync)(memory_, i & 1, bytes_, stream_);
            if (!keeps(TARE_GPU_(StreamSynchronize)(stream_))) return;
            const auto now = Time::now();
            const double took = std::chrono::duration<double>(now - start).count();
            const bool is_faster = took < 0.99 * before || before == 0;
            before = took;
            const auto since = now - began;
            rises = since < std::chrono::milliseconds(50) || (is_faster && since < std::chrono::seconds(1));
        }
    }
    // What the events read around an empty kernel, the median of 51; around nothing, where the compiler is none of devices. On an
    // H200 that is 2.62 us, and kernels of a known time of 1 us to 100 us then read within 3 % (bench/gpu).
    void calibrate() {
        float all[51];
        for (float& ms : all) ms = std::max(0.0f, timed(launch_nothing, l2::cold));
        std::nth_element(all, all + 25, all + 51);
        empty_ms_ = static_cast<double>(all[25]);
    }
#    if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__)
    static constexpr auto l2_size = hipDeviceAttributeL2CacheSize;
#    else
    static constexpr auto l2_size = cudaDevAttrL2CacheSize;
#    endif
    std::string lack_;
    stream stream_{};
    Event begin_{}, end_{};
    void* memory_ = nullptr;
    size_t bytes_ = 0;
    int byte_ = 0;
    double empty_ms_ = 0;
};
} // namespace detail

/** Whether a GPU is here and can be used. In a set-up: where none is, the benchmark is skipped with the reason.
 *  `if (!tare::gpu::ready()) return {};` */
inline bool ready() {
    const std::string& lack = detail::Device::get().lack();
    if (!lack.empty()) tare_skip(lack.c_str());
    return lack.empty();
}

/** The stream that time() launches on. */
inline stream queue() { return detail::Device::get().queue(); }

/** In a body with own_time(): launches once with `launch(stream)`, and says with tare::took() how long the device worked, from the
 *  first kernel, copy or memset to the last that `launch` puts into this stream, less what an empty kernel takes. It may not wait for
 *  the device, and what it puts into other streams does not count. With l2::warm it is called twice, and the second counts. A launch
 *  or kernel that fails makes the benchmark fail with the text of the runtime. */
template <class Launch> void time(Launch&& launch, l2 cache = l2::cold) {
    detail::Device& device = detail::Device::get();
    if (!device.lack().empty()) return tare_fail(device.lack().c_str());
    const double ms = static_cast<double>(device.timed(launch, cache));
    // What takes no more than an empty kernel is below it now and then: the sum is not pushed upwards.
    if (ms >= 0) tare_took((ms - device.empty_ms()) * 1e6);
}

/** What a call of the runtime returned: a failure makes the step that runs now fail with the text of the runtime, and is false. */
inline bool check(detail::Status status, const char* what = "the GPU") { return detail::is_fine(status, what); }
} // namespace gpu
} // namespace tare
#endif
#endif
