/*
** Makes a failing list shorter: leaves out halves, then smaller parts, then single items, and then makes each item
** smaller, as long as it still fails. And a place where things may fail: a child process.
*/
#ifndef SP_TESTS_SHRINK_H
#define SP_TESTS_SHRINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* `turn` says which one it is; `size` how much of it, 0 and up. */
typedef struct shrink_item {
  int turn, size;
} shrink_item;

enum { SHRINK_WHOLE = 1000 };

/* Whether this list fails in the way that is looked for. */
typedef bool (*shrink_fn)(void *ud, const shrink_item *items, int count);

/* Shortens `items`, which fail, in place; returns how many are left. Asks `fails` at most `most` times. */
int shrink(shrink_item *items, int count, shrink_fn fails, void *ud, int most);

/* Not under valgrind, where a child that ends in the middle of a test counts as one that leaks, nor when lines are
   counted, which such a child does not write down. */
bool attempt_can(void);

/* Runs `body` in a child for at most `seconds`: Check's asserts may fail in it, and it may crash. Returns whether it
   failed; `message` says how ("signal 11" after a crash). `said` (may be NULL) receives all that it wrote to `out`. */
typedef void (*attempt_fn)(void *ud, FILE *out);
bool attempt(attempt_fn body, void *ud, int seconds, char *message, size_t size, char **said);

/* Whether two messages tell of the same fault: all but the numbers is equal. */
bool attempt_is_same(const char *a, const char *b);

#endif
