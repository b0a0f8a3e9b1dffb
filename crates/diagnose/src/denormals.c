/* Flushes denormal numbers to zero in all threads of the process: those that are started later have the mode of their creator. */
struct shared {
    struct head head;
};

__attribute__((constructor)) static void begin(void) {
    struct shared *const shared = share("TARE_DENORMALS", sizeof *shared);
    if (shared == NULL) return;
#if defined(__x86_64__)
    unsigned mode;
    __asm__ volatile("stmxcsr %0" : "=m"(mode));
    mode |= 0x8040; /* results and operands */
    __asm__ volatile("ldmxcsr %0" : : "m"(mode));
    atomic_store(&shared->head.works, 1);
#elif defined(__aarch64__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    mode |= 1u << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
    atomic_store(&shared->head.works, 1);
#endif
}
