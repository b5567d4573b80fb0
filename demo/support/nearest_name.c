/*
** The distance is that of optimal string alignment: three rows of the usual table, so that a swap of neighbours
** ("haedless") counts once. Names are short, hence fixed rows on the stack.
*/
#include "demo/support/nearest_name.h"

#include <string.h>

#define MOST 63

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Returns the cost of swapping the letters before i and j; maximal when they do not match. */
static unsigned swap_cost(const char *a, const char *b, size_t i, size_t j, const unsigned *before2)
{
  return i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] ? before2[j - 2] + 1 : ~0u;
}

unsigned nearest_name_distance(const char *a, const char *b)
{
  size_t la = strnlen(a, MOST), lb = strnlen(b, MOST), shorter = la < lb ? la : lb;
  unsigned rows[3][MOST + 1];
  if (la != lb && shorter >= 3 && strncmp(a, b, shorter) == 0)
    return 1;
  for (size_t j = 0; j <= lb; j++)
    rows[0][j] = (unsigned)j;
  for (size_t i = 1; i <= la; i++) {
    unsigned *row = rows[i % 3];
    const unsigned *before = rows[(i - 1) % 3], *before2 = rows[(i + 1) % 3];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= lb; j++) {
      unsigned step = least(row[j - 1], before[j]) + 1;
      unsigned change = before[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = least(least(step, change), swap_cost(a, b, i, j, before2));
    }
  }
  return rows[la % 3][lb];
}

nearest_name nearest_name_of(const char *wanted)
{
  unsigned third = (unsigned)strnlen(wanted, MOST) / 3;
  return (nearest_name){.wanted = wanted, .distance = (third > 1 ? third : 1) + 1};
}

bool nearest_name_offer(nearest_name *near, const char *candidate)
{
  unsigned distance = nearest_name_distance(near->wanted, candidate);
  if (distance >= near->distance)
    return false;
  near->name = candidate;
  near->distance = distance;
  return true;
}
