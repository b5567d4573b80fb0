/*
** Zeller's ddmin, with removals only: tries to remove halves, then quarters, down to single entries, and returns to
** larger parts whenever one could be removed.
*/
#include "demo/app/ddmin.h"

#include <stdlib.h>
#include <string.h>

static size_t count_kept(const bool *kept, size_t count)
{
  size_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += kept[i];
  return sum;
}

/* Copies `kept` without its entries from number `from` on, `length` of them. */
static void remove_part(bool *without, const bool *kept, size_t count, size_t from, size_t length)
{
  size_t number = 0;
  memcpy(without, kept, count * sizeof *kept);
  for (size_t i = 0; i < count; i++)
    if (kept[i]) {
      if (number >= from && number < from + length)
        without[i] = false;
      number++;
    }
}

/* Tries to remove parts of this length, from the end, because late input rarely contributes to the error. */
static bool remove_parts(bool *kept, bool *without, size_t count, size_t length, ddmin_test test, void *ud)
{
  bool any = false;
  for (size_t end = count_kept(kept, count); end > 0;) {
    size_t from = end > length ? end - length : 0;
    remove_part(without, kept, count, from, end - from);
    if (test(ud, without, count)) {
      memcpy(kept, without, count * sizeof *kept);
      any = true;
    }
    end = from;
  }
  return any;
}

bool ddmin(bool *kept, size_t count, ddmin_test test, void *ud)
{
  bool *without = malloc(count + 1);
  if (!without)
    return false;
  for (size_t length = count_kept(kept, count); length > 0;) {
    bool any = remove_parts(kept, without, count, length, test, ud);
    if (length == 1 && !any)
      break;
    length = (length + 1) / 2;
  }
  free(without);
  return true;
}
