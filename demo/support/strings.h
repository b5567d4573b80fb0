/*
** Strings that come from games, files and command lines: decoding UTF-8, and the likeliest meaning of a misspelt name.
*/
#ifndef SP_DEMO_STRINGS_H
#define SP_DEMO_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {== UTF-8 ==============================================================
** Strings may contain any bytes. A "letter" is what utf8_next consumes at once, as strings are drawn. */

#define UTF8_REPLACEMENT 0xfffdu

/* Returns the character at *s and moves *s past it. An invalid byte is one replacement mark. `end` > *s. */
uint32_t utf8_next(const char **s, const char *end);

/* Returns whether these bytes are valid throughout. */
bool utf8_is_valid(const char *s, size_t length);

/* Returns whether a byte is a continuation byte. */
bool utf8_continues(char c);

/* Returns how many bytes of `s` fit into `most` without splitting a character: all of them if they fit. 0 only if
   `most` is less than the first character, or `s` is "". */
size_t utf8_fit(const char *s, size_t most);

/* Return the number of letters in the first `length` bytes of `s`; and the bytes of its first `letters` letters, or
   all of them if it has fewer. */
size_t utf8_letters(const char *s, size_t length);
size_t utf8_span(const char *s, size_t letters);

/* }== */

/* {== The nearest name ===================================================
** Candidates are offered one by one:
**
**   nearest_name near = nearest_name_of("cirle");
**   nearest_name_offer(&near, "circle");
**   near.name is "circle" */

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

/* }== */

/* {== Checksum: FNV-1a, of 64 bits ====================================== */

#define CHECKSUM_BEGIN UINT64_C(0xcbf29ce484222325)

/* Returns the checksum `sum` (CHECKSUM_BEGIN: of nothing) with these bytes added. */
static inline uint64_t checksum_add(uint64_t sum, const void *bytes, size_t size)
{
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
  return sum;
}

/* }== */

#endif
