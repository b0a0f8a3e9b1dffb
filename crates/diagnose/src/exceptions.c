/* Counts exceptions of C++ and panics of Rust: it stands in front of the two functions that begin to unwind the stack for them. */
#include <dlfcn.h>

struct shared {
    struct head head;
    _Atomic uint64_t thrown;
};
struct exception; /* as the runtime has it */
static struct shared *shared;
static int (*raises)(struct exception *);
static int (*rethrows)(struct exception *);

__attribute__((constructor)) static void begin(void) {
    shared = share("TARE_EXCEPTIONS", sizeof *shared);
    *(void **)&raises = dlsym(RTLD_NEXT, "_Unwind_RaiseException");
    *(void **)&rethrows = dlsym(RTLD_NEXT, "_Unwind_Resume_or_Rethrow");
    if (shared != NULL) atomic_store(&shared->head.works, raises != NULL && rethrows != NULL ? 1 : 2);
}
static void count(void) {
    if (shared != NULL && atomic_load(&shared->head.wanted)) atomic_fetch_add(&shared->thrown, 1);
}
/* Both return only if nothing catches it. Their frames are unwound with the others. */
int _Unwind_RaiseException(struct exception *thrown) {
    count();
    const int failed = raises(thrown);
    __asm__ volatile("" : : : "memory"); /* a frame, not a jump */
    return failed;
}
int _Unwind_Resume_or_Rethrow(struct exception *thrown) {
    count();
    const int failed = rethrows(thrown);
    __asm__ volatile("" : : : "memory");
    return failed;
}
