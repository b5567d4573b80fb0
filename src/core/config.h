/*
** Tunables of the core, each with its reason. The public limits are in spawnpool.h.
*/
#ifndef SP_CORE_CONFIG_H
#define SP_CORE_CONFIG_H

#include <float.h>

#include "core/binding.h"

#if (!defined(__GNUC__) && !defined(__clang__)) || defined(__cplusplus)
#error "spawnpool's core is C11 for gcc and clang"
#endif

/* Sums of floats must be floats, so that the same inputs give the same game on all machines. NaN is rejected, so
   the compiler must not assume that there is none. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "floats must be floats: add -msse2 -mfpmath=sse on 32-bit x86, -fexcess-precision=fast on s390x"
#endif
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "spawnpool must distinguish NaN from numbers: compile it without -ffast-math and -ffinite-math-only"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF /* gcc needs -ffp-contract=off or -std=c11 instead */
#endif

#define SP_MAX_CHUNKS (SP_MAX_SLOTS / SP_CHUNK_SLOTS)

/* The numbers of a pool's chunks come in regions, so that its objects lie near each other in the order of slots. */
#define SP_REGION 4u

/* Ticks in a turn of the wheel, and turns in a round of it: 17 s and almost 5 hours at 60 ticks a second. Most
   lifetimes of a game are looked at once, nearly all twice. */
#define SP_WHEEL_TURN 1024u

/* Depth of nested hooks beyond which a pool at its limit refuses instead of evicting, to bound the C stack. */
#define SP_MAX_NESTING 128u

/* Ends of lives inside each other: a hook that ends another life, whose hook ends the next. What exceeds it waits until
   the outermost has ended, so that the stack of C does not grow with the chain; Lua allows 200 calls of C. */
#define SP_MAX_ENDS 40u

/* Memory of lives that end is prefetched so many ahead. */
#define SP_AHEAD 8u

#endif
