/* Part of <tare.h>: flushes all data of the process from the caches. */
#ifndef TARE_DETAIL_CACHES_H_INCLUDED
#define TARE_DETAIL_CACHES_H_INCLUDED
#include "platform.h"

#if TARE_HAS_FLUSH_
/* Flushes the lines of a number of pages from the caches of all cores. */
TARE_FUNCTION_ TARE_NOINLINE_ void tare_flush_pages_(uintptr_t page, size_t bytes, const unsigned char* resident,
                                                     size_t pages) {
#    if defined(__x86_64__)
    const size_t line = 64;
#    else
    uint64_t cache_type;
    __asm__("mrs %0, ctr_el0" : "=r"(cache_type));
    const size_t line = (size_t)4 << (cache_type >> 16 & 15);
#    endif
    for (size_t i = 0; i < pages; ++i, page += bytes) {
        for (uintptr_t place = page; (resident[i] & 1) != 0 && place < page + bytes; place += line) {
#    if defined(__x86_64__)
            __asm__ volatile("clflush %0" : : "m"(*(const char*)place));
#    else
            __asm__ volatile("dc civac, %0" : : "r"(place));
#    endif
        }
    }
}
/* Whether a page is readable: the kernel reads the mask before it rejects the first argument. Nothing is changed. */
TARE_FUNCTION_ bool tare_is_readable_(uintptr_t page) {
    const int before = errno;
    const bool is_there = syscall(SYS_rt_sigprocmask, -1L, page, (void*)0, (size_t)8) == 0 || errno != EFAULT;
    errno = before;
    return is_there;
}
/* The number of pages of a mapped file before its end, out of those that mincore() reports as resident. For
   files that the caller neither owns nor may write, it reports all pages, and touching one beyond the end
   raises SIGBUS. */
TARE_FUNCTION_ size_t tare_within_file_(uintptr_t page, size_t bytes, const unsigned char* resident, size_t pages) {
    size_t least = 0, most;
    while (pages > 0 && (resident[pages - 1] & 1) == 0) --pages;
    if (pages == 0 || tare_is_readable_(page + (pages - 1) * bytes)) return pages;
    for (most = pages - 1; least < most;) {
        const size_t middle = least + (most - least) / 2;
        if (tare_is_readable_(page + middle * bytes)) least = middle + 1;
        else most = middle;
    }
    return least;
}
/* Flushes all readable data of the process from the caches, except code and memory of the kernel or of devices.
   Walking through a buffer larger than the last-level cache would take tens of milliseconds on a server, and leave
   lines behind. */
TARE_ENGINE_ void tare_flush_data_(void) {
    static char text[4096];
    static unsigned char resident[1024];
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t used = 0, room = sizeof text - 1;
    for (ssize_t got; maps >= 0 && (got = read(maps, text + used, room)) > 0;) {
        char *line = text, *end;
        text[used += (size_t)got] = 0;
        for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            unsigned long from, to, inode;
            char rights[8];
            int name = 0;
            *end = 0;
            if (sscanf(line, "%lx-%lx %7s %*s %*s %lu %n", &from, &to, rights, &inode, &name) != 4) continue;
            if (rights[0] != 'r' || rights[2] == 'x' || strncmp(line + name, "[v", 2) == 0) continue;
            /* Shared memory is below /dev/ too. */
            if (strncmp(line + name, "/dev/", 5) == 0 && strncmp(line + name, "/dev/shm/", 9) != 0 &&
                strncmp(line + name, "/dev/zero", 9) != 0)
                continue;
            for (unsigned long page = from; page < to; page += 1024 * bytes) {
                const size_t left = (to - page) / bytes, pages = left < 1024 ? left : 1024;
                if (mincore((void*)page, pages * bytes, resident) != 0) continue;
                tare_flush_pages_(page, bytes, resident,
                                  inode == 0 ? pages : tare_within_file_(page, bytes, resident, pages));
            }
        }
        used = strlen(line);
        memmove(text, line, used);
        if (used >= sizeof text - 1) used = 0; /* no line is that long */
        room = sizeof text - 1 - used;
    }
    if (maps >= 0) close(maps);
#    if defined(__x86_64__)
    __asm__ volatile("mfence" : : : "memory");
#    else
    __asm__ volatile("dsb ish" : : : "memory");
#    endif
}
#else
TARE_ENGINE_ void tare_flush_data_(void) {}
#endif
#endif
