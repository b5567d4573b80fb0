/*
** Strings that come from games, files and command lines: decoding UTF-8, and the likeliest meaning of a misspelt name.
*/
#ifndef SP_SCRIPT_STRINGS_H
#define SP_SCRIPT_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/binding.h" /* sp_sum */

/* {== UTF-8 ==============================================================
** Strings may contain any bytes. A "letter" is what sp_utf8_next consumes at once, as strings are drawn. */

#define SP_UTF8_REPLACEMENT 0xfffdu

/* Returns the character at *s and moves *s past it. An invalid byte is one replacement mark. `end` > *s. */
uint32_t sp_utf8_next(const char **s, const char *end);

/* Returns whether these bytes are valid throughout. */
bool sp_utf8_is_valid(const char *s, size_t length);

/* Returns whether a byte is a continuation byte. */
bool sp_utf8_continues(char c);

/* Returns how many bytes of `s` fit into `most` without splitting a character: all of them if they fit. 0 only if
   `most` is less than the first character, or `s` is "". */
size_t sp_utf8_fit(const char *s, size_t most);

/* Return the number of letters in the first `length` bytes of `s`; and the bytes of its first `letters` letters, or
   all of them if it has fewer. */
size_t sp_utf8_letters(const char *s, size_t length);
size_t sp_utf8_span(const char *s, size_t letters);

/* }== */

/* {== The nearest name ===================================================
** Candidates are offered one by one:
**
**   sp_nearest_name near = sp_nearest_name_of("cirle");
**   sp_nearest_name_offer(&near, "circle");
**   near.name is "circle" */

typedef struct sp_nearest_name {
  const char *wanted;
  const char *name;  /* the nearest so far; NULL: none is near */
  unsigned distance; /* of `name`; or one more than a name may have */
} sp_nearest_name;

/* Returns the search for `wanted`, which must outlive it. A name is near within a third of its letters, or one. */
sp_nearest_name sp_nearest_name_of(const char *wanted);

/* Offers a candidate, which must live as long as `near->name` is used. True: it is nearer than all before it. */
bool sp_nearest_name_offer(sp_nearest_name *near, const char *candidate);

/* Returns the number of letters to insert, delete, replace or swap to turn `a` into `b`; 0 when equal. Case matters.
   A name that begins with the other has distance 1, so that an abbreviation finds its full form. Bytes past 63 are
   ignored. */
unsigned sp_nearest_name_distance(const char *a, const char *b);

/* }== */

#endif
