/*
** How far one name is from another, for suggestions: the letters to insert, delete, replace or swap.
*/
#ifndef SP_SCRIPT_EDIT_DISTANCE_H
#define SP_SCRIPT_EDIT_DISTANCE_H

#include <stddef.h>

#define SP_EDIT_MOST 127 /* bytes; a longer name is as far from every other as it is long */

/* Returns the distance of optimal string alignment: "recyle" and "on_spwan" are one edit away from what is meant. */
size_t sp_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
