/* Counts C++ exceptions: it stands in front of the two functions of the C++ runtime that throw. */
#include <dlfcn.h>

struct shared {
    struct head head;
    _Atomic uint64_t thrown;
};
static struct shared *shared;
static void (*throws)(void *, void *, void (*)(void *));
static void (*rethrows)(void);

__attribute__((constructor)) static void begin(void) {
    shared = share("TARE_EXCEPTIONS", sizeof *shared);
    *(void **)&throws = dlsym(RTLD_NEXT, "__cxa_throw");
    *(void **)&rethrows = dlsym(RTLD_NEXT, "__cxa_rethrow");
    if (shared != NULL) atomic_store(&shared->head.works, throws != NULL && rethrows != NULL ? 1 : 2);
}
static void count(void) {
    if (shared != NULL && atomic_load(&shared->head.wanted)) atomic_fetch_add(&shared->thrown, 1);
}
__attribute__((noreturn)) void __cxa_throw(void *object, void *type, void (*destroy)(void *)) {
    count();
    throws(object, type, destroy);
    abort();
}
__attribute__((noreturn)) void __cxa_rethrow(void) {
    count();
    rethrows();
    abort();
}
