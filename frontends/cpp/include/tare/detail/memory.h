/* Part of <tare.h>: what moves the heap, counts allocations and weighs inputs. */
#ifndef TARE_DETAIL_MEMORY_H_INCLUDED
#define TARE_DETAIL_MEMORY_H_INCLUDED
#include "iteration.h"

/* Bytes that the heap grows by while the inputs of `count` invocations are prepared; 0 if the C library does not say. */
TARE_ENGINE_ uint64_t tare_weigh_(struct tare_benchmark* it, uint64_t count) {
    const uint64_t before = TARE_HEAP_BYTES_();
    tare_state_.wanted = count;
    const bool is_made = tare_step_(it, TARE_ITERATION_SET_UP_, 0);
    const uint64_t after = TARE_HEAP_BYTES_();
    return tare_step_(it, TARE_ITERATION_CLEAN_UP_, 0) && is_made && after > before ? after - before : 0;
}
/* Bytes of an input of tare::input with what it has on the heap, as far as that is known; 0 without one. Allocators hand out a few freed
   blocks of a size without counting them. So several are made, unless one is large or slow. */
TARE_ENGINE_ uint64_t tare_input_bytes_(struct tare_benchmark* it) {
    enum { TRIED = 64, LARGE = 65536, SLOW_NS = 1000000 };
    if (it->fed_size_ == 0 || it->strategy == TARE_COLD_START) return 0;
    const uint64_t start = TARE_NOW_();
    const uint64_t one = tare_weigh_(it, 1);
    if (one > LARGE || TARE_NOW_() - start > SLOW_NS) return one > it->fed_size_ ? one : it->fed_size_;
    const uint64_t each =
        (tare_weigh_(it, TRIED) + it->fed_size_) / TRIED; /* the room of the first is there already */
    return each > it->fed_size_ ? each : it->fed_size_;
}
/* The allocator that `tare run --diagnose memory` puts in front of that of the C library: it counts from the first function to
   the second. They are null in every other process, and in programs that are linked statically. */
#ifdef __cplusplus
extern "C" {
#endif
int tare_memory_begin(void) __attribute__((weak));
void tare_memory_end(uint64_t* counted) __attribute__((weak));
/* It is there if the program, or a part of it, is built with -fsanitize=address. */
void __asan_init(void) __attribute__((weak));
#ifdef __cplusplus
}
#endif
static const char* const tare_memory_metrics_[] = {"allocations", "allocated_bytes", "peak_bytes"};
TARE_ENGINE_ void tare_count_memory_(uint64_t* counted) {
    if (counted == NULL) (void)tare_memory_begin();
    else tare_memory_end(counted);
}
/* Whether it is there, and sees what this program allocates. */
TARE_ENGINE_ bool tare_counts_memory_(void) {
    uint64_t counted[3];
    if (tare_memory_begin == NULL || tare_memory_end == NULL) return false;
    const bool works = tare_memory_begin() != 0;
    /* What a body would allocate with. Twice, so that one that hands out what it kept is noticed. */
    struct page {
        char at[5000];
    };
    for (int i = 0; i < 2; ++i) {
#ifdef __cplusplus
        uint64_t* number = new uint64_t;
        page* room = new page;
        __asm__ volatile("" : "+r"(number), "+r"(room)); /* or the compiler would leave them out */
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
/* Moves what the heap gives next. A block shifts all of it; holes of random sizes, in random order with kept blocks between
   them, shift one allocation against the next, since an allocator takes the smallest hole that fits. Otherwise two blocks
   of 4 kB would lie 4112 bytes apart in every launch, and whether they alias would be the same in all. Their memory is not
   touched: they cost addresses, not pages. Freeing a block of 32 MB has glibc take others from the heap instead of mapping
   pages of their own, as it does anyway once a body has freed one. All are greater than what glibc keeps for the next of
   the same size, so that nothing is left of them when they are freed. */
enum { TARE_HOLES_ = 44, TARE_LEAST_HOLE_ = 1088, TARE_LARGEST_BLOCK_ = (32 << 20) - 8192 };
TARE_ENGINE_ void tare_move_heap_(uint64_t seed) {
    struct tare_state_* const state = &tare_state_;
    size_t size[TARE_HOLES_] = {0};
    void* hole[TARE_HOLES_];
    state->random = seed;
    while (state->blocks > 0) free(state->block[--state->blocks]);
    if (seed == 0) return;
    void* largest = malloc(TARE_LARGEST_BLOCK_);
    __asm__ volatile("" : "+r"(largest)); /* or the compiler would leave both out */
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
