/*
** A text from bytes: a grammar is a row of rules, a rule a row of productions, and each byte picks one. In a production
** "@x" stands for rule x. The first production of a rule should name no other: it is what deep places and the end of
** the bytes get, so that every text comes to an end.
*/
#ifndef SP_TESTS_FUZZ_GRAMMAR_H
#define SP_TESTS_FUZZ_GRAMMAR_H

#include "fuzz/fuzz.h"

typedef struct fuzz_rule {
  char name;
  const char *const *row; /* ends with NULL */
} fuzz_rule;

typedef struct fuzz_text {
  fuzz_input in;
  const fuzz_rule *rules; /* ends with a name of 0 */
  int depth;
  size_t used;
  char at[1 << 15];
} fuzz_text;

/* Appends; what does not fit is left out. */
void fuzz_say(fuzz_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fuzz_expand(fuzz_text *t, const char *production);

#endif
