#include "demo/support/nearest_name.h"

#include <string.h>

#include "script/state/show.h"

#define MOST 63

unsigned nearest_name_distance(const char *a, const char *b)
{
  size_t la = strnlen(a, MOST), lb = strnlen(b, MOST), shorter = la < lb ? la : lb;
  if (la != lb && shorter >= 3 && strncmp(a, b, shorter) == 0)
    return 1;
  return (unsigned)sp_edit_distance(a, la, b, lb);
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
