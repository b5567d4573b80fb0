/*
** Vectors as wide as the machine has them. A pass over columns is written once, as SP_PASS, and compiled twice: for any
** machine, and SP_WIDE for one with AVX2; manager->wide chooses. Both compute the same sums in the same order, and
** neither fuses a multiplication with an addition, so that a game is the same on all machines, bit for bit.
*/
#ifndef SP_CORE_WIDE_H
#define SP_CORE_WIDE_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define SP_HAS_WIDE
#define SP_WIDE __attribute__((target("avx2")))
static inline bool sp_is_wide(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
#define SP_WIDE
static inline bool sp_is_wide(void) { return false; }
#endif

/* Is inlined into both versions: a call from one to the other would cost more than the pass. */
#define SP_PASS static inline __attribute__((always_inline))

#endif
