/*
** Makes a failing list shorter: leaves out halves, then smaller parts, then single items, and then makes each item
** smaller, as long as it still fails.
*/
#ifndef SP_TESTS_SHRINK_H
#define SP_TESTS_SHRINK_H

#include <stdbool.h>

/* `turn` says which one it is; `size` how much of it, 0 and up. */
typedef struct shrink_item {
  int turn, size;
} shrink_item;

enum { SHRINK_WHOLE = 1000 };

/* Returns whether this list fails in the way that is looked for. */
typedef bool (*shrink_fn)(void *ud, const shrink_item *items, int count);

/* Shortens `items`, which fail, in place; returns how many are left. Asks `fails` at most `most` times. */
int shrink(shrink_item *items, int count, shrink_fn fails, void *ud, int most);

#endif
