// Part of <tare/gpu.hpp>: information from the driver: the model, the clock rate after each iteration, throttling.
#ifndef TARE_DETAIL_GPU_CLOCKS_HPP_INCLUDED
#define TARE_DETAIL_GPU_CLOCKS_HPP_INCLUDED
#if defined(__linux__)
#    include <dirent.h>
#    include <dlfcn.h>
#    include <stdio.h>
#endif
#include <string>

namespace tare {
namespace gpu {
namespace detail {

// NVML is part of NVIDIA's driver. Its functions are looked up by name at run time, so that a program needs neither
// its header nor the library. Without it, as for HIP, these columns are missing.
class Clocks {
public:
    static Clocks& get() {
        static Clocks all;
        return all;
    }
    bool is_there() const { return library_ != nullptr; }

    // Opens the device at this address on the PCI bus.
    void open(const char* bus) {
        if (!is_there() || init_() != 0 || find_(bus, &device_) != 0) device_ = nullptr;
    }
    // The clock rate of the multiprocessors; 0: unknown.
    unsigned megahertz() const {
        unsigned mhz = 0;
        return device_ != nullptr && clock_(device_, multiprocessors, &mhz) == 0 ? mhz : 0;
    }
    // Whether power or heat limits the clock rate.
    bool is_held_back() const {
        unsigned long long reasons = 0;
        return device_ != nullptr && reasons_(device_, &reasons) == 0 && (reasons & of_power_and_heat) != 0;
    }

private:
    // From nvml.h: NVML_CLOCK_SM, and the reasons SW_POWER_CAP, HW_SLOWDOWN, SW_THERMAL, HW_THERMAL, HW_POWER_BRAKE.
    static constexpr int multiprocessors = 1;
    static constexpr unsigned long long of_power_and_heat = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

#if defined(__linux__) && !defined(__HIPCC__) && !defined(__HIP_PLATFORM_AMD__)
    Clocks() {
        library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!is_there()) return;
        const bool has_all = look_up(init_, "nvmlInit_v2") && look_up(find_, "nvmlDeviceGetHandleByPciBusId_v2") &&
                             look_up(clock_, "nvmlDeviceGetClockInfo") &&
                             look_up(reasons_, "nvmlDeviceGetCurrentClocksThrottleReasons");
        if (!has_all) library_ = nullptr;
    }
    template <class Function> bool look_up(Function*& function, const char* name) {
        function = reinterpret_cast<Function*>(dlsym(library_, name)); // NOLINT: what dlsym is for
        return function != nullptr;
    }
#else
    Clocks() = default;
#endif
    void* library_ = nullptr;
    void* device_ = nullptr;
    int (*init_)() = nullptr;
    int (*find_)(const char* bus, void** device) = nullptr;
    int (*clock_)(void* device, int which, unsigned* mhz) = nullptr;
    int (*reasons_)(void* device, unsigned long long* reasons) = nullptr;
};

// The distinct model names of NVIDIA's GPUs, as listed by the kernel's driver, without waking a device.
inline std::string models() {
    std::string all;
#if defined(__linux__)
    const std::string folder = "/proc/driver/nvidia/gpus";
    DIR* const devices = opendir(folder.c_str());
    if (devices == nullptr) return all;
    while (const dirent* const device = readdir(devices)) {
        FILE* const file = fopen((folder + "/" + device->d_name + "/information").c_str(), "r");
        if (file == nullptr) continue;
        char line[200], name[200];
        while (fgets(line, sizeof line, file) != nullptr) {
            if (sscanf(line, "Model: %199[^\n]", name) != 1 || all.find(name) != std::string::npos) continue;
            all += (all.empty() ? "" : ", ") + std::string(name);
        }
        fclose(file);
    }
    closedir(devices);
#endif
    return all;
}

// Declarations of each program that includes the header: the model as context, and columns if the library exists.
struct Said {
    Said() {
        const std::string gpu = models();
        if (!gpu.empty()) tare_context("gpu", gpu.c_str());
        if (!Clocks::get().is_there()) return;
        tare::detail::add_metric("gpu_mhz", [] { return Clocks::get().megahertz(); }).per_iteration();
        tare::detail::add_metric("gpu_held_back", [] {
            return Clocks::get().is_held_back() ? 1 : 0;
        }).per_iteration();
    }
};
inline const Said said;

} // namespace detail
} // namespace gpu
} // namespace tare
#endif
