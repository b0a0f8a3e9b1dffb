/* Part of <tare.h>: the measuring loop, for C and C++. */
#ifndef TARE_DETAIL_TURNS_H_INCLUDED
#define TARE_DETAIL_TURNS_H_INCLUDED
#include "platform.h"

enum { TARE_UNROLL = 8, TARE_ROLLED_UNROLL = 2 };
/* Runs `work` in `turns` turns of 8, 2 or 1 invocations. `work` appears only once, and the pragma copies it after
   inlining: the compiler inlines what a body calls depending on its number of call sites, which must not depend on
   this header. `i_` is the index of the invocation within its turn, a constant in each of the copies. `leave` runs
   at the end of a turn of 1, where it is not copied. Work without anything volatile has to end with TARE_STEP_, or
   the loop would be optimised away. */
#define TARE_PRAGMA_(text) _Pragma(#text)
#if defined(__GNUC__)
#    define TARE_UNLIKELY_(condition) __builtin_expect((condition), 0)
#else
#    define TARE_UNLIKELY_(condition) (condition)
#endif
#if defined(__clang__)
#    define TARE_TWICE_ TARE_PRAGMA_(clang loop unroll(full))
#    define TARE_STEP_ (void)0
#    define TARE_LEAVES_ false /* clang 14 at -O1 does not copy a loop with an exit after a call */
/* An empty loop stays a loop because its counter is used afterwards. A volatile asm would touch memory. With a shared
   condition for both turns, clang 14 loads and stores a captured state in each copy. */
#    define TARE_TURNS_(turns, per_turn, work, leave)                                                              \
        uint64_t seen_ = 0;                                                                                        \
        TARE_PRAGMA_(clang loop unroll(disable))                                                                   \
        for (uint64_t turn_ = (turns); turn_ != 0; --turn_) {                                                      \
            TARE_PRAGMA_(clang loop unroll(full))                                                                  \
            for (unsigned i_ = 0; i_ < 8; ++i_) {                                                                  \
                work;                                                                                              \
                if (i_ == 0 && TARE_UNLIKELY_((per_turn) == 1)) {                                                  \
                    leave;                                                                                         \
                    break;                                                                                         \
                }                                                                                                  \
                if (i_ == 1 && TARE_UNLIKELY_((per_turn) == 2)) break;                                             \
                __asm__("" : "+r"(seen_));                                                                         \
            }                                                                                                      \
            __asm__("" : "+r"(turn_), "+r"(seen_));                                                                \
        }                                                                                                          \
        __asm__ volatile("" : : "r"(seen_))
#else
#    define TARE_LEAVES_ true
#    if defined(__GNUC__)
#        define TARE_TWICE_ TARE_PRAGMA_(GCC unroll 2)
#        define TARE_COPIES_ TARE_PRAGMA_(GCC unroll 8)
#        define TARE_STEP_ __asm__ volatile("")
#    else
#        define TARE_TWICE_
#        define TARE_COPIES_
#        define TARE_STEP_ (void)0
#    endif
#    define TARE_TURNS_(turns, per_turn, work, leave)                                                              \
        for (uint64_t turn_ = (turns); turn_ != 0; --turn_) {                                                      \
            TARE_COPIES_                                                                                           \
            for (unsigned i_ = 0; i_ < 8; ++i_) {                                                                  \
                work;                                                                                              \
                if (i_ < 2 && TARE_UNLIKELY_((per_turn) == i_ + 1)) {                                              \
                    leave;                                                                                         \
                    break;                                                                                         \
                }                                                                                                  \
            }                                                                                                      \
        }                                                                                                          \
        (void)0
#endif
/* The step of an empty loop. It does nothing, but makes gcc check the length of a turn in each step, as around a
   body. clang does that anyway. */
#if defined(__GNUC__) && !defined(__clang__)
#    define TARE_EMPTY_STEP_(per_turn) __asm__ volatile("" : "+r"(per_turn))
#else
#    define TARE_EMPTY_STEP_(per_turn) TARE_STEP_
#endif
/* The number of whole turns for `count` invocations. It runs between the clock reads, where dividing by a variable
   would take time. */
TARE_FUNCTION_ uint64_t tare_turns_(uint64_t count, unsigned per_turn) {
    return per_turn == 1 ? count : per_turn == TARE_UNROLL ? count / TARE_UNROLL : count / TARE_ROLLED_UNROLL;
}
#endif
