/*
** How far two names are apart, so that a message about an unknown name can offer the one that was meant.
*/
#ifndef SP_DEMO_EDIT_DISTANCE_H
#define SP_DEMO_EDIT_DISTANCE_H

/* The number of letters to insert, drop, change or swap to make `b` of `a`; 0 when equal. Case counts. A name that
   begins with the other is one step away, so that a cut-off word finds its full form. Bytes past 63 are not looked
   at. */
unsigned edit_distance(const char *a, const char *b);

#endif
