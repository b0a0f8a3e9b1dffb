/* Part of <tare.h>: TARE_C_BENCH, and the functions that bodies in C call. */
#ifndef TARE_DETAIL_C_H_INCLUDED
#define TARE_DETAIL_C_H_INCLUDED
#include "keep.h"
#include "main.h"
#include "turns.h"

/* TARE_C_BENCH("group/name") { ... } or with options: TARE_C_BENCH("group/name", .baseline = true, .set_up = make) */
#define TARE_C_BENCH(...) TARE_C_BENCH_(TARE_HERE_(tare_body_), __VA_ARGS__)
#define TARE_C_BENCH_(body, ...)                                                                                   \
    static inline __attribute__((always_inline)) void body(bool*);                                                 \
    static inline __attribute__((always_inline)) void TARE_CAT_(body, _invoke)(void) {                             \
        bool says = false;                                                                                         \
        body(&says);                                                                                               \
        if (!says) __asm__ volatile("" : : : "memory");                                                            \
    }                                                                                                              \
    static TARE_LOOP_ void TARE_CAT_(body, _loop)(uint64_t turns, unsigned per_turn) {                             \
        TARE_TURNS_(turns, per_turn, TARE_CAT_(body, _invoke)(); TARE_STEP_, (void)0);                             \
    }                                                                                                              \
    static struct tare_benchmark TARE_CAT_(body, _node) = {                                                        \
        .file_ = __FILE__, .line_ = __LINE__, .loop_ = TARE_CAT_(body, _loop), .title = __VA_ARGS__};              \
    __attribute__((constructor)) static void TARE_CAT_(body, _add)(void) { tare_c_add_(&TARE_CAT_(body, _node)); } \
    static inline __attribute__((always_inline)) void body(__attribute__((unused)) bool* tare_says_)

/* TARE_C_METRIC("name", .read = total, .unit = "B", .better = TARE_LOWER); */
#define TARE_C_METRIC(...) TARE_C_METRIC_(TARE_CAT_(tare_metric_, __COUNTER__), __VA_ARGS__)
#define TARE_C_METRIC_(metric, ...)                                                                                \
    static struct tare_metric metric = {.read_ = tare_c_read_, .name = __VA_ARGS__};                               \
    __attribute__((constructor)) static void TARE_CAT_(metric, _add)(void) { tare_add_metric_(&metric); }          \
    struct tare_metric

/* Memory that a body writes counts as read, or the compiler would remove writes that the next invocation
   repeats; unless the body marks itself what is used. In a body, `tare_says_` is its argument, and elsewhere
   this function. */
static inline __attribute__((always_inline)) void tare_says_(void) {}
static inline __attribute__((always_inline)) void tare_said_(bool* says) { *says = true; }
static inline __attribute__((always_inline)) void tare_said_elsewhere_(void (*says)(void)) { (void)says; }
#define TARE_SAY_() _Generic((tare_says_), bool* : tare_said_, default : tare_said_elsewhere_)(tare_says_)

/* A value wherever it is: gcc takes the place that costs nothing, clang the first alternative. On processors other
   than these two a float is put into memory. */
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#    define TARE_C_IS_FLOAT_(value)                                                                                \
        (__builtin_types_compatible_p(__typeof__(value), double) ||                                                \
         __builtin_types_compatible_p(__typeof__(value), float))
#    define TARE_C_FLOAT_(value) __builtin_choose_expr(TARE_C_IS_FLOAT_(value), (value), 0.0)
#    define TARE_C_KEEP_(value)                                                                                    \
        if (TARE_C_IS_FLOAT_(value)) __asm__ volatile("" : : TARE_FLOAT_(TARE_C_FLOAT_(value)) : "memory");        \
        else __asm__ volatile("" : : TARE_ANYWHERE_(value) : "memory")
#    define TARE_C_KEEP_STATE_(value)                                                                              \
        if (TARE_C_IS_FLOAT_(value)) {                                                                             \
            __typeof__(TARE_C_FLOAT_(value)) tare_float_ = TARE_C_FLOAT_(value);                                   \
            TARE_KEEP_STATE_("+" TARE_FLOAT_, tare_float_);                                                        \
            (value) = __builtin_choose_expr(TARE_C_IS_FLOAT_(value), tare_float_, (value));                        \
        } else TARE_KEEP_STATE_("+r", value)
#else
#    define TARE_C_KEEP_(value) __asm__ volatile("" : : "m,r," TARE_FLOAT_(value) : "memory")
#    define TARE_C_KEEP_STATE_(value) TARE_KEEP_STATE_("+m,r," TARE_FLOAT_, value)
#endif
/* The sink for a number or pointer: it has to be computed, and memory is read again afterwards. */
#define tare_keep(value)                                                                                           \
    do {                                                                                                           \
        TARE_SAY_();                                                                                               \
        const __typeof__((value)) tare_kept_ = (value);                                                            \
        TARE_C_KEEP_(tare_kept_);                                                                                  \
    } while (0)
/* For a state that the next invocation continues from. Memory is neither written nor read again. */
#define tare_keep_state(variable)                                                                                  \
    do {                                                                                                           \
        TARE_SAY_();                                                                                               \
        __typeof__(variable) tare_kept_ = (variable);                                                              \
        TARE_C_KEEP_STATE_(tare_kept_);                                                                            \
        (variable) = tare_kept_;                                                                                   \
    } while (0)
