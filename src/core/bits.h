/*
** From flags to bits. Compilers make vector loops of comparisons whose results are bytes, but not of shifts by a count
** that grows; so a bitmap is made in two steps.
*/
#ifndef SP_CORE_BITS_H
#define SP_CORE_BITS_H

#include <stdint.h>
#include <string.h>

/* Bit i is flags[i], which is 0 or 1, of eight. The product moves them side by side to the top. */
static inline uint32_t sp_bits_of_eight(const uint8_t *flags)
{
  uint64_t eight;
  memcpy(&eight, flags, sizeof eight);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  eight = __builtin_bswap64(eight);
#endif
  return (uint32_t)(eight * 0x0102040810204080u >> 56);
}

/* The same of 64. */
static inline uint64_t sp_bits_of(const uint8_t *flags)
{
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 64; i += 8)
    bits |= (uint64_t)sp_bits_of_eight(flags + i) << i;
  return bits;
}

#endif
