/* What the host and a library in the process of a benchmark share: a file that both have in memory. The host says in `wanted` when to look.

   Its path is in the environment of the process, and taken out of it: programs that it starts are not looked at. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The beginning of every such file. */
struct head {
    _Atomic uint32_t wanted; /* 1 while an iteration runs, 2 when no other will */
    _Atomic uint32_t works;  /* 1: the library sees what it is there for; else a reason */
};

__attribute__((unused)) static void *share(const char *variable, size_t size) {
    const char *const path = getenv(variable);
    if (path == NULL) return NULL;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    unsetenv(variable);
    if (file < 0) return NULL;
    void *const at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return at == MAP_FAILED ? NULL : at;
}
