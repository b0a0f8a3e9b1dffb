/* tare/gpu.hpp - times GPU kernels with the device's events: CUDA and HIP.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 *   TARE_BENCH("scale", [](Data& d) {
 *       tare::gpu::time([&](tare::gpu::stream s) { scale<<<d.blocks, 256, 0, s>>>(d.values, d.size); });
 *   }).own_time().set_up(make_data);
 *
  * Compile with nvcc or hipcc, as `tare run FILE.cu` and `tare run FILE.hip` do. Only the runtime's API is needed,
  * so another compiler can use it for a library that launches kernels. Each call of time() is one launch between
  * two events, minus the time of an empty kernel. By default none of its data is in the L2 cache. Names in
  * tare::gpu::detail are not for users.
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

/** The content of the device's L2 cache when a launch begins. */
enum class l2 {
    cold, /**< none of its data, as in a program that did something else before */
    warm  /**< what the same launch has just left there, as in a loop over the same data */
};

namespace detail {
using Status = TARE_GPU_(Error_t);
using Event = TARE_GPU_(Event_t);

// Makes the current step a failure with the device's error text.
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

/* The device of this process, warmed up, with a stream, two events, and memory of twice the size of the L2 cache. */
class Device {
public:
    // The reason why there is none, or an empty text.
    const std::string& lack() const { return lack_; }
    stream queue() const { return stream_; }

    // The events' reading around an empty kernel.
    double empty_ms() const { return empty_ms_; }

    // One launch between two events, in milliseconds; negative: it failed. Everything is queued while the device
    // overwrites its cache, so the host's launch time is not between the events.
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

    // The device of this process, created on first use and freed by the end of the process.
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
    // An idle device runs at a fraction of its clock rate, and takes milliseconds to speed up. It is kept busy
    // until ten writes in a row are no faster than the ten before, for 50 ms to 1 s.
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
    // The median of 51 readings of the events around an empty kernel, or around nothing if the compiler cannot
    // compile for devices. On an H200 it is 2.62 us, and kernels with known times of 1 us to 100 us then read
    // within 3 % (bench/gpu).
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

/** Whether there is a usable GPU. Call it in a set-up: if there is none, the benchmark is skipped with the reason.
 *  `if (!tare::gpu::ready()) return {};` */
inline bool ready() {
    const std::string& lack = detail::Device::get().lack();
    if (!lack.empty()) tare_skip(lack.c_str());
    return lack.empty();
}

/** The stream used by time(). */
inline stream queue() { return detail::Device::get().queue(); }

/** In a body with own_time(): calls `launch(stream)` once and reports with tare::took() how long the device worked,
 *  from the first to the last kernel, copy or memset that `launch` puts into this stream, minus the time of an
 *  empty kernel. `launch` must not wait for the device, and work in other streams does not count. With l2::warm it
 *  is called twice, and the second call counts. If a launch or kernel fails, the benchmark fails with the runtime's
 *  error text. */
template <class Launch> void time(Launch&& launch, l2 cache = l2::cold) {
    detail::Device& device = detail::Device::get();
    if (!device.lack().empty()) return tare_fail(device.lack().c_str());
    const double ms = static_cast<double>(device.timed(launch, cache));
    // Work as short as an empty kernel is sometimes below it. Negative times count too, so that the sum is not
    // biased.
    if (ms >= 0) tare_took((ms - device.empty_ms()) * 1e6);
}

/** Checks a return value of the runtime: on failure, makes the current step fail with the runtime's error text and
 *  returns false. */
inline bool check(detail::Status status, const char* what = "the GPU") { return detail::is_fine(status, what); }
} // namespace gpu
} // namespace tare
#endif
#endif
