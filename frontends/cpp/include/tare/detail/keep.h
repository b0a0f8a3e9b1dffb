/* Part of <tare.h>: tells the compiler that a value is used. */
#ifndef TARE_DETAIL_KEEP_H_INCLUDED
#define TARE_DETAIL_KEEP_H_INCLUDED
#include "platform.h"

/* Marks the machine code of a body that declares what is used: the section contains the distance to it, and no
   instruction is added. A loop is found by the marks in it, so the compiler must not merge identical loops
   (no_icf). docs/decisions/0020-cpp.md explains the reasons. */
#if defined(__cplusplus) && defined(__GNUC__) && defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__))
#    define TARE_HAS_MARKS_ 1
/* R: lld would remove the section with --gc-sections. Not all assemblers used by gcc know this flag. */
#    if defined(__clang__)
#        define TARE_MARK_SECTION_ "tare_marks,\"aR?\""
#    else
#        define TARE_MARK_SECTION_ "tare_marks,\"a?\""
#    endif
#    define TARE_MARK_ "2147:\n\t.pushsection " TARE_MARK_SECTION_ "\n\t.balign 4\n\t.long 2147b-.\n\t.popsection"
#else
#    define TARE_HAS_MARKS_ 0
#    define TARE_MARK_ ""
#endif
/* Marks a variable as used and changed, without forcing anything to memory. For clang a volatile asm reads and writes
   memory. A non-volatile one is kept as long as its result is used, and the next invocation uses the state. */
#if defined(__clang__)
#    define TARE_KEEP_STATE_(constraint, variable) __asm__ __inline__(TARE_MARK_ : constraint(variable))
#elif defined(__GNUC__)
#    define TARE_KEEP_STATE_(constraint, variable) __asm__ __inline__ volatile(TARE_MARK_ : constraint(variable))
#endif
/* If a constraint has alternatives, clang takes memory whenever it may, unless the register comes first. */
#if defined(__clang__)
#    define TARE_ANYWHERE_ "r,m"
#else
#    define TARE_ANYWHERE_ "m,r"
#endif
#if defined(__x86_64__)
#    define TARE_FLOAT_ "x"
#elif defined(__aarch64__)
#    define TARE_FLOAT_ "w"
#else
#    define TARE_FLOAT_ "m"
#endif
#endif
