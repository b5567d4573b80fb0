#include "support/shrink.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
  shrink_fn fails;
  void *ud;
  int left; /* questions */
  shrink_item *items, *trial;
  int count;
} search;

static bool still_fails(search *s, int count) { return s->left-- > 0 && s->fails(s->ud, s->trial, count); }

/* Leaves out `size` items from `from` on, if it still fails then. */
static bool drop(search *s, int from, int size)
{
  int end = from + size < s->count ? from + size : s->count, left = s->count - (end - from);
  memcpy(s->trial, s->items, (size_t)from * sizeof *s->items);
  memcpy(s->trial + from, s->items + end, (size_t)(s->count - end) * sizeof *s->items);
  if (!still_fails(s, left))
    return false;
  memcpy(s->items, s->trial, (size_t)left * sizeof *s->items);
  s->count = left;
  return true;
}

/* From the end: what comes after the fault goes at once. */
static bool drop_parts(search *s, int size)
{
  bool dropped = false;
  for (int from = (s->count - 1) / size * size; from >= 0; from -= size)
    if (from < s->count && s->left > 0)
      dropped = drop(s, from, size) || dropped;
  return dropped;
}

static bool make_smaller(search *s, int at)
{
  static const int sizes[] = {0, 1, 2, 4, 8, 16};
  for (int i = 0; i < 6 && sizes[i] < s->items[at].size && s->left > 0; i++) {
    memcpy(s->trial, s->items, (size_t)s->count * sizeof *s->items);
    s->trial[at].size = sizes[i];
    if (still_fails(s, s->count)) {
      s->items[at].size = sizes[i];
      return true;
    }
  }
  return false;
}

int shrink(shrink_item *items, int count, shrink_fn fails, void *ud, int most)
{
  search s = {fails, ud, most, items, malloc(((size_t)count + 1) * sizeof *items), count};
  if (!s.trial)
    return count;
  for (bool again = true; again && s.left > 0;) {
    again = false;
    for (int size = (s.count + 1) / 2; size > 1; size /= 2)
      drop_parts(&s, size);
    while (s.count > 0 && s.left > 0 && drop_parts(&s, 1)) /* one may have waited for another */
      again = true;
    for (int at = s.count - 1; at >= 0; at--)
      again = make_smaller(&s, at) || again;
  }
  free(s.trial);
  return s.count;
}
