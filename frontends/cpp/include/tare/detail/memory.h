/* Part of <tare.h>: moves the heap, counts allocations, and weighs inputs. */
#ifndef TARE_DETAIL_MEMORY_H_INCLUDED
#define TARE_DETAIL_MEMORY_H_INCLUDED
#include "iteration.h"

/* The growth of the heap in bytes while inputs for `count` invocations are prepared; 0 if the C library does not
   tell. */
TARE_ENGINE_ uint64_t tare_weigh_(struct tare_benchmark* it, uint64_t count) {
    const uint64_t before = TARE_HEAP_BYTES_();
    tare_state_.wanted = count;
    const bool is_made = tare_step_(it, TARE_ITERATION_SET_UP_, 0);
    const uint64_t after = TARE_HEAP_BYTES_();
    return tare_step_(it, TARE_ITERATION_CLEAN_UP_, 0) && is_made && after > before ? after - before : 0;
}
/* The bytes of an input of tare::input with its heap blocks, if known; 0 without inputs. Allocators reuse a few
   freed blocks of each size without counting them, so several inputs are made, unless one is large or slow. */
TARE_ENGINE_ uint64_t tare_input_bytes_(struct tare_benchmark* it) {
    enum { TRIED = 64, LARGE = 65536, SLOW_NS = 1000000 };
    if (it->fed_size_ == 0 || it->strategy == TARE_COLD_START) return 0;
    const uint64_t start = TARE_NOW_();
    const uint64_t one = tare_weigh_(it, 1);
    if (one > LARGE || TARE_NOW_() - start > SLOW_NS) return one > it->fed_size_ ? one : it->fed_size_;
    const uint64_t each =
        (tare_weigh_(it, TRIED) + it->fed_size_) / TRIED; /* the room of the first exists already */
    return each > it->fed_size_ ? each : it->fed_size_;
}
/* The allocator that `tare run --diagnose memory` puts in front of the C library's; it counts between the calls of
   these functions. They are null in every other process, and in statically linked programs. */
#ifdef __cplusplus
extern "C" {
#endif
int tare_memory_begin(void) __attribute__((weak));
void tare_memory_end(uint64_t* counted) __attribute__((weak));
/* Exists if any part of the program is built with -fsanitize=address. */
void __asan_init(void) __attribute__((weak));
#ifdef __cplusplus
}
#endif
static const char* const tare_memory_metrics_[] = {"allocations", "allocated_bytes", "peak_bytes"};
TARE_ENGINE_ void tare_count_memory_(uint64_t* counted) {
    if (counted == NULL) (void)tare_memory_begin();
    else tare_memory_end(counted);
}
/* Whether that allocator exists and sees the allocations of this program. */
TARE_ENGINE_ bool tare_counts_memory_(void) {
    uint64_t counted[3];
    if (tare_memory_begin == NULL || tare_memory_end == NULL) return false;
    const bool works = tare_memory_begin() != 0;
    /* Allocate as a body would. Twice, to detect an allocator that reuses cached blocks. */
    struct page {
        char at[5000];
    };
    for (int i = 0; i < 2; ++i) {
#ifdef __cplusplus
        uint64_t* number = new uint64_t;
        page* room = new page;
        __asm__ volatile("" : "+r"(number), "+r"(room)); /* or the compiler would remove the allocations */
        delete number;
        delete room;
#else
        void *number = malloc(sizeof(uint64_t)), *room = malloc(sizeof(struct page));
        __asm__ volatile("" : "+r"(number), "+r"(room));
        free(number);
        free(room);
#endif
    }
    tare_memory_end(counted);
    return works && counted[0] == 4 && counted[1] == 10016;
}
/* Moves what the heap returns next. One block shifts all of it. Holes of random sizes, in random order and
   separated by kept blocks, shift allocations against each other, because an allocator takes the smallest hole that
   fits. Otherwise two blocks of 4 kB would be 4112 bytes apart in every launch, and either alias in all of them or
   in none. The memory of holes is never touched, so they cost addresses, not pages. Freeing a block of 32 MB makes
   glibc take others from the heap instead of mapping pages, as it does anyway once a body has freed one. All holes
   are larger than the blocks that glibc caches by size, so that nothing is left of them when they are freed. */
enum { TARE_HOLES_ = 44, TARE_LEAST_HOLE_ = 1088, TARE_LARGEST_BLOCK_ = (32 << 20) - 8192 };
TARE_ENGINE_ void tare_move_heap_(uint64_t seed) {
    struct tare_state_* const state = &tare_state_;
    size_t size[TARE_HOLES_] = {0};
    void* hole[TARE_HOLES_];
    state->random = seed;
    while (state->blocks > 0) free(state->block[--state->blocks]);
    if (seed == 0) return;
    void* largest = malloc(TARE_LARGEST_BLOCK_);
    __asm__ volatile("" : "+r"(largest)); /* or the compiler would remove both */
    free(largest);
    for (unsigned i = 0; i < TARE_HOLES_; ++i) { /* four of 1 to 2 kB, ..., four of 1 to 2 MB */
        const size_t least = (size_t)TARE_LEAST_HOLE_ << (i / 4);
        const unsigned other = (unsigned)(tare_random_() % (i + 1));
        size[i] = size[other];
        size[other] = least + (size_t)(tare_random_() % least);
    }
    state->block[state->blocks++] = malloc(TARE_LEAST_HOLE_ + (size_t)(tare_random_() % 65536));
    for (unsigned i = 0; i < TARE_HOLES_; ++i) {
        hole[i] = malloc(size[i]);
        state->block[state->blocks++] = malloc(TARE_LEAST_HOLE_ + (size_t)(tare_random_() % 4096));
    }
    for (unsigned i = 0; i < TARE_HOLES_; ++i) free(hole[i]);
}
#endif
