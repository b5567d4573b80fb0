/*
** The likeliest meaning of a misspelt name, for messages: candidates are offered one by one.
**
**   nearest_name near = nearest_name_of("cirle");
**   nearest_name_offer(&near, "circle");
**   near.name is "circle"
*/
#ifndef SP_DEMO_NEAREST_NAME_H
#define SP_DEMO_NEAREST_NAME_H

#include <stdbool.h>

typedef struct nearest_name {
  const char *wanted;
  const char *name;  /* the nearest so far; NULL: none is near */
  unsigned distance; /* of `name`; or one more than a name may have */
} nearest_name;

/* Returns the search for `wanted`, which must outlive it. A name is near within a third of its letters, or one. */
nearest_name nearest_name_of(const char *wanted);

/* Offers a candidate, which must live as long as `near->name` is used. True: it is nearer than all before it. */
bool nearest_name_offer(nearest_name *near, const char *candidate);

/* Returns the number of letters to insert, delete, replace or swap to turn `a` into `b`; 0 when equal. Case matters.
   A name that begins with the other has distance 1, so that an abbreviation finds its full form. Bytes past 63 are
   ignored. */
unsigned nearest_name_distance(const char *a, const char *b);

#endif
