/*
** A checksum of bytes: FNV-1a, of 64 bits.
*/
#ifndef SP_DEMO_CHECKSUM_H
#define SP_DEMO_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_BEGIN UINT64_C(0xcbf29ce484222325)

/* Returns the checksum `sum` (CHECKSUM_BEGIN: of nothing) with these bytes added. */
static inline uint64_t checksum_add(uint64_t sum, const void *bytes, size_t size)
{
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
  return sum;
}

#endif
