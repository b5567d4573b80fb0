/*
** Where a random game takes its choices from: a seed, or the bytes of a fuzzer.
*/
#ifndef SP_TESTS_CORE_CHANCE_H
#define SP_TESTS_CORE_CHANCE_H

#include <stdint.h>

typedef struct chance_source {
  uint64_t random;
  const uint8_t *bytes, *bytes_end; /* instead of random numbers; 0 from their end on */
} chance_source;

/* The numbers of one turn have nothing to do with those of the turns before. */
chance_source chance_of_turn(uint64_t seed, int turn);
/* Returns a number from 0 to `n` - 1. */
uint32_t chance_below(chance_source *from, uint32_t n);

#endif
