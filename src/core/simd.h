/*
** Vectors as wide as the machine has them. A pass over columns is written once, as SP_PASS, and compiled twice: for any
** machine, and SP_WIDE for one with AVX2; manager->wide chooses. Both compute the same sums in the same order, and
** neither fuses a multiplication with an addition, so that a game is the same on all machines, bit for bit.
*/
#ifndef SP_CORE_SIMD_H
#define SP_CORE_SIMD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* Returns a byte whose bit i is flags[i], 0 or 1, of eight. The product moves them side by side into the top byte. */
static inline uint32_t sp_bits_of_eight(const uint8_t *flags)
{
  uint64_t eight;
  memcpy(&eight, flags, sizeof eight);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  eight = __builtin_bswap64(eight);
#endif
  return (uint32_t)(eight * 0x0102040810204080u >> 56);
}

/* Returns 64 bits from 64 flags. */
static inline uint64_t sp_bits_of(const uint8_t *flags)
{
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 64; i += 8)
    bits |= (uint64_t)sp_bits_of_eight(flags + i) << i;
  return bits;
}

#endif
