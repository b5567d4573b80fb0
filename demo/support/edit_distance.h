/*
** The distance between two names, for suggestions in messages about unknown names.
*/
#ifndef SP_DEMO_EDIT_DISTANCE_H
#define SP_DEMO_EDIT_DISTANCE_H

/* Returns the number of letters to insert, delete, replace or swap to turn `a` into `b`; 0 when equal. Case matters.
   A name that begins with the other has distance 1, so that an abbreviation finds its full form. Bytes past 63 are
   ignored. */
unsigned edit_distance(const char *a, const char *b);

#endif
