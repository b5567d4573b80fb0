/*
** Refuses calls of malloc, calloc and realloc that the code linked into the runner makes, ours and the tests', but not
** those inside shared libraries: the linker turns the former to here. Lua's memory and the pools' come through the
** host's realloc, so that they count too.
**
**   refuse_begin(7, false);                  -- the seventh call from now on is refused
**   ... use it ...
**   refusals r = refuse_end();               -- r.blocks of those made meanwhile are still there
*/
#ifndef SP_TESTS_REFUSE_H
#define SP_TESTS_REFUSE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct refusals {
  size_t calls;  /* that asked for memory */
  size_t count;  /* refused */
  size_t blocks; /* that were made since the beginning, and not freed */
} refusals;

/* Returns whether the linker supports that here. */
bool refuse_can(void);

/* `fail_at` counts from 1; 0: none is refused. `keep_failing`: every one after it too. */
void refuse_begin(size_t fail_at, bool keep_failing);
/* From now on nothing is refusals; blocks are still counted. */
void refuse_relent(void);
refusals refuse_end(void);

/* The first call that a test refuses, and how far apart the others lie. SP_SHIFT moves the first one: with each of 0 to
   the stride less 1, every call has its turn. */
size_t refuse_first(void);
size_t refuse_stride(size_t usual);

#endif
