/*
** A game as a program of bytes: records of one size, of which the first describes the game and each other one is a
** turn. A turn takes all its choices from its own record, so that any selection of turns is a game too. Random games,
** fuzzed games and shortened ones are such programs.
*/
#ifndef SP_TESTS_PROGRAM_H
#define SP_TESTS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECORD = 24 };

typedef struct program {
  uint8_t *bytes;
  size_t count; /* records */
} program;

/* The bytes of one record, and from their end on numbers that follow from them. */
typedef struct choices {
  const uint8_t *at, *end;
  uint64_t random;
} choices;

/* A program of so many turns, different for each seed. Its bytes are to be freed. */
program program_random(uint64_t seed, size_t turns);
choices program_record(const program *p, size_t index);
/* Returns a number from 0 to `n` - 1. */
uint32_t choose(choices *from, uint32_t n);

/* Returns whether this program fails in the way that is looked for. */
typedef bool (*program_fails)(void *ud, const program *p);
/* Leaves out turns of a program that fails, first halves, then smaller parts, and then lowers single bytes, as long as
   it still fails. Calls `fails` at most `most` times. */
void program_shorten(program *p, program_fails fails, void *ud, int most);

#endif
