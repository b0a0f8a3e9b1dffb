/* Part of <tare.h>: what tells the compiler that a value is used. */
#ifndef TARE_DETAIL_KEEP_H_INCLUDED
#define TARE_DETAIL_KEEP_H_INCLUDED
#include "platform.h"

/* A mark beside the machine code of a body that says what is used: the distance to it, in a section of its own. It is no instruction.
   A loop is found by the marks in it, so the compiler must not merge loops that are alike (no_icf).
   docs/decisions/0020-cpp.md has the reasons. */
#if defined(__cplusplus) && defined(__GNUC__) && defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__))
#    define TARE_HAS_MARKS_ 1
/* R: lld would remove the section with --gc-sections. Not all assemblers that gcc uses know it. */
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
/* Takes a variable as used and as changed, without forcing anything to memory. To clang an asm that is volatile reads and
   writes memory; one that is not is kept as long as its result is used, and that of a state is: by the next invocation. */
#if defined(__clang__)
#    define TARE_KEEP_STATE_(constraint, variable) __asm__ __inline__(TARE_MARK_ : constraint(variable))
#elif defined(__GNUC__)
#    define TARE_KEEP_STATE_(constraint, variable) __asm__ __inline__ volatile(TARE_MARK_ : constraint(variable))
#endif
/* clang takes memory whenever a constraint with alternatives lets it, unless the register comes first. */
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
