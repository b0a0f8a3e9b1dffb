/* The functions of NVIDIA's management library used by <tare/gpu.hpp>, for a device throttled by its power limit. */
#include <string.h>
static int device;
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** found) {
    return *found = &device, strcmp(bus, "0000:00:06.0");
}
int nvmlDeviceGetClockInfo(void* of, int which, unsigned* mhz) { return *mhz = 1410, of != &device || which != 1; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void* of, unsigned long long* reasons) {
    return *reasons = 4, of != &device;
}
