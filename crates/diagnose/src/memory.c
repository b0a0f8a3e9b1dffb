/* An allocator in front of that of the C library: it hands on, and counts between `tare_memory_begin` and `tare_memory_end`.

   `tare run --diagnose memory` puts it into the environment of the processes that it looks at (LD_PRELOAD), never of those that it times. The
   front end in the child finds the two functions by their names and calls them around an iteration.

   With a file that the host shares (`--diagnose allocations`) it writes down there who allocates instead, while the host wants it. */
#include <errno.h>
#include <execinfo.h>
#include <sched.h>
#include <string.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
void *malloc(size_t size);
void free(void *block);

static atomic_int counting; /* 0 outside of an iteration: then an allocation costs one load more */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static uint64_t allocations, bytes;
static int64_t live, peak;

/* The blocks that were allocated since the beginning and are not freed, by address: a table with open addressing. What is freed in an
   iteration and was allocated before it is not in there, and does not count. */
struct block { uintptr_t address; size_t size; };
static struct block *table;
static size_t room, used;

static void lock(void) { while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) sched_yield(); }
static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

static size_t place_of(uintptr_t address) {
    size_t at = (size_t)((address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (table[at].address != 0 && table[at].address != address) at = (at + 1) & (room - 1);
    return at;
}

static struct block *pages(size_t entries) {
    void *made = mmap(NULL, entries * sizeof(struct block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

/* Room for one more; 0 when there is none. */
static int has_room(void) {
    if (2 * used < room) return 1;
    struct block *old = table;
    size_t old_room = room, grown = room ? 2 * room : 1 << 14;
    struct block *made = pages(grown);
    if (made == NULL) return 0;
    table = made;
    room = grown;
    for (size_t i = 0; i < old_room; i++) if (old[i].address) table[place_of(old[i].address)] = old[i];
    if (old) munmap(old, old_room * sizeof *old);
    return 1;
}

static void forget(void *block) {
    if (room == 0) return;
    size_t hole = place_of((uintptr_t)block);
    if (table[hole].address == 0) return;
    live -= (int64_t)table[hole].size;
    used--;
    table[hole].address = 0;
    /* Those behind the hole move up if they would be looked for in it. */
    for (size_t at = (hole + 1) & (room - 1); table[at].address; at = (at + 1) & (room - 1)) {
        struct block moved = table[at];
        table[at].address = 0;
        table[place_of(moved.address)] = moved;
    }
}

static void remember(void *block, size_t size) {
    if (block == NULL) return;
    allocations++;
    bytes += size;
    if (!has_room()) return;
    forget(block);
    table[place_of((uintptr_t)block)] = (struct block){(uintptr_t)block, size};
    used++;
    live += (int64_t)size;
    if (live > peak) peak = live;
}

/* Call stacks that allocate, each with how often and how much, in the file that the host reads. */
#define DEPTH 120
#define SITES 8192
struct site {
    uint64_t hash, blocks, bytes, depth;
    uint64_t callers[DEPTH];
};
struct sites {
    struct head head;
    uint32_t used, lost; /* without room */
    struct site all[SITES];
};
static struct sites *sites;
static uint32_t numbers[4 * SITES]; /* of a site, from 1, by its hash */
static __thread int is_inside __attribute__((tls_model("initial-exec"))); /* what unwinding allocates does not count */

static struct site *site_of(void **callers, int depth) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < depth; i++) hash = (hash ^ (uintptr_t)callers[i]) * UINT64_C(1099511628211);
    size_t at = (size_t)(hash >> 32) % (4 * SITES);
    while (numbers[at] != 0 && sites->all[numbers[at] - 1].hash != hash) at = (at + 1) % (4 * SITES);
    if (numbers[at] != 0) return &sites->all[numbers[at] - 1];
    if (sites->used == SITES) return NULL;
    struct site *const made = &sites->all[sites->used];
    numbers[at] = ++sites->used;
    made->hash = hash;
    made->depth = (uint64_t)depth;
    for (int i = 0; i < depth; i++) made->callers[i] = (uintptr_t)callers[i];
    return made;
}

static int traces(void) { return sites != NULL && atomic_load_explicit(&sites->head.wanted, memory_order_relaxed); }
static void trace(size_t size) {
    if (is_inside) return;
    is_inside = 1;
    void *callers[DEPTH];
    const int depth = backtrace(callers, DEPTH);
    lock();
    struct site *const site = site_of(callers, depth);
    if (site == NULL) sites->lost++;
    else site->blocks++, site->bytes += size;
    unlock();
    is_inside = 0;
}

static int counts(void) { return atomic_load_explicit(&counting, memory_order_relaxed); }
static void *noted(void *block, size_t size) {
    if (counts()) { lock(); remember(block, size); unlock(); }
    if (block && traces()) trace(size);
    return block;
}

void *malloc(size_t size) { return noted(__libc_malloc(size), size); }
void *calloc(size_t number, size_t size) { return noted(__libc_calloc(number, size), number * size); }
void *memalign(size_t alignment, size_t size) { return noted(__libc_memalign(alignment, size), size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void *valloc(size_t size) { return memalign(4096, size); }
void *pvalloc(size_t size) { return memalign(4096, (size + 4095) & ~(size_t)4095); }
int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *block = made;
    return 0;
}
void free(void *block) {
    if (counts() && block) { lock(); forget(block); unlock(); }
    __libc_free(block);
}
void *realloc(void *block, size_t size) {
    if (!counts()) {
        void *made = __libc_realloc(block, size);
        if (made && size && traces()) trace(size);
        return made;
    }
    /* Before another thread can get the same address. */
    lock();
    void *made = __libc_realloc(block, size);
    if (block && (made || size == 0)) forget(block);
    if (size) remember(made, size);
    unlock();
    return made;
}
void *reallocarray(void *block, size_t number, size_t size) {
    size_t all;
    if (__builtin_mul_overflow(number, size, &all)) { errno = ENOMEM; return NULL; }
    return realloc(block, all);
}

static void reset(void) {
    if (table) munmap(table, room * sizeof *table);
    table = NULL;
    room = used = 0;
    allocations = bytes = 0;
    live = peak = 0;
}

/* 0: the program brings an allocator of its own, which is found before this one, so nothing can be counted. */
int tare_memory_begin(void) {
    void *(*volatile the_malloc)(size_t) = malloc;
    void (*volatile the_free)(void *) = free;
    reset();
    atomic_store(&counting, 1);
    the_free(the_malloc(1));
    int works = allocations != 0;
    reset();
    atomic_store(&counting, works);
    return works;
}

/* Allocations, bytes that were asked for, the most of them that were alive together. */
void tare_memory_end(uint64_t *counted) {
    atomic_store(&counting, 0);
    lock();
    counted[0] = allocations;
    counted[1] = bytes;
    counted[2] = (uint64_t)peak;
    unlock();
}

/* 2: as above. */
__attribute__((constructor)) static void find_file(void) {
    void *(*volatile the_malloc)(size_t) = malloc;
    void (*volatile the_free)(void *) = free;
    void *callers[DEPTH];
    struct sites *const shared = share("TARE_ALLOCATIONS", sizeof *sites);
    if (shared == NULL) return;
    (void)backtrace(callers, DEPTH); /* the first call loads a library */
    sites = shared;
    atomic_store(&sites->head.wanted, 1);
    the_free(the_malloc(1));
    atomic_store(&sites->head.wanted, 0);
    const int works = sites->used != 0;
    memset(numbers, 0, sizeof numbers);
    memset(sites->all, 0, sites->used * sizeof *sites->all);
    sites->used = 0;
    atomic_store(&sites->head.works, works ? 1 : 2);
}
