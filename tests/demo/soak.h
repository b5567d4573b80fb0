/* ** A game that is played for very long while things go wrong: a copy of its folder, frames back to back as the player
   ** makes them, keys and clicks at random, edits that come through, are refused or are taken back, and errors in
   hooks. ** Every one of these says beforehand what may be reported; anything else that is told is a surprise, and
   fails the test. ** **   soak s; **   soak_open(&s, "scripts/cubes", "cspr", NULL, seed); **   for (...) {
   soak_frame(&s); if (...) soak_trouble(&s); } **   soak_close(&s); */
#ifndef SP_TESTS_SOAK_H
#define SP_TESTS_SOAK_H

#include "demo/app/game.h"

#define SOAK_FILES_MOST 64

typedef struct soak_file {
  char *path, *text;
  size_t length;
  char type[64]; /* of a class file, or "" */
} soak_file;

typedef struct soak {
  game game;
  window window;
  char folder[300];
  soak_file files[SOAK_FILES_MOST];
  size_t file_count;
  const char *keys;
  uint64_t random;
  uint64_t frames, ticks, troubles;
  /* What happened, as it was meant to. */
  uint64_t edits, refused, reverted, hook_faults, errors, stops, endless, greedy;
  const char *expected; /* a part of any error that may be told now; NULL: none may */
} soak;

/* What is held after a full collection, in bytes. */
typedef struct soak_memory {
  size_t lua, pools, process; /* Lua's heap; what the managers hold; the resident set */
} soak_memory;

/* Starts a copy of the game. `keys` are those that are pressed, a letter each; `argument` (NULL: none) goes to load. */
void soak_open(soak *s, const char *path, const char *keys, char *argument, uint64_t seed);
void soak_close(soak *s);

/* A frame: keys and clicks, a look at the files, a step, the picture. */
void soak_frame(soak *s);

/* One trouble, each kind in turn; the game plays on within it, and all is well again at the end. */
void soak_trouble(soak *s);

/* Counts against each other and against walks; and time against the ticks that were made. */
void soak_check(const soak *s);
soak_memory soak_measure(const soak *s);

#endif
