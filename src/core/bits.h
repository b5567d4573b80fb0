/*
** Packs flags into bits. Compilers vectorise comparisons with results in bytes, but not shifts by a loop counter, so a
** bitmap is made in two steps.
*/
#ifndef SP_CORE_BITS_H
#define SP_CORE_BITS_H

#include <stdint.h>
#include <string.h>

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