/* The sink for `size` bytes in memory, and everything that they point to. */
#define tare_keep_memory(pointer, size) (TARE_SAY_(), tare_keep_memory_((pointer), (size)))
static inline __attribute__((unused)) void tare_keep_memory_(const void* pointer, size_t size) {
    (void)size;
    __asm__ volatile("" : : "r"(pointer) : "memory");
}

static __attribute__((unused)) double tare_c_read_(struct tare_metric* self) { return self->read(); }
static __attribute__((unused)) TARE_LOOP_ void tare_c_overhead_(uint64_t turns, unsigned per_turn) {
    TARE_TURNS_(turns, per_turn, TARE_EMPTY_STEP_(per_turn), (void)0);
}
static __attribute__((unused)) void tare_c_run_(void (*loop)(uint64_t, unsigned), uint64_t count,
                                                unsigned per_turn) {
    if (tare_state_.is_single) per_turn = 1;
    if (per_turn != 1 && count % per_turn != 0) loop(count % per_turn, 1);
    loop(tare_turns_(count, per_turn), per_turn);
}
static __attribute__((unused)) bool tare_c_act_(struct tare_benchmark* self, enum tare_act_ act, uint64_t count) {
    void (*step)(void) = NULL;
    switch (act) {
    case TARE_SET_UP_: step = self->set_up; break;
    case TARE_ITERATION_SET_UP_: step = self->iteration_set_up; break;
    case TARE_WORKLOAD_: tare_c_run_(self->loop_, count, TARE_UNROLL); break;
    case TARE_ROLLED_: tare_c_run_(self->loop_, count, TARE_ROLLED_UNROLL); break;
    case TARE_OVERHEAD_: tare_c_run_(tare_c_overhead_, count, TARE_UNROLL); break;
    case TARE_CHECK_:
        self->loop_(1, 1);
        if (self->result == NULL || tare_state_.has_failed) break;
        tare_state_.checked.digest = TARE_DIGEST_START_;
        step = self->result;
        break;
    case TARE_ITERATION_OPERATIONS_: self->operations_ = self->iteration_operations(); break;
    case TARE_ITERATION_CLEAN_UP_: step = self->iteration_clean_up; break;
    case TARE_CLEAN_UP_: step = self->clean_up; break;
    case TARE_MAKE_:
    case TARE_COUNT_:
    case TARE_DROP_: break;
    }
    if (step != NULL) step();
    return !tare_state_.has_failed;
}
static __attribute__((unused)) void tare_c_add_(struct tare_benchmark* it) {
    it->act_ = tare_c_act_;
    it->loop_at_ = (uint64_t)(uintptr_t)it->loop_;
    for (unsigned i = 0; i < TARE_MAX_TEXTS_ && it->environment[i] != NULL; ++i) {
        if (strchr(it->environment[i], '=') == NULL) it->invalid_ = "an entry of environment is not NAME=VALUE";
    }
    if (it->invocations_max > INT64_MAX) it->invalid_ = "invocations_max is less than 1";
    if (it->operations > INT64_MAX) it->invalid_ = "operations is less than 1: an invocation does at least one";
    if (it->invocations > INT64_MAX) it->invalid_ = "invocations is less than 0";
    if (it->visit_ns > INT64_MAX || it->warmup_ns > INT64_MAX)
        it->invalid_ = "visit_ns or warmup_ns is less than 0";
    for (unsigned i = 0; i < TARE_MAX_RATES_; ++i) {
        const double amount = it->rates[i].per_invocation;
        if (!(amount >= 0 && amount <= 1e300)) it->invalid_ = "the amount of a rate is not a number of at least 0";
    }
    it->steps_ = (it->set_up ? TARE_HAS_SET_UP_ : 0u) | (it->clean_up ? TARE_HAS_CLEAN_UP_ : 0u) |
                 (it->iteration_set_up || it->cold_caches ? TARE_HAS_ITERATION_SET_UP_ : 0u) |
                 (it->iteration_clean_up ? TARE_HAS_ITERATION_CLEAN_UP_ : 0u) |
                 (it->iteration_operations ? TARE_HAS_ITERATION_OPERATIONS_ : 0u);
    it->returns_ = it->result != NULL;
    tare_add_(it);
}
/* Reports the result of the body as a number, bool or text. For the function in the option `result`. */
static inline __attribute__((unused)) void tare_tell_text_(struct tare_text_* text, const char* string) {
    if (string == NULL) text->digest = 0; /* NULL has no text */
    else tare_text_say_(text, string);
}
#define tare_tell(value)                                                                                           \
    _Generic((value), bool                                                                                 \
                     : tare_text_bool_, float                                                                      \
                     : tare_text_double_, double                                                                   \
                     : tare_text_double_, char*                                                                    \
                     : tare_tell_text_, const char*                                                                \
                     : tare_tell_text_, signed char                                                                \
                     : tare_text_signed_, short                                                                    \
                     : tare_text_signed_, int                                                                      \
                     : tare_text_signed_, long                                                                     \
                     : tare_text_signed_, long long                                                                \
                     : tare_text_signed_, default                                                                  \
                     : tare_text_unsigned_)(&tare_state_.checked, (value))
#endif
